package import NoteText
package import TextMerge

/// The result of `LinkRepair`.
package struct LinkRepairs: Sendable {
    /// A note's text with repaired links.
    package struct Text: Hashable, Sendable {
        package let note: NoteID
        package let bytes: [UInt8]
        /// The edits that turn the text that was added into `bytes`, one for each repaired link, in order.
        package let edits: [Edit]
    }

    /// The texts to write, at most one for each note.
    package var texts: [Text] = []
    /// The links that do not mean their note any more.
    package var unrepaired: [UnrepairedLink] = []
    /// The number of links that meant nothing and mean a note now.
    package var filled = 0

    package init() {}
}

/// A link that cannot be repaired.
package struct UnrepairedLink: Hashable, Sendable {
    /// The cause.
    package enum Reason: Hashable, Sendable {
        /// The note has no name.
        case noName
        /// No target that this link can contain means the note.
        case noTarget
        /// No path that this link can contain leads to the file that it meant.
        case noPath
        /// It is not known what the link meant: more notes than the daemon returns can be meant.
        case tooManyNotes
    }

    /// The linking note.
    package let note: NoteID
    /// `Link.target`.
    package let target: ByteString
    /// The note that the link meant; nil if that is not known.
    package let meant: LinkedNote?
    package let reason: Reason
}
