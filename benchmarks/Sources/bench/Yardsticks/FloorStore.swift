import CLinux
import CSQLite
import Foundation
import Glibc
import Synchronization

/// The two rows of a save.
struct FloorRow: Sendable {
    let sequence, note, back, bytes: Int
    let edits: [UInt8]
    let text: [UInt8]?
}

/// The store of the floor program: a thread that commits all rows that wait, in one transaction.
final class FloorStore: Sendable {
    /// Becomes readable when more is durable.
    let done = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    private let work = eventfd(0, Int32(EFD_CLOEXEC))
    private let waiting = Mutex<[FloorRow]>([])
    private let durableThrough = Atomic<Int>(0)
    private let path: String

    /// The daemon's tables `revision` and `unflushed`, and its settings.
    private static let tables = """
        PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA mmap_size = 0; PRAGMA cache_size = -16384;
        CREATE TABLE revision (sequence INTEGER PRIMARY KEY, note INTEGER NOT NULL, back INTEGER NOT NULL, flags INTEGER NOT NULL,
            time INTEGER NOT NULL, author INTEGER NOT NULL, bytes INTEGER NOT NULL, chain INTEGER NOT NULL, name ANY, parents BLOB,
            extra BLOB, hash INTEGER NOT NULL, edits BLOB NOT NULL, text BLOB, kept INTEGER) STRICT;
        CREATE TABLE unflushed (sequence INTEGER PRIMARY KEY, note INTEGER NOT NULL, state BLOB NOT NULL) STRICT;
        """

    init(path: String) throws(Failure) {
        self.path = path
    }

    func start() {
        Thread.detachNewThread {
            do throws(Failure) { try self.commitAll() } catch {
                FileHandle.standardError.write(Data("\(error)\n".utf8))
                exit(1)
            }
        }
    }

    func add(_ rows: [FloorRow]) {
        let isFirst = waiting.withLock { waiting in
            waiting += rows
            return waiting.count == rows.count
        }
        if isFirst { eventfd_write(work, 1) }
    }

    /// The newest durable commit.
    func durable() -> Int {
        var count: eventfd_t = 0
        eventfd_read(done, &count)
        return durableThrough.load(ordering: .acquiring)
    }

    private func commitAll() throws(Failure) {
        var database: OpaquePointer?
        guard sqlite3_open(path, &database) == SQLITE_OK else { throw Failure("\(path) cannot be opened") }
        func check(_ code: Int32) throws(Failure) {
            guard [SQLITE_OK, SQLITE_DONE].contains(code) else {
                throw Failure("SQLite: \(String(cString: sqlite3_errmsg(database)))")
            }
        }
        func prepare(_ sql: String) throws(Failure) -> OpaquePointer? {
            var statement: OpaquePointer?
            try check(sqlite3_prepare_v2(database, sql, -1, &statement, nil))
            return statement
        }
        func step(_ statement: OpaquePointer?) throws(Failure) {
            try check(sqlite3_step(statement))
            sqlite3_reset(statement)
        }
        func bind(_ bytes: [UInt8], _ statement: OpaquePointer?, _ column: Int32) {
            // SQLite copies the bytes.
            sqlite3_bind_blob(statement, column, bytes, Int32(bytes.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        }
        try check(sqlite3_exec(database, Self.tables, nil, nil, nil))
        let (begin, commit) = (try prepare("BEGIN IMMEDIATE"), try prepare("COMMIT"))
        let revision = try prepare(
            """
            INSERT INTO revision (sequence, note, back, bytes, flags, time, author, chain, hash, edits, text)
            VALUES (?1, ?2, ?3, ?4, 0, ?5, 1, 1, ?6, ?7, ?8)
            """)
        let unflushed = try prepare("INSERT INTO unflushed VALUES (?1, ?2, ?3)")
        let state = [UInt8](repeating: 0x2e, count: 96)
        while true {
            var count: eventfd_t = 0
            guard eventfd_read(work, &count) == 0 else { throw Failure(call: "eventfd_read") }
            let rows = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            guard let last = rows.last else { continue }
            try step(begin)
            for row in rows {
                let numbers = [
                    row.sequence, row.note, row.back, row.bytes, Int(time(nil)) * 1_000, row.sequence &* 0x9e37_79b9_7f4a,
                ]
                for (column, number) in numbers.enumerated() { sqlite3_bind_int64(revision, Int32(column + 1), Int64(number)) }
                bind(row.edits, revision, 7)
                if let text = row.text { bind(text, revision, 8) } else { sqlite3_bind_null(revision, 8) }
                try step(revision)
                for (column, number) in numbers.prefix(2).enumerated() {
                    sqlite3_bind_int64(unflushed, Int32(column + 1), Int64(number))
                }
                bind(state, unflushed, 3)
                try step(unflushed)
            }
            try step(commit)
            durableThrough.store(last.sequence, ordering: .releasing)
            eventfd_write(done, 1)
        }
    }
}
