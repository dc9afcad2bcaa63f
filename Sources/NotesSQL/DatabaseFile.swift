import Glibc

/// The file of a database, which only the daemon's user can read.
package enum DatabaseFile {
    /// Why the file cannot be used, as one sentence.
    package struct Fault: Error {
        package let message: String
    }

    /// Creates the empty file with mode 0600 if it is missing. SQLite gives its other files the
    /// same mode.
    ///
    /// - Throws: `Fault` for symbolic links and anything else that is not a plain file.
    package static func make(_ path: String) throws(Fault) {
        let descriptor = uninterrupted { open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600) }
        guard descriptor >= 0 else { throw Fault(message: "\(path) cannot be opened: \(systemMessage(errno, creating: path))") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Fault(message: "\(path) is not a plain file")
        }
        guard fchmod(descriptor, 0o600) == 0 else {
            throw Fault(message: "the mode of \(path) cannot be set: \(systemMessage(errno))")
        }
    }

    /// Removes the file and what SQLite keeps next to it, as far as they exist, and syncs the directory, so
    /// that a power cut does not bring them back.
    ///
    /// - Throws: `Fault` if a file remains or the directory cannot be synced.
    package static func remove(_ path: String) throws(Fault) {
        for file in ["", "-wal", "-shm", "-journal"].map({ path + $0 }) {
            guard unlink(file) == 0 || errno == ENOENT else {
                throw Fault(message: "\(file) cannot be removed: \(systemMessage(errno))")
            }
        }
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let directory = end.map { String(path[..<$0]) } ?? "."
        let descriptor = uninterrupted { open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw Fault(message: "\(directory) cannot be opened: \(systemMessage(errno))") }
        defer { close(descriptor) }
        // EINVAL: the file system does not sync directories.
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw Fault(message: "\(directory) cannot be synced to disk: \(systemMessage(errno))")
        }
    }
}
