import Dispatch
import Glibc
import Logging
import Synchronization

/// Exits the process at SIGTERM or SIGINT while the store is opened, which may take as long as a
/// recovery. No client was served yet, and the next run recovers what this one began on disk, as
/// after a power cut.
final class StartupSignalHandler: Sendable {
    private let sources: Mutex<[any DispatchSourceSignal]>
    private let state = State()

    /// State shared with the handlers, one of which may already be running when `end` is called.
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
                    log.tellJournal("stopped", "stopped while opening the store")
                    _exit(0)
                }
            }
            source.resume()
            return source
        }
        self.sources = Mutex(sources)
    }

    /// Stops handling signals. From then on the service group handles them.
    func end() {
        state.isOver.withLock { $0 = true }
        sources.withLock { for source in $0 { source.cancel() } }
    }
}
