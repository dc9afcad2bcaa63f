import Glibc

/// A socket without blocking calls. It splits input into lines and queues output.
final class Wire {
    let number: Int
    private let descriptor: Int32
    private var received: [UInt8] = []
    private var searched = 0
    private var unsent: [UInt8] = []
    var isReading = true
    private(set) var isOver = false

    /// Connects. Nil if nothing listens on the socket.
    init?(_ path: String, number: Int) {
        self.number = number
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        guard descriptor >= 0, path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0 else { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func send(_ line: [UInt8]) {
        unsent += line
        unsent.append(UInt8(ascii: "\n"))
    }

    var pollRequest: pollfd {
        pollfd(
            fd: descriptor, events: (isReading ? Int16(POLLIN) : 0) | (unsent.isEmpty ? 0 : Int16(POLLOUT)), revents: 0)
    }

    /// Sends and receives as much as possible without blocking.
    func work(_ ready: Int16) {
        if !unsent.isEmpty {
            let count = unsent.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count > 0 { unsent.removeFirst(count) } else if count < 0, errno != EAGAIN, errno != EINTR { isOver = true }
        }
        if isReading, ready & Int16(POLLIN | POLLHUP | POLLERR) != 0 { receive() }
        if !isReading, ready & Int16(POLLHUP | POLLERR) != 0 { isOver = true }
    }

    private func receive() {
        var chunk = [UInt8](repeating: 0, count: 256 << 10)
        let count = recv(descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
        if count > 0 {
            received += chunk[..<count]
        } else if count == 0 || errno != EAGAIN && errno != EINTR {
            isOver = true
        }
    }

    /// The complete lines that have arrived since the last call.
    func lines() -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var start = 0
        while let end = received[searched...].firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(Array(received[start..<end]))
            start = end + 1
            searched = start
        }
        received.removeFirst(start)
        searched = received.count
        return lines
    }
}
