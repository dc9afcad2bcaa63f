import DequeModule
import NotesModel

/// The progress of a watch through the changes from before it began to follow: a snapshot, or what
/// changed since a cursor.
///
/// The watch reads the store from its position to a fixed `target`, the newest commit when the
/// catch-up began: a page of notes at a time, each note at its newest commit.
///
/// Why a fixed target and *pending* notes: a scan that chased the newest commit might never end
/// while others write. With a fixed target, a note that is due but changes after the target leaves
/// the scanned range, and the scan would miss it. Such a note waits in the outbox instead, marked
/// as pending. The catch-up ends when the target is reached and no pending note waits. It always
/// ends: no note becomes pending after the target is reached, and each entry moves a limited number
/// of times before it keeps its place. (Without echo, the client's own writes move it without
/// limit.)
///
/// Worked example. A client returns with cursor 3. Note a has commit 4, note b commits 2 and 5. So
/// base is 3 and target is 5; a page holds one note.
///
///     page 1              a@4 is sent, compared with its state as of 3; position 4
///     b changes at 6      b was due (4 < 5 <= 5): it waits in the outbox at 6, pending
///     page 2              no newest commit in 4 < s <= 5; position 5, the target
///     outbox              b@6 is sent, compared with its state as of 3: one line for 5 and 6
///     nothing pending     watch.synced
///
/// Without the mark, the line of b at 6 would be compared with its state at commit 5, which the
/// client never received.
struct CatchUp: Sendable {
    /// The commit up to which the client has received everything. Earlier states of notes are
    /// looked up as of this commit. 0 if it received nothing.
    let base: UInt64
    /// The newest commit when the catch-up began.
    let target: UInt64
    /// The newest commit when the watch began, if it began with a snapshot that is not complete;
    /// nil otherwise. Matching notes are then reported as `snapshot`, since the client may not hold
    /// them. A note that does not match is reported only if it changed after this commit: the
    /// client may have received it from this watch, or in the response to its own write.
    let snapshotBegan: UInt64?

    /// The commit of the last line, from which the client would resume; `base` before the first
    /// line. The position of the watch may be greater after it passed over due notes that have
    /// changed again.
    var delivered: UInt64

    /// The items of the page that were read and not sent. At most one page.
    var page: Deque<Item> = []
    /// The position of the watch once the whole page was sent.
    var pageEnd: UInt64

    /// A note of the page with what its line reports.
    struct Item: Sendable {
        let note: NoteID
        /// The newest commit of the note when the page was read.
        let to: UInt64
        let kind: ChangeKind
        /// The number of commits that the line covers.
        let changes: Int
        /// Whether `changes` is exact. Otherwise the store has to count them.
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

    /// Whether a page that was read is the next one to send.
    func isAwaiting(_ read: PageRead) -> Bool {
        page.isEmpty && pageEnd <= read.after && read.through == target
    }

    /// Removes a note from the page that changed after the page was read. It waits in the outbox
    /// with its newer state.
    ///
    /// - Complexity: O(page).
    mutating func supersede(_ commit: UInt64) {
        if let index = page.firstIndex(where: { $0.to == commit }) { page.remove(at: index) }
    }

    /// Removes and returns the next item of the page, with `base`.
    mutating func nextItem() -> (item: Item, base: UInt64)? {
        page.popFirst().map { ($0, base) }
    }

    /// Whether the client may hold a due note that matched neither before its newest change nor
    /// after it. It cannot during a snapshot without a reset: the watch has sent only what it came
    /// to.
    var mayHoldOutsiders: Bool { snapshotBegan.map { target > $0 } ?? true }

    /// Whether a note whose newest commit was `previous` was still due at `position`.
    func owes(_ previous: UInt64, at position: UInt64) -> Bool {
        previous > position && previous <= target
    }

    /// What is reported about a due note at its newest commit; nil for nothing.
    func kind(from before: FilteredState, to after: FilteredState, at sequence: UInt64) -> ChangeKind? {
        if let snapshotBegan {
            if after.matches { return .snapshot }
            if sequence <= snapshotBegan { return nil }
        }
        return ChangeKind.caughtUp(from: before, to: after)
    }

    /// Whether `kind` depends on the note's state as of `base`.
    func needsPast(for after: FilteredState) -> Bool {
        !isSnapshot && base > 0 && after.matches && !after.isDeleted
    }
}

extension Filter {
    /// Whether a note with that id can match at all. If not, it is never in the watch, and the
    /// watch never reports that it left.
    func canMatch(_ id: NoteID) -> Bool {
        ids?.contains(id) ?? true
    }
}
