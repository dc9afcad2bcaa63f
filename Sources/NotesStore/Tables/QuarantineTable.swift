import Causality
import NotesModel
import NotesSQL

/// The `quarantine` table: revisions that cannot be accepted, one row for each content.
///
/// A purge erases the rows of its note. An erased row keeps the dot, so that peers do not offer the
/// revision again. Its `revision` and its `hash` are empty: a short secret could be guessed from a hash.
struct QuarantineTable {
    /// Number and size of the rows that are not erased.
    private(set) var amount = HoldingAmount()
    /// The dots of the erased rows. They grow by at most the limits of the holding areas with each purge.
    private(set) var erased = DotSet()

    /// Reads the number and size, and the erased dots.
    ///
    /// - Complexity: O(rows). The engine bounds those that are not erased.
    init(loadingFrom database: Database) throws(SQLFault) {
        try database.each("SELECT replica, counter, length(revision) FROM quarantine") { row throws(SQLFault) in
            if row.integer(2) > 0 {
                amount = amount + HoldingAmount(revisions: 1, bytes: Int(row.integer(2)))
            } else if let dot = storedDot(row.number(0), row.number(1)) {
                erased.insert(dot)
            }
            return true
        }
    }

    /// Inserts a revision unless the same content is present.
    mutating func insert(_ quarantined: Quarantined, into database: Database) throws(SQLFault) {
        let revision = quarantined.revision
        let bytes = RevisionCodec.canonicalBytes(of: revision)
        try database.run(
            """
            INSERT INTO quarantine (replica, counter, hash, reason, revision) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (replica, counter, hash) DO NOTHING
            """, .number(revision.dot.replica.bits), .number(revision.dot.counter), .blob(RevisionCodec.hash(of: revision)),
            .number(Int(quarantined.reason.rawValue)), .blob(bytes))
        let isNew = try database.first("SELECT changes()") { $0.integer(0) == 1 }
        if isNew == true { amount = amount + HoldingAmount(revisions: 1, bytes: bytes.count) }
    }

    /// Removes a revision that is accepted after all.
    mutating func remove(_ revision: LinkedRevision, from database: Database) throws(SQLFault) {
        guard amount.revisions > 0 else { return }
        let key: [SQLValue] = [
            .number(revision.dot.replica.bits), .number(revision.dot.counter), .blob(RevisionCodec.hash(of: revision)),
        ]
        let rows = "quarantine WHERE replica = ? AND counter = ? AND hash = ? AND length(revision) > 0"
        let bytes = try database.first("SELECT length(revision) FROM \(rows)", key[0], key[1], key[2]) { Int($0.integer(0)) }
        guard let bytes else { return }
        try database.run("DELETE FROM \(rows)", key[0], key[1], key[2])
        amount = amount - HoldingAmount(revisions: 1, bytes: bytes)
    }

    /// Removes every content that has this dot, also damaged ones. A peer may offer it again.
    mutating func drop(_ dot: Dot, from database: Database) throws(SQLFault) {
        let rows = "quarantine WHERE replica = ? AND counter = ? AND length(revision) > 0"
        let key: [SQLValue] = [.number(dot.replica.bits), .number(dot.counter)]
        let found = try database.first("SELECT count(*), sum(length(revision)) FROM \(rows)", key[0], key[1]) {
            HoldingAmount(revisions: Int($0.integer(0)), bytes: Int($0.integer(1)))
        }
        guard let found, found.revisions > 0 else { return }
        try database.run("DELETE FROM \(rows)", key[0], key[1])
        amount = amount - found
    }

    /// Removes revisions that did not fit since compaction had removed what they need.
    mutating func removeLate(of note: NoteID, _ dots: [Dot], from database: Database) throws(SQLFault) {
        guard amount.revisions > 0 else { return }
        for dot in dots {
            let rows = "quarantine WHERE replica = ? AND counter = ? AND reason IN (?, ?) AND \(HeldRow.isOfNote)"
            let key: [SQLValue] = [
                .number(dot.replica.bits), .number(dot.counter), .number(Int(QuarantineReason.parentIsCompacted.rawValue)),
                .number(Int(QuarantineReason.withdrawsCompacted.rawValue)), .blob(RevisionCodec.start(of: note)),
            ]
            var (numbers, bytes): ([UInt64], Int) = ([], 0)
            try database.each("SELECT number, length(revision) FROM \(rows)", key) { row throws(SQLFault) in
                numbers.append(row.number(0))
                bytes += Int(row.integer(1))
                return true
            }
            for number in numbers { try database.run("DELETE FROM quarantine WHERE number = ?", .number(number)) }
            amount = amount - HoldingAmount(revisions: numbers.count, bytes: bytes)
        }
    }

    /// Erases every content of a note and every content that has one of these dots. With `isOnlyBelow`, only
    /// what is both. Dots of `below` leave
    /// no row, since the store knows them as erased commits.
    ///
    /// A damaged row is of the note if the beginning of its bytes says so.
    ///
    /// - Complexity: O(rows).
    mutating func erase(_ note: NoteID, below: DotSet, isOnlyBelow: Bool = false, in database: Database) throws(SQLFault) {
        guard amount.revisions > 0 else { return }
        var found: [(number: UInt64, dot: Dot?, bytes: Int)] = []
        try database.each(
            "SELECT number, replica, counter, length(revision), \(HeldRow.isOfNote) FROM quarantine WHERE length(revision) > 0",
            .blob(RevisionCodec.start(of: note))
        ) { row throws(SQLFault) in
            let dot = storedDot(row.number(1), row.number(2))
            let (isOfNote, isBelow) = (row.integer(4) == 1, dot.map(below.contains) ?? false)
            if isOnlyBelow ? isOfNote && isBelow : isOfNote || isBelow {
                found.append((row.number(0), dot, Int(row.integer(3))))
            }
            return true
        }
        for row in found {
            try database.run("DELETE FROM quarantine WHERE number = ?", .number(row.number))
            amount = amount - HoldingAmount(revisions: 1, bytes: row.bytes)
            if let dot = row.dot, !below.contains(dot) { try insertErased(dot, into: database) }
        }
    }

    /// Inserts an erased row, unless the dot has one.
    mutating func insertErased(_ dot: Dot, into database: Database) throws(SQLFault) {
        guard !erased.contains(dot) else { return }
        try database.run(
            "INSERT INTO quarantine (replica, counter, hash, reason, revision) VALUES (?, ?, ?, ?, ?)",
            .number(dot.replica.bits), .number(dot.counter), .blob([]),
            .number(Int(QuarantineReason.parentIsCompacted.rawValue)), .blob([]))
        erased.insert(dot)
    }

    /// The dots of all rows, for peers, which then do not send them. One with a counter of no dot is left
    /// out, and so is a purge: its peer sends it as the beginning of its note.
    static func dots(in database: Database) throws(SQLFault) -> DotSet {
        var dots = DotSet()
        try database.each(
            "SELECT replica, counter FROM quarantine WHERE reason != ?", .number(Int(QuarantineReason.marked.rawValue))
        ) { row throws(SQLFault) in
            let counter = row.number(1)
            if counter >= 1, counter <= Dot.counterMax { dots.insert(Dot(ReplicaID(bits: row.number(0)), counter)) }
            return true
        }
        return dots
    }

    /// The notes of the revisions that have one of these dots; one entry for each.
    static func notes(of dots: DotSet, in database: Database) throws(SQLFault) -> [NoteID] {
        var notes: [NoteID] = []
        try database.each(
            "SELECT replica, counter, revision FROM quarantine WHERE length(revision) > 0"
        ) { row throws(SQLFault) in
            if let dot = storedDot(row.number(0), row.number(1)), dots.contains(dot) {
                notes.append(try storedRevision(row.blob(2)).note)
            }
            return true
        }
        return notes
    }

    static func page(after number: UInt64, limit: Int, in database: Database) throws(SQLFault) -> [StoredQuarantined] {
        var page: [StoredQuarantined] = []
        try database.each(
            "SELECT number, reason, revision FROM quarantine WHERE number > ? AND length(revision) > 0 ORDER BY number LIMIT ?",
            .number(min(number, UInt64(Int64.max))), .number(max(0, limit))
        ) { row throws(SQLFault) in
            guard let reason = UInt8(exactly: row.integer(1)).flatMap(QuarantineReason.init(rawValue:)) else {
                throw .malformed("the reason of a quarantined revision cannot be read")
            }
            let quarantined = Quarantined(revision: try storedRevision(row.blob(2)), reason: reason)
            page.append(StoredQuarantined(number: row.number(0), quarantined: quarantined))
            return true
        }
        return page
    }

    /// Returns rows for people. See `AuditableJournal.held(in:of:after:limit:)`.
    static func rows(of dot: Dot?, after number: UInt64, limit: Int, in database: Database) throws(SQLFault) -> [HeldRow] {
        var rows: [HeldRow] = []
        try database.each(
            """
            SELECT number, replica, counter, hash, reason, revision FROM quarantine
            WHERE number > ? \(HeldRow.hasDot(dot)) AND length(revision) > 0 ORDER BY number LIMIT ?
            """, HeldRow.values(after: number, of: dot, limit: limit)
        ) { row throws(SQLFault) in
            let dot = storedDot(row.number(1), row.number(2))
            rows.append(HeldRow(number: row.number(0), dot: dot, content: content(row, dot)))
            return true
        }
        return rows
    }

    private static func content(_ row: SQLRow, _ dot: Dot?) -> HeldRow.Content {
        guard let revision = RevisionCodec.revision(from: row.blob(5)) else { return .unreadable("its content cannot be read") }
        guard revision.dot == dot, RevisionCodec.hash(of: revision) == row.blob(3) else {
            return .unreadable("its content does not match its hash")
        }
        guard let reason = UInt8(exactly: row.integer(4)).flatMap(QuarantineReason.init(rawValue:)) else {
            return .unreadable("its quarantine reason cannot be read")
        }
        return .quarantined(Quarantined(revision: revision, reason: reason))
    }
}
