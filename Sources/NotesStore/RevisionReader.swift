import Causality
import GRDB
import NotesModel
import TextMerge

/// Reads revisions back from their rows: the one place that turns small numbers, distances and edits into what was appended.
///
/// Used for one call of the journal; its tables are the journal's, lent for that time.
struct RevisionReader {
    let database: Database
    let replicas: ReplicaTable
    var dots: DotIndex
    var authors: AuthorTable
    /// A name that is known to be as it was written: of two that are alike none is spoiled.
    var knownName: NoteName?

    func row(at commit: UInt64) throws(SQLFault) -> RevisionRow? {
        try database.first("SELECT \(RevisionRow.columns) FROM revision WHERE sequence = ?", .number(commit)) {
            row throws(SQLFault) in try RevisionRow(row)
        }
    }

    func link(at commit: UInt64) throws(SQLFault) -> RevisionRow.Link? {
        try database.first("SELECT \(RevisionRow.Link.columns) FROM revision WHERE sequence = ?", .number(commit)) {
            row throws(SQLFault) in try RevisionRow.Link(row)
        }
    }

    /// The row of a commit that another row names.
    func row(required commit: UInt64) throws(SQLFault) -> RevisionRow {
        guard let row = try row(at: commit) else { throw .malformed("commit \(commit) is missing") }
        return row
    }

    mutating func dot(of commit: UInt64) throws(SQLFault) -> Dot {
        guard let dot = try dots.dot(of: commit, from: database, replicas) else {
            throw .malformed("commit \(commit) has no dot")
        }
        return dot
    }

    /// The commit of a dot; nil where no commit has it.
    mutating func commit(of dot: Dot) throws(SQLFault) -> UInt64? {
        try dots.commit(of: dot, from: database, replicas)
    }

    mutating func parents(of row: RevisionRow) throws(SQLFault) -> Version {
        var parents: [Dot] = []
        for commit in row.parentCommits { parents.append(try dot(of: commit)) }
        return Version(parents)
    }

    mutating func author(of row: RevisionRow) throws(SQLFault) -> Author {
        try authors.author(of: row.author, from: database)
    }

    /// The name of the revision's own version.
    ///
    /// - Complexity: O(bytes of the row that has it), where it is not `knownName`.
    mutating func ownName(of row: RevisionRow) throws(SQLFault) -> NoteName? {
        let name = try Self.resolve(row.name, database)
        guard case .inCommit(let commit) = row.name, name != knownName else { return name }
        // The whole row has a sum.
        _ = try self.row(required: commit)
        knownName = name
        return name
    }

    /// - Complexity: O(1): a name in another row is taken as it stands there.
    static func resolve(_ name: RevisionRow.OwnName, _ database: Database) throws(SQLFault) -> NoteName? {
        switch name {
        case .none: return nil
        case .here(let bytes): return try noteName(bytes)
        case .inCommit(let commit):
            let bytes = try database.first("SELECT name FROM revision WHERE sequence = ?", .number(commit)) {
                $0.isBlob(0) ? $0.blob(0) : nil
            }
            guard let bytes, let bytes else { throw lacksName(commit) }
            return try noteName(bytes)
        }
    }

    private static func lacksName(_ commit: UInt64) -> SQLFault {
        .malformed("commit \(commit) lacks the name that a later commit refers to")
    }

    mutating func revision(of row: RevisionRow, note: NoteID) throws(SQLFault) -> Revision {
        let extra = try extra(of: row)
        var name = NameEdit.unchanged
        if row.flags.contains(.setsOwnName) { name = .set(try ownName(of: row)) }
        if row.flags.contains(.setsOtherName) { name = .set(extra.otherName) }
        return Revision(
            note: note, dot: try dot(of: row.sequence), parents: try parents(of: row),
            edits: try EditCodec.edits(from: row.edits), origin: row.flags.contains(.found) ? .found : .stated, name: name,
            isTombstone: row.flags.contains(.tombstone), resolves: extra.resolves, author: try author(of: row),
            time: row.time, reserved: extra.reserved)
    }

    /// The same for whoever works with it and is to find no edits in it that are not of its text.
    ///
    /// - Complexity: besides, O(edits and their bytes).
    mutating func fittingRevision(of row: RevisionRow, note: NoteID) throws(SQLFault) -> Revision {
        let revision = try revision(of: row, note: note)
        let edits = revision.edits
        // What was removed lies in ranges that ascend, so that these sums are numbers.
        let (removed, added) = (edits.reduce(0) { $0 + ($1.end - $1.start) }, edits.reduce(0) { $0 + $1.replacement.count })
        guard row.bytes >= added, edits.isEmpty || !revision.isTombstone,
            case (let shown, false) = (row.bytes - added).addingReportingOverflow(removed), edits.fault(forLength: shown) == nil
        else { throw .malformed("the edits of commit \(row.sequence) do not fit its text") }
        // A row of an older store has at most the revision's hash. A walk relies on edits of what was shown.
        if !row.flags.contains(.summed), let hash = try hash(of: row), hash != RevisionHash(of: revision) {
            throw .spoiled("the revision of commit \(row.sequence)")
        }
        return revision
    }

    /// The revision's hash; nil where none was kept.
    private func hash(of row: RevisionRow) throws(SQLFault) -> RevisionHash? {
        try database.first("SELECT hash FROM revision WHERE sequence = ?", .number(row.sequence)) {
            $0.isNull(0) ? nil : RevisionHash(bits: $0.number(0))
        } ?? nil
    }

    /// What is left of a revision whose text was compacted.
    mutating func compacted(_ row: RevisionRow, note: NoteID) throws(SQLFault) -> CompactedRevision {
        CompactedRevision(note: note, dot: try dot(of: row.sequence), hash: try hash(of: row))
    }

    /// A row of any note, as others may have it.
    mutating func committed(_ row: RevisionRow, _ queries: HeadQueries) throws(SQLFault) -> CommittedRevision {
        guard let note = try queries.id(ofNumber: row.note) else {
            throw .malformed("commit \(row.sequence) is of note number \(row.note), which has no head")
        }
        if row.flags.contains(.compacted) { return .compacted(try compacted(row, note: note)) }
        return .whole(try fittingRevision(of: row, note: note))
    }

    /// What a plan for thinning has to know of a row.
    mutating func planned(_ row: RevisionRow) throws(SQLFault) -> CompactionPlan.Row {
        CompactionPlan.Row(
            sequence: row.sequence, dot: try dot(of: row.sequence), oldestParent: row.parentCommits.min(),
            coversAll: row.flags.contains(.coversAll), isSettled: try extra(of: row).conflicts.isEmpty,
            isCompactionFloor: row.flags.contains(.compactionFloor), isCompacted: row.flags.contains(.compacted), time: row.time, bytes: row.bytes)
    }

    func extra(of row: RevisionRow) throws(SQLFault) -> RevisionExtra {
        try RevisionExtra(bytes: row.extra, replicas)
    }

    /// With its full text and its hash, where the row has them.
    mutating func stored(_ row: RevisionRow, note: NoteID) throws(SQLFault) -> StoredRevision {
        var text: [UInt8]?
        var hash: RevisionHash?
        var kept: RevisionHash?
        let columns = "SELECT text, hash, kept FROM revision WHERE sequence = ?"
        try database.each(columns, .number(row.sequence)) { found throws(SQLFault) in
            text = found.optionalBlob(0)
            if !found.isNull(1) { hash = RevisionHash(bits: found.number(1)) }
            if !found.isNull(2) { kept = RevisionHash(bits: found.number(2)) }
            return false
        }
        let isCompacted = row.flags.contains(.compacted)
        if !isCompacted, !row.flags.contains(.compactionFloor) { kept = nil }
        // Where reading a text starts, it must be there.
        if !isCompacted, row.chain == 0 || row.flags.contains(.wholeInEdits), !row.flags.contains(.tombstone) {
            text = try textStarting(at: row)
        }
        return StoredRevision(
            revision: try revision(of: row, note: note), hash: hash, bytes: row.bytes, text: text,
            name: try ownName(of: row), coversAll: row.flags.contains(.coversAll), conflicts: try extra(of: row).conflicts,
            isCompacted: isCompacted, isCompactionFloor: row.flags.contains(.compactionFloor), kept: kept, shown: try storedMergedText(row))
    }

    private func storedMergedText(_ row: RevisionRow) throws(SQLFault) -> StoredRevision.Merged? {
        guard let head = try shownHead(of: row), let text = try MergedTextTable(database: database).text(row.sequence) else {
            return nil
        }
        return StoredRevision.Merged(head: head, text: text)
    }

    mutating func summary(of row: RevisionRow) throws(SQLFault) -> RevisionSummary {
        RevisionSummary(
            dot: try dot(of: row.sequence), parents: try parents(of: row), author: try author(of: row), time: row.time,
            bytes: row.bytes, isDeleted: row.flags.contains(.tombstone), name: try ownName(of: row),
            isStated: !row.flags.contains(.found), isCompacted: row.flags.contains(.compacted))
    }

    /// The text of the revision's own version.
    ///
    /// Follows single parents back to a row that a text starts at, then makes the edits forward. What lies between costs, in
    /// bytes of edits and rows, at most about the text itself (`TextChain`).
    func ownText(of row: RevisionRow) throws(SQLFault) -> [UInt8] {
        let text = try chainedText(of: row)
        guard text.count == row.bytes else {
            throw .malformed("the text of commit \(row.sequence) has \(text.count) bytes, but should have \(row.bytes)")
        }
        return text
    }

    private func chainedText(of row: RevisionRow) throws(SQLFault) -> [UInt8] {
        var later: [[Edit]] = []
        var row = row
        while true {
            guard !row.flags.contains(.compacted) else { throw .malformed("the text of commit \(row.sequence) was compacted") }
            if let start = try textStarting(at: row) {
                return try Self.replay(later, onto: start, upTo: row.sequence)
            }
            later.append(try EditCodec.edits(from: row.edits))
            let parents = row.parentCommits
            guard parents.count <= 1 else { throw .malformed("commit \(row.sequence) is a merge without its full text") }
            guard let parent = parents.first else { return try Self.replay(later, onto: [], upTo: row.sequence) }
            row = try self.row(required: parent)
        }
    }

    /// What the note showed after that commit, without a walk; nil where that is not kept, or is the own version.
    func shownHead(of row: RevisionRow) throws(SQLFault) -> Head? {
        guard !row.flags.contains(.coversAll) else { return nil }
        return try MergedTextTable(database: database).head(row.sequence, replicas)
    }

    /// The text that the note showed then.
    ///
    /// Follows the note's commits back to one whose text is whole, or that covers all, then makes the edits forward: as `ownText`
    /// about twice the text at most.
    ///
    /// - Parameter head: its `shownHead`, whose text it is.
    func mergedText(of row: RevisionRow, as head: Head) throws(SQLFault) -> [UInt8] {
        let text = try chainedMergedText(of: row)
        guard text.count == head.bytes else {
            throw .malformed(
                "the merged text at commit \(row.sequence) has \(text.count) bytes, but should have \(head.bytes)")
        }
        return text
    }

    private func chainedMergedText(of row: RevisionRow) throws(SQLFault) -> [UInt8] {
        var later: [[Edit]] = []
        var commit = row.sequence
        while let text = try MergedTextTable(database: database).text(commit) {
            switch text {
            case .whole(let text): return try Self.replay(later, onto: text, upTo: row.sequence)
            case .edits(let edits): later.append(edits)
            }
            commit = try self.row(at: commit)?.previous ?? 0
        }
        let start = try self.row(required: commit)
        guard start.flags.contains(.coversAll) else { throw .malformed("the merged text at commit \(commit) is missing") }
        return try Self.replay(later, onto: try ownText(of: start), upTo: row.sequence)
    }

    /// The own text where reading it needs no other row.
    private func textStarting(at row: RevisionRow) throws(SQLFault) -> [UInt8]? {
        if row.flags.contains(.tombstone) { return [] }
        if row.flags.contains(.wholeInEdits) {
            guard let whole = try EditCodec.edits(from: row.edits).first else {
                throw .malformed("commit \(row.sequence) should hold its text in its edits, but does not")
            }
            return whole.replacement
        }
        guard row.chain == 0 else { return nil }
        return try database.first("SELECT text, kept FROM revision WHERE sequence = ?", .number(row.sequence)) {
            found throws(SQLFault) in
            guard let text = found.optionalBlob(0) else {
                throw .malformed("commit \(row.sequence) should have its full text, but does not")
            }
            guard found.isNull(1) || found.number(1) == RevisionHash(ofText: text).bits else {
                throw .spoiled("the full text of commit \(row.sequence)")
            }
            return text
        }
    }

    /// Whoever asks for a text is told it in JSON, so that one that is damaged must not be passed on as if it were UTF-8.
    private static func replay(_ later: [[Edit]], onto start: [UInt8], upTo commit: UInt64) throws(SQLFault) -> [UInt8] {
        var bytes = start
        if !later.isEmpty {
            var text = ChunkedText(start)
            for edits in later.reversed() {
                guard text.apply(edits) else { throw .malformed("edits after commit \(commit) do not fit the text they change") }
            }
            bytes = text.bytes
        }
        guard UTF8Validation.isValid(bytes) else { throw .malformed("the text at commit \(commit) is not UTF-8") }
        return bytes
    }
}

/// When a revision gets its full text beside its edits.
///
/// Reading a text means reading the edits since the last full one. They may add up to the size of the text, with a floor so
/// that short notes do not store one every other keystroke. So the full texts together take no more room than the rows
/// between them, and reading costs no more than about twice the text.
enum TextChain {
    /// What a row costs beside its edits' bytes.
    static let rowCost = 32
    static let floor = 4_096

    static func cost(edits: [UInt8]) -> Int { edits.count + rowCost }

    static func isTooLong(_ chain: Int, forTextOf bytes: Int) -> Bool { chain > max(bytes, floor) }
}
