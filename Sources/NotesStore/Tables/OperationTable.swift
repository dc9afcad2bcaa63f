import Causality
import NoteText
import NotesModel
import NotesSQL

/// The `operation` table: the results of named writes, the newest `keptMax` for each user.
///
/// A user's records have consecutive ordinals, so pruning deletes at the left edge and needs no
/// count.
struct OperationTable {
    let keptMax: Int
    /// The last ordinal of each user that wrote in this run.
    private var lastOrdinals: [UInt32: Int64] = [:]

    init(keptMax: Int) {
        self.keptMax = keptMax
    }

    mutating func append(_ record: OperationRecord, to database: Database) throws(SQLFault) {
        let user = SQLValue.integer(Int64(record.key.user))
        let ordinal = 1 + (try lastOrdinal(of: record.key.user, in: database))
        let isPlain = record.dot.map { record.version == Version($0) } ?? false
        if try database.first(
            "SELECT 1 FROM operation WHERE user = ? AND name = ?", user, .blob(record.key.name.utf8), read: { _ in true }) != nil
        {
            throw .refused("the operation \(record.key.name) of user \(record.key.user) is already recorded")
        }
        try database.run(
            "INSERT INTO operation (user, ordinal, name, fingerprint, note, dot, version) VALUES (?, ?, ?, ?, ?, ?, ?)",
            user, .integer(ordinal), .blob(record.key.name.utf8), .blob(record.fingerprint), .blob(record.note.bytes),
            .optional(record.dot.map { Self.bytes(of: [$0]) }), isPlain ? .null : .blob(Self.bytes(of: record.version.dots)))
        try database.run("DELETE FROM operation WHERE user = ? AND ordinal <= ?", user, .integer(ordinal - Int64(keptMax)))
        lastOrdinals[record.key.user] = ordinal
    }

    /// Erases the fingerprints of all writes to a note: a digest of a short text reveals it.
    ///
    /// - Complexity: O(rows).
    static func eraseFingerprints(of note: NoteID, in database: Database) throws(SQLFault) {
        try database.run("UPDATE operation SET fingerprint = x'' WHERE note = ?", .blob(note.bytes))
    }

    static func record(_ key: OperationKey, from database: Database) throws(SQLFault) -> OperationRecord? {
        try database.first(
            "SELECT fingerprint, note, dot, version FROM operation WHERE user = ? AND name = ?", .integer(Int64(key.user)),
            .blob(key.name.utf8)
        ) { row throws(SQLFault) in
            let dot = try row.optionalBlob(2).map { bytes throws(SQLFault) in try dots(from: bytes) }?.first
            let version = try row.optionalBlob(3).map { bytes throws(SQLFault) in Version(try dots(from: bytes)) }
            guard let version = version ?? dot.map({ Version($0) }) else {
                throw .malformed("the operation \(key.name) of user \(key.user) has neither dot nor version")
            }
            return OperationRecord(
                key: key, fingerprint: row.blob(0), note: try NoteID(storedBytes: row.blob(1)), dot: dot, version: version)
        }
    }

    private func lastOrdinal(of user: UInt32, in database: Database) throws(SQLFault) -> Int64 {
        if let ordinal = lastOrdinals[user] { return ordinal }
        return try database.first("SELECT max(ordinal) FROM operation WHERE user = ?", .integer(Int64(user))) { $0.integer(0) }
            ?? 0
    }

    /// Replicas are stored by id, since a version may contain dots of which this store has no
    /// commit.
    private static func bytes(of dots: [Dot]) -> [UInt8] {
        var writer = ByteWriter()
        for dot in dots {
            writer.word(dot.replica.bits)
            writer.number(dot.counter)
        }
        return writer.bytes
    }

    private static func dots(from bytes: [UInt8]) throws(SQLFault) -> [Dot] {
        var reader = ByteReader(bytes)
        var dots: [Dot] = []
        while !reader.isAtEnd {
            guard let replica = reader.word(), let counter = reader.number(), counter >= 1, counter <= Dot.counterMax else {
                throw .malformed("the version of an operation cannot be read")
            }
            dots.append(Dot(ReplicaID(bits: replica), counter))
        }
        return dots
    }
}
