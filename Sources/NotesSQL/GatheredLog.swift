import CSQLite
import Glibc

/// One write for each commit to SQLite's write-ahead log, instead of two for each page.
///
/// SQLite writes a page to the log as a header of 24 bytes and the page itself. The file system of this type
/// gathers writes that follow each other in the log, and makes one write of them before anybody could see the
/// difference: before the log is synced, read, truncated or measured. The bytes, their order and the sync
/// before the end of a commit stay the same; a write that a crash tears leaves a torn frame, as before.
///
/// Only a connection that syncs each commit (`synchronous = FULL`) may use it. Others could see in the index of
/// the log that a commit is there before its bytes are.
///
/// **A write that fails** does so later than SQLite expects, with the same code: mostly from the sync. The
/// gathered bytes are dropped, and nothing behind their place can be written until their place is written
/// again, which the next transaction does. So no commit can follow on bytes that are missing.
package enum GatheredLog {
    /// Bytes that are gathered at most; what one commit writes beyond them takes a further write. SQLite's file
    /// systems write no more than this at once (`seekAndWriteFd` in its sources).
    static let bytesMax = 0x1ffff

    /// The name of a file system for `sqlite3_open_v2`: that of `PageGaps`, which also gathers the writes to the log.
    /// If SQLite has no memory to register it, opening a file with it fails.
    static let fileSystem: String = {
        let name = "gathering"
        guard let system = sqlite3_vfs_find(PageGaps.fileSystem) else { return name }
        let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        own.initialize(to: system.pointee)
        own.pointee.zName = UnsafePointer(strdup(name))
        own.pointee.pNext = nil
        own.pointee.xOpen = { _, path, file, flags, opened in
            guard let system = sqlite3_vfs_find(PageGaps.fileSystem) else { return SQLITE_CANTOPEN }
            let code = system.pointee.xOpen(system, path, file, flags, opened)
            if code == SQLITE_OK, flags & SQLITE_OPEN_WAL != 0, let file, let methods = file.pointee.pMethods {
                file.pointee.pMethods = UnsafeRawPointer(LogFile.gathering(over: methods))
                    .assumingMemoryBound(to: sqlite3_io_methods.self)
            }
            return code
        }
        sqlite3_vfs_register(own, 0)
        return name
    }()
}

/// An open log: its methods, as SQLite takes them, and after them what they use.
private struct LogFile {
    private var own: sqlite3_io_methods
    private let system: UnsafePointer<sqlite3_io_methods>
    private let bytes: UnsafeMutableRawBufferPointer
    /// The place in the log of the gathered bytes, and their number.
    private var start: sqlite3_int64 = 0
    private var count = 0
    /// The place of bytes that could not be written, and why; nil once it was written again.
    private var lost: (place: sqlite3_int64, code: Int32)?

    private typealias File = UnsafeMutablePointer<sqlite3_file>

    /// The methods for one open file, until it is closed.
    static func gathering(over system: UnsafePointer<sqlite3_io_methods>) -> UnsafeMutablePointer<LogFile> {
        let log = UnsafeMutablePointer<LogFile>.allocate(capacity: 1)
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: GatheredLog.bytesMax, alignment: 16)
        log.initialize(to: LogFile(own: system.pointee, system: system, bytes: bytes))
        log.pointee.own.xWrite = { file, bytes, count, offset in
            LogFile.on(file) { $0.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: offset, $1) }
        }
        log.pointee.own.xRead = { file, bytes, count, offset in
            LogFile.flushed(file) { $0.pointee.xRead($1, bytes, count, offset) }
        }
        log.pointee.own.xSync = { file, flags in LogFile.flushed(file) { $0.pointee.xSync($1, flags) } }
        log.pointee.own.xFileSize = { file, size in LogFile.flushed(file) { $0.pointee.xFileSize($1, size) } }
        log.pointee.own.xTruncate = { file, size in LogFile.on(file) { $0.truncate(to: size, $1) } }
        log.pointee.own.xClose = { LogFile.close($0) }
        return log
    }

    private init(
        own: sqlite3_io_methods, system: UnsafePointer<sqlite3_io_methods>, bytes: UnsafeMutableRawBufferPointer
    ) {
        (self.own, self.system, self.bytes) = (own, system, bytes)
    }

    private static func log(of file: File) -> UnsafeMutablePointer<LogFile>? {
        file.pointee.pMethods.map { UnsafeMutableRawPointer(mutating: $0).assumingMemoryBound(to: LogFile.self) }
    }

    private static func on(_ file: File?, _ body: (inout LogFile, File) -> Int32) -> Int32 {
        guard let file, let log = log(of: file) else { return SQLITE_IOERR }
        return body(&log.pointee, file)
    }

    /// Calls the system's method once the gathered bytes are written.
    private static func flushed(_ file: File?, _ body: (UnsafePointer<sqlite3_io_methods>, File) -> Int32) -> Int32 {
        on(file) { log, file in
            let code = log.flush(file)
            return code == SQLITE_OK ? body(log.system, file) : code
        }
    }

    private mutating func write(_ new: UnsafeRawBufferPointer, at offset: sqlite3_int64, _ file: File) -> Int32 {
        if let lost {
            guard offset <= lost.place else { return lost.code }
            self.lost = nil
        }
        if count > 0, offset != start + sqlite3_int64(count) || new.count > bytes.count - count {
            let code = flush(file)
            guard code == SQLITE_OK else { return code }
        }
        guard new.count <= bytes.count else { return system.pointee.xWrite(file, new.baseAddress, Int32(new.count), offset) }
        if count == 0 { start = offset }
        UnsafeMutableRawBufferPointer(rebasing: bytes[count...]).copyMemory(from: new)
        count += new.count
        return SQLITE_OK
    }

    private mutating func flush(_ file: File) -> Int32 {
        guard count > 0 else { return SQLITE_OK }
        let code = system.pointee.xWrite(file, bytes.baseAddress, Int32(count), start)
        if code != SQLITE_OK { lost = (start, code) }
        count = 0
        return code
    }

    private mutating func truncate(to size: sqlite3_int64, _ file: File) -> Int32 {
        var code = flush(file)
        guard code == SQLITE_OK else { return code }
        code = system.pointee.xTruncate(file, size)
        if code == SQLITE_OK, let lost, size <= lost.place { self.lost = nil }
        return code
    }

    /// What cannot be written now is of no commit, since commits are synced.
    private static func close(_ file: File?) -> Int32 {
        guard let file, let log = log(of: file) else { return SQLITE_IOERR }
        _ = log.pointee.flush(file)
        let code = log.pointee.system.pointee.xClose(file)
        log.pointee.bytes.deallocate()
        log.deinitialize(count: 1)
        log.deallocate()
        return code
    }
}
