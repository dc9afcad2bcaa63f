package import Logging
import NIOCore
import NIOPosix
package import NotesEngine

/// The listening socket and its connections, from `listen` until the shutdown.
///
///     let router = ConnectionRouter(configuration: …, threads: …, drawNoteID: …)
///     let engine = Engine(journal: …, outputSink: router, …)
///     let server = Server(configuration: …, router: router, engine: engine, logger: …)
///     try await server.listen()
///     try await server.run()      // until `shutDown` or a failure of the engine
///
/// The caller holds the lock of the store from before `listen` until after `run`.
package final class Server: Sendable {
    private let configuration: ServerConfiguration
    private let router: ConnectionRouter
    private let engine: any RequestSink
    private let logger: Logger
    private let listener = Listener()

    /// Creates a server that does not listen yet. `engine` must send its output to `router`.
    package init(configuration: ServerConfiguration, router: ConnectionRouter, engine: any RequestSink, logger: Logger) {
        self.configuration = configuration
        self.router = router
        self.engine = engine
        self.logger = logger
    }

    /// Starts to listen. Clients can connect when this returns.
    ///
    /// - Throws: `ListenError`. By then, only stale socket files and missing directories have been
    ///   changed.
    package func listen() async throws {
        let engine = engine
        await router.onEachLoop { $0.engine = engine }
        try await listener.open(configuration: configuration, router: router, logger: logger)
    }

    /// Serves until `shutDown`, then stops: closes and removes the socket, answers the
    /// requests that were taken, sends `session.closing` to every dependent, and closes the
    /// connections.
    ///
    /// - Throws: `EngineFailure` if the engine failed, in which case no further requests were
    ///   answered, or if the store could not be closed; `ListenError` if the listening socket was
    ///   lost.
    package func run() async throws {
        let ticker = startTicking()
        let failure = await router.failures.first { _ in true }
        ticker?.cancel()
        await stop(hasFailed: failure != nil)
        // Includes errors of closing the store.
        if let failure = router.failure { throw failure }
    }

    /// Makes `run` stop the server and return. Does nothing if it is called again.
    package func shutDown() {
        router.stopWaitingForFailures()
    }

    /// Applies another configuration: access levels at once, limits to new connections. The socket
    /// and the version do not change. Names of users are looked up again.
    package func reconfigure(_ configuration: ServerConfiguration) async {
        router.directory.forget()
        await router.onEachLoop { $0.reconfigure(configuration) }
    }

    /// Returns the engine's state after each event loop and the engine, between two commits, have
    /// run a task. If this takes longer than a commit, the daemon is stuck. Returns nil if the
    /// engine is stopping.
    package func heartbeat() async -> Heartbeat? {
        await router.onEachLoop { _ in }
        return await engine.heartbeat()
    }

    private func stop(hasFailed: Bool) async {
        await listener.close()
        if !hasFailed {
            await router.onEachLoop { $0.stopTaking() }
            await engine.finish()
            await router.onEachLoop { $0.sayClosing() }
            await waitForConnectionsToEnd()
        }
        await router.onEachLoop { $0.closeAll() }
        try? await router.group.shutdownGracefully()
    }

    /// Returns when all connections are closed, or after `lingerSecondsMax`.
    private func waitForConnectionsToEnd() async {
        let start = ContinuousClock.now
        let limit = Duration.seconds(configuration.lingerSecondsMax)
        while await router.connectionCount() > 0, start.duration(to: .now) < limit {
            do { try await Task.sleep(for: .milliseconds(5)) } catch { return }
        }
    }

    /// Every `tickSeconds`, sends the engine a tick with the seconds since the start, and checks the
    /// socket's file.
    private func startTicking() -> RepeatedTask? {
        let start = ContinuousClock.now
        let interval = TimeAmount.seconds(Int64(configuration.tickSeconds))
        return router.group.next().scheduleRepeatedTask(initialDelay: interval, delay: interval) {
            [engine, listener, configuration, router, logger] _ in
            _ = engine.submit([.tick(seconds: Int(start.duration(to: .now).components.seconds))])
            Task { await listener.restoreFile(configuration: configuration, router: router, logger: logger) }
        }
    }
}

/// Failure of the engine after which it cannot guarantee durability, so that the daemon must exit.
package struct EngineFailure: Error, CustomStringConvertible {
    /// Cause, as a sentence for administrators.
    package let message: String
    package var description: String { message }
}
