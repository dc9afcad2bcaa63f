import Glibc

enum UnixSocket {
    /// Connects to a daemon's socket. The caller closes the descriptor.
    static func connected(to path: String) throws -> Int32 {
        try open(SOCK_STREAM, "connect to", path) { connect($0, $1, $2) }
    }

    /// Listens at a path. The caller closes the descriptor.
    static func bound(to path: String, _ type: __socket_type) throws -> Int32 {
        try open(type, "bind to", path) { bind($0, $1, $2) }
    }

    private static func open(
        _ type: __socket_type, _ what: String, _ path: String, _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemFault("socket") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            let fault = SystemFault("\(what) \(path)")
            close(descriptor)
            throw fault
        }
        return descriptor
    }
}
