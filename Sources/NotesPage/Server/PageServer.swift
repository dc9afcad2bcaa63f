import Console
import EditorHost
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import PageDevices
import Synchronization

/// Serves the page, and attaches each one that is open to the daemon.
package struct PageServer {
    private let site: PageSite
    private let channel: any Channel
    private let group: MultiThreadedEventLoopGroup
    /// The address of the page without a path, such as `http://127.0.0.1:7683`; nil for a Unix socket without
    /// a name.
    package let address: String?

    /// How long a connection may take for a request, or wait for the next.
    private static let requestMax = TimeAmount.seconds(10)
    /// Largest head of a request, in bytes.
    static let headBytesMax = 8 << 10

    /// Begins to listen.
    ///
    /// - Throws: `ExitFailure` if it cannot listen, or the file of the devices cannot be read.
    package init(_ configuration: PageConfiguration) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        self.group = group
        let sites = SiteOfChannels()
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 128)
            .childChannelInitializer { channel in Self.prepare(channel, sites) }
        do {
            switch configuration.place {
            case .port(let host, let port): channel = try await bootstrap.bind(host: host, port: port).get()
            case .socket(let path):
                let old = umask(0o177)
                defer { umask(old) }
                channel = try await bootstrap.bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
            }
        } catch {
            throw ExitFailure("cannot listen: \((error as? IOError).map { SystemError.text($0.errnoCode) } ?? "\(error)")")
        }
        let hosts: PageHosts
        if let port = channel.localAddress?.port {
            hosts = PageHosts(port: port, others: configuration.hosts, isBehindProxy: configuration.isBehindProxy)
        } else {
            hosts = PageHosts(others: configuration.hosts, isBehindProxy: configuration.isBehindProxy)
        }
        let name = configuration.hosts.first ?? channel.localAddress?.port.map { "127.0.0.1:\($0)" }
        address = name.map { "\(configuration.isBehindProxy ? "https" : "http")://\($0)" }
        site = try PageSite(hosts, configuration)
        let made = site
        sites.site.withLock { $0 = made }
    }

    /// Serves until the task is cancelled. Then it waits for what was typed to be saved.
    package func run() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            site.refresh()
        }
        try? await channel.close()
        await site.endAll()
        try? await group.shutdownGracefully()
    }

    // MARK: Connections

    private static func prepare(_ channel: any Channel, _ sites: SiteOfChannels) -> EventLoopFuture<Void> {
        guard let site = sites.site.withLock({ $0 }) else { return channel.close() }
        let upgrader = NIOWebSocketServerUpgrader(maxFrameSize: SocketHandler.frameBytesMax, automaticErrorHandling: false) {
            channel, head in
            let device = site.device(attaching: PageRequest(head, from: channel.remoteAddress?.ipAddress ?? ""))
            return channel.eventLoop.makeSucceededFuture(device.map { _ in HTTPHeaders(PageHeaders.all) })
        } upgradePipelineHandler: { channel, head in
            attach(channel, head, site)
        }
        var limits = NIOHTTPDecoderLimitConfiguration()
        (limits.maxHeaderFieldSize, limits.maxHeaderListSize) = (headBytesMax, headBytesMax)
        return channel.pipeline.configureHTTPServerPipeline(
            withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }), withDecoderLimitConfiguration: limits
        ).flatMapThrowing {
            try channel.pipeline.syncOperations.addHandlers([IdleStateHandler(allTimeout: requestMax), PageHandler(site)])
        }
    }

    /// Puts the handlers of a WebSocket in place of those of requests, and starts its host.
    private static func attach(_ channel: any Channel, _ head: HTTPRequestHead, _ site: PageSite) -> EventLoopFuture<Void> {
        let request = PageRequest(head, from: channel.remoteAddress?.ipAddress ?? "")
        guard let device = site.device(attaching: request) else { return channel.close() }
        let inbox = HostInbox { channel.pipeline.fireUserInboundEventTriggered(SocketEvent.handled) }
        return channel.setOption(.autoRead, value: false).flatMapThrowing {
            let pipeline = channel.pipeline.syncOperations
            _ = pipeline.removeHandler(context: try pipeline.context(handlerType: PageHandler.self))
            _ = pipeline.removeHandler(context: try pipeline.context(handlerType: IdleStateHandler.self))
            try pipeline.addHandler(SocketHandler(inbox))
            site.attached(device, channel, from: request.address)
            Task {
                let access = site.access(of: device)
                await HostDriver(inbox, access, drafts: nil) { await Self.send($0, to: channel) }.run()
                site.detached(channel)
                channel.pipeline.fireUserInboundEventTriggered(SocketEvent.ended)
            }
        }
    }

    /// Sends a line as a message, and returns when there is room for the next. A page that does not read is
    /// closed after a while.
    private static func send(_ line: [UInt8], to channel: any Channel) async {
        let content = channel.allocator.buffer(bytes: line.last == UInt8(ascii: "\n") ? line.dropLast() : line[...])
        let stalled = channel.eventLoop.scheduleTask(in: SocketHandler.unreadMax) { channel.close(promise: nil) }
        try? await channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .text, data: content)).get()
        stalled.cancel()
    }
}

/// The site of the connections of a server, which exists when the server has its port.
private final class SiteOfChannels: Sendable {
    let site = Mutex<PageSite?>(nil)
}
