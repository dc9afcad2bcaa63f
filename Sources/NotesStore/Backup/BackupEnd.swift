/// Why a backup that has begun is to end.
package enum BackupEnd: Hashable, Sendable {
    /// Nobody waits for it.
    case cancelled
    /// Writes need the room that it takes.
    case roomNeeded
}
