/// Everything that the daemon counts of itself. What is told of it is here, once: its name, what kind it is, its unit, its words.
///
/// Labels have few values, all known beforehand. No name of a note or of a user is one, and no text.
package enum Measure: String, CaseIterable, Sendable {
    case build = "notesd_build"
    case start = "notesd_start_time_seconds"

    // Clients
    case connections = "notesd_connections"
    case connectionsMade = "notesd_connections_made"
    case dependents = "notesd_dependents"
    case watches = "notesd_watches"
    case outboxBytes = "notesd_outbox_bytes"
    case requests = "notesd_requests"
    case requestSeconds = "notesd_request_duration_seconds"
    case errors = "notesd_errors"

    // Writing
    case writes = "notesd_writes"
    case commits = "notesd_commits"
    case batchCommits = "notesd_batch_commits"
    case appendSeconds = "notesd_append_duration_seconds"
    case lastCommit = "notesd_last_commit_timestamp_seconds"

    // What is kept
    case notes = "notesd_notes"
    case conflictedNotes = "notesd_conflicted_notes"
    case revisions = "notesd_revisions"
    case storeBytes = "notesd_store_bytes"
    case logBytes = "notesd_wal_bytes"
    case writable = "notesd_store_writable"
    case backups = "notesd_backups"
    case lastBackup = "notesd_last_backup_timestamp_seconds"

    package enum Kind: Hashable, Sendable {
        case info
        case gauge
        case counter
        /// Upper bounds, rising; above the last one there is one more bucket.
        case histogram([Double])
    }

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

    /// From what a request costs that finds everything in memory to a disk that hangs.
    private static let seconds = [
        0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30,
    ]

    /// The unit that stands at the end of the name; nil where there is none.
    package var unit: String? {
        for unit in ["seconds", "bytes"] where rawValue.hasSuffix("_" + unit) { return unit }
        return nil
    }

    package var help: String {
        switch self {
        case .build: "Of the daemon's program."
        case .start: "When the daemon started, in seconds since 1970."
        case .connections: "Connections that are open, with those that have not said hello."
        case .connectionsMade: "Connections that were accepted."
        case .dependents: "Connections that have said hello, by how far they have been told: synced, lagging, reset."
        case .watches: "Watches of all dependents."
        case .outboxBytes: "What waits to be told to all dependents."
        case .requests:
            "Requests that were answered by what they asked for, by method. Those refused before are counted as errors alone."
        case .requestSeconds: "From when a request was taken off its line to when its answer was written into the line back."
        case .errors: "Requests that were answered with an error, by its kind."
        case .writes: "Writes that were carried out, by outcome: created, saved, merged, conflicted, unchanged."
        case .commits: "Revisions that were committed since the start."
        case .batchCommits: "How many revisions one transaction committed."
        case .appendSeconds: "How long one transaction took, with its sync to disk."
        case .lastCommit: "When the newest revision was committed, in seconds since 1970."
        case .notes: "Notes in the store: living, deleted."
        case .conflictedNotes: "Notes with open conflicts."
        case .revisions: "Revisions in the store."
        case .storeBytes: "Size of the database's file."
        case .logBytes: "Size of the file of the database's write-ahead log."
        case .writable: "1, or 0 where the last commit found no room, or nothing that could be written."
        case .backups: "Backups that ended, by result: done, failed, cancelled."
        case .lastBackup: "When the last backup of this run was done, in seconds since 1970."
        }
    }
}
