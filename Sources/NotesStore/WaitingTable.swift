import Causality
import GRDB
import NotesModel

/// Revisions of other replicas that wait for their parents: their dots in memory, so that a commit knows whether it ends a
/// wait without asking the tables.
struct WaitingTable {
    private var numbers: [Dot: UInt64] = [:]

    init(loadingFrom database: Database) throws(SQLFault) {
        try database.each("SELECT number, replica, counter FROM waiting") { row throws(SQLFault) in
            guard row.number(2) >= 1, row.number(2) <= Dot.counterMax else { throw .malformed("a waiting revision has no dot") }
            numbers[Dot(ReplicaID(bits: row.number(1)), row.number(2))] = row.number(0)
            return true
        }
    }

    var dots: some Collection<Dot> { numbers.keys }

    func contains(_ dot: Dot) -> Bool { numbers[dot] != nil }

    mutating func insert(_ revision: Revision, into database: Database) throws(SQLFault) {
        let dot = revision.dot
        guard numbers[dot] == nil else { throw .refused("the revision \(dot) waits already") }
        try database.run(
            "INSERT INTO waiting (replica, counter, revision) VALUES (?, ?, ?)", .number(dot.replica.bits),
            .number(dot.counter), .blob(RevisionCodec.canonicalBytes(of: revision)))
        let number = try database.first(
            "SELECT number FROM waiting WHERE replica = ? AND counter = ?", .number(dot.replica.bits), .number(dot.counter)
        ) { $0.number(0) }
        guard let number else { throw .malformed("the waiting revision \(dot) cannot be found again") }
        for parent in revision.parents.dots {
            try database.run(
                "INSERT INTO waiting_parent (replica, counter, waiting) VALUES (?, ?, ?)", .number(parent.replica.bits),
                .number(parent.counter), .number(number))
        }
        numbers[dot] = number
    }

    /// Takes out what waits under this dot, if anything does.
    mutating func remove(_ dot: Dot, from database: Database) throws(SQLFault) {
        guard let number = numbers.removeValue(forKey: dot) else { return }
        for parent in try Self.revision(dot, in: database)?.parents.dots ?? [] {
            try database.run(
                "DELETE FROM waiting_parent WHERE replica = ? AND counter = ? AND waiting = ?", .number(parent.replica.bits),
                .number(parent.counter), .number(number))
        }
        try database.run("DELETE FROM waiting WHERE number = ?", .number(number))
    }

    static func revision(_ dot: Dot, in database: Database) throws(SQLFault) -> Revision? {
        try database.first(
            "SELECT revision FROM waiting WHERE replica = ? AND counter = ?", .number(dot.replica.bits), .number(dot.counter)
        ) { row throws(SQLFault) in try storedRevision(row.blob(0)) }
    }

    static func revisions(on parent: Dot, in database: Database) throws(SQLFault) -> [Revision] {
        var revisions: [Revision] = []
        try database.each(
            """
            SELECT waiting.revision FROM waiting_parent JOIN waiting ON waiting.number = waiting_parent.waiting
            WHERE waiting_parent.replica = ? AND waiting_parent.counter = ? ORDER BY waiting_parent.waiting
            """, .number(parent.replica.bits), .number(parent.counter)
        ) { row throws(SQLFault) in
            revisions.append(try storedRevision(row.blob(0)))
            return true
        }
        return revisions
    }

    static func page(after number: UInt64, limit: Int, in database: Database) throws(SQLFault) -> [StoredWaiting] {
        var page: [StoredWaiting] = []
        try database.each(
            "SELECT number, revision FROM waiting WHERE number > ? ORDER BY number LIMIT ?",
            .number(min(number, UInt64(Int64.max))), .number(max(0, limit))
        ) { row throws(SQLFault) in
            page.append(StoredWaiting(number: row.number(0), revision: try storedRevision(row.blob(1))))
            return true
        }
        return page
    }
}

/// Canonical bytes in a row that must be a revision's.
func storedRevision(_ bytes: [UInt8]) throws(SQLFault) -> Revision {
    guard let revision = RevisionCodec.revision(from: bytes) else { throw .malformed("a revision that is kept cannot be read") }
    return revision
}
