import NIOCore
import NotesWire

/// The NIO end of one connection: cuts what is read into lines and hands them to the session, as fast as that wants them.
///
/// It reads only when asked to (`autoRead` is off), and holds what was read and not yet wanted.
final class LineHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let session: ClientSession
    private let connection: Int
    private var framer = LineFramer(lineBytesMax: JSONDocument.bytesMax)
    private var isReading = false
    /// What a line brings about may ask for lines again; the loop that is at it goes on by itself.
    private var isHandingOver = false

    init(session: ClientSession, connection: Int) {
        self.session = session
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
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

    /// Hands over lines while they are wanted, then asks for more bytes if more are.
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
