/// Why a running backup must stop.
package enum BackupEnd: Hashable, Sendable {
    /// Its result is no longer needed: the client disconnected, or the daemon is stopping.
    case cancelled
    /// Writes need the space that it takes.
    case roomNeeded
}
