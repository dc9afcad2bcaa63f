#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A user's programs that must not do something at once take turns: who has one keeps it until it is no longer held, or the
/// process ends.
struct Turn: ~Copyable {
    private let file: Descriptor

    /// Waits for it.
    ///
    /// - Parameter what: what is done by turns.
    static func taken(by what: String) throws -> Turn {
        let folder = Environment["XDG_RUNTIME_DIR"] ?? Environment["TMPDIR"] ?? "/tmp"
        let path = "\(folder)/notesctl-\(getuid())-\(what).lock"
        let file: Descriptor
        do {
            file = try Descriptor.open(Array(path.utf8), O_RDWR | O_CREAT | O_NOFOLLOW)
        } catch {
            throw Failure("cannot open \(SafeText.line(path)), by which commands wait for each other: \(error.text)")
        }
        while flock(file.number, LOCK_EX) != 0 {
            guard errno == EINTR else {
                throw Failure("cannot wait for my turn at \(SafeText.line(path)): \(SystemError.text(errno))")
            }
        }
        return Turn(file: file)
    }
}
