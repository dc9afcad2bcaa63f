import Causality
import Foundation
import Logging
import NoteText
import NotesEngine
import NotesModel
import NotesSQL
import TestKit
import Testing
import TextMerge

@testable import NotesStore

/// A restore rebuilds what is derived from the revisions, and the result is the store that was never
/// damaged, row for row.
@Suite struct DerivedDataRebuildTests {
    private static let notes = (1...3).map { noteID($0) }

    /// A store that several clients wrote to, with undone revisions; sometimes compacted.
    private func store(_ seed: UInt64, compacts: Bool) async throws -> TemporaryDirectory {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryDirectory()
        var site = try await Site(folder, as: replica("A"))
        for number in 0..<60 { await site.writeSomething(Self.notes, number, &random) }
        await site.stop()
        guard compacts else { return folder }
        site = try await Site(folder, as: replica("C"), configuration: EngineConfiguration(history: .keepDays(0)))
        site.engine.submit([.tick(seconds: 0)])
        while try await site.engine.isCompacting() {}
        for number in 60..<75 { await site.writeSomething(Self.notes, number, &random) }
        await site.stop()
        return folder
    }

    @Test(arguments: seeds(20))
    func wrongDerivedData_isRebuilt(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let folder = try await store(seed, compacts: seed % 3 == 0)
        let damaged = try folder.copied()
        try damaged.change { database throws(SQLFault) in
            var damage = try DerivedDamage(database)
            for id in Self.notes { try damage.apply(to: id, &random) }
            // A name of a file that no revision names.
            try database.run(
                "INSERT INTO file_name (hash, sequence, bytes) SELECT zeroblob(32), max(sequence), 7 FROM revision")
        }
        let before = try damaged.dump()
        let restored = try TemporaryDirectory()
        var reports: [AuditReport] = []
        _ = try Store.restore(damaged.path + "/notes.sqlite3", into: restored.path) { store throws(StoreError) in
            let report = try audit(store)
            reports.append(report)
            #expect(report.findings.allSatisfy { $0.affects == .derived }, "seed \(seed): \(report.findings)")
            return Set(report.findings.compactMap(\.note)).sorted()
        }
        #expect(reports.count == 2 && reports.last?.findings == [], "seed \(seed)")
        let (wanted, made) = (try folder.dump(), try restored.dump())
        for (table, rows) in wanted { #expect(made[table] == rows, "seed \(seed), \(table)") }
        #expect(try damaged.dump() == before, "seed \(seed): the backup was changed")
    }

    private func audit(_ store: OfflineStore) throws(StoreError) -> AuditReport {
        let journal = try store.journal(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        do throws(JournalError) { return try OfflineAudit.run(journal) { _, _ in } } catch { throw .journal(error) }
    }

    /// A note with a fault in a text is not rebuilt, and nothing is restored.
    @Test func wrongText_isRefused() async throws {
        let folder = try await store(1, compacts: false)
        try folder.change { database throws(SQLFault) in
            try database.run(
                "UPDATE revision SET flags = flags & ~256, edits = substr(edits, 1, length(edits) - 4), bytes = bytes + 1")
        }
        let restored = try TemporaryDirectory()
        var reports: [AuditReport] = []
        #expect(throws: StoreError.self) {
            _ = try Store.restore(folder.path + "/notes.sqlite3", into: restored.path) { store throws(StoreError) in
                reports.append(try audit(store))
                return Self.notes
            }
        }
        #expect(reports.count == 1 && reports[0].findings.contains { $0.affects == .texts })
        #expect(try FileManager.default.contentsOfDirectory(atPath: restored.path) == ["lock"])
    }
}

/// Damages derived data at random, and gives each changed row a matching checksum.
private struct DerivedDamage {
    let database: Database
    private var tables: JournalTables
    private let memtable: HeadMemtable

    init(_ database: Database) throws(SQLFault) {
        self.database = database
        tables = try JournalTables(loadingFrom: database, replica: replica("F"), limits: JournalLimits())
        memtable = try tables.loadMemtable(from: database)
    }

    /// Damages the rows and the head of a note, if it exists.
    mutating func apply(to id: NoteID, _ random: inout SeededGenerator) throws(SQLFault) {
        let queries = HeadQueries(memtable: memtable, table: HeadTable(database: database, replicas: tables.replicas))
        guard let entry = try queries.entry(of: id) else { return }
        let reader = RevisionReader(
            database: database, replicas: tables.replicas, dots: tables.dots, authors: tables.authors)
        var walk = RevisionChainReader(reader: reader, entry: entry)
        let page = try walk.stored(before: nil, limit: 1_000)
        let (revisions, commits) = (Array(page.revisions.reversed()), Array(page.commits.reversed()))
        var audit = NoteAudit(revisions, head: entry.head, keepsDerived: true)
        while !audit.isDone { audit.step(bytes: 1 << 20) }
        var rows = RowRebuild(database: database, reader: reader)
        for (index, derived) in audit.takeDerived().enumerated() {
            var derived = derived
            if random.chance(0.3) { damage(&derived, &random) }
            try rows.write(derived, of: revisions[index].revision, at: commits[index])
        }
        tables.replicas = rows.replicas
        var head = entry.head
        damage(&head, &random)
        let state = try HeadCodec.bytes(of: head, at: entry.newest, note: entry.number, &tables.replicas, addingTo: database)
        let table = memtable[id] == nil ? "head SET state = ? WHERE newest = ?" : "unflushed SET state = ? WHERE sequence = ?"
        try database.run("UPDATE \(table)", .blob(state), .number(entry.newest))
    }

    private func damage(_ derived: inout DerivedRow, _ random: inout SeededGenerator) {
        let made = Conflict(
            id: ConflictID(high: random.next(), low: 1), kind: .text, sides: [dot("A1"), dot("A2")], range: 0..<1)
        switch random.below(7) {
        case 0, 1: derived.name = derived.name == nil ? try? NoteName("wrong") : nil
        case 2: derived.coversAll.toggle()
        case 3:
            let isHidden = derived.state?.lastLine == .hidden
            derived.state?.lastLine = isHidden ? .shown : .hidden
        case 4: derived.state?.isDeleted.toggle()
        case 5: derived.state?.merged?.head.bytes += 1
        default:
            let isResolved = derived.state?.conflicts == []
            derived.state?.conflicts = isResolved && derived.coversAll ? [KeptConflict(made, own: [])] : []
        }
        guard random.chance(0.2) else { return }
        derived.state?.merged = nil
    }

    private func damage(_ head: inout Head, _ random: inout SeededGenerator) {
        switch random.below(8) {
        case 0: head.tags = ["wrong"]
        case 1: head.name = head.name == nil ? try? NoteName("wrong") : nil
        case 2: head.isDeleted.toggle()
        case 3: head.vector = VersionVector()
        case 4: head.version = Version(dot("A1"))
        case 5: head.title = "wrong"
        case 6: head.modified = Timestamp(milliseconds: -1)
        default: head.bytes += 1
        }
    }
}

extension TemporaryDirectory {
    /// Changes the store in this directory.
    fileprivate func change(_ body: (Database) throws(SQLFault) -> Void) throws {
        let database = try SQLiteConnections.open(path + "/notes.sqlite3", isReadOnly: false)
        try database.transaction { () throws(SQLFault) in try body(database) }
        try database.close()
    }

    /// The rows of each table of the store, as text.
    fileprivate func dump() throws -> [String: [String]] {
        let database = try SQLiteConnections.open(path + "/notes.sqlite3", isReadOnly: true)
        var tables: [String: [String]] = [:]
        for (table, columns) in [
            (
                "revision",
                "sequence || ' ' || flags || ' ' || bytes || ' ' || chain || ' ' || quote(name) || ' ' || quote(extra) || ' ' || quote(edits) || ' ' || quote(text) || ' ' || quote(kept)"
            ),
            ("merged", "sequence || ' ' || quote(head) || ' ' || chain || ' ' || quote(text) || ' ' || quote(sum)"),
            ("head", "note || ' ' || newest || ' ' || deleted || ' ' || conflicted || ' ' || quote(name) || ' ' || quote(state)"),
            ("tag", "quote(tag) || ' ' || deleted || ' ' || quote(name) || ' ' || quote(id) || ' ' || note"),
            ("unflushed", "sequence || ' ' || note || ' ' || quote(state)"),
            ("store", "notes || ' ' || tombstones || ' ' || conflicted"), ("replica", "number || ' ' || id"),
        ] {
            try database.each("SELECT \(columns) FROM \(table) ORDER BY 1") { row throws(SQLFault) in
                tables[table, default: []].append(String(decoding: row.blob(0), as: UTF8.self))
                return true
            }
        }
        try database.close()
        return tables
    }
}
