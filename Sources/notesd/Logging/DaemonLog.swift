import Glibc
import Logging
import Synchronization
import Systemd

/// The daemon's log. If standard error is connected to the journal, messages go to the journal with
/// their fields. Otherwise they go to standard error as text: in colour on a terminal, elsewhere
/// with a prefix `<N>` for the priority (`sd-daemon(3)`).
final class DaemonLog: Sendable {
    private enum Destination: Sendable {
        case journal(SystemJournal)
        case terminal(isColoured: Bool)
        case stream
    }

    private let destination: Destination
    private let least: Mutex<Logger.Level>
    /// Number of messages that the journal has not accepted since the last one that it accepted.
    private let lost = Atomic(0)

    init(environment: Environment, level: Logger.Level) {
        least = Mutex(level)
        if SystemJournal.isStream(STDERR_FILENO, variable: { environment[$0] }), let journal = SystemJournal() {
            destination = .journal(journal)
        } else if isatty(STDERR_FILENO) == 1 {
            destination = .terminal(isColoured: environment["NO_COLOR"] == nil && environment["TERM"] != "dumb")
        } else {
            destination = .stream
        }
    }

    /// Whether messages go to the journal.
    var isJournal: Bool {
        if case .journal = destination { true } else { false }
    }

    /// Logs a stage of the service's life, but only to the journal: a user who starts the daemon by
    /// hand sees these stages anyway.
    func logEvent(_ event: String, _ message: String, _ metadata: Logger.Metadata = [:]) {
        guard isJournal else { return }
        logger.info("\(message)", metadata: metadata.merging(["event": "\(event)"]) { $1 })
    }

    /// The lowest level that is logged. Any thread may change it at any time.
    var level: Logger.Level {
        get { least.withLock { $0 } }
        set { least.withLock { $0 = newValue } }
    }

    /// Sends a message to the destination. Never blocks on the journal: a message that it does not
    /// accept is counted, and the next one carries the count as `NOTESD_LOST_MESSAGES`.
    func write(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata) {
        let line = LogLine(level: level, message: message, metadata: metadata)
        switch destination {
        case .journal(let journal):
            let lost = lost.exchange(0, ordering: .relaxed)
            let note = lost == 0 ? [] : [(name: "NOTESD_LOST_MESSAGES", value: String(lost))]
            if !journal.send(line.fields + note) { self.lost.add(lost + 1, ordering: .relaxed) }
        case .terminal(let isColoured):
            Output.say(isColoured ? line.coloured : line.text, to: STDERR_FILENO)
        case .stream:
            Output.say("<\(line.priority)>\(line.text)", to: STDERR_FILENO)
        }
    }
}

extension DaemonLog {
    /// A logger that writes to this log, for the parts of the daemon.
    var logger: Logger {
        Logger(label: "notesd") { _ in Handler(log: self) }
    }

    /// Handler whose level is that of the log, so that a change applies to all parts.
    private struct Handler: LogHandler {
        let log: DaemonLog
        var metadata: Logger.Metadata = [:]

        var logLevel: Logger.Level {
            get { log.level }
            set { log.level = newValue }
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let own = event.metadata.map { metadata.merging($0) { $1 } } ?? metadata
            log.write(event.level, event.message.description, own)
        }
    }
}
