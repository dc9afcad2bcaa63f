import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Answers the requests of one connection.
final class PageHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let site: PageSite
    private var request: PageRequest?
    private var body: [UInt8] = []
    private var isKept = true
    private var bodyMax = 0
    private var isWhole = true

    init(_ site: PageSite) {
        self.site = site
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            let request = PageRequest(head, from: context.channel.remoteAddress?.ipAddress ?? "")
            self.request = request
            (isKept, isWhole, body, bodyMax) = (head.isKeepAlive, true, [], site.bodyMax(of: request))
        case .body(let part):
            if body.count + part.readableBytes <= bodyMax {
                body += part.readableBytesView
            } else {
                (isKept, isWhole) = (false, false)
            }
        case .end:
            guard let request else { return }
            let (site, body) = (site, isWhole ? body : nil)
            self.body = []
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            // Signing in writes a file, and reading waits for a process.
            context.eventLoop.makeFutureWithTask { await site.response(to: request, body: body) }.whenSuccess { response in
                let (handler, context) = bound.value
                if let part = response.part, request.method != .HEAD {
                    handler.send(response, part, for: request, context)
                } else {
                    handler.send(response, withBody: request.method != .HEAD, context)
                }
            }
        }
    }

    private func head(of response: PageResponse) -> HTTPServerResponsePart {
        var headers = response.headers
        if !isKept { headers.replaceOrAdd(name: "Connection", value: "close") }
        return .head(HTTPResponseHead(version: .http1_1, status: response.status, headers: headers))
    }

    /// Sends bytes of a file, each part after the one before has left. A response that cannot be completed ends with its
    /// connection, so that no browser takes it for whole.
    private func send(_ response: PageResponse, _ part: FilePart, for request: PageRequest, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(head(of: response)), promise: nil)
        Task { [site, isKept, channel = context.channel] in
            do {
                try await site.pass(part, for: request) { bytes in
                    try await channel.writeAndFlush(
                        HTTPServerResponsePart.body(.byteBuffer(channel.allocator.buffer(bytes: bytes)))
                    ).get()
                }
                try await channel.writeAndFlush(HTTPServerResponsePart.end(nil)).get()
                if !isKept { try await channel.close() }
            } catch {
                try? await channel.close()
            }
        }
    }

    private func send(_ response: PageResponse, withBody: Bool, _ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(head(of: response)), promise: nil)
        if withBody, !response.body.isEmpty {
            context.write(
                wrapOutboundOut(.body(.byteBuffer(context.channel.allocator.buffer(bytes: response.body)))), promise: nil)
        }
        let end = context.eventLoop.makePromise(of: Void.self)
        if !isKept {
            end.futureResult.assumeIsolated().whenComplete { [channel = context.channel] _ in channel.close(promise: nil) }
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: end)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A request that may not attach comes here as any other, and is answered.
        if !(error is NIOWebSocketUpgradeError) { context.close(promise: nil) }
    }
}
