import Causality
import NotesModel
import TestKit
import Testing

@testable import NotesStore

/// What a disk spoils is not told: a read of a store in which a bit was flipped is as before, or says that it is damaged.
@Suite struct FlippedBitTests {
    private struct Place: CustomStringConvertible {
        let table: String
        let column: String
        let row: Int64
        var description: String { "\(table).\(column) of row \(row)" }
    }

    private static let damaged = "the store is damaged"

    /// Of `back` only what reads the row whole notices; the numbers that a walk to an older commit goes by are not read whole.
    private static let columns = [
        "revision": [
            "note", "flags", "time", "author", "bytes", "chain", "name", "parents", "extra", "edits", "text", "kept", "sum",
        ],
        "shown": ["head", "chain", "text", "sum"],
        "head": ["newest", "state"],
    ]

    @Test(arguments: seeds(6))
    func aReadIsAsBefore_orSaysThatTheStoreIsDamaged(seed: UInt64) throws {
        var generator = HistoryGenerator(seed: seed)
        generator.notesMax = 3
        generator.basesAmongLast = 4
        let commits = generator.commits(50)
        let subject = try JournalUnderTest(.sqliteFolding, replica: generator.replica)
        try subject.journal.append(commits.map { .commit($0, operation: nil) })
        while try subject.journal.tidy() {}
        try subject.reopen(replica: ReplicaID(bits: 1))
        let whole = try read(commits, subject.journal)
        var refused = 0
        for round in 0..<25 {
            let place = try somewhere(in: subject, &generator.random)
            let bit = generator.random.below(1 << 20)
            try flip(bit, at: place, in: subject)
            try subject.reopen(replica: ReplicaID(bits: UInt64(2 + round)))
            for (before, now) in zip(whole, try read(commits, subject.journal)) {
                if now == Self.damaged {
                    refused += 1
                } else if now != before {
                    Issue.record("seed \(seed), \(place), bit \(bit): told \(now), and was \(before)")
                }
            }
            try flip(bit, at: place, in: subject)
        }
        try subject.reopen(replica: ReplicaID(bits: 99))
        #expect(try read(commits, subject.journal) == whole && refused > 0, "seed \(seed)")
    }

    /// All that the journal says of the notes, as words.
    private func read(_ commits: [Commit], _ journal: any Journal) throws -> [String] {
        var told: [String] = []
        func tell(_ body: () throws(JournalError) -> Any?) throws {
            told.append(try journal.unlessDamaged(body).map { String(describing: $0) } ?? Self.damaged)
        }
        for commit in commits {
            let (id, dot) = (commit.revision.note, commit.revision.dot)
            try tell { () throws(JournalError) in try journal.past(id, asOf: commit.sequence, withText: true) }
            try tell { () throws(JournalError) in try journal.note(id, reaching: .newest, asOf: commit.sequence)?.root }
            try tell { () throws(JournalError) in try journal.revision(dot, of: id) }
            try tell { () throws(JournalError) in try journal.committed(dot) }
        }
        for id in Set(commits.map(\.revision.note)).sorted() {
            try tell { () throws(JournalError) in try journal.head(of: id)?.head.title }
            try tell { () throws(JournalError) in try journal.note(id, reaching: .start, asOf: nil)?.tail }
            try tell { () throws(JournalError) in try journal.history(of: id, before: nil, limit: 1_000) }
        }
        return told
    }

    private func database(_ subject: JournalUnderTest) throws -> SQLiteConnections {
        try #require(subject.journal as? SQLiteJournal).connections
    }

    /// A row and a column that holds something.
    private func somewhere(in subject: JournalUnderTest, _ random: inout SeededGenerator) throws -> Place {
        while true {
            let table = random.pick(["revision", "shown", "head"])
            let column = random.pick(Self.columns[table] ?? [])
            var rows: [Int64] = []
            try database(subject).reading { database throws(SQLFault) in
                try database.each(
                    """
                    SELECT rowid FROM \(table) WHERE \(column) IS NOT NULL AND (typeof(\(column)) = 'integer' OR length(\(column)) > 0)
                    """
                ) { row throws(SQLFault) in
                    rows.append(row.integer(0))
                    return true
                }
            }
            if !rows.isEmpty { return Place(table: table, column: column, row: random.pick(rows)) }
        }
    }

    private func flip(_ bit: Int, at place: Place, in subject: JournalUnderTest) throws {
        try database(subject).writing { database throws(SQLFault) in
            let select = "SELECT \(place.column) FROM \(place.table) WHERE rowid = ?"
            let value = try database.first(select, .integer(place.row)) { row in
                guard row.isBlob(0) else { return SQLValue.integer(row.integer(0) ^ 1 << Int64(bit % 63)) }
                var bytes = row.blob(0)
                bytes[bit / 8 % bytes.count] ^= 1 << (bit % 8)
                return SQLValue.blob(bytes)
            }
            guard let value else { throw .refused("\(place) is not there") }
            try database.run("UPDATE \(place.table) SET \(place.column) = ? WHERE rowid = ?", value, .integer(place.row))
        }
    }
}
