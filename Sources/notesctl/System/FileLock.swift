#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A user's programs that must not do something at once take turns: who has one keeps it until it is no longer held, or the
/// process ends.
struct FileLock: ~Copyable {
    private let file: Descriptor

    /// Waits for it. Nil where there is no directory of the user's own for it: then nobody waits, and the daemon merges.
    ///
    /// - Parameter what: what is done by turns.
    static func taken(by what: String) -> FileLock? {
        // The folder that is the same in every session of a user's, over ssh and from cron too, comes first.
        let state = OperationJournal.madeFolder()
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
