import Glibc

/// Access to configuration files, and the limit on open files.
enum Files {
    /// Size of the largest configuration file that is read, in bytes.
    static let bytesMax = 1 << 20

    /// Reads a whole configuration file.
    ///
    /// - Returns: nil if the file does not exist.
    /// - Throws: `ExitFailure` if it cannot be read, is larger than `bytesMax`, or can be changed
    ///   by other users.
    static func read(_ path: String) throws(ExitFailure) -> [UInt8]? {
        let descriptor = Self.uninterrupted { open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw unreadable(path, errno)
        }
        defer { close(descriptor) }
        try demandTrust(in: descriptor, path)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Self.uninterrupted { Glibc.read(descriptor, &buffer, buffer.count) }
            guard count >= 0 else { throw unreadable(path, errno) }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= bytesMax else {
                throw ExitFailure("\(path): larger than \(bytesMax) bytes, the limit for configuration files", .configuration)
            }
        }
    }

    /// Throws if another user can write the file, because that user could grant themselves access
    /// and choose where notes are stored. Pipes and devices are accepted: the user who starts the daemon
    /// chose them.
    private static func demandTrust(in descriptor: CInt, _ path: String) throws(ExitFailure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { return }
        guard status.st_mode & S_IWOTH == 0 else {
            throw ExitFailure(
                "\(path): all users can write it and so grant themselves access; run `chmod o-w \(path)`", .configuration)
        }
        guard [0, geteuid()].contains(status.st_uid) else {
            throw ExitFailure(
                "\(path): belongs to another user (\(status.st_uid)), who could grant themselves access; it must belong to root "
                    + "or to the user that the daemon runs as", .configuration)
        }
    }

    /// Repeats a system call that returns -1 on failure for as long as it fails with `EINTR`.
    static func uninterrupted<Value: SignedInteger>(_ call: () -> Value) -> Value {
        while true {
            let value = call()
            if value != -1 || errno != EINTR { return value }
        }
    }

    /// The names in a directory that are valid UTF-8, unsorted; empty if the directory does not
    /// exist.
    ///
    /// - Throws: `ExitFailure` if the directory cannot be opened.
    static func names(in path: String) throws(ExitFailure) -> [String] {
        guard let directory = opendir(path) else {
            if errno == ENOENT || errno == ENOTDIR { return [] }
            throw unreadable(path, errno)
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = Glibc.readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            // A name that is not UTF-8 cannot match any that the daemon looks for.
            if let name = String(validating: name, as: UTF8.self) { names.append(name) }
        }
        return names
    }

    private static func unreadable(_ path: String, _ code: Int32) -> ExitFailure {
        ExitFailure("\(path): cannot be read: \(String(cString: strerror(code)))", .configuration)
    }

    /// Number of connections that the limit on open files permits, at least 1.
    static let connectionsMax = max(1, openFilesMax - reserved)

    /// Descriptors set aside for the store, the event loops and the standard streams.
    private static let reserved = 64

    private static let openFilesMax = raiseOpenFilesLimit()

    /// Throws if the process may have fewer than `reserved` open files. Otherwise the runtime would
    /// trap during the start without a message.
    static func demandOpenFiles() throws(ExitFailure) {
        guard openFilesMax < reserved else { return }
        throw ExitFailure(
            "this process may have \(openFilesMax) open files, and notesd needs at least \(reserved); raise the limit with "
                + "`ulimit -Hn 1024`, or with LimitNOFILE= in the unit", .cannotCreate)
    }

    /// Raises the soft limit on open files (`RLIMIT_NOFILE`) to the hard limit, but to at most
    /// 1,048,576, and returns the resulting limit.
    private static func raiseOpenFilesLimit() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        var raised = limit
        raised.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, 1 << 20))
        let isRaised = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0
        return Int(clamping: isRaised ? raised.rlim_cur : limit.rlim_cur)
    }
}
