import Causality
import NoteText
import NotesModel
import NotesSQL
import TextMerge

/// Decodes revisions from their rows. Only this type turns numbers, distances and edits back into
/// what was appended.
///
/// It is created for one call of the journal, and its tables are copies of the journal's. The
/// caller copies them back to keep what was cached.
struct RevisionReader {
    let database: Database
    let replicas: ReplicaTable
    var dots: DotIndex
    var authors: AuthorTable
    /// A name that is known to be intact. If another copy of it is equal, neither is corrupt.
    var knownName: NoteName?
    /// The hashes of rows that were read as parents, or of which children may be read next.
    var knownHashes: [UInt64: RevisionHash] = [:]

    /// Reads the row of a commit; nil if there is none.
    func row(at commit: UInt64) throws(SQLFault) -> RevisionRow? {
        try database.first("SELECT \(RevisionRow.columns) FROM revision WHERE sequence = ?", .number(commit)) {
            row throws(SQLFault) in try RevisionRow(row)
        }
    }

    /// Reads only the link of a commit's row to the previous commit; nil if there is no row.
    func link(at commit: UInt64) throws(SQLFault) -> RevisionRow.Link? {
        try database.first("SELECT \(RevisionRow.Link.columns) FROM revision WHERE sequence = ?", .number(commit)) {
            row throws(SQLFault) in try RevisionRow.Link(row)
        }
    }

    /// Reads the row of a commit that another row refers to, and throws if it is missing.
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

    /// Returns the commit of a dot; nil if no commit has it.
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

    /// Returns the name of the revision's own version.
    ///
    /// - Complexity: O(bytes of the row that contains it), unless it equals `knownName`.
    mutating func ownName(of row: RevisionRow) throws(SQLFault) -> NoteName? {
        let name = try Self.resolve(row.name, database)
        guard case .inCommit(let commit) = row.name, name != knownName else { return name }
        // Reading the whole row verifies its checksum.
        _ = try self.row(required: commit)
        knownName = name
        return name
    }

    /// Returns a name, from another row if necessary, without verifying that row's checksum.
    ///
    /// - Complexity: O(1).
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
            edits: row.flags.contains(.withdrawal) ? [] : try EditCodec.edits(from: row.edits),
            origin: row.flags.contains(.found) ? .found : .stated, name: name,
            isTombstone: row.flags.contains(.tombstone), resolves: extra.resolves, withdraws: extra.withdraws,
            mark: row.flags.contains(.purge) ? Mark(.purge, covers: []) : nil, author: try author(of: row),
            time: row.time, reserved: extra.reserved)
    }

    /// Decodes a revision and checks that its edits fit its text, for callers that merge or send
    /// it.
    ///
    /// - Complexity: That of decoding, plus O(edits and their bytes).
    mutating func fittingRevision(of row: RevisionRow, note: NoteID) throws(SQLFault) -> Revision {
        let revision = try revision(of: row, note: note)
        let edits = try EditCodec.edits(from: row.edits)
        // Removed ranges ascend, so this sum cannot overflow.
        let (removed, added) = (edits.reduce(0) { $0 + ($1.end - $1.start) }, edits.reduce(0) { $0 + $1.replacement.count })
        guard row.bytes >= added, edits.isEmpty || !revision.isTombstone,
            case (let shown, false) = (row.bytes - added).addingReportingOverflow(removed), edits.fault(forLength: shown) == nil
        else { throw .malformed("the edits of commit \(row.sequence) do not fit its text") }
        // A row of a salvaged store has no checksum, but a hash. A merge relies on intact edits.
        if !row.flags.contains(.summed), row.hash != RevisionHash(of: try linked(revision, of: row)) {
            throw .checksumMismatch("the revision of commit \(row.sequence)")
        }
        return revision
    }

    /// Links the revision of a row to its parents.
    ///
    /// - Complexity: O(bytes of the parents' rows without their full texts), except for parents whose
    ///   rows were read by this reader before.
    mutating func linked(_ revision: Revision, of row: RevisionRow) throws(SQLFault) -> LinkedRevision {
        var hashes: [(dot: Dot, hash: RevisionHash)] = []
        for commit in row.parentCommits {
            if knownHashes[commit] == nil { knownHashes[commit] = try self.row(required: commit).hash }
            if let hash = knownHashes[commit] { hashes.append((try dot(of: commit), hash)) }
        }
        hashes.sort { $0.dot < $1.dot }
        return LinkedRevision(revision, parentHashes: hashes.map(\.hash))
    }

    /// Returns what remains of a compacted revision.
    mutating func compacted(_ row: RevisionRow, note: NoteID) throws(SQLFault) -> CompactedRevision {
        CompactedRevision(
            note: note, dot: try dot(of: row.sequence), hash: row.hash, isErased: row.flags.contains(.erased))
    }

    /// Returns the revision of a row of any note, in the form in which peers may receive it.
    mutating func committed(_ row: RevisionRow, _ queries: HeadQueries) throws(SQLFault) -> CommittedRevision {
        guard let note = try queries.id(ofNumber: row.note) else {
            throw .malformed("commit \(row.sequence) is of note number \(row.note), which has no head")
        }
        if row.flags.contains(.compacted) { return .compacted(try compacted(row, note: note)) }
        knownHashes[row.sequence] = row.hash
        return .whole(try linked(try fittingRevision(of: row, note: note), of: row))
    }

    /// Returns what compaction planning needs of a row.
    mutating func planned(_ row: RevisionRow) throws(SQLFault) -> CompactionPlan.Row {
        CompactionPlan.Row(
            sequence: row.sequence, dot: try dot(of: row.sequence), oldestParent: try oldestNeeded(by: row),
            coversAll: row.flags.contains(.coversAll), isResolved: try extra(of: row).conflicts.isEmpty, isDeleted: row.isDeleted,
            isWithdrawal: row.flags.contains(.withdrawal), isCompactionFloor: row.flags.contains(.compactionFloor),
            isCompacted: row.flags.contains(.compacted), isErased: row.flags.contains(.erased), time: row.time,
            bytes: row.bytes)
    }

    /// The oldest commit from which a row can be read or merged: its oldest parent, or the commit
    /// before the oldest one that it withdraws; nil for a row without parents.
    private mutating func oldestNeeded(by row: RevisionRow) throws(SQLFault) -> UInt64? {
        guard let parent = row.parentCommits.min() else { return nil }
        return row.flags.contains(.withdrawal) ? min(parent, try oldestNeeded(by: try extra(of: row).withdraws)) : parent
    }

    /// The commit before the oldest of some withdrawn revisions; the greatest number for none.
    mutating func oldestNeeded(by withdrawn: [Dot]) throws(SQLFault) -> UInt64 {
        var oldest = UInt64.max
        for dot in withdrawn {
            guard let commit = try commit(of: dot) else { throw .malformed("the withdrawn revision \(dot) is missing") }
            oldest = min(oldest, commit - 1)
        }
        return oldest
    }

    func extra(of row: RevisionRow) throws(SQLFault) -> RevisionExtra {
        try RevisionExtra(bytes: row.extra, replicas)
    }

    /// Reads the hashes of the parents without verifying the checksums of their rows, in the order of
    /// their dots; nil if a row is missing.
    private mutating func storedParentHashes(of row: RevisionRow) throws(SQLFault) -> [RevisionHash]? {
        var hashes: [(dot: Dot, hash: RevisionHash)] = []
        for commit in row.parentCommits {
            let hash = try database.first("SELECT hash FROM revision WHERE sequence = ?", .number(commit)) { $0.number(0) }
            guard let hash else { return nil }
            hashes.append((try dot(of: commit), RevisionHash(bits: hash)))
        }
        return hashes.sorted { $0.dot < $1.dot }.map(\.hash)
    }

    /// Returns everything that the row contains, with its full text if it has one.
    mutating func stored(_ row: RevisionRow, note: NoteID) throws(SQLFault) -> StoredRevision {
        var text: [UInt8]?
        var kept: RevisionHash?
        let columns = "SELECT text, kept FROM revision WHERE sequence = ?"
        try database.each(columns, .number(row.sequence)) { found throws(SQLFault) in
            text = found.optionalBlob(0)
            if !found.isNull(1) { kept = RevisionHash(bits: found.number(1)) }
            return false
        }
        let isCompacted = row.flags.contains(.compacted)
        if !isCompacted, !row.flags.contains(.compactionFloor) { kept = nil }
        // A row from which reading a text starts must contain it.
        if !isCompacted, row.chain == 0 || row.flags.contains(.wholeInEdits), !row.flags.contains(.tombstone) {
            text = try textStarting(at: row)
        }
        return StoredRevision(
            revision: try revision(of: row, note: note), parentHashes: try storedParentHashes(of: row), hash: row.hash,
            bytes: row.bytes, text: text, name: try ownName(of: row), coversAll: row.flags.contains(.coversAll),
            conflicts: try extra(of: row).conflicts,
            lastLine: row.flags.lastLine, isDeleted: row.isDeleted,
            isCompacted: isCompacted, isCompactionFloor: row.flags.contains(.compactionFloor), kept: kept,
            shown: try storedMergedText(row))
    }

    private func storedMergedText(_ row: RevisionRow) throws(SQLFault) -> StoredRevision.Merged? {
        guard let head = try shownHead(of: row), let text = try MergedTextTable(database: database).text(row.sequence) else {
            return nil
        }
        return StoredRevision.Merged(head: head, text: text)
    }

    /// The revisions of a note that are withdrawn in its newest version: those that a withdrawal
    /// names, unless it is withdrawn itself.
    ///
    /// - Complexity: O(withdrawals of the note and what they name).
    mutating func withdrawn(inNote number: UInt64) throws(SQLFault) -> Set<Dot> {
        var withdrawals: [UInt64] = []
        try database.each(
            "SELECT sequence FROM revision WHERE note = ? AND \(RevisionRow.isWithdrawal) ORDER BY sequence DESC",
            .number(number)
        ) { row throws(SQLFault) in
            withdrawals.append(row.number(0))
            return true
        }
        var withdrawn: Set<Dot> = []
        for commit in withdrawals where !withdrawn.contains(try dot(of: commit)) {
            withdrawn.formUnion(try extra(of: try row(required: commit)).withdraws)
        }
        return withdrawn
    }

    /// Summarizes a row for a note's history.
    ///
    /// - Parameter withdrawn: the note's revisions that are withdrawn in its newest version.
    mutating func summary(of row: RevisionRow, _ withdrawn: Set<Dot>) throws(SQLFault) -> RevisionSummary {
        let dot = try dot(of: row.sequence)
        let extra = try extra(of: row)
        return RevisionSummary(
            dot: dot, parents: try parents(of: row), author: try author(of: row), time: row.time, bytes: row.bytes,
            isDeleted: row.isDeleted, name: try ownName(of: row), isStated: !row.flags.contains(.found),
            isCompacted: row.flags.contains(.compacted), isPurge: row.flags.contains(.purge), withdraws: extra.withdraws,
            isWithdrawn: withdrawn.contains(dot), resolves: extra.resolves,
            times: FileTimes(taggedFields: extra.reserved))
    }

    /// Returns the text of the revision's own version.
    ///
    /// Follows single parents back to a row that contains a whole text, then applies the edits
    /// forward. `TextChain` bounds the edits and rows in between to about the size of the text.
    ///
    /// **Example.** The row of commit 9 has edits on commit 7, whose row has edits on commit 4,
    /// whose row has the full text. The text at 9 is the text of 4 with the edits of 7, then those
    /// of 9 applied.
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

    /// Returns the stored merged head after a commit; nil if none is stored, or the commit covers
    /// all, so that its own version is the merged state.
    func shownHead(of row: RevisionRow) throws(SQLFault) -> Head? {
        guard !row.flags.contains(.coversAll) else { return nil }
        return try MergedTextTable(database: database).head(row.sequence, replicas)
    }

    /// Returns the merged text after a commit.
    ///
    /// Follows the note's commits back to one whose merged text is stored whole, or that covers
    /// all, then applies the edits forward. Reads about twice the size of the text at most, like
    /// `ownText`.
    ///
    /// - Parameter head: The commit's `shownHead`, which the text belongs to.
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

    /// Returns the own text if the row contains it; nil if reading it needs other rows.
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
                throw .checksumMismatch("the full text of commit \(row.sequence)")
            }
            return text
        }
    }

    /// Applies lists of edits to a text, and checks that the result is UTF-8: responses are JSON,
    /// so corrupt bytes must not be passed on.
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

/// Decides when a revision gets its full text in addition to its edits.
///
/// Reading a text means reading all edits since the last full text. These may add up to the size of
/// the text, but at least to `floor`, so that a short note does not store a full text every few
/// keystrokes. So full texts take no more space than the rows between them, and reading costs at
/// most about twice the text.
///
/// **Example.** A keystroke costs 4 to 6 bytes of edits plus 32 for its row, about 38. A note of 1
/// kB gets a full text every 4,096 / 38 ≈ 108 keystrokes, and a note of 20 kB every 530.
enum TextChain {
    /// Cost of a row in bytes, in addition to its edits.
    static let rowCost = 32
    /// Cost in bytes up to which a short text gets no full copy.
    static let floor = 4_096

    /// Cost of one row with these edits.
    static func cost(edits: [UInt8]) -> Int { edits.count + rowCost }

    /// Whether a chain of this cost must end with a full text of this size.
    static func isTooLong(_ chain: Int, forTextOf bytes: Int) -> Bool { chain > max(bytes, floor) }
}
