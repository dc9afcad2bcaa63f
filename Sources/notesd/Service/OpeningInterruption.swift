import Dispatch
import Glibc
import Logging
import Synchronization

/// Ends the process at a signal to stop that comes while the store is opened, which may take as long as a recovery takes. Nobody was
/// served yet, and what was begun on the disk is taken up by the next run, as after a power cut.
final class OpeningInterruption: Sendable {
    private let sources: Mutex<[any DispatchSourceSignal]>

    init(_ log: DaemonLog) {
        let queue = DispatchQueue(label: "notesd.opening")
        let sources = [SIGTERM, SIGINT].map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                if log.isJournal { log.logger.info("stopped while it opened its store", metadata: ["event": "stopped"]) }
                _exit(0)
            }
            source.resume()
            return source
        }
        self.sources = Mutex(sources)
    }

    /// From here on signals are for who serves.
    func end() {
        sources.withLock { for source in $0 { source.cancel() } }
    }
}
