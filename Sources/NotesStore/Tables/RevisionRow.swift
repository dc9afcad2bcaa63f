import NoteText
import NotesModel
import NotesSQL
import TextMerge

/// A row of `revision` without its full text and what was kept at compaction.
struct RevisionRow {
    struct Flags: OptionSet {
        let rawValue: Int64
        /// The daemon computed the edits by a diff; otherwise the client sent them.
        static let found = Flags(rawValue: 1)
        /// The revision deletes the note.
        static let tombstone = Flags(rawValue: 2)
        /// All earlier commits of the note are in the revision's past.
        static let coversAll = Flags(rawValue: 4)
        /// The write set the name, and the own name is that name.
        static let setsOwnName = Flags(rawValue: 8)
        /// The write set the name to the one in `extra`, or cleared it if there is none.
        static let setsOtherName = Flags(rawValue: 16)
        /// The only edit contains the whole own text, so reading it starts here.
        static let wholeInEdits = Flags(rawValue: 32)
        /// The text was compacted: there are no edits and no full text, whatever other columns
        /// contain.
        static let compacted = Flags(rawValue: 64)
        /// The note's compaction floor, or a former one: the row contains its own text, and rows
        /// before it must not be read.
        static let compactionFloor = Flags(rawValue: 128)
        /// The `edits` column ends with the row's checksum. Only rows whose checksum was removed
        /// to salvage a corrupt store have none.
        static let summed = Flags(rawValue: 256)
        /// The own text lacks the last LF of its kept sequence. Only in rows that cover all.
        static let hidesLast = Flags(rawValue: 512)
        /// The note is deleted at the own version though the revision is no tombstone: a withdrawal.
        static let deletedByUndo = Flags(rawValue: 1024)
        /// The revision withdraws those in `extra`. Its `edits` are the difference between the texts
        /// of its parents and its own, and not part of the revision.
        static let withdrawal = Flags(rawValue: 2048)
        /// The register hides the last LF, but the own text's kept sequence does not end with one. Only
        /// in rows that cover all.
        static let hidesAbsentLast = Flags(rawValue: 4096)
        /// A purge, and so a compaction floor: everything before it is erased.
        static let purge = Flags(rawValue: 8192)
        /// A purge erased the revision. Also `compacted`.
        static let erased = Flags(rawValue: 16384)
        /// The own text is or was that of a file.
        static let file = Flags(rawValue: 32768)

        /// The last LF of the own text and its register.
        var lastLine: LastLineFeed { contains(.hidesLast) ? .hidden : contains(.hidesAbsentLast) ? .absent : .shown }
    }

    /// Where the name of the revision's own version is stored.
    enum OwnName: Equatable {
        case none
        case here([UInt8])
        case inCommit(UInt64)
    }

    enum Parents {
        /// Exactly the note's previous commit, or none if this is its first.
        case previous
        case commits([UInt64])
    }

    var sequence: UInt64
    var note: UInt64
    /// The note's previous commit; 0 if there is none.
    var previous: UInt64
    var flags: Flags
    var time: Timestamp
    var author: UInt64
    var bytes: Int
    var chain: Int
    var name: OwnName
    var parents: Parents
    var extra: [UInt8]?
    /// The hash of the revision. The hashes of its children include it.
    var hash: RevisionHash
    var edits: [UInt8]

    static let columns = "sequence, note, back, flags, time, author, bytes, chain, name, parents, extra, hash, edits"

    /// The SQL condition for a withdrawal. SQLite uses the partial index `revision_withdrawal` only for
    /// the expression that the index was created with.
    static let isWithdrawal = "flags & \(Flags.withdrawal.rawValue) = \(Flags.withdrawal.rawValue)"

    private static let insertion =
        "INSERT INTO revision (\(columns), text, kept) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

    /// The columns that link a row to the note's previous commit. They have no checksum of their
    /// own.
    struct Link {
        static let columns = "sequence, note, back, flags"

        let note: UInt64
        /// The note's previous commit; 0 if there is none.
        let previous: UInt64
        let flags: Flags

        init(_ row: SQLRow) throws(SQLFault) {
            let sequence = row.number(0)
            let back = row.number(2)
            guard back < sequence else { throw .malformed("commit \(sequence) refers to a commit before the first") }
            note = row.number(1)
            previous = back == 0 ? 0 : sequence - back
            flags = Flags(rawValue: row.integer(3))
        }
    }

    /// Whether the note is deleted at the revision's own version.
    var isDeleted: Bool { !flags.isDisjoint(with: [.tombstone, .deletedByUndo]) }

    var parentCommits: [UInt64] {
        switch parents {
        case .previous: previous == 0 ? [] : [previous]
        case .commits(let commits): commits
        }
    }

    init(
        sequence: UInt64, note: UInt64, previous: UInt64, flags: Flags, time: Timestamp, author: UInt64, bytes: Int, chain: Int,
        name: OwnName, parents: Parents, extra: [UInt8]?, hash: RevisionHash, edits: [UInt8]
    ) {
        self.sequence = sequence
        self.note = note
        self.previous = previous
        self.flags = flags
        self.time = time
        self.author = author
        self.bytes = bytes
        self.chain = chain
        self.name = name
        self.parents = parents
        self.extra = extra
        self.hash = hash
        self.edits = edits
    }

    init(_ row: SQLRow) throws(SQLFault) {
        let sequence = row.number(0)
        let link = try Link(row)
        self.init(
            sequence: sequence, note: link.note, previous: link.previous, flags: link.flags,
            time: Timestamp(milliseconds: row.integer(4)), author: row.number(5),
            bytes: Int(row.integer(6)), chain: Int(row.integer(7)), name: try Self.ownName(row, 8, before: sequence),
            parents: try Self.parents(row.optionalBlob(9), of: sequence), extra: row.optionalBlob(10),
            hash: RevisionHash(bits: row.number(11)), edits: row.blob(12))
        guard flags.contains(.summed) else { return }
        let stored = edits.suffix(RowChecksum.size)
        edits.removeLast(stored.count)
        guard stored.elementsEqual(sum.bytes) else { throw .checksumMismatch("commit \(sequence)") }
    }

    /// The value of the `edits` column. The checksum is part of it, because a later column would
    /// make SQLite read past the full text.
    var summedEdits: [UInt8] { flags.contains(.summed) ? edits + sum.bytes : edits }

    /// Covers all columns except the text, which has a hash itself, and that hash.
    private var sum: RowChecksum {
        var writer = ByteWriter(capacity: edits.count + 64)
        for number in [sequence, note, previous, author] { writer.number(number) }
        for number in [flags.rawValue, time.milliseconds, Int64(bytes), Int64(chain)] { writer.signed(number) }
        switch name {
        case .none: writer.byte(0)
        case .here(let bytes):
            writer.byte(1)
            writer.counted(bytes)
        case .inCommit(let commit):
            writer.byte(2)
            writer.number(commit)
        }
        if case .commits(let commits) = parents {
            writer.number(UInt64(commits.count) + 1)
            for commit in commits { writer.number(commit) }
        } else {
            writer.byte(0)
        }
        writer.byte(extra == nil ? 0 : 1)
        writer.counted(extra ?? [])
        writer.word(hash.bits)
        writer.counted(edits)
        return RowChecksum(writer.bytes)
    }

    /// Decodes the `name` column of a commit's row.
    static func ownName(_ row: SQLRow, _ column: Int32, before sequence: UInt64) throws(SQLFault) -> OwnName {
        if row.isNull(column) { return .none }
        if row.isBlob(column) { return .here(row.blob(column)) }
        guard row.number(column) < sequence else { throw .malformed("commit \(sequence) refers to a later commit for its name") }
        return .inCommit(row.number(column))
    }

    private static func parents(_ bytes: [UInt8]?, of sequence: UInt64) throws(SQLFault) -> Parents {
        guard let bytes else { return .previous }
        var reader = ByteReader(bytes)
        var commits: [UInt64] = []
        while !reader.isAtEnd {
            guard let distance = reader.number(), distance >= 1, distance < sequence else {
                throw .malformed("the parents of commit \(sequence) cannot be read")
            }
            commits.append(sequence - distance)
        }
        return .commits(commits)
    }

    /// The value of the `name` column.
    private var ownNameColumn: SQLValue {
        switch name {
        case .none: .null
        case .here(let bytes): .blob(bytes)
        case .inCommit(let commit): .number(commit)
        }
    }

    /// Writes the columns that contain derived data, and the checksum.
    func updateDerived(in database: Database) throws(SQLFault) {
        try database.run(
            "UPDATE revision SET flags = ?, name = ?, extra = ?, edits = ? WHERE sequence = ?", .integer(flags.rawValue),
            ownNameColumn, .optional(extra), .blob(summedEdits), .number(sequence))
    }

    /// Inserts the row.
    func insert(into database: Database, text: [UInt8]?) throws(SQLFault) {
        var parentBytes: [UInt8]?
        if case .commits(let commits) = parents {
            var writer = ByteWriter()
            for commit in commits { writer.number(sequence - commit) }
            parentBytes = writer.bytes
        }
        try database.run(
            Self.insertion, .number(sequence), .number(note), .number(previous == 0 ? 0 : sequence - previous),
            .integer(flags.rawValue), .integer(time.milliseconds), .number(author), .number(bytes), .number(chain), ownNameColumn,
            .optional(parentBytes), .optional(extra), .number(hash.bits), .blob(summedEdits), .optional(text),
            .optional(text.map { RevisionHash(ofText: $0).bits }))
    }
}

/// Decodes bytes of a row that must be a note's name. Throws a corruption fault otherwise.
func noteName(_ bytes: [UInt8]) throws(SQLFault) -> NoteName {
    do { return try NoteName(try utf8(bytes, "a note's name")) } catch { throw .malformed("a note's name cannot be read") }
}

extension RevisionRow.Flags {
    /// The flag of a text's last LF.
    init(lastLine: LastLineFeed) {
        switch lastLine {
        case .shown: self = []
        case .hidden: self = .hidesLast
        case .absent: self = .hidesAbsentLast
        }
    }
}
