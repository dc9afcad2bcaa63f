import Algorithms
import DequeModule
import NotesModel

/// The notes pending for one watch, ordered by their newest commits. Each note has one entry, and
/// one more for each entry that keeps its place.
///
/// A new change is newer than everything pending. So an entry that moves goes to the end and leaves
/// a hole, which is skipped and later swept out. No index is needed to find a note: if it is
/// pending, its entry is at the commit before the new change (`Change.previous`), and binary search
/// finds it.
///
/// Example: a@1 and b@2 are pending. Commit 3 changes a (previous 1): the entries are hole@1, b@2
/// and a@3, so b is sent before a.
///
/// Invariants: `to` rises strictly from entry to entry, holes included; the newest entry of a
/// pending note is at the note's newest commit. The second invariant requires that every further
/// change of a pending note is taken in, even if the watch does not cover it.
struct Outbox: Sendable {
    /// Shared batches. Used while everything pending is in such batches and no two are about one
    /// note; then `entries` is empty.
    private var changeBatches: Deque<ChangeBatch> = []
    private var entries: Deque<OutboxEntry> = []
    /// The number of pending entries, without holes.
    private(set) var count = 0
    /// How many of them a catch-up owes.
    private(set) var pendingCount = 0

    /// The greatest length of `entries` since the outbox was last empty.
    private var widest = 0

    /// The capacity that an emptied outbox keeps, so that ten thousand synced dependents cost
    /// little.
    private static let keptMax = 8
    /// The number of holes that a small outbox tolerates.
    private static let holesMax = 8

    var isEmpty: Bool { count == 0 }

    /// The next entry; nil if shared batches are pending.
    var first: OutboxEntry? { entries.first { !$0.isHole } }

    /// All pending entries in order.
    var waiting: [OutboxEntry] { changeBatches.isEmpty ? entries.filter { !$0.isHole } : changeBatches.flatMap(\.entries) }

    /// Whether a batch can be queued as a shared batch: none of its notes is pending.
    ///
    /// - Parameter previous: the newest commit before the batch of any of its notes.
    func isDisjoint(from previous: UInt64) -> Bool {
        guard let oldest = changeBatches.first else { return isEmpty }
        return previous <= oldest.after
    }

    /// Queues a shared batch.
    ///
    /// - Precondition: `isDisjoint` holds for it.
    mutating func post(_ changeBatch: ChangeBatch) {
        changeBatches.append(changeBatch)
        count += changeBatch.entries.count
    }

    /// Removes and returns the next shared batch; nil if entries are pending.
    mutating func takeChangeBatch() -> ChangeBatch? {
        guard let taken = changeBatches.popFirst() else { return nil }
        count -= taken.entries.count
        if changeBatches.isEmpty { changeBatches = [] }
        return taken
    }

    /// Replaces the shared batches by their entries.
    private mutating func unroll() {
        guard !changeBatches.isEmpty else { return }
        let entries = waiting
        changeBatches = []
        count = 0
        for entry in entries { append(entry) }
    }

    /// Appends an entry.
    ///
    /// - Precondition: its change is newer than everything pending.
    mutating func append(_ entry: OutboxEntry) {
        unroll()
        entries.append(entry)
        widest = max(widest, entries.count)
        count += 1
        if entry.isPending { pendingCount += 1 }
    }

    /// Moves the entry of a note to its newest commit.
    ///
    /// - Parameter movesMax: how often an entry may move; nil for no limit.
    /// - Returns: `absent` if the note is not pending; `kept` if its entry has moved `movesMax`
    ///   times and keeps its place, so that the change has to be appended.
    /// - Complexity: O(log entries); O(1) if nothing older than the note's last commit is
    ///   pending. Sweeping is amortised.
    mutating func move(to change: Change, isOwn: Bool, after: FilteredState, movesMax: Int?) -> Move {
        unroll()
        guard let index = index(of: change.previous) else { return .absent }
        if let movesMax, entries[index].moves >= movesMax {
            entries[index].keepsPlace = true
            return .kept
        }
        if index == entries.count - 1 {
            entries[index].move(to: change, isOwn: isOwn, after: after)
            return .moved
        }
        var entry = entries[index]
        entries[index].becomeHole()
        entry.move(to: change, isOwn: isOwn, after: after)
        entries.append(entry)
        widest = max(widest, entries.count)
        if entries.count > 2 * count + Self.holesMax { entries.removeAll { $0.isHole } }
        return .moved
    }

    /// The result of `move`.
    enum Move {
        case absent
        case moved
        case kept
    }

    /// Removes and returns the next entry.
    mutating func popFirst() -> OutboxEntry? {
        unroll()
        while let entry = entries.popFirst() {
            guard !entry.isHole else { continue }
            count -= 1
            if entry.isPending { pendingCount -= 1 }
            if count == 0 { releaseCapacity() }
            return entry
        }
        return nil
    }

    /// Sets the earlier state that the first entry is compared with, if the entry is of that note.
    mutating func setPastOfFirst(_ note: NoteID, _ past: FilteredState) {
        guard let index = entries.firstIndex(where: { !$0.isHole }), entries[index].note == note else { return }
        entries[index].before = past
        entries[index].isPastKnown = true
    }

    /// The commits at which the notes that a catch-up owes were before they changed again.
    ///
    /// - Complexity: O(entries).
    var pendingOrigins: Set<UInt64> {
        pendingCount == 0 ? [] : Set(entries.lazy.filter { $0.isPending && !$0.isHole }.map(\.from))
    }

    /// Drops everything and frees the capacity.
    mutating func removeAll() {
        self = Outbox()
    }

    /// Frees the capacity of an emptied outbox. It has no holes: a moved entry is always after its
    /// hole.
    private mutating func releaseCapacity() {
        if widest > Self.keptMax { entries = [] }
        widest = 0
    }

    private func index(of commit: UInt64) -> Int? {
        guard let first = entries.first, first.to <= commit else { return nil }
        let found = entries.indices.partitioningIndex { entries[$0].to >= commit }
        return found < entries.count && entries[found].to == commit && !entries[found].isHole ? found : nil
    }
}
