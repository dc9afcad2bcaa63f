package import NoteText
package import NotesModel

/// The answer of the index to a query about links.
package enum LinkFindings: Sendable {
    /// For each target the notes that it can mean, the meaning first, and the number of other notes. The
    /// last targets are left out if those before them have very many possible meanings.
    case resolved([Resolved])
    /// Links that mean the note; `next` is nil at the end.
    case incoming([Incoming], next: LinkPosition?)
    /// Targets that mean nothing; `next` is nil at the end.
    case missing([MissingTarget], next: MissingLinkPosition?)

    /// The notes that a target can mean.
    package struct Resolved: Sendable {
        /// At most `LinkReader.candidatesMax` notes, each with its newest commit when it was indexed.
        package let notes: [(id: NoteID, commit: UInt64)]
        /// The number of notes that are not listed.
        package let more: Int
    }

    /// A link that means the note.
    package struct Incoming: Sendable {
        /// The linking note.
        package let note: NoteID
        /// The linking note's newest commit when it was indexed.
        package let commit: UInt64
        package let kind: Link.Kind
        package let target: ByteString
        package let fragment: ByteString?
        /// The range of the target as written in the text of that commit.
        package let start: TextPosition
        package let end: TextPosition
        /// The line of the link, or the part of it around the link.
        package let snippet: [UInt8]
    }
}
