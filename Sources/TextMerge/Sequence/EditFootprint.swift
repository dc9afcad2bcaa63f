/// What one edit of a revision did, as items: `own` in
/// `docs/decisions/conflicts.md#0012`.
///
/// The first item starts a run and the last item ends one: runs are divided there when the
/// footprint is made, and runs are never joined.
struct EditFootprint: Sendable {
    /// The index of the edit in the revision's list of kept edits (`KeptEdits`).
    let edit: Int
    /// The hunk that its replacement became (a twin's if it joined one); nil if it only removes.
    var inserted: Int?
    /// The start of its part of `Walk.removedParts`, whose entries are in the order of the
    /// sequence.
    let removedStart: Int
    /// The end of its part of `Walk.removedParts`.
    var removedEnd: Int
    /// Whether it counts as the lines that contain it: a stated edit that is not of whole lines.
    var isWidened = false
    /// Whether it keeps the lines that it touches: an edit within lines that inserts something or removes
    /// an LF (`KeptLines`).
    var keepsLines = false
    /// Whether it only inserts, and only whole lines.
    var insertsLines = false

    init(edit: Int, removedStart: Int) {
        self.edit = edit
        self.removedStart = removedStart
        removedEnd = removedStart
    }

    /// Its part of `Walk.removedParts`.
    var removed: Range<Int> { removedStart..<removedEnd }
}

/// A part of a hunk.
struct HunkPart: Hashable, Sendable {
    let hunk: Int
    var range: Range<Int>

    /// Whether the other part follows this one in the same hunk without a gap.
    func joins(_ other: HunkPart) -> Bool { hunk == other.hunk && range.upperBound == other.range.lowerBound }
}

/// The position of an item among all items.
struct ItemPosition: Comparable {
    /// The position of the item's run.
    let run: RunSequence.Position
    /// The offset of the item in its run.
    let offset: Int

    static func < (left: ItemPosition, right: ItemPosition) -> Bool {
        left.run == right.run ? left.offset < right.offset : left.run < right.run
    }
}
