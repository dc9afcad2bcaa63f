import Glibc
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// Accepts connections. If descriptors or memory run out, new connections stay in the socket's
/// backlog and accepting is retried after a pause; existing connections are served meanwhile.
actor Listener {
    private var socket: ListeningSocket?
    private var channel: (any Channel)?
    private let isClosing = Atomic(false)
    /// Number of the newest channel: the end of an older one, which was replaced, is no failure.
    private let newest = Atomic(0)
    /// Whether it is logged that the file of an inherited socket is gone.
    private var isLossLogged = false

    /// Creates or takes over the socket and starts to accept connections.
    ///
    /// - Throws: `ListenError`, or an error of SwiftNIO. A socket file that was created is removed
    ///   then.
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
            let former = self.channel
            self.channel = channel
            let number = newest.wrappingAdd(1, ordering: .relaxed).newValue
            // SwiftNIO closes the socket if accepting fails with an error that it does not expect.
            // A daemon that no client can reach must exit.
            channel.closeFuture.whenComplete { [self, path = socket.path] _ in
                guard !isClosing.load(ordering: .relaxed), newest.load(ordering: .relaxed) == number else { return }
                router.listeningFailed(.lost(path: path))
            }
            try? await former?.close().get()
        } catch {
            socket.removeFile()
            throw error
        }
        socket.widenBacklog()
        self.socket = socket
    }

    /// Creates the socket again if somebody removed or replaced its file, so that new clients can
    /// connect. Stops the server if that fails. Only logs the loss of an inherited socket, because its
    /// file is the service manager's.
    func restoreFile(configuration: ServerConfiguration, router: ConnectionRouter, logger: Logger) async {
        guard let socket, !socket.isReachable, !isClosing.load(ordering: .relaxed) else { return }
        guard !isLossLogged else { return }
        let metadata: Logger.Metadata = ["event": "socket-removed", "path": "\(socket.path)"]
        guard !socket.isInherited else {
            isLossLogged = true
            logger.error(
                "the file of the socket was removed or replaced, so no client can connect; restart the socket unit",
                metadata: metadata)
            return
        }
        logger.warning("the file of the socket was removed or replaced; creating it again", metadata: metadata)
        do {
            try await open(configuration: configuration, router: router, logger: logger)
        } catch {
            router.listeningFailed(
                (error as? ListenError) ?? .systemCall("listen", path: socket.path, code: (error as? IOError)?.errnoCode ?? EIO))
        }
    }

    /// Adds the handler of a new connection. Fails, which closes the channel, if the client is
    /// unknown or a limit on connections is reached.
    private static func admit(_ channel: any Channel, router: ConnectionRouter, logger: Logger) -> EventLoopFuture<Void> {
        let handle = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { $0 }
        guard let handle = handle ?? nil, let credentials = ClientCredentials(of: handle) else {
            return channel.eventLoop.makeFailedFuture(ConnectionRejected())
        }
        return router.directory.user(credentials.user, on: channel.eventLoop).flatMapThrowing { user in
            guard let connection = router.table(of: channel.eventLoop)?.makeConnection(of: user, credentials: credentials) else {
                throw ConnectionRejected()
            }
            if !connection.isAdmitted, router.directory.isFirstRefusal(of: user.id) {
                logger.notice(
                    "a user without access has connected; further attempts of this user are not logged",
                    metadata: ["event": "peer-refused", "uid": "\(user.id)", "user": "\(user.name)"])
            }
            try channel.pipeline.syncOperations.addHandler(connection)
        }
    }

    /// Stops accepting connections, then removes the socket's file. In this order, a client that
    /// finds the file finds the daemon, or one that has just stopped.
    func close() async {
        isClosing.store(true, ordering: .relaxed)
        try? await channel?.close().get()
        channel = nil
        socket?.removeFile()
        socket = nil
    }
}

/// A limit on connections is reached, the client is unknown, or the daemon is stopping.
private struct ConnectionRejected: Error {}

/// Pauses accepting after a failure, and logs the first failure after a success.
///
/// SwiftNIO's `AcceptBackoffHandler` delays read requests, but after a failed `accept` the socket
/// stays registered for polling, so the loop would retry without a pause while a connection waits.
/// This handler therefore turns reading off.
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
                "accepting failed and will be retried; new connections wait",
                metadata: ["event": "accept-failed", "error": "\(error)"])
        }
        isFailing = true
        guard !isPausing else { return }
        isPausing = true
        // Setting an option fails if the channel is closed. Nothing needs to be done then.
        let channel = context.channel
        try? channel.syncOptions?.setOption(.autoRead, value: false)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
            self.isPausing = false
            try? channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }
}
