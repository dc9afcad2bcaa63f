package import Causality

/// What the view needs of a revision: who had been shown what, and what was changed in it.
package struct Event: Sendable {
    package let dot: Dot
    /// The maximal dots of what the writer had been shown.
    package let parents: Version
    /// Against the text that the parents show; normal: none is empty, none touches the next.
    package let edits: [Edit]
    package let origin: EditOrigin
    /// Whether the revision deletes the note.
    package let isTombstone: Bool
    package let name: NameChange
    /// The conflicts that the write settled, by id; those that are not unsettled in its past mean nothing.
    package let resolves: [ConflictID]

    package init(
        dot: Dot, parents: Version, edits: [Edit], origin: EditOrigin, isTombstone: Bool = false, name: NameChange = .none,
        resolves: [ConflictID] = []
    ) {
        self.dot = dot
        self.parents = parents
        self.edits = edits.normalized()
        self.origin = origin
        self.isTombstone = isTombstone
        self.name = name
        self.resolves = resolves
    }
}

/// What a revision does to the note's name: bytes that are only compared.
package enum NameChange: Hashable, Sendable {
    case none
    /// Sets it; nil clears it.
    case set([UInt8]?)
}
