#if canImport(Glibc)
    import Glibc
#endif

/// Keeps a second daemon off a store: `flock` on a file beside it, held as long as this object lives.
///
/// The kernel gives the lock up with the process, however it ends, so a lock file that is left behind locks nothing. The
/// file holds its holder's process id for people. It is never removed: a removed one would let two processes each lock their
/// own.
final class StoreLock {
    private let descriptor: Int32

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
        // On a full disk the number is missing, and the lock holds all the same.
        ftruncate(descriptor, 0)
        let text = Array("\(getpid())\n".utf8)
        _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// Keeps daemons off a store that is only read, and leaves nothing of its own in the file.
    ///
    /// - Returns: nil where nothing can be written and there is no such file: no daemon can run there either.
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

func systemMessage(_ number: Int32) -> String {
    String(cString: strerror(number))
}
