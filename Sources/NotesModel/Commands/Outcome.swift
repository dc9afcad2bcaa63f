package import Causality
package import NoteText

/// The result of an accepted command.
package struct Outcome: Hashable, Sendable {
    /// The relation between what the client sent and the note's merged text. The raw values are
    /// part of the protocol.
    package enum Kind: String, Hashable, Sendable {
        /// The merged text is the text that the client sent.
        case saved
        /// The merged text also contains concurrent writes of others.
        case merged
        /// The merged text also contains concurrent writes, and some of them touch this write.
        case conflicted
        /// Text and name equal those at the base; the model made no revision.
        case unchanged
    }

    /// The kind of result.
    package let kind: Kind
    /// The dot of the new revision; nil when the note is unchanged.
    package let dot: Dot?
    /// The version to use as the next base by a client that keeps displaying the text it sent. It
    /// does not include the concurrent writes of others.
    package let version: Version
    /// The merged state; nil when its version is `version`, so that a client always learns the
    /// version that the daemon shows.
    package let shown: Merged?

    package init(kind: Kind, dot: Dot?, version: Version, shown: Merged?) {
        self.kind = kind
        self.dot = dot
        self.version = version
        self.shown = shown
    }

    /// The note's merged state, which includes writes of others. Its text may be the text sent.
    package struct Merged: Hashable, Sendable {
        /// The base to use by a client that displays `text`.
        package let version: Version
        /// The text that the client sent.
        package let sent: [UInt8]
        /// The merged text.
        package let text: [UInt8]
        /// The conflicts that are open in `text`.
        package let conflicts: [OpenConflict]
        /// Whether the note is deleted; `text` is then empty.
        package let isDeleted: Bool

        /// - Parameters:
        ///   - head: the note as the daemon shows it.
        ///   - sent: the text that the client sent.
        ///   - text: the merged text.
        package init(_ head: Head, sent: [UInt8], text: [UInt8]) {
            version = head.version
            self.sent = sent
            self.text = text
            conflicts = head.conflicts
            isDeleted = head.isDeleted
        }
    }
}

/// The reason why the model rejected a command. A rejected command changes nothing.
package enum Rejection: Error, Hashable {
    /// There is no note with that id.
    case noteNotFound
    /// The id for a new note is already in use.
    case noteExists(NoteID)
    /// The command names an existing note but has no base. `version` is the note's current version.
    case baseRequired(version: Version)
    /// The base contains dots that this store does not know as revisions of the note. `known` and
    /// `unknown` are the two parts of the base.
    case unknownBase(known: Version, unknown: Version)
    /// Compaction removed the text of the version. `oldest` is the compaction floor, the oldest
    /// version that can still serve as a base, if it is known.
    case revisionGone(Version, oldest: Dot?)
    /// A note cannot be purged. `version` is the note's current version.
    case cannotPurge(InvalidPurge, version: Version)
    /// A revision cannot be withdrawn.
    case cannotWithdraw(Dot, InvalidWithdrawal)
    /// An operation name, by its index in the request, is not that of the user's write to the note.
    case unknownOperation(index: Int)
    /// The note, or the version that is the base, is deleted, and the writer may not restore it.
    case mayNotRestore
    /// An edit does not fit the text at the base.
    case invalidEdit(InvalidEdit)
    /// The name breaks a rule for names.
    case invalidName(InvalidName)
    /// Another note that is not deleted has the name.
    case nameTaken(by: NoteID)
    /// A text for a file, or a file for a text.
    case wrongKind
    /// The text that was sent, or the merged text, exceeds its limit; both numbers are in bytes.
    case noteTooLarge(bytes: Int, limit: Int)
}

/// The reason why a revision cannot be withdrawn.
package enum InvalidWithdrawal: Hashable, Sendable {
    /// It is not in the past of the base.
    case notInBase
    /// It is a first revision of the note. Deleting the note hides what it wrote.
    case hasNoParents
}

/// The reason why a note cannot be purged.
package enum InvalidPurge: Hashable, Sendable {
    /// The base is not the current version: the client has not seen what the note shows.
    case baseIsNotShown
    /// A conflict is open, whose sides would be erased.
    case isConflicted
}
