package import NoteText

/// A position in the list of links that mean a note: newest linking note first, then by position.
package struct LinkPosition: Hashable, Sendable {
    /// The linking note.
    package let note: NoteID
    /// The number of the link in its note, from 0.
    package let number: Int

    package init(note: NoteID, number: Int) {
        self.note = note
        self.number = number
    }
}

/// A position in the list of targets that mean nothing: by target, kind and linking note.
package struct MissingLinkPosition: Hashable, Sendable {
    package let target: ByteString
    package let kind: Link.Kind
    package let link: LinkPosition

    package init(target: ByteString, kind: Link.Kind, link: LinkPosition) {
        self.target = target
        self.kind = kind
        self.link = link
    }
}

/// A link that means the note that was asked for.
package struct IncomingLink: Hashable, Sendable {
    /// The linking note, at the version in which the link is.
    package let head: Head
    /// The form of the link.
    package let kind: Link.Kind
    /// The range of the target as written.
    package let start: TextPosition
    package let end: TextPosition
    /// `Link.target`.
    package let target: ByteString
    /// `Link.fragment`.
    package let fragment: ByteString?
    /// The line of the link, or the part of it around the link.
    package let snippet: [UInt8]

    package init(
        head: Head, kind: Link.Kind, start: TextPosition, end: TextPosition, target: ByteString, fragment: ByteString?,
        snippet: [UInt8]
    ) {
        self.head = head
        self.kind = kind
        self.start = start
        self.end = end
        self.target = target
        self.fragment = fragment
        self.snippet = snippet
    }
}

/// A target that means nothing.
package struct MissingTarget: Hashable, Sendable {
    /// The largest number of linking notes that are listed.
    package static let notesMax = 3

    /// The form of the links.
    package let kind: Link.Kind
    /// The target; for a relative or path link the name that it would mean in its folder.
    package let target: ByteString
    /// The number of links that the page examined.
    package var links: Int
    /// Some of the linking notes.
    package var notes: [NoteID]

    package init(kind: Link.Kind, target: ByteString, links: Int = 0, notes: [NoteID] = []) {
        self.kind = kind
        self.target = target
        self.links = links
        self.notes = notes
    }
}
