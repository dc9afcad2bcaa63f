package import Causality

/// What the walk needs of a revision: who had been shown what, and what was changed in it.
package struct Event: Sendable {
    package let dot: Dot
    /// The maximal dots of what the writer had been shown.
    package let parents: Version
    /// Against the text that the parents show.
    package let edits: [Edit]
    package let origin: EditOrigin
    /// Whether the revision deletes the note.
    package let isTombstone: Bool

    package init(dot: Dot, parents: Version, edits: [Edit], origin: EditOrigin, isTombstone: Bool = false) {
        self.dot = dot
        self.parents = parents
        self.edits = edits
        self.origin = origin
        self.isTombstone = isTombstone
    }
}
