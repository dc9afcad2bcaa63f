/// The metrics of the daemon: the single source of each one's name, kind, unit and help text.
///
/// Labels have few values, all known in advance. No label contains a note's name, a user's name or
/// text.
package enum Measure: String, CaseIterable, Sendable {
    /// The version of the program, as a label.
    case build = "notesd_build"
    /// When the daemon started.
    case start = "notesd_start_time_seconds"

    // Clients
    /// Open connections.
    case connections = "notesd_connections"
    /// Accepted connections.
    case connectionsMade = "notesd_connections_made"
    /// Registered connections, by state.
    case dependents = "notesd_dependents"
    /// Open watches.
    case watches = "notesd_watches"
    /// Bytes waiting to be sent.
    case outboxBytes = "notesd_outbox_bytes"
    /// Requests whose method ran, by method.
    case requests = "notesd_requests"
    /// Time to answer a request.
    case requestSeconds = "notesd_request_duration_seconds"
    /// Requests that got an error, by kind.
    case errors = "notesd_errors"

    // Writing
    /// Completed writes, by outcome.
    case writes = "notesd_writes"
    /// Committed revisions.
    case commits = "notesd_commits"
    /// Revisions in one transaction.
    case batchCommits = "notesd_batch_commits"
    /// Duration of one transaction.
    case appendSeconds = "notesd_append_duration_seconds"
    /// When the newest revision was committed.
    case lastCommit = "notesd_last_commit_timestamp_seconds"

    // The store
    /// Notes, by whether they are deleted.
    case notes = "notesd_notes"
    /// Notes with open conflicts.
    case conflictedNotes = "notesd_conflicted_notes"
    /// Revisions in the store.
    case revisions = "notesd_revisions"
    /// Size of the database file.
    case storeBytes = "notesd_store_bytes"
    /// Size of the write-ahead log.
    case logBytes = "notesd_wal_bytes"
    /// Whether the store accepts writes.
    case writable = "notesd_store_writable"
    /// Finished backups, by result.
    case backups = "notesd_backups"
    /// When the last backup succeeded.
    case lastBackup = "notesd_last_backup_timestamp_seconds"

    /// The type of a metric.
    package enum Kind: Hashable, Sendable {
        /// A constant 1 whose labels carry the information.
        case info
        /// A value that can rise and fall.
        case gauge
        /// A total that only rises.
        case counter
        /// A distribution, by ascending inclusive upper bounds. One more bucket counts the values
        /// above the last bound.
        case histogram([Double])
    }

    /// The type of the metric.
    package var kind: Kind {
        switch self {
        case .build: .info
        case .start, .connections, .dependents, .watches, .outboxBytes, .lastCommit, .notes, .conflictedNotes, .revisions,
            .storeBytes,
            .logBytes, .writable, .lastBackup:
            .gauge
        case .connectionsMade, .requests, .errors, .writes, .commits, .backups: .counter
        case .requestSeconds, .appendSeconds: .histogram(Self.seconds)
        case .batchCommits: .histogram([1, 2, 4, 8, 16, 32, 64, 128, 256])
        }
    }

    /// Histogram bounds in seconds, from a request answered from memory to a disk that hangs.
    private static let seconds = [
        0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30,
    ]

    /// The unit at the end of the name; nil when it has none.
    package var unit: String? {
        for unit in ["seconds", "bytes"] where rawValue.hasSuffix("_" + unit) { return unit }
        return nil
    }

    /// The help text in the exposition.
    package var help: String {
        switch self {
        case .build: "Version of the daemon."
        case .start: "Time at which the daemon started, in seconds since 1970."
        case .connections: "Open connections, including those that have not sent session.hello."
        case .connectionsMade: "Connections accepted since the start."
        case .dependents: "Connections that have sent session.hello, by state: synced, lagging, reset."
        case .watches: "Open watches of all connections."
        case .outboxBytes: "Bytes waiting to be sent to all connections."
        case .requests:
            "Requests whose method ran, by method. Requests refused before that count only as errors."
        case .requestSeconds: "Time from reading a request to queueing its response."
        case .errors: "Requests answered with an error, by kind of error."
        case .writes: "Successful writes, by outcome: created, saved, merged, conflicted, unchanged."
        case .commits: "Revisions committed since the start."
        case .batchCommits: "Revisions committed in one transaction."
        case .appendSeconds: "Duration of one transaction, including its sync to disk."
        case .lastCommit: "Time at which the newest revision was committed, in seconds since 1970."
        case .notes: "Notes in the store, by state: living, deleted."
        case .conflictedNotes: "Notes with open conflicts."
        case .revisions: "Revisions in the store."
        case .storeBytes: "Size of the database file."
        case .logBytes: "Size of the database's write-ahead log file."
        case .writable: "1 if the store accepts writes; 0 if the last commit failed because the disk was full or not writable."
        case .backups: "Finished backups, by result: done, failed, cancelled."
        case .lastBackup: "Time at which the last successful backup since the start finished, in seconds since 1970."
        }
    }
}
