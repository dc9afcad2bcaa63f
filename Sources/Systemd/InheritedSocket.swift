import Glibc

/// A listening Unix stream socket that the service manager made and handed over (`sd_listen_fds(3)`, without its library).
///
/// It is the manager's: its file stays where it is when the process ends, and those who connect meanwhile wait in its backlog.
package struct InheritedSocket: Hashable, Sendable {
    package let descriptor: CInt
    /// The path that it is bound to; a description where it has none.
    package let path: String

    /// Descriptors are handed over from this one on.
    package static let firstDescriptor: CInt = 3
    /// What the socket is called in its unit (`FileDescriptorName=`).
    package static let name = "rpc"

    /// Finds the socket among those that were handed over: the only one, or the only one of that name.
    ///
    /// - Parameters:
    ///   - first: the descriptor of the first of them.
    ///   - variable: reads a variable of the environment: `LISTEN_PID`, `LISTEN_FDS` and `LISTEN_FDNAMES`.
    /// - Returns: nil where none was handed over to this process.
    /// - Throws: where what was handed over is not one socket of that kind.
    package static func find(
        first: CInt = firstDescriptor, variable: (String) -> String?
    ) throws(InheritanceFault) -> InheritedSocket? {
        guard let process = variable("LISTEN_PID"), process == String(getpid()) else { return nil }
        guard let stated = variable("LISTEN_FDS"), let count = CInt(stated), (0...countMax).contains(count) else {
            throw InheritanceFault(message: "LISTEN_FDS is \"\(variable("LISTEN_FDS") ?? "")\", and must be a count of sockets")
        }
        guard count > 0 else { return nil }
        let names = (variable("LISTEN_FDNAMES") ?? "").split(separator: ":", omittingEmptySubsequences: false)
        let candidates = (0..<Int(count)).filter { count == 1 || ($0 < names.count && names[$0] == name) }
        guard let index = candidates.first, candidates.count == 1 else {
            throw InheritanceFault(
                message:
                    "\(count) sockets were handed over, and \(candidates.count) of them are called \"\(name)\" where one must be; "
                    + "set FileDescriptorName=\(name) in the socket's unit, and ListenStream= once")
        }
        return try InheritedSocket(descriptor: first + CInt(index))
    }

    private init(descriptor: CInt) throws(InheritanceFault) {
        func option(_ name: CInt) -> CInt? {
            var value: CInt = 0
            var size = socklen_t(MemoryLayout<CInt>.size)
            return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
        }
        guard option(SO_DOMAIN) == AF_UNIX, option(SO_TYPE) == CInt(SOCK_STREAM.rawValue), option(SO_ACCEPTCONN) == 1 else {
            throw InheritanceFault(
                message: "what was handed over (descriptor \(descriptor)) is not a Unix stream socket that listens; "
                    + "the socket's unit must say ListenStream= with a path, and not Accept=yes")
        }
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0,
            fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0
        else {
            throw InheritanceFault(
                message: "the socket that was handed over cannot be set up: \(String(cString: strerror(errno)))")
        }
        self.descriptor = descriptor
        path = Self.path(of: descriptor)
    }

    private static func path(of descriptor: CInt) -> String {
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) } == 0
        }
        let bytes = withUnsafeBytes(of: &address.sun_path) { Array($0) }
        guard isKnown, let first = bytes.first, first != 0 else { return "a socket without a path" }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// More than any unit hands over.
    private static let countMax: CInt = 1_024
}

/// What was handed over is not what the daemon can serve on.
package struct InheritanceFault: Error, Hashable, CustomStringConvertible {
    package let message: String
    package var description: String { message }
}
