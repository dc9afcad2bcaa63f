import Glibc

/// A file or socket that is closed with its last reference.
final class Descriptor: Sendable {
    let number: Int32

    /// - Parameter number: Result of a system call; if it is negative, this throws `errno`.
    init(_ number: Int32, from call: String) throws(Failure) {
        guard number >= 0 else { throw Failure(call: call) }
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Writes all bytes; blocks while the file or socket has no room.
    func writeAll(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = write(number, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw Failure(call: "write")
            }
            rest = rest.dropFirst(count)
        }
    }

    func writeAll(_ bytes: [UInt8]) throws(Failure) {
        var failure: Failure?
        bytes.withUnsafeBytes { buffer in
            do throws(Failure) { try writeAll(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}

extension Descriptor {
    static func stream() throws(Failure) -> Descriptor {
        try Descriptor(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0), from: "socket")
    }

    /// The two ends of a Unix stream socket.
    static func pair() throws(Failure) -> (Descriptor, Descriptor) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Failure(call: "socketpair")
        }
        return (try Descriptor(ends[0], from: "socketpair"), try Descriptor(ends[1], from: "socketpair"))
    }

    /// Connects. Returns whether a server listens; throws any other error.
    func connects(to path: String) throws(Failure) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < room else { throw Failure("the socket's path is longer than \(room - 1) bytes: \(path)") }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if result == 0 { return true }
        guard [ENOENT, ECONNREFUSED].contains(errno) else { throw Failure(call: "connect") }
        return false
    }

    /// Makes reads fail that wait longer than this.
    func setReadLimit(seconds: Int) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Reads what is available, or waits for it. Returns 0 at the end, and nil if `isWaiting` is
    /// false and nothing is available.
    func read(into buffer: UnsafeMutableRawBufferPointer, isWaiting: Bool) throws(Failure) -> Int? {
        while true {
            let count = recv(number, buffer.baseAddress, buffer.count, isWaiting ? 0 : Int32(MSG_DONTWAIT))
            if count >= 0 { return count }
            if errno == EINTR { continue }
            guard errno == EAGAIN else { throw Failure(call: "recv") }
            guard isWaiting else { return nil }
            throw Failure("timed out waiting for data")
        }
    }
}
