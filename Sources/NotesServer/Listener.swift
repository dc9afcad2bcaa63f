import Logging
import NIOCore
import NIOPosix
import Synchronization

/// Accepts connections. When descriptors or memory run out, those that wait stay in the socket's backlog and are tried again
/// after a moment; the daemon goes on with those that it has.
actor Listener {
    private var socket: ListeningSocket?
    private var channel: (any Channel)?
    private let isClosing = Atomic(false)

    func open(configuration: ServerConfiguration, router: ConnectionRouter, logger: Logger) async throws {
        let socket = try ListeningSocket.open(configuration.listening)
        let bootstrap = ServerBootstrap(group: router.group)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptRetryHandler(logger: logger))
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                Self.admit(channel, router: router, logger: logger)
            }
        do {
            let channel = try await bootstrap.withBoundSocket(socket.descriptor).get()
            self.channel = channel
            // Errors of accepting that SwiftNIO does not expect have it close the socket: a daemon that nobody reaches had better end.
            channel.closeFuture.whenComplete { [self, path = socket.path] _ in
                if !isClosing.load(ordering: .relaxed) { router.listeningFailed(.lost(path: path)) }
            }
        } catch {
            socket.removeFile()
            throw error
        }
        socket.widenBacklog()
        self.socket = socket
    }

    /// A channel whose peer cannot be known, or that is one too many, is closed.
    private static func admit(_ channel: any Channel, router: ConnectionRouter, logger: Logger) -> EventLoopFuture<Void> {
        let handle = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { $0 }
        guard let handle = handle ?? nil, let peer = PeerCredentials(of: handle) else {
            return channel.eventLoop.makeFailedFuture(ConnectionRejected())
        }
        return router.directory.user(peer.user, on: channel.eventLoop).flatMapThrowing { user in
            guard let connection = router.table(of: channel.eventLoop)?.makeConnection(of: user, peer: peer) else {
                throw ConnectionRejected()
            }
            if !connection.isAdmitted, router.directory.isFirstRefusal(of: user.id) {
                logger.notice(
                    "somebody who is not let in has connected; more of the same user are not told",
                    metadata: ["event": "peer-refused", "uid": "\(user.id)", "user": "\(user.name)"])
            }
            try channel.pipeline.syncOperations.addHandler(connection)
        }
    }

    /// Takes no more connections and removes the socket's file, in this order: whoever finds the file finds a daemon, or one that
    /// has just gone.
    func close() async {
        isClosing.store(true, ordering: .relaxed)
        try? await channel?.close().get()
        channel = nil
        socket?.removeFile()
        socket = nil
    }
}

/// As many connections are served as may be, or the daemon stops.
private struct ConnectionRejected: Error {}

/// Has accepting rest for a moment after it failed, and says so in the log, once until it has gone well again.
///
/// SwiftNIO's `AcceptBackoffHandler` holds back what asks for more, but a failed `accept` leaves the socket among those that are looked at:
/// while a connection waits the loop would try without a pause. So reading is turned off.
private final class AcceptRetryHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private let logger: Logger
    private var isFailing = false
    private var isPausing = false

    private static let pause = TimeAmount.milliseconds(200)

    init(logger: Logger) {
        self.logger = logger
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isFailing = false
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !isFailing {
            logger.warning(
                "connections wait: accepting failed and is tried again",
                metadata: ["event": "accept-failed", "error": "\(error)"])
        }
        isFailing = true
        guard !isPausing else { return }
        isPausing = true
        // A channel that is closed takes no options, and accepts nothing.
        let channel = context.channel
        try? channel.syncOptions?.setOption(.autoRead, value: false)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
            self.isPausing = false
            try? channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }
}
