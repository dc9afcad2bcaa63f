package import Causality

/// What became of an accepted command.
package struct Outcome: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        /// The note shows what was sent.
        case saved
        /// Others' concurrent writes are in it too.
        case merged
        /// And some of them touch this one.
        case conflicted
        /// Text and name are as at the base; no revision was made.
        case unchanged
    }

    package let kind: Kind
    /// The revision that was made; nil where the note is unchanged.
    package let dot: Dot?
    /// What the client goes on from: its own text, whatever the daemon knows besides.
    package let version: Version
    /// Where the note shows something other than what was sent, or the write is in conflict.
    package let shown: Merged?

    package init(kind: Kind, dot: Dot?, version: Version, shown: Merged?) {
        self.kind = kind
        self.dot = dot
        self.version = version
        self.shown = shown
    }

    /// What the note shows, for a client that sent another text.
    package struct Merged: Hashable, Sendable {
        /// The base to use once the client shows this text.
        package let version: Version
        /// The text that the client sent.
        package let sent: [UInt8]
        package let text: [UInt8]
        /// What is open in it.
        package let conflicts: [OpenConflict]

        package init(version: Version, sent: [UInt8], text: [UInt8], conflicts: [OpenConflict]) {
            self.version = version
            self.sent = sent
            self.text = text
            self.conflicts = conflicts
        }
    }
}

/// The model's typed refusal. A command that is refused changes nothing at all.
package enum Rejection: Error, Hashable {
    case noteNotFound
    case noteExists(NoteID)
    /// An existing note is written on a base; `version` is what it shows now.
    case baseRequired(version: Version)
    /// Dots that are not this note's, or not known. `known` is the part of the base that is.
    case unknownBase(known: Version, unknown: Version)
    /// A version whose text a thinning policy removed; `oldest` is the oldest that every later text still builds on, where it is known.
    case revisionGone(Version, oldest: Dot?)
    case invalidEdit(InvalidEdit)
    case invalidName(InvalidName)
    case nameTaken(by: NoteID)
    case noteTooLarge(bytes: Int, limit: Int)
}

/// Which of the stated edits cannot be made, and why.
package struct InvalidEdit: Error, Hashable {
    package enum Fault: Hashable, Sendable {
        case startAfterEnd
        case negative
        case overlapsPrevious
        case pastEnd(length: Int)
        case insideCharacter(offset: Int)
    }

    package let index: Int
    package let fault: Fault

    package init(index: Int, fault: Fault) {
        self.index = index
        self.fault = fault
    }
}
