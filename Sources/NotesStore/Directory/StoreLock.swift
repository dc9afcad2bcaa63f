import Glibc
import NotesSQL

/// Keeps a second daemon off a store with `flock`, as long as this object lives.
///
/// Two things are locked: the file `lock`, which contains the process id of the holder, for people to
/// read, and the store's directory itself. The lock of the directory holds if somebody removes or
/// replaces the file while the daemon runs. The kernel releases both when the process ends in any way,
/// so a leftover lock file locks nothing.
final class StoreLock {
    /// The lock file; nil on a read-only file system without one.
    private let file: Int32?
    /// The directory; nil on a file system that cannot lock directories, such as NFS.
    private let directory: Int32?

    /// Takes the lock.
    ///
    /// - Throws: `locked` if another process holds it; `directory` if the file cannot be opened or
    ///   locked.
    init(_ store: StoreDirectory) throws(StoreError) {
        let path = store.lock
        let file = uninterrupted { open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        guard file >= 0 else { throw .directory("\(path) cannot be opened: \(systemMessage(errno, creating: path))") }
        directory = try Self.lock(file, path, in: store)
        self.file = file
        // On a full disk the process id is missing, but the lock still holds.
        ftruncate(file, 0)
        let text = Array("\(getpid())\n".utf8)
        _ = text.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
    }

    /// Keeps daemons off a store that is only read, without writing to the file.
    ///
    /// - Throws: As `init(_:)`.
    init(reading store: StoreDirectory) throws(StoreError) {
        let path = store.lock
        var file = uninterrupted { open(path, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        if file < 0, errno == EROFS {
            file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            // On this file system, no daemon can write the store either.
            if file < 0, errno == ENOENT {
                self.file = nil
                directory = try Self.lockDirectory(of: store, process: nil)
                return
            }
        }
        guard file >= 0 else { throw .directory("\(path) cannot be opened: \(systemMessage(errno, creating: path))") }
        directory = try Self.lock(file, path, in: store)
        self.file = file
    }

    /// Locks the file and the directory. Closes the file if that fails.
    ///
    /// - Returns: The descriptor of the directory; nil if its file system cannot lock it.
    private static func lock(_ file: Int32, _ path: String, in store: StoreDirectory) throws(StoreError) -> Int32? {
        do throws(StoreError) {
            guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
                let failure = errno
                guard failure == EWOULDBLOCK else {
                    throw StoreError.directory("\(path) cannot be locked: \(systemMessage(failure))")
                }
                throw StoreError.locked(path: path, process: process(in: file))
            }
            return try lockDirectory(of: store, process: process(in: file))
        } catch {
            close(file)
            throw error
        }
    }

    /// Locks the directory.
    ///
    /// - Parameter process: The holder, as far as the lock file tells.
    /// - Returns: Nil if the file system cannot lock it. Then the lock file alone must do.
    private static func lockDirectory(of store: StoreDirectory, process: Int32?) throws(StoreError) -> Int32? {
        let directory = uninterrupted { open(store.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard directory >= 0 else { throw .directory("\(store.path) cannot be opened: \(systemMessage(errno))") }
        if flock(directory, LOCK_EX | LOCK_NB) == 0 { return directory }
        let isHeld = errno == EWOULDBLOCK
        close(directory)
        guard !isHeld else { throw .locked(path: store.path, process: process) }
        return nil
    }

    deinit {
        if let file { close(file) }
        if let directory { close(directory) }
    }

    private static func process(in descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}
