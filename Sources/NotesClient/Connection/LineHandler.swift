import NIOCore
import NotesWire
import StrictJSON

/// The channel handler of one connection, which splits input into lines and passes them to the
/// session when it wants them.
///
/// The handler reads only on demand (`autoRead` is off) and buffers input that the session does not
/// want yet.
final class LineHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let session: ClientSession
    private let connection: Int
    private var framer = LineFramer(lineBytesMax: JSONDocument.bytesMax)
    private var isReading = false
    /// Whether `handOver` is running. A line may cause another call, which returns at once because
    /// the running loop continues.
    private var isHandingOver = false

    init(session: ClientSession, connection: Int) {
        self.session = session
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        session.assumeIsolated { $0.silence?.moved() }
        unwrapInboundIn(data).withUnsafeReadableBytes { framer.receive($0) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        handOver(context.channel)
    }

    func channelInactive(context: ChannelHandlerContext) {
        ended(.connectionLost(mayHaveHappened: false))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        ended(.connectionLost(mayHaveHappened: false))
        context.close(promise: nil)
    }

    /// Passes lines to the session while it wants them, then reads from the socket if it wants
    /// more.
    func handOver(_ channel: any Channel) {
        guard !isHandingOver else { return }
        isHandingOver = true
        defer { isHandingOver = false }
        let number = connection
        while session.assumeIsolated({ $0.wantsLines(of: number) }) {
            switch framer.next() {
            case .line(let line):
                session.assumeIsolated { $0.lineReceived(line, of: number) }
            case .tooLong:
                session.assumeIsolated { $0.ended(.protocolViolation("a line over \(JSONDocument.bytesMax) bytes"), number) }
            case nil:
                if !isReading {
                    isReading = true
                    channel.read()
                }
                return
            }
        }
    }

    private func ended(_ error: ClientError) {
        let number = connection
        session.assumeIsolated { $0.ended(error, number) }
    }
}
