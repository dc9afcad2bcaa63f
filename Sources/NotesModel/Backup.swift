/// Why there is no backup. The text says what, where, and what to do. Nothing is left of it, and the store is as it was.
package enum BackupFault: Error, Hashable, Sendable {
    /// Nothing can be put there: the path is no path, something is there already, its folder is not.
    case path(String)
    /// There is no room for it.
    case full(String)
    /// The daemon may not write there.
    case denied(String)
    /// Reading the store or writing the copy failed.
    case failed(String)
    /// Nobody waits for it any more.
    case cancelled
}

extension BackupFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .path(let text), .full(let text), .denied(let text), .failed(let text): text
        case .cancelled: "it was given up"
        }
    }
}

/// A copy of the store that is on disk, whole.
package struct Backup: Hashable, Sendable {
    /// Absolute.
    package let path: String
    package let bytes: Int

    package init(path: String, bytes: Int) {
        self.path = path
        self.bytes = bytes
    }
}
