import Glibc
import NIOCore
import NIOPosix

/// Opens connections to the daemon's socket.
enum Connector {
    /// Longest path of a Unix socket, in bytes: `sun_path` without its terminating zero.
    static let pathBytesMax = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// Connects to the socket, or uses the one that is opened.
    ///
    /// - Parameter configure: called on the loop before the channel becomes active, to add its
    ///   handlers.
    static func dial(
        _ options: ClientOptions, on eventLoop: any EventLoop,
        configure: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) -> EventLoopFuture<any Channel> {
        let path = options.socketPath
        if let opening = options.opening {
            return eventLoop.makeCompletedFuture(Result { try opening() }).flatMap { socket in
                ClientBootstrap(group: eventLoop)
                    .channelOption(.autoRead, value: false)
                    .channelInitializer(configure)
                    .withConnectedSocket(socket)
            }.flatMapErrorThrowing { throw error($0, path: path) }
        }
        guard path.utf8.count <= pathBytesMax else {
            return eventLoop.makeFailedFuture(ClientError.pathTooLong(path: path, limit: pathBytesMax))
        }
        return ClientBootstrap(group: eventLoop)
            .channelOption(.autoRead, value: false)
            .channelInitializer(configure)
            .connect(unixDomainSocketPath: path)
            .flatMapErrorThrowing { throw error($0, path: path) }
    }

    static func error(_ error: any Error, path: String) -> ClientError {
        if let error = error as? ClientError { return error }
        guard let error = error as? IOError else {
            return .connectionFailed(path: path, message: "\(error)")
        }
        return Self.error(number: error.errnoCode, path: path)
    }

    /// The error for a failed `connect`.
    ///
    /// - Parameter number: the `errno` value.
    static func error(number: Int32, path: String) -> ClientError {
        switch number {
        case ENOENT, ENOTDIR: .daemonNotThere(path: path, .noSocket)
        case ECONNREFUSED: .daemonNotThere(path: path, .nobodyListens)
        case EACCES, EPERM: .notAllowed(message: "this user may not open \(path)")
        default: .connectionFailed(path: path, message: String(cString: strerror(number)))
        }
    }
}
