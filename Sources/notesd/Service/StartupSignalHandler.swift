import Dispatch
import Glibc
import Logging
import Synchronization

/// Ends the process at a signal to stop that comes while the store is opened, which may take as long as a recovery takes. Nobody was
/// served yet, and what was begun on the disk is taken up by the next run, as after a power cut.
final class StartupSignalHandler: Sendable {
    private let sources: Mutex<[any DispatchSourceSignal]>
    private let state = State()

    /// Shared with the handlers, one of which may be on its way when this ends.
    private final class State: Sendable {
        let isOver = Mutex(false)
    }

    init(_ log: DaemonLog) {
        let queue = DispatchQueue(label: "notesd.opening")
        let state = state
        let sources = [SIGTERM, SIGINT].map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                state.isOver.withLock { isOver in
                    guard !isOver else { return }
                    log.tellJournal("stopped", "stopped while it opened its store")
                    _exit(0)
                }
            }
            source.resume()
            return source
        }
        self.sources = Mutex(sources)
    }

    /// From here on signals are for who serves.
    func end() {
        state.isOver.withLock { $0 = true }
        sources.withLock { for source in $0 { source.cancel() } }
    }
}
