import NIOCore
import NIOEmbedded
import NotesModel
import Synchronization

@testable import NotesEngine
@testable import NotesServer

/// Connections on channels without sockets, with clocks that the test advances and an engine that
/// records its inputs.
struct HandlerFixture {
    let loop = EmbeddedEventLoop()
    let clock = SliceClock()
    let engine = SilentEngine()
    let table: ConnectionTable
    let configuration: ServerConfiguration

    /// Records what is submitted and responds to nothing.
    final class SilentEngine: RequestSink {
        let identity = testRegistered.identity
        private let batches = Mutex<[[Input]]>([])
        private let isOver = Mutex(false)

        func submit(_ inputs: [Input]) -> Bool {
            guard !isOver.withLock({ $0 }) else { return false }
            batches.withLock { $0.append(inputs) }
            return true
        }

        /// Accepts no more inputs.
        func end() { isOver.withLock { $0 = true } }

        func heartbeat() async -> Heartbeat? { nil }

        func finish() async {}

        var submitted: [[Input]] { batches.withLock { $0 } }

        /// Releases all inputs that were submitted.
        func forget() { batches.withLock { $0 = [] } }
    }

    /// Measures slices of time. It advances by `tick` whenever it is read.
    final class SliceClock {
        private var time = NIODeadline.uptimeNanoseconds(0)
        var tick = TimeAmount.zero

        func now() -> NIODeadline {
            time = time + tick
            return time
        }
    }

    init(configure: (inout ServerConfiguration) -> Void = { _ in }) {
        var configuration = ServerConfiguration(
            listening: .path(""), version: "0", document: Array("{}".utf8),
            access: AccessRules(owner: testUser.id, superuser: nil))
        configure(&configuration)
        self.configuration = configuration
        table = ConnectionTable(
            eventLoop: loop, index: 0, numbers: DependentIDAllocator(loops: 1), load: MemoryAccount(configuration.limits),
            userQuotas: UserQuotas(), configuration: configuration, drawNoteID: { testNoteID },
            now: clock.now)
        table.engine = engine
    }

    /// Adds a connection.
    ///
    /// - Throws: if the table refuses it.
    func connect(as user: User = testUser) throws -> EmbeddedChannel {
        guard let connection = table.makeConnection(of: user, credentials: ClientCredentials(user: user.id)) else {
            throw ChannelError.connectPending
        }
        let channel = EmbeddedChannel(handler: connection, loop: loop)
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/s")).wait()
        return channel
    }

    /// Adds a connection whose hello was answered.
    func connectRegistered(as user: User = testUser) throws -> EmbeddedChannel {
        let channel = try connect(as: user)
        try register(channel)
        return channel
    }

    /// Sends hello on a connection, and answers it.
    func register(_ channel: EmbeddedChannel) throws {
        try Self.receive(helloLine, on: channel)
        guard case .request(let hello)? = engine.submitted.last?.last else { return }
        table.deliver([
            ConnectionOutput(
                dependent: hello.dependent,
                responses: [(requestNumber: 1, response: .registered(testRegistered))],
                notifications: [], isCutShort: false)
        ])
        _ = try Self.output(of: channel)
    }

    static func receive(_ text: String, on channel: EmbeddedChannel) throws {
        try channel.writeInbound(ByteBuffer(string: text))
    }

    static func output(of channel: EmbeddedChannel) throws -> String {
        var text = ""
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: buffer) }
        return text
    }
}
