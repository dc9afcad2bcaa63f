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
        guard descriptor >= 0 else { throw Fault(message: "\(path) cannot be opened: \(systemMessage(errno))") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Fault(message: "\(path) is not a plain file")
        }
        guard fchmod(descriptor, 0o600) == 0 else {
            throw Fault(message: "the mode of \(path) cannot be set: \(systemMessage(errno))")
        }
    }

    /// Removes the file and what SQLite keeps next to it, as far as they exist.
    package static func remove(_ path: String) {
        for ending in ["", "-wal", "-shm", "-journal"] { unlink(path + ending) }
    }
}
