import Dispatch
import Glibc
import NotesWire

@testable import NotesServer

/// A blocking client on its own thread, so that waiting for the daemon blocks no task.
actor SocketClient {
    private nonisolated let thread = ClientThread()
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private let descriptor: CInt
    private var framer = LineFramer(lineBytesMax: 1 << 28)

    /// Time after which a missing response fails the test.
    private static let waitMilliseconds: CInt = 60_000

    struct Fault: Error, CustomStringConvertible {
        let call: String
        let code: Int32
        var description: String { "\(call): \(String(cString: strerror(code)))" }
    }

    init(connectingTo path: String) throws {
        descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = descriptor
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        // `deinit` closes the descriptor also after a throw.
        guard result == 0 else { throw Fault(call: "connect", code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Connects and sends hello.
    static func registered(at path: String) async throws -> SocketClient {
        let client = try SocketClient(connectingTo: path)
        try await client.send(helloLine)
        _ = try await client.line()
        return client
    }

    func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            guard sent > 0 else { throw Fault(call: "send", code: errno) }
            rest = rest.dropFirst(sent)
        }
    }

    /// Sends as much as the daemon takes before it stops reading.
    func sendUntilFull(_ bytes: [UInt8]) -> Int {
        let sent = bytes.withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
        }
        return max(0, sent)
    }

    func hangUp() {
        shutdown(descriptor, CInt(SHUT_WR))
    }

    /// The next line; nil if the daemon closed the connection.
    func line() throws -> String? {
        while true {
            if case .line(let line)? = framer.next() { return String(decoding: line, as: UTF8.self) }
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, Self.waitMilliseconds) > 0 else { throw Fault(call: "poll", code: ETIMEDOUT) }
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else {
                guard count == 0 || errno == ECONNRESET else { throw Fault(call: "recv", code: errno) }
                return nil
            }
            framer.receive(Array(buffer.prefix(count)))
        }
    }

    /// Sends a request and waits for its response, skipping notifications.
    func call(_ id: Int, _ method: String, _ params: String = "{}") throws -> String {
        try send(NotesServerTests.line(id, method, params))
        while let line = try line() {
            if line.contains(#""id":\#(id),"#) { return line }
        }
        throw Fault(call: "call", code: ECONNRESET)
    }
}

private final class ClientThread: SerialExecutor {
    private let queue = DispatchQueue(label: "test client")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}
