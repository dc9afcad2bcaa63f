import Causality
import NotesModel
import NotesSQL
import TextMerge

extension RevisionChainReader {
    /// Continues to read the note from a critical version up. See `Journal.read(_:rowsMax:)`.
    ///
    /// A revision is a critical version if it covers everything before it (`coversAll`) and every
    /// later revision has it in its past.
    ///
    /// **Why one number suffices.** Going back, the reading only remembers `needed`, the oldest commit
    /// that is still needed: the minimum of the dots asked for and of the parents of the rows
    /// passed. A row that covers all can be the floor exactly if `row.sequence <= needed`:
    ///
    /// - If a passed row has a parent below this row, its past does not contain this row. For this
    ///   row covers that parent, so if both were in that past, the parent would not be maximal.
    /// - If no passed row has a parent below this row, the parents of each lead to it, so it is in
    ///   the past of all.
    /// - A passed row without parents has an empty past, so nothing below it is critical: `needed`
    ///   becomes 0.
    /// - A row at which the note is deleted is no floor, unless the floor of compaction: undoing the
    ///   write that restores the note may bring back the text from before the deletion.
    /// - The revisions that a passed row withdraws must be above the floor, so `needed` becomes at
    ///   most the commit before them. And no conflict may be unresolved at the floor then (`View.canWithdraw`).
    ///
    /// **Example.** Commits 3 and 4 were written concurrently on 2, and 5 merges them. `*` marks
    /// rows that cover all before them:
    ///
    ///     commit    1*     2*     3*     4      5*
    ///     parents   none   1      2      2      3, 4
    ///
    /// - As of commit 5, with depth `newest`: `needed` is 5, row 5 covers all, so it is the floor
    ///   and the tail is empty.
    /// - As of commit 4: row 4 does not cover all, so it joins the tail and `needed` becomes 2. Row
    ///   3 covers all, but 3 > 2: row 4 does not have it in its past. Row 2 is the floor; the tail
    ///   is 3, 4.
    /// - As of commit 4, asked for the dot of commit 1: `needed` starts at 1, so the reading passes
    ///   row 2 and ends at row 1.
    ///
    /// The reading ends at the compaction floor whatever is needed, since texts below it may be gone.
    ///
    /// A client that undoes a revision often undoes the one before it next. So a record for a
    /// withdrawal (`LoadDepth.below`) reaches down twice as many commits as needed, if there are as
    /// many. Then repeated undos read the history O(log commits) times.
    ///
    /// - Parameter compactedThrough: the greatest commit that was made a compaction floor.
    mutating func step(_ reading: inout RecordRead, rowsMax: Int, compactedThrough: UInt64) throws(SQLFault) {
        if reading.place == nil { try begin(&reading, compactedThrough) }
        let rowsBefore = reading.rows
        var part: [Revision] = []
        while let place = reading.place, reading.rows - rowsBefore < rowsMax {
            switch place {
            case .above(let commit, let target): try descend(&reading, from: commit, to: target)
            case .row(let commit, let needs): try pass(commit, needs, of: &reading, &part)
            }
        }
        if reading.place != nil, !part.isEmpty { reading.parts.append(part) }
    }

    /// Reads a record at once. See `Journal.note(_:downTo:asOf:)`.
    mutating func record(downTo depth: LoadDepth, asOf sequence: UInt64) throws(SQLFault) -> NoteRecord? {
        var reading = RecordRead(entry.head.id, downTo: depth, end: .commit(sequence))
        while true {
            try step(&reading, rowsMax: .max, compactedThrough: .max)
            if case .record(let record) = reading.result { return record }
        }
    }

    /// Reads a record that ends at a commit of the note, at once.
    mutating func record(downTo depth: LoadDepth, endingAt commit: UInt64) throws(SQLFault) -> NoteRecord? {
        var reading = RecordRead(entry.head.id, downTo: depth, end: .commit(commit))
        reading.vector = entry.head.vector
        reading.place = .above(commit, target: commit)
        while true {
            try step(&reading, rowsMax: .max, compactedThrough: .max)
            if case .record(let record) = reading.result { return record }
        }
    }

    /// Finds where the reading begins. The commit of a dot is found without the ones after it, unless a
    /// compaction floor may be among these.
    private mutating func begin(_ reading: inout RecordRead, _ compactedThrough: UInt64) throws(SQLFault) {
        reading.vector = entry.head.vector
        switch reading.end {
        case .newest: try arrive(at: entry.newest, &reading)
        case .commit(let commit): reading.place = .above(entry.newest, target: commit)
        case .dots(let version):
            var newest: UInt64?
            for dot in version.dots {
                if let commit = try commit(ofOwn: dot) { newest = max(newest ?? 0, commit) }
            }
            guard let newest, newest < compactedThrough else { return try arrive(at: newest ?? entry.newest, &reading) }
            reading.place = .above(entry.newest, target: newest)
        }
    }

    /// Follows the link of a commit on the way to the newest commit of the record.
    private mutating func descend(_ reading: inout RecordRead, from commit: UInt64, to target: UInt64) throws(SQLFault) {
        guard commit > target else { return try arrive(at: commit, &reading) }
        let link = try self.link(at: commit)
        reading.count(1)
        guard link.previous == 0 || link.flags.contains(.compactionFloor) else {
            reading.place = .above(link.previous, target: target)
            return
        }
        // The link claims that no earlier commit exists. Reading the whole row verifies its checksum.
        _ = try ownRow(commit)
        if case .dots = reading.end { try arrive(at: commit, &reading) } else { reading.complete(with: .record(nil)) }
    }

    private mutating func arrive(at newest: UInt64, _ reading: inout RecordRead) throws(SQLFault) {
        reading.sequence = newest
        let needed = try oldestNeeded(reading.depth, asOf: newest)
        reading.place = .row(newest, RecordRead.Needs(needed: needed, mustBeResolved: reading.depth.isBelow))
    }

    /// Reads the row of a commit, which becomes the floor or joins the tail.
    ///
    /// - Parameter part: what this step has read.
    private mutating func pass(
        _ commit: UInt64, _ needs: RecordRead.Needs, of reading: inout RecordRead, _ part: inout [Revision]
    ) throws(SQLFault) {
        if let after = reading.after, commit <= after { return try complete(&reading, &part, floor: nil, at: nil) }
        var needs = needs
        let row = try ownRow(commit)
        let isCompactionFloor = row.flags.contains(.compactionFloor)
        let mayBeFloor =
            row.flags.contains(.coversAll) && !row.isDeleted && row.sequence <= needs.needed && reading.depth != .start
        if reading.after == nil, isCompactionFloor || mayBeFloor {
            let isUsable = needs.mustBeResolved ? try reader.extra(of: row).conflicts.isEmpty : true
            guard isUsable || !isCompactionFloor else {
                throw .malformed("a conflict is unresolved at commit \(row.sequence), the compaction floor")
            }
            if isUsable { needs.tailMin = needs.tailMin ?? (reading.depth.isBelow ? 2 * reading.tailCount : 0) }
            if let tailMin = needs.tailMin, isUsable, isCompactionFloor || reading.tailCount >= tailMin {
                return try complete(&reading, &part, floor: try floor(at: row), at: isCompactionFloor ? row : nil)
            }
        }
        let revision = try reader.fittingRevision(of: row, note: entry.head.id)
        part.append(revision)
        reading.tailCount += 1
        if revision.isWithdrawal { needs.mustBeResolved = true }
        needs.needed = min(needs.needed, row.parentCommits.min() ?? 0, try reader.oldestNeeded(by: revision.withdraws))
        reading.count(1 + row.edits.count / 512 + max(0, row.parentCommits.count - 1) + revision.withdraws.count)
        guard row.previous != 0 else { return try complete(&reading, &part, floor: nil, at: nil) }
        reading.place = .row(row.previous, needs)
    }

    /// - Parameters:
    ///   - part: what this step has read.
    ///   - row: the row of the floor if that is the compaction floor.
    private mutating func complete(
        _ reading: inout RecordRead, _ part: inout [Revision], floor: NoteRecord.Floor?, at row: RevisionRow?
    ) throws(SQLFault) {
        reading.parts.append(part)
        part = []
        let (tail, sequence) = (reading.takeTail(), reading.sequence ?? entry.newest)
        guard reading.after == nil else { return reading.complete(with: .newer(tail, sequence: sequence)) }
        reading.complete(
            with: .record(
                NoteRecord(
                    id: entry.head.id, created: entry.head.created, vector: reading.vector, sequence: sequence, floor: floor,
                    tail: tail, endsAtCompactionFloor: row != nil,
                    gone: try row.map { row throws(SQLFault) in try dots(of: reading.depth, before: row.sequence) } ?? .nothing)))
    }

    /// The note's dots among those asked for that are below a commit, and so below the compaction
    /// floor.
    private mutating func dots(of depth: LoadDepth, before sequence: UInt64) throws(SQLFault) -> Version {
        var below: [Dot] = []
        for dot in depth.dots {
            if let commit = try commit(ofOwn: dot), commit < sequence { below.append(dot) }
        }
        return Version(below)
    }

    /// The commit from which `step` starts to look for a floor: the oldest commit of the dots
    /// asked for, or the newest commit if none is.
    ///
    /// - Complexity: O(dots log dots), and one row for each dot of another note that is older.
    private mutating func oldestNeeded(_ depth: LoadDepth, asOf newest: UInt64) throws(SQLFault) -> UInt64 {
        var under: Set<Dot> = []
        if case .below(let dots, _) = depth { under = Set(dots) }
        var commits: [(needed: UInt64, dot: Dot)] = []
        for dot in under.union(depth.dots) {
            guard let commit = try reader.commit(of: dot), commit <= newest else { continue }
            commits.append((under.contains(dot) ? commit - 1 : commit, dot))
        }
        for (needed, dot) in commits.sorted(by: { $0.needed < $1.needed }) where needed < newest {
            if try commit(ofOwn: dot) != nil { return needed }
        }
        return newest
    }

    /// The record's floor: the state of a critical version with its text.
    private mutating func floor(at row: RevisionRow) throws(SQLFault) -> NoteRecord.Floor {
        let extra = try reader.extra(of: row)
        return NoteRecord.Floor(
            dot: try reader.dot(of: row.sequence),
            ViewFloor(
                text: try reader.ownText(of: row), lastLine: row.flags.lastLine, isDeleted: row.isDeleted,
                conflicts: extra.conflicts),
            name: try reader.ownName(of: row), author: try reader.author(of: row), time: row.time,
            modified: FileTimes(taggedFields: extra.reserved)?.modified ?? row.time, isPurge: row.flags.contains(.purge))
    }
}
