import Glibc
import Logging
import Synchronization
import Systemd

/// Where the daemon's messages go: to the journal with their fields where standard error leads there, otherwise to standard error as
/// text, coloured on a terminal, and with a `<N>` for the priority elsewhere (`sd-daemon(3)`).
final class DaemonLog: Sendable {
    private enum Destination: Sendable {
        case journal(SystemJournal)
        case terminal(isColoured: Bool)
        case stream
    }

    private let destination: Destination
    private let least: Mutex<Logger.Level>
    /// Messages that the journal did not take, since the last that it took.
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

    var isJournal: Bool {
        if case .journal = destination { true } else { false }
    }

    /// What happens in a service's life, which whoever starts the daemon by hand sees by himself.
    func tellJournal(_ event: String, _ message: String, _ metadata: Logger.Metadata = [:]) {
        guard isJournal else { return }
        logger.info("\(message)", metadata: metadata.merging(["event": "\(event)"]) { $1 })
    }

    /// Less important messages are left out. May be changed at any time.
    var level: Logger.Level {
        get { least.withLock { $0 } }
        set { least.withLock { $0 = newValue } }
    }

    func write(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata) {
        let line = LogLine(level: level, message: message, metadata: metadata)
        switch destination {
        case .journal(let journal):
            let lost = lost.exchange(0, ordering: .relaxed)
            let note = lost == 0 ? [] : [(name: "NOTESD_LOST_MESSAGES", value: String(lost))]
            if !journal.send(line.fields + note) { self.lost.add(lost + 1, ordering: .relaxed) }
        case .terminal(let isColoured):
            Main.say(isColoured ? line.coloured : line.text, to: STDERR_FILENO)
        case .stream:
            Main.say("<\(line.priority)>\(line.text)", to: STDERR_FILENO)
        }
    }
}

extension DaemonLog {
    /// What the parts of the daemon are given to log with.
    var logger: Logger {
        Logger(label: "notesd") { _ in Handler(log: self) }
    }

    /// The level is the log's, so that all parts follow when it is changed.
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
