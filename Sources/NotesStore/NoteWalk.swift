import Causality
import NotesModel

/// Walks a note's commits back from the newest: down to a critical version, or along its history.
struct NoteWalk {
    var reader: RevisionReader
    let entry: NoteEntry

    /// See `Journal.note(_:downTo:asOf:)`.
    ///
    /// A row that covers all that is before it is a critical version when all after it have it in their past. Going back, it
    /// is enough to remember the oldest commit that is still needed: of the dots asked for, and of the parents of the rows
    /// passed. Parents are maximal, so a row above a critical version names none below it; and one without parents has
    /// nothing in its past, so that there is none below that. At the note's foot reading ends, whatever is needed.
    /// - Complexity: O(commits since that version) rows, and its text.
    mutating func record(downTo depth: LoadDepth, asOf: UInt64?) throws(SQLFault) -> NoteRecord? {
        guard let newest = try newestRow(asOf: asOf) else { return nil }
        var needed = try oldestNeeded(depth, asOf: newest.sequence)
        var tail: [Revision] = []
        var row = newest
        var floor: NoteRecord.Floor?
        var isCompactionFloor = false
        while true {
            isCompactionFloor = row.flags.contains(.compactionFloor)
            if isCompactionFloor || (row.flags.contains(.coversAll) && row.sequence <= needed && depth != .start) {
                floor = try self.floor(at: row)
                break
            }
            tail.append(try reader.fittingRevision(of: row, note: entry.head.id))
            needed = min(needed, row.parentCommits.min() ?? 0)
            guard row.previous != 0 else { break }
            row = try ownRow(row.previous)
        }
        return NoteRecord(
            id: entry.head.id, created: entry.head.created, vector: entry.head.vector, sequence: newest.sequence, floor: floor,
            tail: tail.reversed(), endsAtCompactionFloor: isCompactionFloor, gone: isCompactionFloor ? try dots(of: depth, before: row.sequence) : .nothing)
    }

    /// See `Journal.past(_:asOf:withText:)`.
    ///
    /// - Complexity: O(commits after) rows; where it is kept, the text besides, otherwise that of `record`.
    mutating func past(asOf: UInt64, withText: Bool) throws(SQLFault) -> PastNote? {
        guard let row = try newestRow(asOf: asOf) else { return nil }
        guard var head = try reader.shownHead(of: row) else {
            return try record(downTo: .newest, asOf: row.sequence).map { .record($0) }
        }
        head.vector = entry.head.vector
        return .shown(sequence: row.sequence, head: head, text: withText ? try reader.mergedText(of: row, as: head) : nil)
    }

    /// The note's dots that a record was to reach and that lie below a commit.
    private mutating func dots(of depth: LoadDepth, before sequence: UInt64) throws(SQLFault) -> Version {
        guard case .dots(let version) = depth else { return .nothing }
        var below: [Dot] = []
        for dot in version.dots {
            if let commit = try commit(ofOwn: dot), commit < sequence { below.append(dot) }
        }
        return Version(below)
    }

    /// See `Journal.plannable(of:before:limit:)`.
    mutating func plannable(before sequence: UInt64?, limit: Int) throws(SQLFault) -> [CompactionPlan.Row] {
        var next = sequence == nil ? entry.newest : try reader.row(required: sequence ?? 0).previous
        var rows: [CompactionPlan.Row] = []
        while next != 0, rows.count < limit {
            let row = try reader.row(required: next)
            rows.append(try reader.planned(row))
            next = row.previous
        }
        return rows
    }

    /// See `Journal.history(of:before:limit:)`.
    mutating func history(before dot: Dot?, limit: Int) throws(SQLFault) -> [RevisionSummary]? {
        var next = entry.newest
        if let dot {
            guard let commit = try commit(ofOwn: dot) else { return nil }
            next = try reader.row(required: commit).previous
        }
        var summaries: [RevisionSummary] = []
        while next != 0, summaries.count < limit {
            let row = try reader.row(required: next)
            summaries.append(try reader.summary(of: row))
            next = row.previous
        }
        return summaries
    }

    /// See `Journal.revision(_:of:)`.
    mutating func revision(_ dot: Dot) throws(SQLFault) -> Revision? {
        guard let commit = try commit(ofOwn: dot) else { return nil }
        let row = try reader.row(required: commit)
        return row.flags.contains(.compacted) ? nil : try reader.fittingRevision(of: row, note: entry.head.id)
    }

    /// See `Journal.stored(of:before:limit:)`.
    mutating func stored(before sequence: UInt64?, limit: Int) throws(SQLFault) -> StoredPage {
        var next = sequence == nil ? entry.newest : try reader.row(required: sequence ?? 0).previous
        var revisions: [StoredRevision] = []
        var unreadable: [StoredPage.Unreadable] = []
        var commits: [UInt64] = []
        while next != 0, commits.count < limit {
            commits.append(next)
            var previous: UInt64?
            do throws(SQLFault) {
                let row = try reader.row(required: next)
                guard row.note == entry.number else { throw .malformed("commit \(next) belongs to another note") }
                previous = row.previous
                revisions.append(try reader.stored(row, note: entry.head.id))
            } catch {
                guard error.isDamage else { throw error }
                unreadable.append(StoredPage.Unreadable(dot: dot(of: next), what: error.message))
                previous = previous ?? linked(next)
            }
            next = previous ?? 0
        }
        return StoredPage(revisions: revisions, unreadable: unreadable, commits: commits, next: next == 0 ? nil : commits.last)
    }

    /// The commit before one that cannot be read whole; nil where that cannot be told either.
    private func linked(_ commit: UInt64) -> UInt64? {
        do throws(SQLFault) { return try link(at: commit).previous } catch { return nil }
    }

    /// Nil where the store cannot say.
    private mutating func dot(of commit: UInt64) -> Dot? {
        do throws(SQLFault) { return try reader.dot(of: commit) } catch { return nil }
    }

    /// The commit of a dot, where it is this note's.
    mutating func commit(ofOwn dot: Dot) throws(SQLFault) -> UInt64? {
        guard let commit = try reader.commit(of: dot) else { return nil }
        return try reader.row(required: commit).note == entry.number ? commit : nil
    }

    /// See `Journal.countCommits(of:after:through:)`.
    func countCommits(after: UInt64, through: UInt64) throws(SQLFault) -> Int {
        var count = 0
        var commit = entry.newest
        while commit > after {
            if commit <= through { count += 1 }
            commit = try link(at: commit).previous
        }
        return count
    }

    private func newestRow(asOf: UInt64?) throws(SQLFault) -> RevisionRow? {
        var commit = entry.newest
        while commit > asOf ?? .max {
            let link = try link(at: commit)
            guard link.previous != 0, !link.flags.contains(.compactionFloor) else {
                // That nothing is before it is what the whole row says.
                _ = try ownRow(commit)
                return nil
            }
            commit = link.previous
        }
        return try ownRow(commit)
    }

    /// What leads from one of the note's commits to the one before, without the rest of the row.
    private func link(at commit: UInt64) throws(SQLFault) -> RevisionRow.Link {
        guard let link = try reader.link(at: commit) else { throw .malformed("commit \(commit) is missing") }
        guard link.note == entry.number else { throw .malformed("commit \(commit) is not in note number \(entry.number)") }
        return link
    }

    private func ownRow(_ commit: UInt64) throws(SQLFault) -> RevisionRow {
        let row = try reader.row(required: commit)
        guard row.note == entry.number else { throw .malformed("commit \(commit) is not in note number \(entry.number)") }
        return row
    }

    private mutating func oldestNeeded(_ depth: LoadDepth, asOf newest: UInt64) throws(SQLFault) -> UInt64 {
        guard case .dots(let version) = depth else { return newest }
        var needed = newest
        for dot in version.dots {
            guard let commit = try commit(ofOwn: dot), commit <= newest else { continue }
            needed = min(needed, commit)
        }
        return needed
    }

    private mutating func floor(at row: RevisionRow) throws(SQLFault) -> NoteRecord.Floor {
        NoteRecord.Floor(
            dot: try reader.dot(of: row.sequence), text: try reader.ownText(of: row), name: try reader.ownName(of: row),
            isDeleted: row.flags.contains(.tombstone), author: try reader.author(of: row), time: row.time,
            conflicts: try reader.extra(of: row).conflicts)
    }
}
