import Dispatch
import Glibc
import NotesWire

/// A line-based socket that sends whatever the test wants. It runs on its own thread, so that
/// waiting blocks no task.
actor RawConnection {
    private nonisolated let thread = ConnectionThread()
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private let descriptor: Int32
    private var framer = LineFramer(lineBytesMax: 1 << 28)
    private var hasEnded = false

    init(_ path: String) throws {
        descriptor = try UnixSocket.connected(to: path)
    }

    deinit {
        close(descriptor)
    }

    /// A connection that has completed hello.
    static func registered(_ path: String) async throws -> RawConnection {
        let connection = try RawConnection(path)
        try await connection.send(helloLine)
        guard case .result = try await connection.answer() else { throw Ended(what: "hello was refused") }
        return connection
    }

    static let helloLine =
        #"{"jsonrpc":"2.0","id":"hello","method":"session.hello","params":{"protocol":[1],"client":{"name":"raw"}}}"# + "\n"

    struct Ended: Error, CustomStringConvertible {
        let what: String
        var description: String { what }
    }

    // MARK: Sending

    func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    /// Sends all bytes. Meanwhile it reads what the daemon sends, so that neither blocks the other.
    ///
    /// - Throws: if the daemon hangs up before it has read everything.
    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let ready = try wait(for: Int16(POLLIN) | Int16(POLLOUT), "room to send")
            if ready & Int16(POLLIN) != 0 { try takeIn() }
            guard ready & Int16(POLLOUT) != 0 else {
                if hasEnded { throw Ended(what: "the daemon hung up before it read everything") }
                continue
            }
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            guard count > 0 || errno == EAGAIN else { throw SystemFault("send") }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Shuts down the sending direction.
    func hangUp() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    // MARK: Receiving

    /// The next line, without its LF; nil if the daemon hung up.
    func line() throws -> [UInt8]? {
        while true {
            if case .line(let line)? = framer.next() { return line }
            if hasEnded { return nil }
            _ = try wait(for: Int16(POLLIN), "a line from the daemon")
            try takeIn()
        }
    }

    /// The next line that is a response; notifications are skipped.
    ///
    /// - Throws: `Ended` if the daemon hung up.
    func answer() throws -> ServerLine {
        while let line = try line() {
            let parsed = try ServerLine(parsing: line)
            if case .notification = parsed { continue }
            return parsed
        }
        throw Ended(what: "the daemon hung up instead of responding")
    }

    func call(_ request: String) throws -> ServerLine {
        try send(request + "\n")
        return try answer()
    }

    /// Reads until the daemon hangs up.
    func drain() throws {
        while try line() != nil {}
    }

    private func takeIn() throws {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        if count > 0 { return framer.receive(Array(buffer.prefix(count))) }
        guard count == 0 || errno == ECONNRESET else {
            if errno == EAGAIN { return }
            throw SystemFault("recv")
        }
        hasEnded = true
    }

    private func wait(for events: Int16, _ what: String) throws -> Int16 {
        var wanted = pollfd(fd: descriptor, events: hasEnded ? events & ~Int16(POLLIN) : events, revents: 0)
        while true {
            let count = poll(&wanted, 1, Int32(Patience.seconds * 1_000))
            if count > 0 {
                return wanted.revents & Int16(POLLHUP) != 0 ? wanted.revents | events & Int16(POLLIN) : wanted.revents
            }
            guard count < 0 && errno == EINTR else { throw TimedOut(what: what, seconds: Patience.seconds) }
        }
    }
}

private final class ConnectionThread: SerialExecutor {
    private let queue = DispatchQueue(label: "raw connection")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}
