import Glibc
import ServiceLifecycle
import UnixSignals

/// Ends, and the group with it, at the first signal to stop; a hang-up has the configuration read again. The group would take care of
/// signals only from when it runs.
struct Signals: Service {
    private let signals: UnixSignalsSequence
    /// Whether somebody started it at a terminal: then a hang-up means that this has gone.
    private let hadTerminal = isatty(STDIN_FILENO) == 1
    private let reload: @Sendable () async -> Void

    /// - Parameter signals: of SIGTERM, SIGINT and SIGHUP.
    init(_ signals: UnixSignalsSequence, reload: @escaping @Sendable () async -> Void) {
        self.signals = signals
        self.reload = reload
    }

    func run() async {
        for await signal in signals.cancelOnGracefulShutdown() {
            guard signal == .sighup, !hadTerminal || isatty(STDIN_FILENO) == 1 else { return }
            await reload()
        }
    }
}
