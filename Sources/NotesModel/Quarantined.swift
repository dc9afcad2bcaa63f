package import Causality

/// A revision of another replica that this store keeps whole and does not take for one of its note's.
///
/// Nothing that somebody wrote is thrown away for being odd: what is here can be read, and taken in by a later program.
package struct Quarantined: Hashable, Sendable {
    package let revision: Revision
    package let reason: QuarantineReason

    package init(revision: Revision, reason: QuarantineReason) {
        self.revision = revision
        self.reason = reason
    }
}

/// Why a revision was not taken in.
package enum QuarantineReason: UInt8, Hashable, Sendable, CaseIterable {
    /// Its dot names another content here: a store was copied while it ran, or somebody makes revisions up.
    case dotIsTaken = 1
    /// Its dot is one that only this run may mint, and it did not.
    case dotIsOurs = 2
    /// A parent is a revision of another note.
    case parentOfAnotherNote = 3
    /// One parent is in another's past.
    case parentsCoverEachOther = 4
    /// An edit lies outside the text that its parents show.
    case editOutsideText = 5
    /// An edit begins or ends inside a character, or what it puts in is not UTF-8.
    case editSplitsCharacter = 6
    /// It makes a text that is longer than a note may be here.
    case tooLong = 7
    /// It has more parents, edits, settled conflicts or bytes about its author than a revision may.
    case tooMany = 8
    /// A deletion with edits or a name.
    case tombstoneWrites = 9
    /// It is its own parent.
    case parentOfItself = 10
    /// It was written on a version whose text was thinned out here.
    case parentIsCompacted = 11
}

extension QuarantineReason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .dotIsTaken: "its dot names another content here"
        case .dotIsOurs: "its dot is one of this run, which did not make it"
        case .parentOfAnotherNote: "a parent is another note's"
        case .parentsCoverEachOther: "one of its parents is in another's past"
        case .editOutsideText: "an edit lies outside the text that its parents show"
        case .editSplitsCharacter: "an edit divides a character, or puts in what is not UTF-8"
        case .tooLong: "its text is longer than a note may be here"
        case .tooMany: "it has more parents, edits, settled conflicts or bytes about its author than a revision may"
        case .tombstoneWrites: "it deletes the note and writes it at once"
        case .parentOfItself: "it is its own parent"
        case .parentIsCompacted: "it was written on a version whose text was thinned out here"
        }
    }
}

/// A quarantined revision with its place in the order of arrival.
package struct StoredQuarantined: Hashable, Sendable {
    /// Rises from 1; a page goes on after one.
    package let number: UInt64
    package let quarantined: Quarantined

    package init(number: UInt64, quarantined: Quarantined) {
        self.number = number
        self.quarantined = quarantined
    }

    package var dot: Dot { quarantined.revision.dot }
}

/// A waiting revision with its place in the order of arrival.
package struct StoredWaiting: Hashable, Sendable {
    /// Rises from 1; a page goes on after one.
    package let number: UInt64
    package let revision: Revision

    package init(number: UInt64, revision: Revision) {
        self.number = number
        self.revision = revision
    }
}
