import Glibc
import NotesModel
import NotesWire

/// One of many connections that one thread serves: nothing here waits.
final class CrowdSocket {
    let descriptor: Int32
    private var incoming = LineBuffer()
    private var outgoing: [UInt8] = []

    /// Has said hello, whose answer is the first line to come.
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

    /// What it waits for, as `poll` has it.
    var wanted: Int16 { Int16(POLLIN) | (outgoing.isEmpty ? 0 : Int16(POLLOUT)) }

    func send(_ call: Call, id: Int64) throws {
        queue(call.line(id: .integer(id)))
        try flush()
    }

    /// To be sent with the next flush.
    func queue(_ line: [UInt8]) { outgoing += line }

    var unsentBytes: Int { outgoing.count }

    /// Until there is something to read, or room for what is to be sent.
    func wait() throws {
        var wait = pollfd(fd: descriptor, events: wanted, revents: 0)
        guard poll(&wait, 1, Int32(Patience.seconds * 1_000)) == 1 else {
            throw TimedOut(what: "anything from the daemon", seconds: Patience.seconds)
        }
    }

    /// Sends what the socket takes.
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

    /// Takes the lines of one read, of so many bytes at most.
    ///
    /// - Throws: `Ended` where the daemon hung up.
    func receive(max: Int = .max, _ take: (UnsafeRawBufferPointer) throws -> Void) throws {
        let count = incoming.receive(from: descriptor, max: max)
        guard count > 0 else {
            if count < 0 && errno == EAGAIN { return }
            throw Ended()
        }
        while let line = incoming.next() { try take(line) }
    }
}
