package import Logging
import NIOCore
import NIOPosix
package import NotesEngine
import ServiceLifecycle

/// The socket and its connections, from `listen` to the end.
///
///     let switchboard = Switchboard(configuration: …, threads: …, drawNoteID: …)
///     let engine = Engine(journal: …, courier: switchboard, …)
///     let server = Server(configuration: …, switchboard: switchboard, engine: engine, logger: …)
///     try await server.listen()
///     try await server.run()      // until a graceful shutdown, or the engine's failure
///
/// The store's lock is held by the caller from before `listen` until after `run`.
package final class Server: Service {
    private let configuration: ServerConfiguration
    private let router: ConnectionRouter
    private let engine: any RequestSink
    private let logger: Logger
    private let listener = Listener()

    package init(configuration: ServerConfiguration, router: ConnectionRouter, engine: any RequestSink, logger: Logger) {
        self.configuration = configuration
        self.router = router
        self.engine = engine
        self.logger = logger
    }

    /// Takes connections from when it returns.
    ///
    /// - Throws: `ListenError`, before which nothing was changed but stale files and missing directories.
    package func listen() async throws {
        let engine = engine
        await router.onEachLoop { $0.engine = engine }
        try await listener.open(configuration: configuration, router: router, logger: logger)
    }

    /// Serves until a graceful shutdown, then stops: takes no more, answers what was taken, tells every dependent, removes the
    /// socket.
    ///
    /// - Throws: `EngineFailure` where the engine could not go on, and nothing more was answered, or where the store could not be closed;
    ///   `ListenError` where no connections could be taken any more.
    package func run() async throws {
        let ticker = startTicking()
        let failure = await withGracefulShutdownHandler {
            await router.failures.first { _ in true }
        } onGracefulShutdown: { [router] in
            router.stopWaitingForFailures()
        }
        ticker?.cancel()
        await stop(hasFailed: failure != nil)
        // What the store meets while it is closed counts too.
        if let failure = router.failure { throw failure }
    }

    /// Takes over another configuration: rights at once, limits for connections from now on. What it listens on, and the version, stay.
    package func reconfigure(_ configuration: ServerConfiguration) async {
        router.directory.forget()
        await router.onEachLoop { $0.reconfigure(configuration) }
    }

    /// Returns once each event loop, and the engine between two commits, has come by: whoever waits for this longer than a commit takes
    /// waits for a daemon that is stuck.
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

    /// Returns when all are gone, or when those that are left have had their time.
    private func waitForConnectionsToEnd() async {
        let start = ContinuousClock.now
        let limit = Duration.seconds(configuration.lingerSecondsMax)
        while await router.connectionCount() > 0, start.duration(to: .now) < limit {
            do { try await Task.sleep(for: .milliseconds(5)) } catch { return }
        }
    }

    /// Tells the engine the time. Nil where no loop runs any more.
    private func startTicking() -> RepeatedTask? {
        let start = ContinuousClock.now
        let interval = TimeAmount.seconds(Int64(configuration.tickSeconds))
        return router.group.next().scheduleRepeatedTask(initialDelay: interval, delay: interval) { [engine] _ in
            _ = engine.submit([.tick(seconds: Int(start.duration(to: .now).components.seconds))])
        }
    }
}

/// The engine stopped because it can promise nothing any more.
package struct EngineFailure: Error, CustomStringConvertible {
    package let message: String
    package var description: String { message }
}
