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
    private let switchboard: Switchboard
    private let engine: any EngineInlet
    private let logger: Logger
    private let listener = Listener()

    package init(configuration: ServerConfiguration, switchboard: Switchboard, engine: any EngineInlet, logger: Logger) {
        self.configuration = configuration
        self.switchboard = switchboard
        self.engine = engine
        self.logger = logger
    }

    /// Takes connections from when it returns.
    ///
    /// - Throws: `ListenError`, before which nothing was changed but stale files and missing directories.
    package func listen() async throws {
        let engine = engine
        await switchboard.onEachLoop { $0.engine = engine }
        try await listener.open(configuration: configuration, switchboard: switchboard, logger: logger)
    }

    /// Serves until a graceful shutdown, then stops: takes no more, answers what was taken, tells every dependent, removes the
    /// socket.
    ///
    /// - Throws: `EngineFailure` where the engine could not go on, and nothing more was answered, or where the store could not be closed;
    ///   `ListenError` where no connections could be taken any more.
    package func run() async throws {
        let ticker = startTicking()
        let failure = await withGracefulShutdownHandler {
            await switchboard.failures.first { _ in true }
        } onGracefulShutdown: { [switchboard] in
            switchboard.stopWaitingForFailures()
        }
        ticker?.cancel()
        await stop(hasFailed: failure != nil)
        // What the store meets while it is closed counts too.
        if let failure = switchboard.failure { throw failure }
    }

    /// Takes over another configuration: rights at once, limits for connections from now on. What it listens on, and the version, stay.
    package func reconfigure(_ configuration: ServerConfiguration) async {
        switchboard.directory.forget()
        await switchboard.onEachLoop { $0.reconfigure(configuration) }
    }

    /// Returns once each event loop, and the engine between two commits, has come by: whoever waits for this longer than a commit takes
    /// waits for a daemon that is stuck.
    package func beat() async -> Heartbeat? {
        await switchboard.onEachLoop { _ in }
        return await engine.beat()
    }

    private func stop(hasFailed: Bool) async {
        await listener.close()
        if !hasFailed {
            await switchboard.onEachLoop { $0.stopTaking() }
            await engine.finish()
            await switchboard.onEachLoop { $0.sayClosing() }
            await waitForConnectionsToEnd()
        }
        await switchboard.onEachLoop { $0.closeAll() }
        try? await switchboard.group.shutdownGracefully()
    }

    /// Returns when all are gone, or when those that are left have had their time.
    private func waitForConnectionsToEnd() async {
        let start = ContinuousClock.now
        let limit = Duration.seconds(configuration.lingerSecondsMax)
        while await switchboard.connectionCount() > 0, start.duration(to: .now) < limit {
            do { try await Task.sleep(for: .milliseconds(5)) } catch { return }
        }
    }

    /// Tells the engine the time. Nil where no loop runs any more.
    private func startTicking() -> RepeatedTask? {
        let start = ContinuousClock.now
        let interval = TimeAmount.seconds(Int64(configuration.tickSeconds))
        return switchboard.group.next().scheduleRepeatedTask(initialDelay: interval, delay: interval) { [engine] _ in
            _ = engine.submit([.tick(seconds: Int(start.duration(to: .now).components.seconds))])
        }
    }
}

/// The engine stopped because it can promise nothing any more.
package struct EngineFailure: Error, CustomStringConvertible {
    package let message: String
    package var description: String { message }
}
