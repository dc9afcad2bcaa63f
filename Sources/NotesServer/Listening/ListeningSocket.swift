import Glibc

/// A Unix stream socket bound to a path that only its owner can use: the file has mode 0600 from
/// the moment it exists, and directories that are created have mode 0700.
///
/// A socket file on which no process listens is replaced. That is safe only for one daemon at a
/// time, so the caller holds the lock of the store. Any other file at the path is left alone.
struct ListeningSocket: Sendable {
    let descriptor: CInt
    let path: String
    /// Identity of the socket's file, so that the file of another process is never removed; nil for an
    /// inherited socket without a file.
    private let file: (device: dev_t, inode: ino_t)?
    /// Whether a service manager made the socket, which is then the manager's to remove.
    let isInherited: Bool

    /// Length of the longest path, in bytes: the size of `sun_path` without the NUL.
    static let pathBytesMax = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// Creates the socket of a path, or wraps an inherited one.
    static func open(_ listening: ListenAddress) throws(ListenError) -> ListeningSocket {
        switch listening {
        case .path(let path): try bind(to: path)
        case .inherited(let descriptor, let path):
            ListeningSocket(
                descriptor: descriptor, path: path, file: status(of: path).map { ($0.st_dev, $0.st_ino) }, isInherited: true)
        }
    }

    /// Creates a socket, with missing directories, and binds it to a path. It does not listen yet.
    ///
    /// - Throws: `ListenError`.
    static func bind(to path: String) throws(ListenError) -> ListeningSocket {
        guard !path.isEmpty else { throw .emptyPath }
        guard path.utf8.count <= pathBytesMax else {
            throw .pathTooLong(path: path, bytes: path.utf8.count, limit: pathBytesMax)
        }
        try makeDirectory(of: path)
        try checkDirectory(of: path)
        try removeStale(at: path)
        let descriptor = try open(for: path)
        do throws(ListenError) {
            try bind(descriptor, to: path)
            guard let file = status(of: path) else { throw ListenError.systemCall("lstat", path: path, code: errno) }
            return ListeningSocket(descriptor: descriptor, path: path, file: (file.st_dev, file.st_ino), isInherited: false)
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Raises the backlog to the system's maximum, or 4,096 connections, so that a thousand clients
    /// can connect at once. Called after SwiftNIO's call of `listen`, which lowers the backlog,
    /// even of an inherited socket.
    func widenBacklog() {
        _ = listen(descriptor, 4_096)
    }

    /// Whether new clients can reach the socket: its file was neither removed nor replaced.
    var isReachable: Bool {
        guard let made = file else { return true }
        guard let file = Self.status(of: path) else { return false }
        return file.st_dev == made.device && file.st_ino == made.inode
    }

    /// Removes the socket's file if it is still the one that was created.
    func removeFile() {
        guard !isInherited, isReachable else { return }
        unlink(path)
    }

    /// Creates the missing directories of the path with mode 0700.
    private static func makeDirectory(of path: String) throws(ListenError) {
        var end = path.startIndex
        while let slash = path[end...].firstIndex(of: "/") {
            end = path.index(after: slash)
            let directory = String(path[..<slash])
            guard !directory.isEmpty else { continue }
            // The umask may have removed bits of the mode.
            if mkdir(directory, 0o700) == 0, chmod(directory, 0o700) == 0 { continue }
            guard errno != EEXIST else { continue }
            let code = errno
            // For a directory that exists, `mkdir` may fail with another error, such as on a
            // read-only file system.
            guard access(directory, F_OK) != 0 else { continue }
            throw .systemCall("mkdir \(directory)", path: path, code: code)
        }
    }

    /// Throws for a directory in which other users could replace the socket and impersonate the
    /// daemon. In a sticky directory they cannot while the socket exists.
    private static func checkDirectory(of path: String) throws(ListenError) {
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        var status = stat()
        guard stat(directory, &status) == 0 else { throw .systemCall("stat \(directory)", path: path, code: errno) }
        let isOpen = status.st_mode & S_IWOTH != 0 && status.st_mode & S_ISVTX == 0
        guard !isOpen else { throw .openDirectory(directory) }
        guard [0, geteuid()].contains(status.st_uid) else { throw .foreignDirectory(directory, owner: status.st_uid) }
    }

    /// Removes a socket file on which no process listens. Throws for any other existing file.
    private static func removeStale(at path: String) throws(ListenError) {
        guard let file = status(of: path) else {
            guard errno == ENOENT else { throw .systemCall("lstat", path: path, code: errno) }
            return
        }
        guard file.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
        let probe = try open(for: path)
        defer { close(probe) }
        guard withAddress(of: path, { connect(probe, $0, $1) }) != 0 else { throw .alreadyListening(path: path) }
        switch errno {
        case ECONNREFUSED: break
        // The backlog is full, so a process listens.
        case EAGAIN: throw .alreadyListening(path: path)
        default: throw .systemCall("connect", path: path, code: errno)
        }
        guard unlink(path) == 0 || errno == ENOENT else { throw .systemCall("unlink", path: path, code: errno) }
    }

    /// A new non-blocking stream socket.
    private static func open(for path: String) throws(ListenError) -> CInt {
        let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw .systemCall("socket", path: path, code: errno) }
        return descriptor
    }

    /// Binds the socket under a umask that gives the file mode 0600 from the start.
    private static func bind(_ descriptor: CInt, to path: String) throws(ListenError) {
        let mask = umask(0o177)
        let result = withAddress(of: path) { Glibc.bind(descriptor, $0, $1) }
        let code = errno
        umask(mask)
        guard result == 0 else {
            throw code == EADDRINUSE ? .alreadyListening(path: path) : .systemCall("bind", path: path, code: code)
        }
    }

    /// Calls `body` with the address of a path.
    ///
    /// - Precondition: the path is not longer than `pathBytesMax`.
    private static func withAddress(of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }

    /// Status of the path itself, without following a link; nil if the call fails.
    private static func status(of path: String) -> stat? {
        var file = stat()
        return lstat(path, &file) == 0 ? file : nil
    }
}
