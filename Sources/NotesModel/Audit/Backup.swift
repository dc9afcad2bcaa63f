/// The reason why a backup failed. The text names the problem, the path and the remedy. A failed
/// backup leaves no file behind and does not change the store.
package enum BackupFault: Error, Hashable, Sendable {
    /// The destination is not valid: the path is malformed, a file exists there already, or its
    /// directory is missing.
    case path(String)
    /// The disk has no room for the backup.
    case full(String)
    /// The daemon has no permission to write there.
    case denied(String)
    /// Reading the store or writing the copy failed.
    case failed(String)
    /// The client that requested the backup no longer waits for it.
    case cancelled
}

extension BackupFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .path(let text), .full(let text), .denied(let text), .failed(let text): text
        case .cancelled: "the backup was cancelled"
        }
    }
}

/// A complete copy of the store that is durable on disk.
package struct Backup: Hashable, Sendable {
    /// The absolute path of the copy.
    package let path: String
    /// Size of the copy, in bytes.
    package let bytes: Int

    /// Number of files whose bytes are beside the copy.
    package let files: Int
    /// Number of files that the copy names and whose bytes the store lacks.
    package let missingFiles: Int

    package init(path: String, bytes: Int, files: Int = 0, missingFiles: Int = 0) {
        self.path = path
        self.bytes = bytes
        self.files = files
        self.missingFiles = missingFiles
    }
}
