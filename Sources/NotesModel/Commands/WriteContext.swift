package import Causality
package import NoteText
package import TextMerge

/// The author and time of a write, and the dot for its revision.
package struct WriteContext: Hashable, Sendable {
    /// The dot that the revision gets if the command makes one.
    package let dot: Dot
    /// The user and label of the connection.
    package let author: Author
    /// The wall-clock time of the write.
    package let time: Timestamp
    /// Whether a text may restore a deleted note.
    package let mayRestore: Bool

    package init(dot: Dot, author: Author, time: Timestamp, mayRestore: Bool = true) {
        self.dot = dot
        self.author = author
        self.time = time
        self.mayRestore = mayRestore
    }

    /// The context of a second revision by the same writer.
    var next: WriteContext {
        WriteContext(dot: Dot(dot.replica, dot.counter + 1), author: author, time: time, mayRestore: mayRestore)
    }

    /// Builds the revision of this write.
    ///
    /// - Parameter times: the times that the write states, of a file.
    func revision(
        of note: NoteID, parents: Version, edits: [Edit], origin: EditOrigin, name: NameEdit, isTombstone: Bool = false,
        resolves: [ConflictID] = [], withdraws: [Dot] = [], mark: Mark? = nil, times: FileTimes? = nil
    ) -> Revision {
        Revision(
            note: note, dot: dot, parents: parents, edits: edits, origin: origin, name: name, isTombstone: isTombstone,
            resolves: resolves, withdraws: withdraws, mark: mark, author: author, time: time, reserved: times?.taggedFields ?? [])
    }
}

/// The limits on the size of a note.
package struct ModelLimits: Hashable, Sendable {
    /// Maximum size of the text that a client sends, in bytes. A longer text is accepted only if it
    /// does not exceed that at the base. The merged text may have twice as many bytes.
    package var noteBytesMax: Int

    /// Creates limits; 4 MiB by default.
    package init(noteBytesMax: Int = 4 << 20) {
        self.noteBytesMax = noteBytesMax
    }
}

/// An accepted command with everything that the journal and the dependents need.
package struct Accepted: Sendable {
    /// The new revision.
    package let revision: Revision
    /// Whether the revision has every earlier revision of its note in its past.
    package let coversAll: Bool
    /// The text at the revision's own version, which is what its writer wrote. Empty for a
    /// tombstone.
    package let text: [UInt8]
    /// The name at the revision's own version.
    package let name: NoteName?
    /// The open conflicts at the revision's own version, if `coversAll`; otherwise empty.
    package let conflicts: [KeptConflict]
    /// See `Commit.lastLine`.
    package let lastLine: LastLineFeed
    /// Whether the note is deleted at the revision's own version.
    package let isDeleted: Bool
    /// See `Commit.isPurge`.
    package var isPurge = false
    /// See `Commit.textEdits`.
    package let textEdits: [Edit]
    /// The note's merged text after the revision; nil if `coversAll`.
    package let shown: MergedText?
    /// The note's previous state; nil when the command created the note.
    package let before: Head?
    /// The note's state after the revision.
    package let after: Head
    /// The result to return to the client.
    package let outcome: Outcome
}

/// The part of a note's history that a caller requires.
package enum LoadDepth: Hashable, Sendable {
    /// Any part that yields the note's current state.
    case newest
    /// Down to these dots, as far as they belong to the note.
    case dots(Version)
    /// Down to these dots and below the revisions `under`, as far as they belong to the note, to a
    /// version without unresolved conflicts: far enough to withdraw `under`.
    case below(under: [Dot], Version)
    /// The complete history.
    case start

    /// Whether the part is loaded for a withdrawal.
    package var isBelow: Bool { if case .below = self { true } else { false } }

    /// The dots that the loaded part must reach.
    package var dots: [Dot] {
        switch self {
        case .newest, .start: []
        case .dots(let version): version.dots
        case .below(let under, let version): version.dots + under
        }
    }
}
