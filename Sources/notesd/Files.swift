import Glibc

enum Files {
    /// Longest configuration file, in bytes.
    static let bytesMax = 1 << 20

    /// Nil where there is no such file.
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
                throw ExitFailure("\(path): is over \(bytesMax) bytes, which no configuration is", .configuration)
            }
        }
    }

    /// Refuses a file that somebody else may write: he would say who may do what, and where notes are kept. Pipes and devices are whoever's who
    /// started the daemon with them.
    private static func demandTrust(in descriptor: CInt, _ path: String) throws(ExitFailure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { return }
        guard status.st_mode & S_IWOTH == 0 else {
            throw ExitFailure("\(path): can be written by anybody, who could let himself in; run `chmod o-w \(path)`", .configuration)
        }
        guard [0, geteuid()].contains(status.st_uid) else {
            throw ExitFailure(
                "\(path): belongs to another user (\(status.st_uid)), who could let himself in; give a file of root's or of the user that "
                    + "the daemon runs as", .configuration)
        }
    }

    /// Makes a system call that says -1 where it fails, until no signal interrupts it.
    static func uninterrupted<Value: SignedInteger>(_ call: () -> Value) -> Value {
        while true {
            let value = call()
            if value != -1 || errno != EINTR { return value }
        }
    }

    /// The names in a directory; none where there is no such directory.
    static func names(in path: String) throws(ExitFailure) -> [String] {
        guard let directory = opendir(path) else {
            if errno == ENOENT || errno == ENOTDIR { return [] }
            throw unreadable(path, errno)
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = Glibc.readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            // What is no text has no name that we look for.
            if let name = String(validating: name, as: UTF8.self) { names.append(name) }
        }
        return names
    }

    private static func unreadable(_ path: String, _ code: Int32) -> ExitFailure {
        ExitFailure("\(path): cannot be read: \(String(cString: strerror(code)))", .configuration)
    }

    /// How many connections the system's limit on open files leaves room for.
    static let connectionsMax = max(1, openFilesMax - reserved)

    /// Descriptors that connections never take: the store's, the event loops', standard ones.
    private static let reserved = 64

    private static let openFilesMax = raiseOpenFilesLimit()

    /// That many are there. With fewer the runtime would trap amid the start, without a word.
    static func demandOpenFiles() throws(ExitFailure) {
        guard openFilesMax < reserved else { return }
        throw ExitFailure(
            "the system lets this process have \(openFilesMax) files open, and it takes \(reserved) at least; raise that with "
                + "`ulimit -Hn 1024`, or with LimitNOFILE= of the service", .cannotCreate)
    }

    /// Lets the process have as many files open as the system allows it, and says how many those are.
    private static func raiseOpenFilesLimit() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        var raised = limit
        raised.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, 1 << 20))
        let isRaised = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0
        return Int(clamping: isRaised ? raised.rlim_cur : limit.rlim_cur)
    }
}
