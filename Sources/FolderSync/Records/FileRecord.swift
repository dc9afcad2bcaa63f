import Causality
package import NotesModel

/// What a file showed when it was last imported or exported: a note, and which version of its text.
package struct FileRecord: Hashable, Sendable {
    package let note: NoteID
    /// The version whose text the file had; the base for a save of the file.
    let version: Version
    /// Size of the file in bytes.
    let bytes: Int
    /// SHA-256 of the file's bytes.
    let digest: [UInt8]

    init(note: NoteID, version: Version, bytes: Int, digest: [UInt8]) {
        (self.note, self.version, self.bytes, self.digest) = (note, version, bytes, digest)
    }

    /// - Parameter text: the file's bytes, which are the text of the version.
    init(note: NoteID, version: Version, showing text: [UInt8]) {
        self.init(note: note, version: version, bytes: text.count, digest: SHA256.hash(of: text))
    }

    /// Whether a file with these bytes is as it was when the record was made.
    func shows(_ text: [UInt8]) -> Bool {
        text.count == bytes && SHA256.hash(of: text) == digest
    }
}
