import Glibc
import ServiceLifecycle
import UnixSignals

/// Handles signals: ends, and with it the service group, at the first SIGTERM or SIGINT; reloads
/// the configuration at SIGHUP. The signals are trapped before the group runs, which the group's
/// own handling could not do.
struct Signals: Service {
    private let signals: UnixSignalsSequence
    /// Whether the daemon was started at a terminal. If that terminal is gone, SIGHUP stops the
    /// daemon.
    private let hadTerminal = isatty(STDIN_FILENO) == 1
    private let reload: @Sendable () async -> Void

    /// - Parameters:
    ///   - signals: the sequence of SIGTERM, SIGINT and SIGHUP.
    ///   - reload: starts a reload.
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
