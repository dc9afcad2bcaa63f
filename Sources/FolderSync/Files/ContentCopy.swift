import NoteText

/// The path of a further content of a file that has several, because people gave it new bytes at once: `STEM~DIGITS.png` in
/// the same folder, with the first digits of the hash.
enum ContentCopy {
    private static let digits = 8

    static func path(of path: [UInt8], _ content: FileContent) -> [UInt8] {
        let (stem, ending) = parts(of: path)
        return stem + mark(of: content) + ending
    }

    /// Whether a path is one that a content gets.
    static func isPath(_ path: [UInt8], of content: FileContent) -> Bool {
        parts(of: path).stem.ends(with: mark(of: content))
    }

    /// The path of the file of which a path would be that of a further content; nil for any other path.
    static func origin(of path: [UInt8], _ content: FileContent) -> [UInt8]? {
        guard isPath(path, of: content) else { return nil }
        let (stem, ending) = parts(of: path)
        return stem.dropLast(digits + 1) + ending
    }

    private static func mark(of content: FileContent) -> [UInt8] { Array("~\(content.hash.description.prefix(digits))".utf8) }

    private static func parts(of path: [UInt8]) -> (stem: [UInt8], ending: [UInt8]) {
        let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        let count = Attachments.ending(ofFile: path[start...]).count
        let end = path.count - (count == 0 ? 0 : count + 1)
        return (Array(path[..<end]), Array(path[end...]))
    }
}
