import Glibc

/// A Unix datagram socket with a fixed destination.
final class DatagramSocket: Sendable {
    private let descriptor: CInt
    private let address: [UInt8]

    /// Creates a socket.
    ///
    /// - Parameter path: an absolute path, or `@` followed by the name of an abstract socket.
    /// - Returns: nil when the path has neither form or is too long for `sun_path`, or when the
    ///   system cannot create a socket.
    init?(to path: String) {
        guard let address = Self.address(of: path) else { return nil }
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        self.address = address
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// The used part of `struct sockaddr_un`.
    private static func address(of path: String) -> [UInt8]? {
        var name = Array(path.utf8)
        let family = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        guard name.count > 1, name.count < MemoryLayout<sockaddr_un>.size - family, !name.contains(0) else { return nil }
        switch name[0] {
        case UInt8(ascii: "/"): name.append(0)
        case UInt8(ascii: "@"): name[0] = 0
        default: return nil
        }
        return withUnsafeBytes(of: sa_family_t(AF_UNIX)) { Array($0) } + name
    }

    /// Sends one datagram; returns whether the receiver's queue took it.
    ///
    /// - Parameter mayWait: whether to block while the queue is full. If false, the datagram is
    ///   dropped instead.
    @discardableResult
    func send(_ bytes: [UInt8], mayWait: Bool) -> Bool {
        let flags = Int32(MSG_NOSIGNAL) | (mayWait ? 0 : Int32(MSG_DONTWAIT))
        while true {
            let count = withAddress { sendto(descriptor, bytes, bytes.count, flags, $0, $1) }
            guard count < 0, errno == EINTR else { return count == bytes.count }
        }
    }

    private func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int) -> Int {
        var storage = sockaddr_un()
        withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: address) }
        return withUnsafePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(address.count)) }
        }
    }
}
