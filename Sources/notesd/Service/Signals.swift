import Dispatch
import Glibc
import Logging
import Synchronization

/// Handles SIGTERM, SIGINT and SIGHUP, from before the store is opened until the process exits.
///
/// Before `serve`, SIGTERM and SIGINT end the process at once, because opening the store may
/// include a long recovery. That is safe: no client has been served, and the next run recovers the
/// store as after a power cut. A SIGHUP that arrives before `serve` waits for `waitForStop`.
final class Signals: Sendable {
    private let sources: Mutex<[any DispatchSourceSignal]>
    private let state = State()
    private let arrived: AsyncStream<Int32>
    /// Whether the daemon was started at a terminal. If that terminal is gone, SIGHUP stops the
    /// daemon.
    private let hadTerminal = isatty(STDIN_FILENO) == 1

    /// State shared with the handlers, which run on a queue of their own.
    private final class State: Sendable {
        let isServing = Mutex(false)
    }

    /// Starts to handle the signals. No signal that arrives after this returns is lost.
    init(_ log: DaemonLog) {
        let (arrived, continuation) = AsyncStream.makeStream(of: Int32.self)
        let queue = DispatchQueue(label: "notesd.signals")
        let registered = DispatchGroup()
        let state = state
        let sources = [SIGTERM, SIGINT, SIGHUP].map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                state.isServing.withLock { isServing in
                    if !isServing, number != SIGHUP {
                        log.logEvent("stopped", "stopped while opening the store")
                        _exit(0)
                    }
                    continuation.yield(number)
                }
            }
            registered.enter()
            source.setRegistrationHandler { registered.leave() }
            source.resume()
            return source
        }
        registered.wait()
        self.arrived = arrived
        self.sources = Mutex(sources)
    }

    /// From here on there may be clients: SIGTERM and SIGINT wait for `waitForStop`.
    func serve() {
        state.isServing.withLock { $0 = true }
    }

    /// Returns at the first SIGTERM or SIGINT, at a SIGHUP if the daemon's terminal is gone, or
    /// when the task is cancelled. Calls `reload` at each other SIGHUP.
    func waitForStop(reload: () async -> Void) async {
        for await signal in arrived {
            guard signal == SIGHUP, !hadTerminal || isatty(STDIN_FILENO) == 1 else { return }
            await reload()
        }
    }
}
