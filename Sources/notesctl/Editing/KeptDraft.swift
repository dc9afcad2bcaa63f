import Glibc
import NotesModel

/// A marker file next to a draft that names the note being edited. It stays locked while the edit
/// runs, so the next edit of that note can find drafts whose notesctl was killed, or whose editor
/// returned before its window was closed.
final class KeptDraft {
    /// The locked descriptor; negative if the marker could not be created.
    private let lock: Int32
    private let path: String

    private static let name = ".notesctl-edit"

    /// The subject of an edit: a note, or a note to be created under a name.
    enum Subject: CustomStringConvertible {
        case note(NoteID)
        case name(String)

        /// The subject on one line, as written in the marker.
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

    /// Removes the marker when the edit is complete.
    func end() {
        unlink(path)
    }

    /// Drafts of these subjects that no running edit holds and whose content differs from the
    /// note's text. An abandoned draft with the same text is removed once it is a day old.
    ///
    /// - Parameter folder: the directory that holds the drafts' directories.
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
                // The editor returned immediately; its window has had a day to save.
                if isOld(word) { PrivateDirectory(path: SystemFacts.folder(of: path)).removeWhole() }
                continue
            }
            left.append(String(file))
        }
        return left
    }

    private static func isOld(_ file: borrowing Descriptor) -> Bool {
        var state = stat()
        return fstat(file.number, &state) == 0 && Int64(time(nil)).minus(clamping: Int64(state.st_mtim.tv_sec)) > 24 * 3_600
    }

    private static func escaped(_ path: String) -> String {
        String(path.flatMap { "\\*?[".contains($0) ? ["\\", $0] : [$0] })
    }

    /// Opens a regular file that this user owns; nil for anything else. In a shared directory
    /// others may place what they like, such as a pipe without a writer.
    private static func own(_ path: String) -> Descriptor? {
        guard let file = try? Descriptor.open(Array(path.utf8), O_RDWR | O_NOFOLLOW | O_NONBLOCK) else { return nil }
        var state = stat()
        guard fstat(file.number, &state) == 0, state.st_mode & S_IFMT == S_IFREG, state.st_uid == geteuid() else { return nil }
        return file
    }
}
