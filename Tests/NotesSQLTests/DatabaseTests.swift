import CSQLite
import TestKit
import Testing

@testable import NotesSQL

struct DatabaseTests {
    private func open(_ folder: TemporaryDirectory, isReadOnly: Bool = false) throws -> Database {
        try DatabaseFile.make(folder.path + "/a.sqlite3")
        return try Database(path: folder.path + "/a.sqlite3", isReadOnly: isReadOnly)
    }

    private func count(_ database: Database) throws -> Int64? {
        try database.first("SELECT count(*) FROM item") { $0.integer(0) }
    }

    @Test func values_areReadAsWritten() throws {
        let folder = try TemporaryDirectory()
        let database = try open(folder)
        try database.run("CREATE TABLE item (a, b, c, d, e)")
        try database.run(
            "INSERT INTO item VALUES (?, ?, ?, ?, ?)", .number(UInt64.max), .integer(.min), .blob([0, 255]), .blob([]), .null)
        let isRead = try database.first("SELECT * FROM item") { row in
            row.number(0) == .max && row.integer(1) == .min && row.blob(2) == [0, 255] && row.isBlob(3) && row.blob(3) == []
                && row.isNull(4) && row.optionalBlob(4) == nil
        }
        #expect(isRead == true)
    }

    @Test func statement_keepsNothingOfItsLastRun() throws {
        let folder = try TemporaryDirectory()
        let database = try open(folder)
        try database.run("CREATE TABLE item (a UNIQUE)")
        try database.run("INSERT INTO item VALUES (?)", .integer(1))
        #expect(throws: SQLFault.self) { try database.run("INSERT INTO item VALUES (?)", .integer(1)) }
        // Neither the fault nor the bound value is left.
        try database.run("INSERT INTO item VALUES (?)")
        #expect(try database.first("SELECT count(*) FROM item WHERE a IS NULL") { $0.integer(0) } == 1)
        var seen = 0
        for _ in 1...2 {
            try database.each("SELECT a FROM item") { _ in
                seen += 1
                return false
            }
        }
        #expect(seen == 2, "a statement that was left early starts from the first row")
    }

    /// Texts of one length, built anew for each call, so that the allocator uses their addresses again.
    @Test func statement_isThatOfItsText() throws {
        let folder = try TemporaryDirectory()
        let database = try open(folder)
        for _ in 1...3 {
            for number in 100..<600 {
                #expect(try database.first("SELECT \(number), 'a text on the heap'") { $0.integer(0) } == Int64(number))
            }
        }
    }

    @Test func transaction_isAllOrNothing() throws {
        let folder = try TemporaryDirectory()
        let database = try open(folder)
        try database.run("CREATE TABLE item (a)")
        try database.transaction { () throws(SQLFault) in try database.run("INSERT INTO item VALUES (1)") }
        let fault = #expect(throws: SQLFault.self) {
            try database.transaction { () throws(SQLFault) in
                try database.run("INSERT INTO item VALUES (2)")
                try database.run("INSERT INTO other VALUES (2)")
            }
        }
        #expect(fault?.message == "no such table: other" && fault?.statement == "INSERT INTO other VALUES (2)")
        #expect(try count(database) == 1)
        try database.rollBack()
    }

    @Test func connection_refusesWhatASchemaMustNotContain() throws {
        let folder = try TemporaryDirectory()
        let database = try open(folder)
        try database.run("CREATE TABLE item (a INTEGER PRIMARY KEY)")
        try database.run("CREATE TABLE part (item INTEGER REFERENCES item)")
        #expect(throws: SQLFault.self) { try database.run("INSERT INTO part VALUES (7)") }
        #expect(throws: SQLFault.self) { try database.run("SELECT \"text\"") }
    }

    @Test func missingFile_isNotCreated() throws {
        let folder = try TemporaryDirectory()
        let fault = #expect(throws: SQLFault.self) { try Database(path: folder.path + "/none") }
        #expect(fault?.code == SQLITE_CANTOPEN || fault.map { $0.code & 0xFF } == SQLITE_CANTOPEN)
        #expect(throws: DatabaseFile.Fault.self) { try DatabaseFile.make(folder.path) }
    }

    @Test func readOnlyConnection_cannotWrite() throws {
        let folder = try TemporaryDirectory()
        try open(folder).run("CREATE TABLE item (a)")
        let database = try open(folder, isReadOnly: true)
        let fault = #expect(throws: SQLFault.self) { try database.demandWritable() }
        #expect(fault?.code == SQLITE_READONLY)
        #expect(try count(database) == 0)
    }

    @Test func close_checkpointsAndMayBeRepeated() throws {
        let folder = try TemporaryDirectory()
        let database = try open(folder)
        _ = try database.first("PRAGMA journal_mode = WAL") { $0.isNull(0) }
        try database.run("CREATE TABLE item (a)")
        let (pages, copied) = try database.checkpoint(truncate: true)
        #expect(pages == 0 && copied == 0)
        try database.run("INSERT INTO item VALUES (1)")
        try database.close()
        try database.close()
        #expect(try count(open(folder)) == 1)
    }

    @Test func backup_copiesInSteps() throws {
        let (folder, other) = (try TemporaryDirectory(), try TemporaryDirectory())
        let (source, destination) = (try open(folder), try open(other))
        try source.run("CREATE TABLE item (a)")
        try source.transaction { () throws(SQLFault) in
            for _ in 1...100 { try source.run("INSERT INTO item VALUES (?)", .blob([UInt8](repeating: 7, count: 1_000))) }
        }
        var steps = 0
        do {
            let backup = try DatabaseBackup(of: source, to: destination)
            while try !backup.step(pages: 5) {
                steps += 1
                #expect(backup.remainingPages > 0 && backup.remainingPages < backup.totalPages)
            }
        }
        #expect(steps > 3)
        #expect(try count(destination) == 100)
    }
}
