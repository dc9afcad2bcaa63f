package import Causality
import Console
package import NoteText
package import NotesClient
import NotesModel
package import NotesWire

/// The text and name of a note at a version.
package struct NoteAtVersion {
    /// The version that was read.
    package let version: Version
    /// The text; empty if the note does not exist at the version.
    package let text: [UInt8]
    /// The name at the version; nil for none.
    package let name: NoteName?
    /// False before the note's first revision, and while it is deleted.
    package let exists: Bool
    /// Text in the header of a diff in place of the version; nil for the version.
    private let label: String?

    package init(version: Version, text: [UInt8], name: NoteName?, exists: Bool, label: String? = nil) {
        self.version = version
        self.text = text
        self.name = name
        self.exists = exists
        self.label = label
    }

    /// Reads a note at a version.
    ///
    /// - Parameter note: the current note, returned without a request if the version is its own.
    /// - Throws: `ExitFailure` or `ClientError`, such as for a compacted revision.
    package static func read(_ version: Version, of note: NoteObject, _ client: any NotesAPI) async throws -> NoteAtVersion {
        if version.isNothing { return NoteAtVersion(version: version, text: [], name: nil, exists: false) }
        var shown = note
        do {
            if version != note.head.version { shown = try await client.note(.id(note.head.id), at: version) }
        } catch {
            throw explained(error, "cannot read \(SafeText.line(NoteLabel.of(note.head))) at \(version)")
        }
        return NoteAtVersion(
            version: version, text: shown.text ?? [], name: shown.head.name, exists: !shown.head.isDeleted)
    }

    /// The label in the header of a diff: the name, a tab, and the version; `/dev/null` if the note
    /// does not exist.
    package var diffName: String {
        exists
            ? "\(name.map { SafeText.line($0.description) } ?? "note")\t\(label.map(SafeText.line) ?? version.description)"
            : "/dev/null"
    }
}
