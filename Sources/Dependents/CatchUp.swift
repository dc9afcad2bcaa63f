import DequeModule
import NotesModel

/// How far a watch has come in what it is owed from before it followed: a snapshot, or what changed since a cursor.
///
/// The store is read from the watch's position to a fixed `target`, the newest commit when the catch-up began, a page of notes
/// at a time, each note at its newest commit. A note that is due but changes after `target` falls out of that range; it then
/// waits in the outbox as *untold*, and the catch-up is over once the target is reached and no untold note waits. So it ends
/// however fast the store is written: no note becomes untold after the target is reached, and an entry moves only so often.
///
/// Example: base 0, target 5, notes a at 2, b at 5. Page 1 holds a; before it is sent, b changes at 6. The scan finds nothing more
/// up to 5, b waits untold at 6, is sent as `snapshot` at 6, then `watch.synced`.
struct CatchUp: Sendable {
    /// The commit up to which the client has been told: states before are looked up as of it. 0 for nothing.
    let base: UInt64
    let target: UInt64
    /// The newest commit when the watch began, where it began with a snapshot that is not all sent; nil otherwise. Notes that match
    /// are `snapshot`, since the client may not hold them at all. One that does not is only mentioned if it changed after that: the
    /// client may have been shown it by this watch, or by the answer to a write of its own.
    let snapshotBegan: UInt64?

    /// The commit of its last line, which the client goes on from; the base before the first. The watch's position may be past it, where
    /// notes that were due have changed again: of these nothing was told.
    var delivered: UInt64

    /// Read and not told yet. Small: a page.
    var page: Deque<Item> = []
    /// Where the page ends: the position once all of it is told.
    var pageEnd: UInt64

    /// A line to be.
    struct Item: Sendable {
        let note: NoteID
        let to: UInt64
        let kind: ChangeKind
        let changes: Int
        /// Whether that is all of them, as far as anyone was told of them.
        let isCounted: Bool
        let origin: Origin?
    }

    init(base: UInt64, target: UInt64, snapshotBegan: UInt64?) {
        self.base = base
        self.target = target
        self.snapshotBegan = snapshotBegan
        delivered = base
        pageEnd = base
    }

    var isSnapshot: Bool { snapshotBegan != nil }

    /// Whether that page follows on what was told.
    func isAwaiting(_ read: PageRead) -> Bool {
        page.isEmpty && pageEnd <= read.after && read.through == target
    }

    /// Takes a note out of the page that changed since it was read: it waits with the newer state.
    ///
    /// - Complexity: O(page).
    mutating func supersede(_ commit: UInt64) {
        if let index = page.firstIndex(where: { $0.to == commit }) { page.remove(at: index) }
    }

    /// With the base.
    mutating func nextItem() -> (item: Item, base: UInt64)? {
        page.popFirst().map { ($0, base) }
    }

    /// Whether the client may hold a due note that neither was in the filter before its newest change nor is. Not while a snapshot
    /// goes on undisturbed: what it did not come to was not told.
    var mayHoldOutsiders: Bool { snapshotBegan.map { target > $0 } ?? true }

    /// Whether the note, whose newest commit was `previous`, was still due at `position`.
    func owes(_ previous: UInt64, at position: UInt64) -> Bool {
        previous > position && previous <= target
    }

    /// What is said of a note that is due, at its newest commit; nil for nothing.
    func kind(from before: FilteredState, to after: FilteredState, at sequence: UInt64) -> ChangeKind? {
        if let snapshotBegan {
            if after.matches { return .snapshot }
            if sequence <= snapshotBegan { return nil }
        }
        return ChangeKind.caughtUp(from: before, to: after)
    }

    /// Whether the state as of `base` decides that.
    func needsPast(for after: FilteredState) -> Bool {
        !isSnapshot && base > 0 && after.matches && !after.isDeleted
    }
}

extension Filter {
    /// Whether a note of that id can match at all. One that cannot is outside the watch for ever, and never said to have left.
    func canMatch(_ id: NoteID) -> Bool {
        ids?.contains(id) ?? true
    }
}
