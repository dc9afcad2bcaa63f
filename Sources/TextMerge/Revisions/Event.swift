package import Causality

/// A revision as far as the view needs it: what its writer had seen, and what it changed.
package struct Event: Sendable {
    /// The revision's name.
    package let dot: Dot
    /// The maximal dots of the version that the writer had seen.
    package let parents: Version
    /// The edits, against the text that the parents show; normalized, so none is empty and none
    /// touches the next.
    package let edits: [Edit]
    /// How the edits are known.
    package let origin: EditOrigin
    /// Whether the revision deletes the note.
    package let isTombstone: Bool
    /// What the revision does to the note's name.
    package let name: NameChange
    /// The conflicts that the write resolves by id. An id that is not unresolved in the revision's
    /// past has no effect.
    package let resolves: [ConflictID]
    /// The revisions that this one withdraws, all of them from its past; empty for a write. A
    /// withdrawal has no edits, is no tombstone and resolves nothing.
    package let withdraws: [Dot]

    package init(
        dot: Dot, parents: Version, edits: [Edit], origin: EditOrigin, isTombstone: Bool = false, name: NameChange = .none,
        resolves: [ConflictID] = [], withdraws: [Dot] = []
    ) {
        precondition(withdraws.isEmpty || edits.isEmpty && !isTombstone && resolves.isEmpty, "a withdrawal does nothing else")
        self.dot = dot
        self.parents = parents
        self.edits = edits.normalized()
        self.origin = origin
        self.isTombstone = isTombstone
        self.name = name
        self.resolves = resolves
        self.withdraws = withdraws
    }

    /// Whether the revision withdraws others.
    package var isWithdrawal: Bool { !withdraws.isEmpty }

    /// Whether a view may start at the revision if it has seen everything before it. A view cannot
    /// start at a tombstone, because undoing the write that restores the note may bring back the text
    /// from before the deletion.
    package var mayBeFloor: Bool { !isWithdrawal && !isTombstone }
}

/// What a revision does to the note's name. The name is bytes that are only compared.
package enum NameChange: Hashable, Sendable {
    /// The name stays as it is.
    case none
    /// Sets the name; nil clears it.
    case set([UInt8]?)
}
