import Glibc

/// A lock shared by one user's processes. It is released at the end of its lifetime or of the
/// process.
package struct FileLock: ~Copyable, Sendable {
    private let file: Descriptor

    /// Waits for the lock. Returns nil if the user has no directory for it; then nothing waits, and
    /// the daemon merges concurrent writes.
    ///
    /// - Parameter what: names the operation that the lock serialises.
    package static func taken(by what: String) -> FileLock? {
        // The state directory comes first: all of a user's sessions share it, including ssh and
        // cron.
        let state = StateFolder.made()
        for folder in [state, Environment["XDG_RUNTIME_DIR"]].compactMap({ $0 }) {
            let path = Array("\(folder)/notesctl-\(what).lock".utf8)
            guard let file = try? Descriptor.open(path, O_RDWR | O_CREAT | O_NOFOLLOW) else { continue }
            while flock(file.number, LOCK_EX) != 0 {
                if errno != EINTR { return nil }
            }
            return FileLock(file: file)
        }
        return nil
    }
}
