package import Causality
package import NoteText
package import TextMerge

/// What a store derives from the revisions of a note and keeps with one of them.
///
/// It is a function of the revisions alone. The audit compares it with the stored values, and
/// `notesd restore` writes it where they differ.
package struct DerivedRow: Sendable {
    /// The revision.
    package let dot: Dot
    /// Whether every earlier revision of the note is in the past of this one.
    package var coversAll: Bool
    /// The name at the revision's own version; nil if the note is deleted there.
    package var name: NoteName?
    /// The rest; nil up to the compaction floor, where it cannot be computed.
    package var state: State?

    /// Values that the texts are needed for.
    package struct State: Sendable {
        /// Whether the note is deleted at the revision's own version.
        package var isDeleted: Bool
        /// Whether the note is deleted in the merged state after the revision.
        let isDeletedNow: Bool
        /// The conflicts that are open at the revision, if it covers all; otherwise empty.
        package var conflicts: [KeptConflict]
        /// The last LF of the own text and its register, if the revision covers all.
        package var lastLine: LastLineFeed
        /// The merged state after the revision. Nil if the revision covers all, or the audit keeps no
        /// derived values.
        package var merged: Merged?
    }

    /// The merged state of a note after a revision.
    package struct Merged: Sendable {
        /// The head, with an empty version vector.
        package var head: Head
        /// The text, and the edits from the merged text before the revision.
        package var text: MergedText
    }

    /// The differences from a stored row, as sentences for an audit. Stored merged states are compared
    /// by `NoteAudit`.
    func differences(from row: StoredRevision) -> [String] {
        var differences: [String] = []
        func compare(_ isSame: Bool, _ what: String) {
            if !isSame { differences.append(what) }
        }
        compare(
            coversAll == row.coversAll,
            "its past \(coversAll ? "includes" : "does not include") all earlier revisions, but the stored mark differs")
        if let state { compare(state.isDeleted == row.isDeleted, "the stored deletion mark differs from its past's") }
        compare(name == row.name, "the stored name is not the one that its past sets")
        guard let state, coversAll, row.coversAll else { return differences }
        compare(
            state.lasting(state.conflicts) == state.lasting(row.conflicts),
            "the stored open conflicts are not those that its past produces")
        compare(
            state.lastLine == row.lastLine,
            "the stored mark of the last line feed is not the one that its past produces")
        return differences
    }
}

extension DerivedRow.State {
    /// The conflicts that matter. A write that restores a deleted note resolves all of them except
    /// name conflicts.
    fileprivate func lasting(_ conflicts: [KeptConflict]) -> [KeptConflict] {
        isDeletedNow ? conflicts.filter { $0.conflict.kind == .name } : conflicts
    }
}
