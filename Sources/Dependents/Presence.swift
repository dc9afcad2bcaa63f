package import Causality
package import NotesModel

/// Where a dependent says that its user is. It was checked by whoever knows the note: the version is known there, and the selection
/// lies in its text.
package struct Presence: Hashable, Sendable {
    package let note: NoteID
    /// What is shown of the note there; nothing where that was not said.
    package let version: Version
    /// Nil where the note is open, and no more is known.
    package let selection: Selection?

    package init(note: NoteID, version: Version, selection: Selection?) {
        self.note = note
        self.version = version
        self.selection = selection
    }

    /// In the text at the version. A cursor starts where it ends.
    package struct Selection: Hashable, Sendable {
        package let start: TextPosition
        package let end: TextPosition

        package init(start: TextPosition, end: TextPosition) {
            self.start = start
            self.end = end
        }
    }
}

/// `presence.changed`: where a dependent is in a note, or that it is there no more.
package struct PresenceLine: Hashable, Sendable {
    /// Lines of one stamp say the same, so that they are encoded once. Rises with each change of anybody's.
    package let stamp: UInt64
    package let note: NoteID
    /// Who is there, as it was registered when it said so.
    package let dependent: DependentID
    package let label: ByteString?
    package let userID: UInt32
    package let userName: ByteString
    /// Nil where it is there no more.
    package let presence: Presence?
}
