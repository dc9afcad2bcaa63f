import Glibc
import NoteText
import NotesMethods
import NotesModel
import NotesWire

/// One of many connections served by one thread; its operations never block.
final class CrowdSocket {
    let descriptor: Int32
    private var incoming = LineBuffer()
    private var outgoing: [UInt8] = []

    /// Connects and sends hello, whose response is the first line.
    init(_ path: String, label: String, encoding: PositionEncoding = .utf8) throws {
        descriptor = try UnixSocket.connected(to: path)
        let hello = HelloParams(
            client: ClientInfo(name: "crowd"), label: ByteString(label), positionEncodings: [encoding])
        try send(.hello(hello), id: 0)
    }

    deinit {
        close(descriptor)
    }

    struct Ended: Error {}

    /// The events to wait for, as in `poll`.
    var wanted: Int16 { Int16(POLLIN) | (outgoing.isEmpty ? 0 : Int16(POLLOUT)) }

    func send(_ call: Call, id: Int64) throws {
        queue(call.line(id: .integer(id)))
        try flush()
    }

    /// Queues a line for the next flush.
    func queue(_ line: [UInt8]) { outgoing += line }

    var unsentBytes: Int { outgoing.count }

    /// Waits until the socket is readable, or writable if lines are queued.
    func wait() throws {
        var wait = pollfd(fd: descriptor, events: wanted, revents: 0)
        guard poll(&wait, 1, Int32(Patience.seconds * 1_000)) == 1 else {
            throw TimedOut(what: "anything from the daemon", seconds: Patience.seconds)
        }
    }

    /// Sends as much as the socket accepts.
    func flush() throws {
        while !outgoing.isEmpty {
            let count = outgoing.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count < 0 && errno == EAGAIN { return }
            guard count > 0 else { throw SystemFault("send") }
            outgoing.removeFirst(count)
        }
    }

    /// Returns the lines of one read of limited size.
    ///
    /// - Throws: `Ended` if the daemon hung up.
    func receive(max: Int = .max, _ take: (UnsafeRawBufferPointer) throws -> Void) throws {
        let count = incoming.receive(from: descriptor, max: max)
        guard count > 0 else {
            if count < 0 && errno == EAGAIN { return }
            throw Ended()
        }
        while let line = incoming.next() { try take(line) }
    }
}
