package import Causality

/// A revision of another replica that the store keeps but does not accept into its note.
///
/// Quarantine never discards user data: the revisions in it can be read, and a later program may
/// accept them.
package struct Quarantined: Hashable, Sendable {
    /// The complete revision.
    package let revision: LinkedRevision
    /// The reason for the quarantine.
    package let reason: QuarantineReason

    package init(revision: LinkedRevision, reason: QuarantineReason) {
        self.revision = revision
        self.reason = reason
    }
}

/// The reason why a revision was not accepted. The raw values are stored.
package enum QuarantineReason: UInt8, Hashable, Sendable, CaseIterable {
    /// Its dot denotes other content in this store: a store was copied while the daemon ran, or a
    /// peer forges revisions.
    case dotIsTaken = 1
    /// Only this run of the daemon may mint its dot, and this run did not make the revision.
    case dotIsOurs = 2
    /// A parent is a revision of another note.
    case parentOfAnotherNote = 3
    /// One parent is in the past of another.
    case parentsCoverEachOther = 4
    /// An edit lies outside the text at the parents.
    case editOutsideText = 5
    /// An edit starts or ends inside a character, or its replacement is not UTF-8.
    case editSplitsCharacter = 6
    /// The resulting text exceeds the size limit for a note in this store.
    case tooLong = 7
    /// The revision exceeds a limit of `AdoptionRules`.
    case tooMany = 8
    /// A deletion has edits or sets a name.
    case tombstoneWrites = 9
    /// The revision is its own parent.
    case parentOfItself = 10
    /// The text of a parent was compacted in this store.
    case parentIsCompacted = 11
    /// The text of a revision that it withdraws was compacted in this store.
    case withdrawsCompacted = 12
    /// It withdraws a revision that is not in its past, or a first revision of the note.
    case withdrawsUnrelated = 13
    /// It withdraws revisions but also edits, deletes or resolves something.
    case withdrawalWrites = 14
    /// This store has other content under the dot of a parent than the writer saw: that dot was minted
    /// twice, or a peer forges revisions.
    case parentDiffers = 15
    /// Its mark contradicts its other fields.
    case markWrites = 16
    /// It has a mark, which this version of the daemon does not apply.
    case marked = 17
}

extension QuarantineReason {
    /// Whether the revision fits once texts come back that compaction removed (`NoteReopening`).
    var isOfCompaction: Bool { self == .parentIsCompacted || self == .withdrawsCompacted }
}

extension QuarantineReason: CustomStringConvertible {
    /// The reason as a clause about the revision ("its dot …"), for logs and audit findings.
    package var description: String {
        switch self {
        case .dotIsTaken: "this store has other content under its dot"
        case .dotIsOurs: "its dot belongs to this run of the daemon, which did not make it"
        case .parentOfAnotherNote: "one of its parents belongs to another note"
        case .parentsCoverEachOther: "one of its parents is in the past of another"
        case .editOutsideText: "an edit lies outside the text at its parents"
        case .editSplitsCharacter: "an edit splits a character or inserts bytes that are not UTF-8"
        case .tooLong: "its text exceeds the size limit for a note in this store"
        case .tooMany:
            "it exceeds a limit on parents, edits, resolved conflicts, withdrawn or covered revisions, author or reserved bytes"
        case .tombstoneWrites: "it deletes the note but also edits or names it"
        case .parentOfItself: "it is its own parent"
        case .parentIsCompacted: "it is based on a version whose text was compacted in this store"
        case .withdrawsCompacted: "it withdraws a revision whose text was compacted in this store"
        case .withdrawsUnrelated: "it withdraws a revision that is not in its past, or a first revision of the note"
        case .withdrawalWrites: "it withdraws revisions but also edits, deletes or resolves something"
        case .markWrites: "it purges, marks a floor or repeats writes, but its other fields contradict that"
        case .marked: "it purges, marks a floor or repeats writes, which this version of notesd cannot apply"
        case .parentDiffers: "this store has other content than its writer saw under the dot of a parent"
        }
    }
}

/// A quarantined revision with its number in the order of arrival.
package struct StoredQuarantined: Hashable, Sendable {
    /// The number; it rises from 1. A page starts after a number.
    package let number: UInt64
    /// The revision and the reason.
    package let quarantined: Quarantined

    package init(number: UInt64, quarantined: Quarantined) {
        self.number = number
        self.quarantined = quarantined
    }

    /// The revision's dot.
    package var dot: Dot { quarantined.revision.dot }
}

/// A waiting revision with its number in the order of arrival.
package struct StoredWaiting: Hashable, Sendable {
    /// The number; it rises from 1. A page starts after a number.
    package let number: UInt64
    /// The complete revision.
    package let revision: LinkedRevision

    package init(number: UInt64, revision: LinkedRevision) {
        self.number = number
        self.revision = revision
    }
}
