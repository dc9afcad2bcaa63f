import CSQLite
import Glibc
import TestKit
import Testing

@testable import NotesSQL

/// Locks on the index of the log that the system does not give.
struct IndexLocksTests {
    /// A database with a log, and a second connection to it, both of which have been in use.
    private struct Pair {
        let folder: TemporaryDirectory
        let writer: Database
        let reader: Database

        init() throws {
            folder = try TemporaryDirectory()
            let path = folder.path + "/a.sqlite3"
            try DatabaseFile.make(path)
            writer = try Database(path: path, busyMilliseconds: 10)
            for script in ["PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0", "CREATE TABLE item (a)"] {
                try writer.run(script: script)
            }
            reader = try Database(path: path, busyMilliseconds: 10)
            _ = try rows(reader)
        }

        func rows(_ database: Database) throws -> Int64? {
            try database.first("SELECT count(*) FROM item") { $0.integer(0) }
        }
    }

    @Test(arguments: [EIO, ENOLCK, EINTR])
    func lockThatAlwaysFails_isReportedAtOnce(number: Int32) throws {
        let pair = try Pair()
        let start = ContinuousClock.now
        try FailingLocks.fail(with: number, times: .max) {
            let read = #expect(throws: SQLFault.self) { try pair.rows(pair.reader) }
            // If not, each further call may take ten seconds.
            try #require(read?.code == SQLFault.ioLockOfIndex)
            #expect(read?.systemError == number && read?.isBusy == false)
            let write = #expect(throws: SQLFault.self) { try pair.writer.run("BEGIN IMMEDIATE") }
            #expect(write?.code == SQLFault.ioLockOfIndex)
            #expect(throws: SQLFault.self) { try pair.writer.checkpoint(truncate: false) }
        }
        #expect(ContinuousClock.now - start < .seconds(5))
        // Both connections go on once the locks work.
        try pair.writer.run("INSERT INTO item VALUES (1)")
        #expect(try pair.rows(pair.reader) == 1)
        try pair.reader.close()
        try pair.writer.close()
    }

    @Test func openingWithoutLocks_failsAtOnce() throws {
        let pair = try Pair()
        let path = pair.folder.path + "/a.sqlite3"
        try pair.reader.close()
        try pair.writer.close()
        let start = ContinuousClock.now
        try FailingLocks.fail(with: EIO, times: .max) {
            let database = try Database(path: path)
            let fault = #expect(throws: SQLFault.self) { try pair.rows(database) }
            #expect(fault?.code == SQLFault.ioLockOfIndex && fault?.systemError == EIO)
        }
        #expect(ContinuousClock.now - start < .seconds(5))
        #expect(try pair.rows(try Database(path: path)) == 0)
    }

    /// The first lock of a transaction, and the first of its commit after a checkpoint.
    @Test func lockThatFailsOnce_isTriedAgain() throws {
        let pair = try Pair()
        try FailingLocks.fail(with: EIO, times: 1) { try pair.writer.run("INSERT INTO item VALUES (1)") }
        try FailingLocks.fail(with: EIO, times: 1) { _ = try pair.writer.checkpoint(truncate: false) }
        try FailingLocks.fail(with: EIO, times: 1) {
            let rows = try pair.rows(pair.reader)
            #expect(rows == 1)
        }
    }

    @Test(arguments: [EAGAIN, EACCES])
    func lockOfAnotherProgram_isBusy(number: Int32) throws {
        let pair = try Pair()
        // A connection that reads already needs one lock to write.
        try pair.writer.run("BEGIN")
        _ = try pair.rows(pair.writer)
        try FailingLocks.fail(with: number, times: .max) {
            let fault = #expect(throws: SQLFault.self) { try pair.writer.run("INSERT INTO item VALUES (1)") }
            #expect(fault?.isBusy == true)
        }
    }

    @Test func lockOfAnotherConnection_isBusy() throws {
        let pair = try Pair()
        try pair.writer.run("BEGIN IMMEDIATE")
        let fault = #expect(throws: SQLFault.self) { try pair.reader.run("BEGIN IMMEDIATE") }
        #expect(fault?.isBusy == true)
    }
}

/// Makes the locks on the index of the log fail, for the calls of one thread.
private enum FailingLocks {
    // The number of the error, and how many more calls fail with it.
    nonisolated(unsafe) private static var number: Int32 = 0
    nonisolated(unsafe) private static var left = 0
    nonisolated(unsafe) private static var thread: pthread_t = 0
    nonisolated(unsafe) private static let turn = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    /// SQLite calls `fcntl` through a table, in which this replaces it.
    private static let isInstalled: Bool = {
        pthread_mutex_init(turn, nil)
        guard let system = sqlite3_vfs_find(nil) else { return false }
        let replaced: @convention(c) (Int32, Int32, UnsafeMutablePointer<flock>) -> Int32 = { file, command, lock in
            if command == F_SETLK, FailingLocks.isDue(lock.pointee) {
                errno = FailingLocks.number
                return -1
            }
            return fcntl(file, command, lock)
        }
        let call = unsafeBitCast(replaced, to: sqlite3_syscall_ptr.self)
        return system.pointee.xSetSystemCall(system, "fcntl", call) == SQLITE_OK
    }()

    /// The locks on the index are at the bytes 120 to 127 of its file; who has it open locks the next one.
    private static func isDue(_ lock: flock) -> Bool {
        guard pthread_equal(thread, pthread_self()) != 0, left > 0, (120...128).contains(lock.l_start) else { return false }
        guard Int32(lock.l_type) != F_UNLCK else { return false }
        left -= 1
        return true
    }

    static func fail(with number: Int32, times: Int, _ body: () throws -> Void) throws {
        try #require(isInstalled)
        pthread_mutex_lock(turn)
        defer { pthread_mutex_unlock(turn) }
        (Self.number, left, thread) = (number, times, pthread_self())
        defer { left = 0 }
        try body()
    }
}
