import NotesModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A word beside the file of an edit that says of which note it is, locked for as long as somebody is at it: so the next edit of the note
/// finds what one left that was killed, or whose editor was not waited for.
final class KeptDraft {
    /// Less than 0 where there is none.
    private let lock: Int32
    private let path: String

    private static let name = ".notesctl-edit"

    /// What is edited: a note, or one that is still to be made under a name.
    enum Subject: CustomStringConvertible {
        case note(NoteID)
        case name(String)

        /// On one line.
        var description: String {
            switch self {
            case .note(let id): id.description
            case .name(let name): "name " + SafeText.line(name)
            }
        }
    }

    init(_ draft: Draft, of subject: Subject) {
        path = "\(draft.folder)/\(Self.name)"
        lock = path.withCString { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        guard lock >= 0 else { return }
        flock(lock, LOCK_EX | LOCK_NB)
        _ = Output.writeAll(Array("\(subject)\n\(draft.name)\n".utf8), to: lock)
    }

    deinit {
        if lock >= 0 { close(lock) }
    }

    func end() {
        unlink(path)
    }

    /// The files that edits of a note left behind which nobody is at any more, and that say something else than a text.
    ///
    /// - Parameter folder: where such files are made.
    static func left(of subjects: [Subject], besides text: [UInt8], in folder: String) -> [String] {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob("\(escaped(folder))/*-*/\(name)", 0, nil, &found) == 0 else { return [] }
        var left: [String] = []
        for index in 0..<Int(found.gl_pathc) {
            guard let path = found.gl_pathv[index].map({ String(cString: $0) }), let word = own(path),
                let bytes = try? word.readAll(), flock(word.number, LOCK_EX | LOCK_NB) == 0
            else { continue }
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            guard lines.count == 2, subjects.contains(where: { lines[0] == "\($0)" }), !lines[1].contains("/") else { continue }
            let file = path.dropLast(name.count) + lines[1]
            guard let held = try? own(String(file))?.readAll() else { continue }
            if held == text {
                // An editor that ended at once; whose window it may be open in has had a day.
                if isOld(word) { PrivateDirectory(path: SystemFacts.folder(of: path)).removeWhole() }
                continue
            }
            left.append(String(file))
        }
        return left
    }

    private static func isOld(_ file: borrowing Descriptor) -> Bool {
        var state = stat()
        return fstat(file.number, &state) == 0 && time(nil) - state.st_mtim.tv_sec > 24 * 3_600
    }

    private static func escaped(_ path: String) -> String {
        String(path.flatMap { "\\*?[".contains($0) ? ["\\", $0] : [$0] })
    }

    /// Opens a file of this user's own; nil where it is anything else. Others may put what they like into a folder that all share, such as
    /// a pipe that nobody writes.
    private static func own(_ path: String) -> Descriptor? {
        guard let file = try? Descriptor.open(Array(path.utf8), O_RDWR | O_NOFOLLOW | O_NONBLOCK) else { return nil }
        var state = stat()
        guard fstat(file.number, &state) == 0, state.st_mode & S_IFMT == S_IFREG, state.st_uid == geteuid() else { return nil }
        return file
    }
}
