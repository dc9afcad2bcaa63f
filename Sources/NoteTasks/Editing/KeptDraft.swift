package import Causality
import Console
import Glibc
package import NotesModel

/// A marker file next to a draft that names the note being edited. It stays locked while the edit
/// runs, so the next edit of that note can find drafts whose notesctl was killed, or whose editor
/// returned before its window was closed.
package final class KeptDraft {
    /// The locked descriptor; negative if the marker could not be created.
    private let lock: Int32
    private let path: String
    private let beginning: String
    private let created: NoteID?
    private let writer: String?

    private static let name = ".notesctl-edit"

    /// The subject of an edit: a note, or a note to be created under a name.
    package enum Subject: CustomStringConvertible {
        case note(NoteID)
        case name(String)

        /// The subject on one line, as written in the marker.
        package var description: String {
            switch self {
            case .note(let id): id.description
            case .name(let name): "name " + SafeText.line(name)
            }
        }
    }

    /// - Parameters:
    ///   - base: the version that the text is based on; nil if nobody shall take the text over.
    ///   - created: the id that a new note will have.
    ///   - writer: the writer of the editor's host, which tells its writes from those of others.
    package init(
        _ draft: Draft, of subject: Subject, base: Version? = nil, creates created: NoteID? = nil, writer: String? = nil
    ) {
        (self.created, self.writer) = (created, writer)
        beginning = "\(subject)\n\(draft.name)\n"
        path = "\(draft.folder)/\(Self.name)"
        lock = path.withCString { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        guard lock >= 0 else { return }
        flock(lock, LOCK_EX | LOCK_NB)
        rebase(on: base)
    }

    /// Records the version that the text is based on. Call it after the text is written: a text on a
    /// version older than its own is merged with what it already contains, which changes nothing.
    package func rebase(on base: Version?) {
        guard lock >= 0 else { return }
        let state = base.map { "\($0)" } ?? created.map { "new \($0)" }
        let ending = state.map { "\($0)\n" + (writer.map { "\($0)\n" } ?? "") } ?? ""
        let bytes = Array((beginning + ending).utf8)
        if pwrite(lock, bytes, bytes.count, 0) == bytes.count { ftruncate(lock, off_t(bytes.count)) }
    }

    deinit {
        if lock >= 0 { close(lock) }
    }

    /// Removes the marker when the edit is complete.
    package func end() {
        unlink(path)
    }

    /// A draft that no running edit holds.
    package struct Left {
        package let path: String
        package let text: [UInt8]
        /// The version that the text is based on; nil if unknown.
        package let base: Version?
        /// The id that a new note will have; nil if the note existed.
        package let created: NoteID?
        /// The writer whose host kept it; nil if no host did.
        package let writer: String?

        /// Removes the draft and its marker.
        package func remove() { PrivateDirectory(path: SystemFacts.folder(of: path)).removeWhole() }
    }

    /// Drafts of these subjects that no running edit holds and whose content differs from the
    /// note's text. An abandoned draft with the same text is removed once it is a day old.
    ///
    /// - Parameter folder: the directory that holds the drafts' directories.
    package static func left(of subjects: [Subject], besides text: [UInt8], in folder: String) -> [Left] {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob("\(escaped(folder))/*-*/\(name)", 0, nil, &found) == 0 else { return [] }
        var left: [Left] = []
        for index in 0..<Int(found.gl_pathc) {
            guard let path = found.gl_pathv[index].map({ String(cString: $0) }), let word = own(path),
                let bytes = try? word.readAll(), flock(word.number, LOCK_EX | LOCK_NB) == 0
            else { continue }
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            guard 2...4 ~= lines.count, subjects.contains(where: { lines[0] == "\($0)" }), !lines[1].contains("/") else {
                continue
            }
            let file = path.dropLast(name.count) + lines[1]
            guard let held = try? own(String(file))?.readAll() else { continue }
            if held == text {
                // The editor of `notesctl edit` returned immediately; its window has had a day to save.
                if isOld(word) || lines.count > 3 { PrivateDirectory(path: SystemFacts.folder(of: path)).removeWhole() }
                continue
            }
            let base = lines.count > 2 ? Version(parsing: lines[2].utf8) : nil
            let created = lines.count > 2 && lines[2].hasPrefix("new ") ? NoteID(parsing: lines[2].utf8.dropFirst(4)) : nil
            let writer = lines.count > 3 ? String(lines[3]) : nil
            left.append(Left(path: String(file), text: held, base: base, created: created, writer: writer))
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
