import NotesModel

/// The path of a note that cannot have its own one, because another note has it or its last part would
/// be too long: `STEM~DIGITS.md` in the same folder, with the end of the note's id.
enum NoteAlias {
    /// Most bytes of a part of a path, as Linux defines it.
    private static let partBytesMax = 255
    /// The numbers of digits to try, in this order.
    static let digits = [8, 12]

    /// Whether a file system can have the path.
    static func isNeeded(for path: [UInt8]) -> Bool {
        path.split(separator: UInt8(ascii: "/")).contains { $0.count > partBytesMax }
    }

    /// The alias path. The stem is cut between characters so that the last part fits.
    static func path(of note: Head, digits: Int) -> [UInt8] {
        let (path, markdown) = (NoteFileName.path(of: note), Array(".md".utf8))
        let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        var stem = path[start...]
        if path.ends(with: markdown) { stem = stem.dropLast(markdown.count) }
        let ending = Array("~\(note.id.description.suffix(digits))".utf8) + markdown
        if stem.count + ending.count > partBytesMax {
            stem = stem.prefix(partBytesMax - ending.count + 1)
            // The byte after the cut must begin a character.
            while let last = stem.popLast(), last & 0xC0 == 0x80 {}
        }
        return path[..<start] + stem + ending
    }
}
