package import Causality
import TextMerge

/// What a revision states about other revisions of its note as a whole
/// (`docs/decisions/revisions.md#0058`).
///
/// The form of a revision contains marks so that stores can exchange them later without a new form.
/// `note.purge` makes the only kind that this version applies, in its own store. A store puts a revision
/// with a mark that another store made into quarantine.
package struct Mark: Hashable, Sendable {
    /// The kinds of marks, with the numbers that the form gives them.
    package enum Kind: Hashable, Sendable {
        /// 1: the texts of the revision's past are erased; the note begins with this revision.
        case purge
        /// 2: the note begins at an older revision, whose dot and hash the mark names.
        case floor(Dot, RevisionHash)
        /// 3: the revision repeats writes that had not seen a mark.
        case carrier
    }

    /// The kind.
    package let kind: Kind
    /// The revisions that the mark erases or repeats, as far as they are not in its past; sorted.
    package let covers: [Dot]

    package init(_ kind: Kind, covers: [Dot]) {
        self.kind = kind
        self.covers = covers
    }

    /// Whether the other fields of the revision fit the mark. A purge states the name, since the
    /// revisions that set it are erased; only a carrier writes text.
    func fits(_ revision: Revision) -> Bool {
        guard revision.withdraws.isEmpty else { return false }
        let writesNothing = revision.edits.isEmpty && revision.resolves.isEmpty && revision.origin == .stated
        switch kind {
        case .purge: return writesNothing && revision.name != .unchanged && !revision.parents.isNothing
        case .floor: return writesNothing && revision.name == .unchanged && !revision.isTombstone
        case .carrier: return revision.origin == .found && !covers.isEmpty
        }
    }
}

/// Fields that describe a revision and have no influence on what a note shows: a list of tag numbers,
/// ascending, each followed by the bytes of the field. A daemon stores and forwards the fields that it
/// does not know.
package enum TaggedFields {
    /// The times that a file states: its last change, then, if it is known, its creation; each as a
    /// zigzag number of milliseconds since 1970.
    package static let fileTimes: UInt64 = 1
    /// Kept free for the name of an operation.
    package static let operation: UInt64 = 2

    /// Whether bytes are a list of tagged fields in its only form.
    ///
    /// - Complexity: O(bytes).
    static func isValid(_ bytes: [UInt8]) -> Bool {
        var reader = ByteReader(bytes)
        var last: UInt64 = 0
        while !reader.isAtEnd {
            guard let tag = reader.number(), tag > last, reader.counted() != nil else { return false }
            last = tag
        }
        return true
    }

    /// The bytes of a field; nil if the list does not have it.
    ///
    /// - Complexity: O(bytes).
    static func field(_ wanted: UInt64, in bytes: [UInt8]) -> [UInt8]? {
        var reader = ByteReader(bytes)
        while let tag = reader.number(), let field = reader.counted() {
            if tag == wanted { return field }
        }
        return nil
    }
}
