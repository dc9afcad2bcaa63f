import Causality
import GRDB
import NotesModel

/// Revisions that were not taken in, one row a content.
enum QuarantineTable {
    /// Does nothing where the same content is there.
    static func insert(_ quarantined: Quarantined, into database: Database) throws(SQLFault) {
        let revision = quarantined.revision
        try database.run(
            """
            INSERT INTO quarantine (replica, counter, hash, reason, revision) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (replica, counter, hash) DO NOTHING
            """, .number(revision.dot.replica.bits), .number(revision.dot.counter), .blob(RevisionCodec.hash(of: revision)),
            .number(Int(quarantined.reason.rawValue)), .blob(RevisionCodec.canonicalBytes(of: revision)))
    }

    static func page(after number: UInt64, limit: Int, in database: Database) throws(SQLFault) -> [StoredQuarantined] {
        var page: [StoredQuarantined] = []
        try database.each(
            "SELECT number, reason, revision FROM quarantine WHERE number > ? ORDER BY number LIMIT ?",
            .number(min(number, UInt64(Int64.max))), .number(max(0, limit))
        ) { row throws(SQLFault) in
            guard let reason = UInt8(exactly: row.integer(1)).flatMap(QuarantineReason.init(rawValue:)) else {
                throw .malformed("why a revision was quarantined cannot be read")
            }
            let quarantined = Quarantined(revision: try storedRevision(row.blob(2)), reason: reason)
            page.append(StoredQuarantined(number: row.number(0), quarantined: quarantined))
            return true
        }
        return page
    }
}
