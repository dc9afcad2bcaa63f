import Glibc

/// A datagram socket that a test hears messages on.
final class Datagrams {
    private let descriptor: CInt
    let path: String

    /// - Parameter path: `@` and a name for an abstract socket.
    init(at path: String) throws {
        self.path = path
        descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(2 + name.count + (name[0] == 0 ? 0 : 1))
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard descriptor >= 0, result == 0 else { throw Unbound(code: errno) }
    }

    struct Unbound: Error { let code: Int32 }

    deinit {
        close(descriptor)
    }

    /// The next that has come; nil where none has.
    func next() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT))
        return count < 0 ? nil : Array(bytes.prefix(count))
    }

    func nextText() -> String? {
        next().map { String(decoding: $0, as: UTF8.self) }
    }
}
