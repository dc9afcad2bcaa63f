package import Causality
package import NoteText
package import NotesModel

/// The note that a dependent's user has open, and what is selected there. The engine has checked
/// it: the note has that version, and the selection lies in its text.
package struct Presence: Hashable, Sendable {
    /// The note that is open.
    package let note: NoteID
    /// The version that the user sees; `Version.nothing` if the client sent none.
    package let version: Version
    /// The selected range; nil if the client sent none.
    package let selection: Selection?

    package init(note: NoteID, version: Version, selection: Selection?) {
        self.note = note
        self.version = version
        self.selection = selection
    }

    /// A range in the text of the version. A text cursor is a range whose start equals its end.
    package struct Selection: Hashable, Sendable {
        /// The beginning of the range.
        package let start: TextPosition
        /// The end of the range, not before the start.
        package let end: TextPosition

        package init(start: TextPosition, end: TextPosition) {
            self.start = start
            self.end = end
        }
    }
}

/// `presence.changed`: the presence of a dependent in a note, or that it left the note.
package struct PresenceLine: Hashable, Sendable {
    /// The place of the line in the order of all presence. Lines with the same stamp have the same
    /// contents, so each is encoded once.
    package let stamp: UInt64
    /// The note that the line is about.
    package let note: NoteID
    /// The dependent that published its presence.
    package let dependent: DependentID
    /// Its label when it published.
    package let label: ByteString?
    /// Its user id when it published.
    package let userID: UInt32
    /// Its user name when it published.
    package let userName: ByteString
    /// The person for whom that user connected; nil if the client named none.
    package let person: ByteString?
    /// The presence; nil if the dependent left the note.
    package let presence: Presence?
}
