#if canImport(Glibc)
    import Glibc
#endif

/// The log that a run left which was killed, or whose sync failed.
///
/// What the kernel holds of it was perhaps never on the disk. SQLite would take it for committed when it opens the store, and it would
/// be shown and answered from then on; a power cut could still take it away. So it is made durable before anything is read.
///
/// A sync alone does not do: after one that failed the kernel may call pages clean that it never wrote. So the same bytes are written
/// again in their places, which makes their pages dirty, and then synced. Torn by a crash, they are still the same bytes.
enum LeftLog {
    /// - Complexity: O(the log's bytes), which is mostly nothing: a daemon that stops leaves none.
    static func makeDurable(at path: String) throws(StoreError) {
        let descriptor = uninterrupted { open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
        guard descriptor >= 0 else {
            if errno == ENOENT { return }
            throw .directory("\(path) cannot be opened: \(systemMessage(errno))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .directory("\(path) is not a plain file")
        }
        guard status.st_size > 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        var offset: off_t = 0
        while offset < status.st_size {
            let count = uninterrupted { pread(descriptor, &bytes, bytes.count, offset) }
            if count == 0 { break }
            guard count > 0 else { throw .directory("\(path) cannot be read: \(systemMessage(errno))") }
            let written = uninterrupted { pwrite(descriptor, bytes, count, offset) }
            guard written > 0 else {
                // A file system that writes elsewhere may have no room for it. Reads go on then, and so does a start.
                if [ENOSPC, EDQUOT].contains(errno) { break }
                throw .directory("\(path) cannot be written again: \(systemMessage(errno))")
            }
            offset += off_t(written)
        }
        guard fdatasync(descriptor) == 0 else {
            throw .directory("\(path) cannot be synced to disk: \(systemMessage(errno))")
        }
    }
}
