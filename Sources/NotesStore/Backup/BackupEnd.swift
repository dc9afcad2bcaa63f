/// Why a running backup must stop.
package enum BackupEnd: Hashable, Sendable {
    /// The client cancelled it or disconnected.
    case cancelled
    /// Writes need the space that it takes.
    case roomNeeded
}
