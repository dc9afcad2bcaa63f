import EditorHost
import NIOCore
import NIOWebSocket
import StrictJSON

/// Hands the messages of an attached page to its host, and keeps the connection within its limits.
final class SocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let inbox: HostInbox
    private var message: ByteBuffer?
    private var fragments = 0
    /// Messages that the host has not handled.
    private var waiting = 0
    private var budget = SocketBudget()
    private var isClosing = false
    private var heard = NIODeadline.now()
    private var hasMessage = false
    private var tasks: [() -> Void] = []

    /// Largest message and largest frame, in bytes, and most frames of a message.
    static let (messageBytesMax, frameBytesMax, fragmentsMax) = (8 << 20, 1 << 20, 64)
    /// Most messages that wait for the host before the socket is read again.
    static let waitingMax = 64
    /// How long the page may take to send its first message.
    static let firstMax = TimeAmount.seconds(5)
    /// How long the page may be silent.
    static let silenceMax = TimeAmount.seconds(60)
    /// How long the page may take to read a message.
    static let unreadMax = TimeAmount.seconds(30)
    /// How often the page is asked whether it is there.
    static let pingInterval = TimeAmount.seconds(20)

    init(_ inbox: HostInbox) {
        self.inbox = inbox
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let first = context.eventLoop.scheduleTask(in: Self.firstMax) {
            let (handler, context) = bound.value
            if !handler.hasMessage { handler.close(context, .policyViolation) }
        }
        let pings = context.eventLoop.scheduleRepeatedTask(initialDelay: Self.pingInterval, delay: Self.pingInterval) { _ in
            let (handler, context) = bound.value
            if NIODeadline.now() - handler.heard > Self.silenceMax { return context.close(promise: nil) }
            handler.send(.ping, context.channel.allocator.buffer(capacity: 0), context)
        }
        tasks = [{ first.cancel() }, { pings.cancel() }]
        context.read()
    }

    // MARK: Frames

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        heard = .now()
        guard !isClosing else { return }
        guard frame.maskKey != nil else { return close(context, .protocolError) }
        let content = frame.unmaskedData
        switch frame.opcode {
        case .text where message == nil: begin(content, isEnd: frame.fin, context)
        case .continuation where message != nil: go(on: content, isEnd: frame.fin, context)
        case .ping where frame.fin: send(.pong, content, context)
        case .pong: break
        case .connectionClose:
            send(
                .connectionClose, content.getSlice(at: content.readerIndex, length: min(2, content.readableBytes)) ?? content,
                context)
            context.close(promise: nil)
        case .binary: close(context, .unacceptableData)
        default: close(context, .protocolError)
        }
    }

    private func begin(_ content: ByteBuffer, isEnd: Bool, _ context: ChannelHandlerContext) {
        if isEnd { return take(content, context) }
        (message, fragments) = (content, 1)
    }

    private func go(on content: ByteBuffer, isEnd: Bool, _ context: ChannelHandlerContext) {
        guard var message, message.readableBytes + content.readableBytes <= Self.messageBytesMax, fragments < Self.fragmentsMax
        else {
            return close(context, .messageTooLarge)
        }
        // The buffer is this handler's alone, so that bytes are appended in place.
        self.message = nil
        message.writeImmutableBuffer(content)
        fragments += 1
        if isEnd { take(message, context) } else { self.message = message }
    }

    private func take(_ message: ByteBuffer, _ context: ChannelHandlerContext) {
        let bytes = Array(message.readableBytesView)
        guard UTF8Sequence.firstFault(in: bytes) == nil else { return close(context, .dataInconsistentWithMessage) }
        hasMessage = true
        waiting += 1
        budget.take(bytes.count, at: heard)
        inbox.put(line: bytes)
    }

    // MARK: Reading

    func channelReadComplete(context: ChannelHandlerContext) {
        readMore(context)
        context.fireChannelReadComplete()
    }

    /// Reads on if the host keeps up and the page keeps to its rate.
    private func readMore(_ context: ChannelHandlerContext) {
        guard !isClosing, waiting < Self.waitingMax else { return }
        let wait = budget.wait(at: .now())
        guard wait > .zero else { return context.read() }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: wait) { bound.value.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event as? SocketEvent {
        case .handled:
            waiting -= 1
            if waiting == Self.waitingMax - 1 { readMore(context) }
        case .revoked: close(context, .policyViolation)
        case .ended: close(context, .goingAway)
        case nil: context.fireUserInboundEventTriggered(event)
        }
    }

    // MARK: The end

    private func send(_ opcode: WebSocketOpcode, _ content: ByteBuffer, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: content)), promise: nil)
    }

    private func close(_ context: ChannelHandlerContext, _ code: WebSocketErrorCode) {
        guard !isClosing else { return }
        isClosing = true
        var content = context.channel.allocator.buffer(capacity: 2)
        content.write(webSocketErrorCode: code)
        send(.connectionClose, content, context)
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error as? NIOWebSocketError {
        case .invalidFrameLength: close(context, .messageTooLarge)
        case .some: close(context, .protocolError)
        case nil: context.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        for cancel in tasks { cancel() }
        tasks = []
    }

    func channelInactive(context: ChannelHandlerContext) {
        inbox.putEnd()
        context.fireChannelInactive()
    }
}

/// An event for a `SocketHandler`.
enum SocketEvent: Sendable {
    /// The host handled a message.
    case handled
    /// The device may not use the page any more.
    case revoked
    /// The host ended.
    case ended
}

/// What a page may send in a time: it is read more slowly beyond that.
struct SocketBudget {
    /// Messages a second.
    static let messageRate = 200.0
    /// Bytes a second, 2 MiB.
    static let byteRate = 2_097_152.0
    /// Most messages, and most bytes, at once.
    static let (messagesMax, bytesMax) = (2 * messageRate, 4 * byteRate)

    private var messages = messagesMax
    private var bytes = bytesMax
    private var last: NIODeadline?

    mutating func take(_ count: Int, at now: NIODeadline) {
        refill(at: now)
        messages -= 1
        bytes -= Double(count)
    }

    /// How long to wait before the next message.
    mutating func wait(at now: NIODeadline) -> TimeAmount {
        refill(at: now)
        let seconds = max(0, -messages / Self.messageRate, -bytes / Self.byteRate)
        return .nanoseconds(Int64(seconds * 1e9))
    }

    private mutating func refill(at now: NIODeadline) {
        let seconds = Double((now - (last ?? now)).nanoseconds) / 1e9
        last = now
        messages = min(Self.messagesMax, messages + seconds * Self.messageRate)
        bytes = min(Self.bytesMax, bytes + seconds * Self.byteRate)
    }
}
