import Glibc

/// A listening Unix stream socket that the service manager created and passed to the process (as
/// `sd_listen_fds(3)`, without its library).
///
/// The manager owns the socket: its file remains when the process ends, and clients that connect in
/// the meantime wait in its backlog.
package struct InheritedSocket: Hashable, Sendable {
    /// The file descriptor.
    package let descriptor: CInt
    /// The path that the socket is bound to, or a description when it has none.
    package let path: String

    /// The first descriptor that a service manager passes (`SD_LISTEN_FDS_START`).
    package static let firstDescriptor: CInt = 3
    /// The socket's name in its unit (`FileDescriptorName=`).
    package static let name = "rpc"

    /// Finds the daemon's socket among the passed ones: the only one, or the only one with the
    /// right name.
    ///
    /// - Parameters:
    ///   - first: the first passed descriptor.
    ///   - variable: reads an environment variable: `LISTEN_PID`, `LISTEN_FDS` or `LISTEN_FDNAMES`.
    /// - Returns: nil when the manager passed no socket to this process.
    /// - Throws: `InheritanceFault` when the choice is ambiguous or the descriptor is not a
    ///   listening Unix stream socket.
    package static func find(
        first: CInt = firstDescriptor, variable: (String) -> String?
    ) throws(InheritanceFault) -> InheritedSocket? {
        guard let process = variable("LISTEN_PID"), process == String(getpid()) else { return nil }
        guard let stated = variable("LISTEN_FDS"), let count = CInt(stated), (0...countMax).contains(count) else {
            throw InheritanceFault(message: "LISTEN_FDS is \"\(variable("LISTEN_FDS") ?? "")\", but must be a count of sockets")
        }
        guard count > 0 else { return nil }
        let names = (variable("LISTEN_FDNAMES") ?? "").split(separator: ":", omittingEmptySubsequences: false)
        let candidates = (0..<Int(count)).filter { count == 1 || ($0 < names.count && names[$0] == name) }
        guard let index = candidates.first, candidates.count == 1 else {
            throw InheritanceFault(
                message:
                    "the service manager passed \(count) sockets, \(candidates.count) of them named \"\(name)\" instead of one; "
                    + "set FileDescriptorName=\(name) in the socket unit, and ListenStream= once")
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
                message: "descriptor \(descriptor), passed by the service manager, is not a listening Unix stream socket; "
                    + "the socket unit must have ListenStream= with a path, and must not have Accept=yes")
        }
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0,
            fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0
        else {
            throw InheritanceFault(
                message: "cannot configure the socket passed by the service manager: \(String(cString: strerror(errno)))")
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

    /// An upper bound for `LISTEN_FDS`; no unit passes more.
    private static let countMax: CInt = 1_024
}

/// The daemon cannot serve on the descriptors that the service manager passed.
package struct InheritanceFault: Error, Hashable, CustomStringConvertible {
    /// The problem and its remedy.
    package let message: String
    /// The same as `message`.
    package var description: String { message }
}
