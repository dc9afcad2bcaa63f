import Causality
import NotesModel
import NotesSQL

/// The `waiting` and `waiting_parent` tables: revisions of other replicas that wait for their
/// parents. Their dots are kept in memory, so that a commit knows without a query whether it ends a
/// wait.
struct WaitingTable {
    private struct Row {
        let number: UInt64
        let bytes: Int
    }

    private var rows: [Dot: Row] = [:]
    /// Number and size of all waiting revisions.
    private(set) var amount = HoldingAmount()

    init(loadingFrom database: Database) throws(SQLFault) {
        try database.each("SELECT number, replica, counter, length(revision) FROM waiting") { row throws(SQLFault) in
            guard let dot = storedDot(row.number(1), row.number(2)) else { throw .malformed("a waiting revision has no dot") }
            add(Row(number: row.number(0), bytes: Int(row.integer(3))), dot)
            return true
        }
    }

    private mutating func add(_ row: Row, _ dot: Dot) {
        rows[dot] = row
        amount = amount + HoldingAmount(revisions: 1, bytes: row.bytes)
    }

    var dots: some Collection<Dot> { rows.keys }

    func contains(_ dot: Dot) -> Bool { rows[dot] != nil }

    mutating func insert(_ revision: LinkedRevision, into database: Database) throws(SQLFault) {
        let dot = revision.dot
        if rows[dot] != nil {
            guard try Self.revision(dot, in: database) == nil else { throw .refused("the revision \(dot) is waiting already") }
            try remove(dot, from: database)
        }
        let bytes = RevisionCodec.canonicalBytes(of: revision)
        try database.run(
            "INSERT INTO waiting (replica, counter, revision) VALUES (?, ?, ?)", .number(dot.replica.bits),
            .number(dot.counter), .blob(bytes))
        let number = try database.first(
            "SELECT number FROM waiting WHERE replica = ? AND counter = ?", .number(dot.replica.bits), .number(dot.counter)
        ) { $0.number(0) }
        guard let number else { throw .malformed("the waiting revision \(dot) cannot be read back") }
        for parent in revision.content.parents.dots {
            try database.run(
                "INSERT INTO waiting_parent (replica, counter, waiting) VALUES (?, ?, ?)", .number(parent.replica.bits),
                .number(parent.counter), .number(number))
        }
        add(Row(number: number, bytes: bytes.count), dot)
    }

    /// Removes the waiting revision with this dot, if there is one.
    mutating func remove(_ dot: Dot, from database: Database) throws(SQLFault) {
        guard let row = rows.removeValue(forKey: dot) else { return }
        amount = amount - HoldingAmount(revisions: 1, bytes: row.bytes)
        if let revision = try Self.revision(dot, in: database) {
            for parent in revision.content.parents.dots {
                try database.run(
                    "DELETE FROM waiting_parent WHERE replica = ? AND counter = ? AND waiting = ?",
                    .number(parent.replica.bits), .number(parent.counter), .number(row.number))
            }
        } else {
            try database.run("DELETE FROM waiting_parent WHERE waiting = ?", .number(row.number))
        }
        try database.run("DELETE FROM waiting WHERE number = ?", .number(row.number))
    }

    /// Removes the waiting revisions of a note, also damaged ones if the beginnings of their bytes say that
    /// they are of the note. Returns their dots.
    ///
    /// - Complexity: O(rows).
    mutating func remove(all note: NoteID, from database: Database) throws(SQLFault) -> [Dot] {
        guard !rows.isEmpty else { return [] }
        var found: [Dot] = []
        try database.each(
            "SELECT replica, counter FROM waiting WHERE \(HeldRow.isOfNote)", .blob(RevisionCodec.start(of: note))
        ) { row throws(SQLFault) in
            if let dot = storedDot(row.number(0), row.number(1)) { found.append(dot) }
            return true
        }
        for dot in found { try remove(dot, from: database) }
        return found
    }

    /// Returns the waiting revision with this dot; nil if there is none or it cannot be read. An
    /// unreadable one waits until it is sent again.
    static func revision(_ dot: Dot, in database: Database) throws(SQLFault) -> LinkedRevision? {
        try database.first(
            "SELECT revision FROM waiting WHERE replica = ? AND counter = ?", .number(dot.replica.bits), .number(dot.counter)
        ) { RevisionCodec.revision(from: $0.blob(0)) } ?? nil
    }

    /// Returns the readable revisions that wait for this parent, in order of arrival.
    static func revisions(on parent: Dot, in database: Database) throws(SQLFault) -> [LinkedRevision] {
        var revisions: [LinkedRevision] = []
        try database.each(
            """
            SELECT waiting.revision FROM waiting_parent JOIN waiting ON waiting.number = waiting_parent.waiting
            WHERE waiting_parent.replica = ? AND waiting_parent.counter = ? ORDER BY waiting_parent.waiting
            """, .number(parent.replica.bits), .number(parent.counter)
        ) { row throws(SQLFault) in
            if let revision = RevisionCodec.revision(from: row.blob(0)) { revisions.append(revision) }
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

extension WaitingTable {
    /// Returns rows for people. See `AuditableJournal.held(in:of:after:limit:)`.
    static func rows(of dot: Dot?, after number: UInt64, limit: Int, in database: Database) throws(SQLFault) -> [HeldRow] {
        var rows: [HeldRow] = []
        try database.each(
            "SELECT number, replica, counter, revision FROM waiting WHERE number > ? \(HeldRow.hasDot(dot)) ORDER BY number LIMIT ?",
            HeldRow.values(after: number, of: dot, limit: limit)
        ) { row throws(SQLFault) in
            let dot = storedDot(row.number(1), row.number(2))
            let revision = RevisionCodec.revision(from: row.blob(3))
            let content: HeldRow.Content =
                if let revision, revision.dot == dot {
                    .waiting(revision)
                } else {
                    .unreadable(revision == nil ? "its content cannot be read" : "its content belongs to another revision")
                }
            rows.append(HeldRow(number: row.number(0), dot: dot, content: content))
            return true
        }
        return rows
    }
}

/// Decodes a dot from two columns; nil if it is not one.
func storedDot(_ replica: UInt64, _ counter: UInt64) -> Dot? {
    counter >= 1 && counter <= Dot.counterMax ? Dot(ReplicaID(bits: replica), counter) : nil
}

/// Decodes canonical bytes that must be a revision. Throws a corruption fault otherwise.
func storedRevision(_ bytes: [UInt8]) throws(SQLFault) -> LinkedRevision {
    guard let revision = RevisionCodec.revision(from: bytes) else { throw .malformed("a stored revision cannot be read") }
    return revision
}
