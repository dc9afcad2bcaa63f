import Console
import NoteText
package import NotesModel

/// The beginning of names that the paths of a folder leave out: nothing, or a name with a `/`.
package struct NamePrefix: Hashable, Sendable {
    /// The bytes, which end with `/` unless they are empty.
    package let bytes: [UInt8]

    /// The prefix of all names.
    package static let none = NamePrefix(bytes: [])

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads the value of an option. A `/` at its end makes no difference.
    ///
    /// - Parameter option: the option, for the error.
    /// - Throws: `ExitFailure` if no name can begin with the value.
    package init(_ value: String, of option: String) throws {
        let name = value.hasSuffix("/") ? String(value.dropLast()) : value
        do throws(InvalidName) {
            bytes = try NoteName(ByteString(name)).bytes.utf8 + [UInt8(ascii: "/")]
        } catch {
            throw ExitFailure("\(option) \(SafeText.quoted(value)): \(error)", .usage)
        }
    }

    /// Selects the notes with the prefix that a folder may show.
    package func filter(_ files: FileChoice) -> Filter {
        Filter(prefix: bytes.isEmpty ? nil : ByteString(checkedUTF8: bytes), kind: files.kind)
    }

    /// A note as a folder shows it: without the prefix in its name.
    ///
    /// - Returns: nil if the name does not begin with the prefix.
    func shortened(_ note: Head) -> Head? {
        if bytes.isEmpty { return note }
        guard let name = note.name?.bytes.utf8, name.starts(with: bytes),
            let rest = ByteString(checkedUTF8: Array(name.dropFirst(bytes.count))), let short = try? NoteName(rest)
        else { return nil }
        var note = note
        note.name = short
        return note
    }

    /// The path of a note's file; nil if the note has none in a folder with this prefix.
    func path(of note: Head) -> [UInt8]? { shortened(note).map { NoteFileName.path(of: $0) } }

    /// The name of the note in a file; nil if no name can be so.
    func name(ofPath path: [UInt8]) -> ByteString? { ByteString(checkedUTF8: bytes + NoteFileName.name(ofPath: path)) }

    /// The name of the text in a file; nil if the file is no text.
    func textName(ofPath path: [UInt8]) -> ByteString? {
        NoteFileName.noteName(ofPath: path).flatMap { ByteString(checkedUTF8: bytes + $0) }
    }
}
