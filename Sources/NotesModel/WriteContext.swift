package import Causality
package import TextMerge

/// Who writes, when, and the dot that the revision will have if one is made.
package struct WriteContext: Hashable, Sendable {
    package let dot: Dot
    package let author: Author
    package let time: Timestamp

    package init(dot: Dot, author: Author, time: Timestamp) {
        self.dot = dot
        self.author = author
        self.time = time
    }

    func revision(
        of note: NoteID, parents: Version, edits: [Edit], origin: EditOrigin, name: NameEdit, isTombstone: Bool = false,
        resolves: [ConflictID] = []
    ) -> Revision {
        Revision(
            note: note, dot: dot, parents: parents, edits: edits, origin: origin, name: name, isTombstone: isTombstone,
            resolves: resolves, author: author, time: time)
    }
}

/// Limits on what a write may make of a note.
package struct ModelLimits: Hashable, Sendable {
    /// Longest text that a client may send, in bytes, unless its base's is longer still. The text shown may have twice that.
    package var noteBytesMax: Int

    package init(noteBytesMax: Int = 4 << 20) {
        self.noteBytesMax = noteBytesMax
    }
}

/// A command that the model accepted: everything that the journal and the dependents have to know of it.
package struct Accepted: Sendable {
    package let revision: Revision
    /// Whether the revision has every earlier one of its note in its past.
    package let coversAll: Bool
    /// Text and name of the revision's own version.
    package let text: [UInt8]
    package let name: NoteName?
    /// Where it covers all: what is unsettled at its own version.
    package let conflicts: [Conflict]
    /// Where it does not: the text that the note shows now.
    package let shown: MergedText?
    /// What the note showed; nil where the command made it.
    package let before: Head?
    package let after: Head
    package let outcome: Outcome
}

/// How far down a note's history is needed.
package enum LoadDepth: Hashable, Sendable {
    /// What the note shows now.
    case newest
    /// Down to these dots, where they are the note's.
    case dots(Version)
    /// Its whole history.
    case start
}
