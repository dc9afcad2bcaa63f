import Causality
import NotesModel
import NotesSQL
import TextMerge

/// Follows a note's commits back from the newest, to read a record for merging or a page of
/// history.
///
/// Each row of `revision` links to the previous commit of its note (`RevisionRow.previous`), so a
/// read visits the note's rows only, newest first.
struct RevisionChainReader {
    var reader: RevisionReader
    let entry: NoteEntry

    /// Reads the merged state as of a commit. See `Journal.past(_:asOf:withText:)`.
    ///
    /// - Complexity: O(commits after it) links, without those that jumps pass; plus its text if the
    ///   merged state is stored, otherwise plus the cost of `record`.
    mutating func past(asOf: UInt64, withText: Bool, _ jumps: CommitJumps) throws(SQLFault) -> PastNote? {
        guard let row = try newestRow(asOf: asOf, jumps) else { return nil }
        guard var head = try reader.shownHead(of: row) else {
            return try record(downTo: .newest, endingAt: row.sequence).map { .record($0) }
        }
        head.vector = entry.head.vector
        return .shown(sequence: row.sequence, head: head, text: withText ? try reader.mergedText(of: row, as: head) : nil)
    }

    /// See `MaintainableJournal.plannable(of:before:limit:)`.
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

    /// The note at its newest compaction floor; nil if it has none, or more revisions below than can be
    /// sent.
    ///
    /// - Complexity: O(commits of the note), of which only the links are read, and reading the text.
    mutating func beginning() throws(SQLFault) -> NoteBeginning? {
        var commit = entry.newest
        var link = try link(at: commit)
        while !link.flags.contains(.compactionFloor) {
            guard link.previous != 0 else { return nil }
            commit = link.previous
            link = try self.link(at: commit)
        }
        let row = try reader.row(required: commit)
        guard try reader.extra(of: row).conflicts.isEmpty else { return nil }
        var (below, count) = (DotSet(), 0)
        while link.previous != 0 {
            count += 1
            guard count <= NoteBeginning.belowMax else { return nil }
            below.insert(try reader.dot(of: link.previous))
            link = try self.link(at: link.previous)
        }
        guard count > 0 else { return nil }
        let isDeleted = row.isDeleted
        var erased = row.flags.contains(.purge) ? below : DotSet()
        if erased.isEmpty, let record = try MarkTable(database: reader.database).record(ofNote: entry.number) {
            erased = record.below.intersection(below)
        }
        return NoteBeginning(
            floor: try reader.linked(try reader.fittingRevision(of: row, note: entry.head.id), of: row), below: below,
            erased: erased, text: isDeleted ? [] : try reader.ownText(of: row),
            name: isDeleted ? nil : try reader.ownName(of: row),
            lastLine: row.flags.lastLine, isDeleted: isDeleted, created: entry.head.created)
    }

    /// See `ExchangeJournal.compactedPast(of:)`.
    mutating func compactedPast() throws(SQLFault) -> CompactedPast? {
        var commit = entry.newest
        while try !link(at: commit).flags.contains(.compactionFloor) {
            commit = try link(at: commit).previous
            guard commit != 0 else { return nil }
        }
        var rows: [CompactedPast.Row] = []
        let floor = try ownRow(commit)
        while commit != 0 {
            guard rows.count < CompactedPast.rowsMax else { return nil }
            let row = try ownRow(commit)
            rows.append(
                CompactedPast.Row(
                    sequence: commit, dot: try reader.dot(of: commit), hash: row.hash,
                    isCompacted: row.flags.contains(.compacted), isErased: row.flags.contains(.erased),
                    isFloor: row.flags.contains(.compactionFloor) && !row.flags.contains(.purge),
                    mayBeFloor: row.flags.contains(.coversAll) ? try reader.extra(of: row).conflicts.isEmpty : false,
                    storesText: row.chain == 0 && !row.flags.contains(.tombstone)))
            commit = row.previous
        }
        return CompactedPast(rows: rows.reversed(), floorText: try reader.ownText(of: floor))
    }

    /// The dots of all revisions of the note.
    ///
    /// - Complexity: O(commits of the note), of which only the links are read.
    mutating func dots() throws(SQLFault) -> DotSet {
        var (dots, commit) = (DotSet(), entry.newest)
        while commit != 0 {
            dots.insert(try reader.dot(of: commit))
            commit = try link(at: commit).previous
        }
        return dots
    }

    /// See `Journal.history(of:before:limit:)`.
    mutating func history(before dot: Dot?, limit: Int) throws(SQLFault) -> [RevisionSummary]? {
        var next = entry.newest
        if let dot {
            guard let commit = try commit(ofOwn: dot) else { return nil }
            next = try reader.row(required: commit).previous
        }
        var summaries: [RevisionSummary] = []
        let withdrawn = try reader.withdrawn(inNote: entry.number)
        while next != 0, summaries.count < limit {
            let row = try reader.row(required: next)
            guard !row.flags.contains(.erased) else { break }
            summaries.append(try reader.summary(of: row, withdrawn))
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

    /// See `AuditableJournal.stored(of:before:limit:)`.
    mutating func stored(before sequence: UInt64?, limit: Int) throws(SQLFault) -> StoredPage {
        var next = sequence == nil ? entry.newest : try reader.row(required: sequence ?? 0).previous
        var revisions: [StoredRevision] = []
        var unreadable: [StoredPage.Unreadable] = []
        var misnamed: [StoredPage.Misnamed] = []
        var commits: [UInt64] = []
        while next != 0, commits.count < limit {
            commits.append(next)
            var previous: UInt64?
            do throws(SQLFault) {
                let row = try reader.row(required: next)
                guard row.note == entry.number else { throw .malformed("commit \(next) belongs to another note") }
                previous = row.previous
                let stored = try reader.stored(row, note: entry.head.id)
                if let what = try reader.misnaming(of: row) {
                    misnamed.append(StoredPage.Misnamed(dot: stored.revision.dot, what: what))
                }
                revisions.append(stored)
            } catch {
                guard error.isDamage else { throw error }
                unreadable.append(StoredPage.Unreadable(dot: dot(of: next), what: error.message))
                previous = previous ?? linked(next)
            }
            next = previous ?? 0
        }
        return StoredPage(
            revisions: revisions, unreadable: unreadable, misnamed: misnamed, commits: commits,
            next: next == 0 ? nil : commits.last)
    }

    /// The commit before one whose row cannot be decoded; nil if the link is unreadable too.
    private func linked(_ commit: UInt64) -> UInt64? {
        do throws(SQLFault) { return try link(at: commit).previous } catch { return nil }
    }

    /// The dot of a commit; nil if it cannot be read.
    private mutating func dot(of commit: UInt64) -> Dot? {
        do throws(SQLFault) { return try reader.dot(of: commit) } catch { return nil }
    }

    /// The commit of a dot; nil if it is not a commit of this note.
    mutating func commit(ofOwn dot: Dot) throws(SQLFault) -> UInt64? {
        guard let commit = try reader.commit(of: dot) else { return nil }
        return try reader.row(required: commit).note == entry.number ? commit : nil
    }

    /// See `Journal.countCommits(of:after:through:)`.
    func countCommits(after: UInt64, through: UInt64, _ jumps: CommitJumps) throws(SQLFault) -> Int {
        var count = 0
        var commit = entry.newest
        while commit > after {
            if let jump = jumps[entry.head.id, commit], jump.to >= after, commit <= through || jump.to >= through {
                if commit <= through { count += jump.count }
                commit = jump.to
                continue
            }
            if commit <= through { count += 1 }
            commit = try link(at: commit).previous
        }
        return count
    }

    /// The note's newest row up to a commit; nil if the note did not exist then, or was below its
    /// compaction floor.
    private func newestRow(asOf: UInt64, _ jumps: CommitJumps) throws(SQLFault) -> RevisionRow? {
        var commit = entry.newest
        while commit > asOf {
            if let jump = jumps[entry.head.id, commit], jump.to >= asOf {
                commit = jump.to
                continue
            }
            let link = try link(at: commit)
            guard link.previous != 0, !link.flags.contains(.compactionFloor) else {
                // The link claims that no earlier commit exists. Reading the whole row verifies its
                // checksum.
                _ = try ownRow(commit)
                return nil
            }
            commit = link.previous
        }
        return try ownRow(commit)
    }

    /// Reads only the link from a commit to the one before, and checks that the row belongs to the
    /// note.
    func link(at commit: UInt64) throws(SQLFault) -> RevisionRow.Link {
        guard let link = try reader.link(at: commit) else { throw .malformed("commit \(commit) is missing") }
        guard link.note == entry.number else { throw .malformed("commit \(commit) is not in note number \(entry.number)") }
        return link
    }

    /// Reads the row of a commit, and checks that it belongs to the note.
    func ownRow(_ commit: UInt64) throws(SQLFault) -> RevisionRow {
        let row = try reader.row(required: commit)
        guard row.note == entry.number else { throw .malformed("commit \(commit) is not in note number \(entry.number)") }
        return row
    }
}
