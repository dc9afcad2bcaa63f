import CSQLite
import Foundation
import Glibc
import NotesSQL
import TestKit
import Testing

/// Writes to the log that are gathered: one for each commit, and nothing that anybody sees is different.
@Suite struct GatheredLogTests {
    private static func open(_ path: String, gathersLog: Bool, pages: Int = 1_000) throws -> Database {
        try DatabaseFile.make(path)
        let database = try Database(path: path, gathersLog: gathersLog)
        for pragma in ["journal_mode = WAL", "synchronous = FULL", "wal_autocheckpoint = 0", "cache_size = \(pages)"] {
            try database.run("PRAGMA \(pragma)")
        }
        return database
    }

    /// The number of calls by which this thread has written to files.
    private func writes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("syscw: ") })
        return try #require(Int(line.dropFirst("syscw: ".count)))
    }

    @Test func commit_isOneWrite() throws {
        let folder = try TemporaryDirectory()
        /// The pages and the writes of a commit of so many bytes.
        func commit(of bytes: Int, gathersLog: Bool) throws -> (pages: Int, writes: Int) {
            let path = folder.path + "/rows-\(bytes)-\(gathersLog)"
            let database = try Self.open(path, gathersLog: gathersLog)
            // The first commit also writes the header of the log.
            try database.run("CREATE TABLE row (key INTEGER PRIMARY KEY, bytes BLOB)")
            func size() throws -> Int { try Data(contentsOf: URL(fileURLWithPath: path + "-wal")).count }
            let before = (size: try size(), writes: try self.writes())
            try database.run("INSERT INTO row VALUES (1, zeroblob(?))", .integer(Int64(bytes)))
            let writes = try self.writes() - before.writes
            return (pages: (try size() - before.size) / 4_120, writes: writes)
        }
        for bytes in [10, 10_000, 100_000, 400_000] {
            let (apart, together) = (try commit(of: bytes, gathersLog: false), try commit(of: bytes, gathersLog: true))
            #expect(apart.pages == together.pages && apart.pages > bytes / 4_096)
            #expect(apart.writes == 2 * apart.pages)
            // SQLite writes 131,071 bytes at once at most.
            #expect(together.writes == (bytes < 120_000 ? 1 : 4))
        }
    }

    /// Transactions of any size, which end or roll back, on a disk that is full at times. The cache is so small that
    /// pages go to the log before the commit and are read from it again. After each, the connection, a reader and
    /// the files as a crash would leave them have what was committed.
    @Test(.enabled(if: SmallDisk.isPermitted, "mounting a tmpfs needs root"), arguments: seeds(3))
    func transactions_areWholeOnAFullDisk(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let disk = try SmallDisk(bytes: 4 << 20)
        let path = disk.path + "/rows"
        let database = try Self.open(path, gathersLog: true, pages: 10)
        try database.run("CREATE TABLE row (key INTEGER PRIMARY KEY, bytes BLOB)")
        let reader = try Database(path: path, isReadOnly: true)
        var rows: [Int64: [UInt8]] = [:]
        var (refused, accepted) = (0, 0)
        for round in 0..<60 {
            if random.chance(0.2) { disk.fill(leaving: random.below(300_000)) } else { disk.free() }
            if random.chance(0.2) { _ = try? database.checkpoint(truncate: random.chance(0.3)) }
            var changed = rows
            do {
                try database.run("BEGIN IMMEDIATE")
                for _ in 0..<(1 + random.below(12)) {
                    let key = Int64(random.below(40))
                    let bytes = [UInt8](repeating: UInt8(round), count: random.below(20_000))
                    try database.run("INSERT OR REPLACE INTO row VALUES (?, ?)", .integer(key), .blob(bytes))
                    changed[key] = bytes
                    if random.chance(0.3) { #expect(try Self.rows(in: database) == changed, "seed \(seed), round \(round)") }
                }
                if random.chance(0.2) {
                    try database.rollBack()
                } else {
                    try database.run("COMMIT")
                    rows = changed
                    accepted += 1
                }
            } catch {
                refused += 1
                try? database.rollBack()
            }
            #expect(try Self.rows(in: database) == rows, "seed \(seed), round \(round)")
            #expect(try Self.rows(in: reader) == rows, "seed \(seed), round \(round): the reader")
            let copy = try TemporaryDirectory()
            for file in ["/rows", "/rows-wal"] {
                try FileManager.default.copyItem(atPath: disk.path + file, toPath: copy.path + file)
            }
            let found = try Self.rows(in: try Database(path: copy.path + "/rows"))
            #expect(found == rows, "seed \(seed), round \(round): after a crash")
        }
        #expect(refused > 0 && accepted > 0 || !isUsual(seed, of: 3), "seed \(seed): \(refused) refused, \(accepted) accepted")
    }

    /// What could not be written is not followed by anything before it is written again.
    @Test(.enabled(if: SmallDisk.isPermitted, "mounting a tmpfs needs root"))
    func lostBytes_areNotFollowedByOthers() throws {
        let disk = try SmallDisk(bytes: 1 << 20)
        // Registers the file system.
        _ = try Self.open(disk.path + "/rows", gathersLog: true)
        // The log gets the mode of its database.
        try DatabaseFile.make(disk.path + "/other")
        let log = try OpenLog(disk.path + "/other-wal")
        let (old, new) = ([UInt8](repeating: 1, count: 40_000), [UInt8](repeating: 2, count: 40_000))
        #expect(log.write(old, at: 0) == SQLITE_OK && log.sync() == SQLITE_OK && log.content == old)
        disk.fill(leaving: 0)
        #expect(log.write(new, at: 40_000) == SQLITE_OK && log.content == old)
        #expect(log.sync() == SQLITE_FULL)
        disk.free()
        #expect(log.write(new, at: 80_000) == SQLITE_FULL && log.write(new, at: 40_001) == SQLITE_FULL)
        // A checkpoint syncs the log, and what is in it can be read.
        #expect(log.sync() == SQLITE_OK && log.read(40_000, at: 0) == old)
        #expect(log.write(new, at: 40_000) == SQLITE_OK && log.write(old, at: 80_000) == SQLITE_OK)
        #expect(log.content.prefix(40_000) == old[...] && log.content.count <= 80_000)
        #expect(log.read(40_000, at: 40_000) == new && log.content == old + new + old)
        // Truncating takes the place of lost bytes away.
        disk.fill(leaving: 0)
        #expect(log.write([UInt8](repeating: 3, count: 100_000), at: 120_000) == SQLITE_OK && log.size() == SQLITE_FULL)
        #expect(log.truncate(to: 0) == SQLITE_OK && log.size() == SQLITE_OK)
        disk.free()
        #expect(log.write(new, at: 0) == SQLITE_OK && log.close() == SQLITE_OK && log.content == new)
    }

    private static func rows(in database: Database) throws -> [Int64: [UInt8]] {
        var rows: [Int64: [UInt8]] = [:]
        try database.each("SELECT key, bytes FROM row") { row throws(SQLFault) in
            rows[row.integer(0)] = Array(row.blob(1))
            return true
        }
        return rows
    }
}

/// A log as SQLite opens it.
private final class OpenLog {
    private let path: String
    private let file: UnsafeMutablePointer<sqlite3_file>
    /// SQLite keeps the address of the path.
    private let name: UnsafeMutablePointer<CChar>?

    init(_ path: String) throws {
        let system = try #require(sqlite3_vfs_find("gathering"))
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: Int(system.pointee.szOsFile), alignment: 16)
        (self.path, name, file) = (path, strdup(path), bytes.assumingMemoryBound(to: sqlite3_file.self))
        let flags = SQLITE_OPEN_WAL | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        #expect(system.pointee.xOpen(system, name, file, flags, nil) == SQLITE_OK)
    }

    deinit {
        if file.pointee.pMethods != nil { _ = close() }
        UnsafeMutableRawPointer(file).deallocate()
        free(name)
    }

    private var methods: sqlite3_io_methods { file.pointee.pMethods.pointee }

    /// What is in the file.
    var content: [UInt8] { Array(FileManager.default.contents(atPath: path) ?? Data()) }

    func write(_ bytes: [UInt8], at offset: Int64) -> Int32 { methods.xWrite(file, bytes, Int32(bytes.count), offset) }
    func sync() -> Int32 { methods.xSync(file, SQLITE_SYNC_NORMAL) }
    func truncate(to size: Int64) -> Int32 { methods.xTruncate(file, size) }

    func size() -> Int32 {
        var size: sqlite3_int64 = 0
        return methods.xFileSize(file, &size)
    }

    func read(_ count: Int, at offset: Int64) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return methods.xRead(file, &bytes, Int32(count), offset) == SQLITE_OK ? bytes : nil
    }

    func close() -> Int32 {
        let code = methods.xClose(file)
        file.pointee.pMethods = nil
        return code
    }
}
