import Causality
import NoteText
package import NotesModel

/// The note that a file showed when it was last imported or exported, and its version.
package struct FileRecord: Hashable, Sendable {
    package let note: NoteID
    /// The version whose text or content the file had; the base for a save of the file.
    let version: Version
    /// The file's bytes.
    let content: FileContent

    init(note: NoteID, version: Version, content: FileContent) {
        (self.note, self.version, self.content) = (note, version, content)
    }

    /// - Parameter text: the file's bytes, which are the text of the version.
    init(note: NoteID, version: Version, showing text: [UInt8]) {
        self.init(note: note, version: version, content: FileContent(of: text))
    }

    /// Size of the file in bytes.
    var bytes: Int { content.bytes }

    /// Whether a file with these bytes is as it was when the record was made.
    func shows(_ text: [UInt8]) -> Bool {
        text.count == bytes && FileContent(of: text) == content
    }
}
