import NoteText
import NotesModel

/// The path of a note that cannot have its own one, because another note has it or its last part would
/// be too long: `STEM~DIGITS.md` in the same folder, with the end of the note's id. The alias
/// of a file keeps its ending.
enum NoteAlias {
    /// Most bytes of a part of a path, as Linux defines it.
    private static let partBytesMax = 255
    /// Most bytes of an ending that an alias keeps.
    private static let endingBytesMax = 100
    /// The numbers of digits to try, in this order.
    static let digits = [8, 12]

    /// Whether a file system can have the path.
    static func isNeeded(for path: [UInt8]) -> Bool {
        path.split(separator: UInt8(ascii: "/")).contains { $0.count > partBytesMax }
    }

    /// The alias path. The stem is cut between characters so that the last part fits.
    static func path(of note: Head, digits: Int) -> [UInt8] {
        let path = NoteFileName.path(of: note)
        let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        var stem = path[start...]
        var mark = Array(".md".utf8)
        if note.file != nil { mark = stem.dropFirst().lastIndex(of: UInt8(ascii: ".")).map { Array(stem[$0...]) } ?? [] }
        if stem.ends(with: mark) { stem = stem.dropLast(mark.count) }
        let ending = Array("~\(note.id.description.suffix(digits))".utf8) + mark.prefix(endingBytesMax)
        if stem.count + ending.count > partBytesMax {
            stem = stem.prefix(partBytesMax - ending.count + 1)
            // The byte after the cut must begin a character.
            while let last = stem.popLast(), last & 0xC0 == 0x80 {}
        }
        return path[..<start] + stem + ending
    }
}
