import Causality
import NotesModel
import NotesSQL
import StoreTestKit
import TestKit
import Testing

@testable import NotesStore

/// Corruption by the disk is never returned as data: a read of a store with a flipped bit returns
/// the same as before, or reports damage.
@Suite struct FlippedBitTests {
    private struct Place: CustomStringConvertible {
        let table: String
        let column: String
        let row: Int64
        var description: String { "\(table).\(column) of row \(row)" }
    }

    /// Not `revision.back`: code that only follows it does not read the whole row.
    private static let columns = [
        "revision": ["note", "flags", "time", "author", "bytes", "chain", "name", "parents", "extra", "edits", "text", "kept"],
        "merged": ["head", "chain", "text", "sum"],
        "head": ["newest", "state"],
        "unflushed": ["note", "state"],
    ]

    private static let damaged = "the store is damaged"

    @Test(arguments: seeds(8))
    func read_isUnchanged_orReportsDamage(seed: UInt64) throws {
        var generator = HistoryGenerator(seed: seed)
        generator.notesMax = 6
        generator.basesAmongLast = 4
        let commits = generator.commits(50)
        let directory = try TemporaryDirectory()
        var runs: UInt64 = 0
        func open() throws -> SQLiteJournal {
            runs += 1
            return try openStore(directory.path, replica: ReplicaID(bits: runs), limits: JournalKind.sqliteFolding.limits)
        }
        var journal = try open()
        // One by one, since a batch writes only the last head of each note.
        for commit in commits {
            try journal.append([.commit(commit, operation: nil)])
            while try journal.maintain() {}
        }
        let whole = try read(commits, journal)
        try journal.close()
        var refused: [String: Int] = [:]
        for _ in 0..<25 {
            let place = try somewhere(in: directory, &generator.random)
            let bit = generator.random.below(1 << 20)
            try flip(bit, at: place, in: directory)
            do {
                journal = try open()
            } catch let error as StoreError {
                #expect("\(error)".contains(Self.damaged), "seed \(seed), \(place)")
                // Only what it reads at start.
                #expect(place.table == "unflushed", "seed \(seed), \(place), bit \(bit): \(error)")
                refused[place.table, default: 0] += 1
                try flip(bit, at: place, in: directory)
                continue
            }
            for (before, now) in zip(whole, try read(commits, journal)) {
                if now == Self.damaged {
                    refused[place.table, default: 0] += 1
                } else if now != before {
                    Issue.record("seed \(seed), \(place), bit \(bit): told \(now), and was \(before)")
                }
            }
            try journal.close()
            try flip(bit, at: place, in: directory)
        }
        journal = try open()
        #expect(try read(commits, journal) == whole, "seed \(seed)")
        #expect(refused["revision"] != nil && refused["head"] != nil, "seed \(seed): \(refused)")
    }

    /// A corrupt head that a newer one supersedes disturbs nobody, even before the newer one is
    /// flushed; the flush then replaces it.
    @Test(arguments: seeds(4))
    func corruptSupersededHead_isReplaced(seed: UInt64) throws {
        var generator = HistoryGenerator(seed: seed)
        generator.notesMax = 4
        let directory = try TemporaryDirectory()
        let memory = MemoryJournal(identity: StoreIdentity(store: testStore, replica: ReplicaID(bits: 1)), operationsKeptMax: 20)
        for run in 1...6 as ClosedRange<UInt64> {
            let journal = try openStore(
                directory.path, replica: ReplicaID(bits: run), limits: JournalKind.sqliteFolding.limits)
            for commit in generator.commits(12) {
                try journal.append([.commit(commit, operation: nil)])
                try memory.append([.commit(commit, operation: nil)])
                while try journal.maintain() {}
            }
            let heads = try memory.heads(matching: Filter(), after: nil, limit: 99)
            #expect(try journal.heads(matching: Filter(), after: nil, limit: 99) == heads, "seed \(seed), run \(run)")
            for tag in Set(heads.flatMap(\.head.tags)) {
                let filter = Filter(tag: tag)
                let tagged = try memory.heads(matching: filter, after: nil, limit: 99)
                #expect(try journal.heads(matching: filter, after: nil, limit: 99) == tagged, "seed \(seed), run \(run), \(tag)")
            }
            let (told, known) = (try journal.statistics(), try memory.statistics())
            #expect(
                [told.notes, told.tombstones, told.conflicted] == [known.notes, known.tombstones, known.conflicted],
                "seed \(seed)")
            try journal.close()
            let checksumMismatch = try working(on: directory) { connections in
                try connections.writing { database throws(SQLFault) in
                    try database.run("UPDATE head SET state = x'03' WHERE note IN (SELECT note FROM unflushed)")
                    return try database.first("SELECT changes()") { $0.integer(0) }
                }
            }
            #expect(checksumMismatch ?? 0 > 0 || run == 1, "seed \(seed), run \(run)")
        }
    }

    /// Everything that the journal returns about the notes, as strings.
    private func read(_ commits: [Commit], _ journal: SQLiteJournal) throws -> [String] {
        var told: [String] = []
        func record(_ body: () throws(JournalError) -> Any?) throws {
            told.append(try journal.nilIfCorrupt(body).map { String(describing: $0) } ?? Self.damaged)
        }
        for commit in commits {
            let (id, dot) = (commit.revision.note, commit.revision.dot)
            try record { () throws(JournalError) in try journal.past(id, asOf: commit.sequence, withText: true) }
            try record { () throws(JournalError) in try journal.note(id, downTo: .newest, asOf: commit.sequence)?.floor }
            try record { () throws(JournalError) in try journal.revision(dot, of: id) }
            try record { () throws(JournalError) in try journal.committed(dot) }
        }
        for id in Set(commits.map(\.revision.note)).sorted() {
            try record { () throws(JournalError) in try journal.head(of: id)?.head.title }
            try record { () throws(JournalError) in try journal.note(id, downTo: .start, asOf: nil)?.tail }
            try record { () throws(JournalError) in try journal.history(of: id, before: nil, limit: 1_000) }
        }
        try record { () throws(JournalError) in try journal.statistics().notes }
        return told
    }

    private func working<T>(on directory: TemporaryDirectory, _ body: (SQLiteConnections) throws -> T) throws -> T {
        let connections = try SQLiteConnections(
            path: directory.path + "/notes.sqlite3", limits: JournalLimits(), check: { _ in }, migrate: { _ in })
        let value = try body(connections)
        try connections.close()
        return value
    }

    /// A random non-empty column of a random row of a table.
    private func somewhere(in directory: TemporaryDirectory, _ random: inout SeededGenerator) throws -> Place {
        try working(on: directory) { connections in
            while true {
                let table = random.pick(Self.columns.keys.sorted())
                let column = random.pick(Self.columns[table] ?? [])
                var rows: [Int64] = []
                let select = """
                    SELECT rowid FROM \(table) WHERE \(column) IS NOT NULL AND (typeof(\(column)) = 'integer' OR length(\(column)) > 0)
                    """
                try connections.reading { database throws(SQLFault) in
                    try database.each(select) { row throws(SQLFault) in
                        rows.append(row.integer(0))
                        return true
                    }
                }
                if !rows.isEmpty { return Place(table: table, column: column, row: random.pick(rows)) }
            }
        }
    }

    private func flip(_ bit: Int, at place: Place, in directory: TemporaryDirectory) throws {
        try working(on: directory) { connections in
            try connections.writing { database throws(SQLFault) in
                let select = "SELECT \(place.column) FROM \(place.table) WHERE rowid = ?"
                // A high bit, so that no two rows get the same commit, which SQLite would refuse.
                let lowest = place.column == "newest" ? 6 : 0
                let value = try database.first(select, .integer(place.row)) { row in
                    guard row.isBlob(0) else {
                        return SQLValue.integer(row.integer(0) ^ 1 << Int64(lowest + bit % (63 - lowest)))
                    }
                    var bytes = row.blob(0)
                    bytes[bit / 8 % bytes.count] ^= 1 << (bit % 8)
                    return SQLValue.blob(bytes)
                }
                guard let value else { throw .refused("\(place) is not there") }
                try database.run("UPDATE \(place.table) SET \(place.column) = ? WHERE rowid = ?", value, .integer(place.row))
            }
        }
    }
}
