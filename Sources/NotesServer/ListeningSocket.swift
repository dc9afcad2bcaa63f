import Glibc

/// A Unix stream socket bound to a path that only its owner can reach: the file has mode 0600 from its first moment, and a
/// directory that had to be made has 0700.
///
/// A socket file that nobody listens on is replaced. That is safe only for one daemon at a time, so the caller holds the
/// store's lock. Anything else at that path is left alone.
struct ListeningSocket: Sendable {
    let descriptor: CInt
    let path: String
    /// Of the file that was made, so that another's is never removed; nil where none was.
    private let file: (device: dev_t, inode: ino_t)?

    /// Longest path, in bytes: what `sun_path` holds besides its NUL.
    static let pathBytesMax = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    static func open(_ listening: ListenAddress) throws(ListenError) -> ListeningSocket {
        switch listening {
        case .path(let path): try bind(to: path)
        case .inherited(let descriptor, let path): ListeningSocket(descriptor: descriptor, path: path, file: nil)
        }
    }

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
            return ListeningSocket(descriptor: descriptor, path: path, file: (file.st_dev, file.st_ino))
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Lets as many connections wait to be accepted as the system allows: of a thousand clients that come at once, none is
    /// turned away. Called once the socket listens, also of one that is somebody else's, since SwiftNIO's call to listen has cut down
    /// what he had asked for.
    func widenBacklog() {
        _ = listen(descriptor, 4_096)
    }

    /// Removes the socket's file, if it is still the one that was made.
    func removeFile() {
        guard let made = file, let file = Self.status(of: path), file.st_dev == made.device, file.st_ino == made.inode else {
            return
        }
        unlink(path)
    }

    /// Makes what is missing of the path's directories, each with mode 0700.
    private static func makeDirectory(of path: String) throws(ListenError) {
        var end = path.startIndex
        while let slash = path[end...].firstIndex(of: "/") {
            end = path.index(after: slash)
            let directory = String(path[..<slash])
            guard !directory.isEmpty else { continue }
            // The mask may have taken something from it.
            if mkdir(directory, 0o700) == 0, chmod(directory, 0o700) == 0 { continue }
            guard errno != EEXIST else { continue }
            let code = errno
            // Some systems say so of a directory that is there but lies on a file system that is read only.
            guard access(directory, F_OK) != 0 else { continue }
            throw .systemCall("mkdir \(directory)", path: path, code: code)
        }
    }

    /// Refuses a directory in which others can put a socket of their own in the place of this one, and be asked instead. In one that is
    /// sticky they cannot while this one is there.
    private static func checkDirectory(of path: String) throws(ListenError) {
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        var status = stat()
        guard stat(directory, &status) == 0 else { throw .systemCall("stat \(directory)", path: path, code: errno) }
        let isOpen = status.st_mode & S_IWOTH != 0 && status.st_mode & S_ISVTX == 0
        guard !isOpen else { throw .openDirectory(directory) }
        guard [0, geteuid()].contains(status.st_uid) else { throw .foreignDirectory(directory, owner: status.st_uid) }
    }

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
        // Its backlog is full: somebody listens.
        case EAGAIN: throw .alreadyListening(path: path)
        default: throw .systemCall("connect", path: path, code: errno)
        }
        guard unlink(path) == 0 || errno == ENOENT else { throw .systemCall("unlink", path: path, code: errno) }
    }

    private static func open(for path: String) throws(ListenError) -> CInt {
        let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw .systemCall("socket", path: path, code: errno) }
        return descriptor
    }

    private static func bind(_ descriptor: CInt, to path: String) throws(ListenError) {
        let mask = umask(0o177)
        let result = withAddress(of: path) { Glibc.bind(descriptor, $0, $1) }
        let code = errno
        umask(mask)
        guard result == 0 else {
            throw code == EADDRINUSE ? .alreadyListening(path: path) : .systemCall("bind", path: path, code: code)
        }
    }

    /// - Precondition: the path is not longer than `pathBytesMax`.
    private static func withAddress(of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }

    /// Of the path itself, not of what a link points to.
    private static func status(of path: String) -> stat? {
        var file = stat()
        return lstat(path, &file) == 0 ? file : nil
    }
}
