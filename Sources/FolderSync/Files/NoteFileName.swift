import Console
import NoteText
import NotesModel

/// Maps file paths to note names and back: the path below a directory without `.md`. A path with
/// another ending of a text, and that of a file, is the name itself.
package enum NoteFileName {
    private static let markdown = Array(".md".utf8)

    /// The name of the note in a file: a text's or a file's.
    static func name(ofPath path: [UInt8]) -> [UInt8] { noteName(ofPath: path) ?? path }

    /// Whether a path is that of a text.
    static func isText(_ path: [UInt8]) -> Bool { noteName(ofPath: path) != nil }

    /// The name of the text in a file; nil if the file is not a text.
    package static func noteName(ofPath path: [UInt8]) -> [UInt8]? {
        if isWholeName(path) { return path }
        return path.ends(with: markdown) ? path.dropLast(markdown.count) : nil
    }

    /// The path of a note's file; a note without a name gets its id.
    static func path(of note: Head) -> [UInt8] {
        guard let name = note.name?.bytes.utf8 else {
            return Array(note.id.description.utf8) + (note.file == nil ? markdown : [])
        }
        return note.file != nil || isWholeName(name) ? name : name + markdown
    }

    /// The id that a path such as `<id>.md` names; nil if it names none.
    static func noteID(ofPath path: [UInt8]) -> NoteID? {
        path.ends(with: markdown) ? NoteID(parsing: path.dropLast(markdown.count)) : nil
    }

    /// Whether a file is hidden: its name begins with a dot. The names `..md` and `...md` are those
    /// of notes.
    static func isHidden(_ name: [UInt8]) -> Bool {
        name.first == UInt8(ascii: ".") && !dotted.contains { name.elementsEqual($0.utf8) }
    }

    private static let dotted = ["..md", "...md"]

    /// Whether a note and its file have the same name: it ends in `.txt` or `.markdown` in any letter
    /// case, or in `.md` with a capital letter, or is a `.md` whose rest cannot be a name.
    private static func isWholeName(_ path: [UInt8]) -> Bool {
        let last = path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[($0 + 1)...]) } ?? path
        if ([".md"] + dotted).contains(where: { last.elementsEqual($0.utf8) }) { return true }
        let lower = last.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        if lower.ends(with: Array(".txt".utf8)) || lower.ends(with: Array(".markdown".utf8)) { return true }
        return lower.ends(with: markdown) && !last.ends(with: markdown)
    }
}

extension BidirectionalCollection<UInt8> {
    func ends(with suffix: [UInt8]) -> Bool { count >= suffix.count && self.suffix(suffix.count).elementsEqual(suffix) }
}

extension [UInt8] {
    /// The path for display; bytes that are not UTF-8 appear as `�`.
    package var pathForPeople: String {
        SafeText.line(String(decoding: self, as: UTF8.self))
    }
}
