import Glibc
import NotesSQL

/// Keeps a second daemon off a store with `flock` on the file `lock`, as long as this object lives.
///
/// The kernel releases the lock when the process ends in any way, so a leftover lock file locks
/// nothing. The file contains the process id of the holder, for people to read. It is never
/// removed: after a removal, two processes could each lock a file of that name.
final class StoreLock {
    private let descriptor: Int32

    /// Takes the lock.
    ///
    /// - Throws: `locked` if another process holds it; `directory` if the file cannot be opened or
    ///   locked.
    init(path: String) throws(StoreError) {
        descriptor = uninterrupted { open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        guard descriptor >= 0 else { throw .directory("\(path) cannot be opened: \(systemMessage(errno))") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let failure = errno
            let process = Self.process(in: descriptor)
            close(descriptor)
            guard failure == EWOULDBLOCK else { throw .directory("\(path) cannot be locked: \(systemMessage(failure))") }
            throw .locked(path: path, process: process)
        }
        // On a full disk the process id is missing, but the lock still holds.
        ftruncate(descriptor, 0)
        let text = Array("\(getpid())\n".utf8)
        _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// Keeps daemons off a store that is only read, without writing to the file.
    ///
    /// - Returns: Nil on a read-only file system without a lock file, on which no daemon can run
    ///   either.
    init?(readingAt path: String) throws(StoreError) {
        var opened = uninterrupted { open(path, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        if opened < 0, errno == EROFS {
            opened = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            if opened < 0, errno == ENOENT { return nil }
        }
        guard opened >= 0 else { throw .directory("\(path) cannot be opened: \(systemMessage(errno))") }
        descriptor = opened
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            let failure = errno
            guard failure == EWOULDBLOCK else { throw .directory("\(path) cannot be locked: \(systemMessage(failure))") }
            throw .locked(path: path, process: Self.process(in: opened))
        }
    }

    deinit {
        close(descriptor)
    }

    private static func process(in descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}
