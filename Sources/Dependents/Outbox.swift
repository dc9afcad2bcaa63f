import DequeModule
import NotesModel

/// The notes that wait for one watch, by their newest commit, each once but for those that keep their place.
///
/// Entries stand in the order of `to`. A change is newer than all that wait, so an entry that moves goes to the end and leaves a
/// hole, which is skipped and in time swept out. A note is found by halving, without an index: if it waits, it waits at the commit
/// before the change that is to be taken in (`Change.previous`).
///
/// Invariants: `to` rises strictly from entry to entry, holes included; the newest entry of a note that waits stands at the note's
/// newest commit. For the second every further change of a waiting note has to be taken in, whether the watch covers it or not.
struct Outbox: Sendable {
    /// What waits, as long as all of it waits in bulletins of which no two are about one note. Then there are no entries.
    private var changeBatches: Deque<ChangeBatch> = []
    private var entries: Deque<OutboxEntry> = []
    /// Entries that wait.
    private(set) var count = 0
    /// Those of them that a catch-up owes.
    private(set) var pendingCount = 0

    /// Most entries and holes since the outbox was last empty.
    private var widest = 0

    /// Room that an emptied outbox keeps for the next changes. Ten thousand dependents that have been told all cost little.
    private static let keptMax = 8
    /// Holes that are no matter in a small outbox.
    private static let holesMax = 8

    var isEmpty: Bool { count == 0 }

    /// The entry that is next; nil where bulletins wait.
    var first: OutboxEntry? { entries.first { !$0.isHole } }

    /// The entries, in order.
    var waiting: [OutboxEntry] { changeBatches.isEmpty ? entries.filter { !$0.isHole } : changeBatches.flatMap(\.entries) }

    /// Whether what waits is one bulletin and nothing else.
    var isOneBulletin: Bool { changeBatches.count == 1 }

    /// Whether a batch can wait beside what does: it is about no note that waits.
    ///
    /// - Parameter previous: the newest commit that one of its notes was at before it.
    func isApart(from previous: UInt64) -> Bool {
        guard let oldest = changeBatches.first else { return isEmpty }
        return previous <= oldest.after
    }

    /// - Precondition: what waits is apart from it.
    mutating func post(_ changeBatch: ChangeBatch) {
        changeBatches.append(changeBatch)
        count += changeBatch.entries.count
    }

    /// The next of what waits, if that is a bulletin.
    mutating func takeBulletin() -> ChangeBatch? {
        guard let taken = changeBatches.popFirst() else { return nil }
        count -= taken.entries.count
        if changeBatches.isEmpty { changeBatches = [] }
        return taken
    }

    /// From now on what waits is entries.
    private mutating func unroll() {
        guard !changeBatches.isEmpty else { return }
        let entries = waiting
        changeBatches = []
        count = 0
        for entry in entries { append(entry) }
    }

    /// - Precondition: the change is newer than all that wait.
    mutating func append(_ entry: OutboxEntry) {
        unroll()
        entries.append(entry)
        widest = max(widest, entries.count)
        count += 1
        if entry.isPending { pendingCount += 1 }
    }

    /// Moves the note's entry to its newest commit.
    ///
    /// - Parameter movesMax: how often an entry may move; nil for as often as it likes.
    /// - Returns: `absent` where the note does not wait, `kept` where its entry has moved `movesMax` times and keeps its place:
    ///   then the change has to be appended.
    /// - Complexity: O(log entries), O(1) where nothing older than the note's last commit waits; sweeping is amortised.
    mutating func move(to change: CommittedNote, isOwn: Bool, after: FilteredState, movesMax: Int?) -> Move {
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

    enum Move {
        case absent
        case moved
        case kept
    }

    mutating func popFirst() -> OutboxEntry? {
        unroll()
        while let entry = entries.popFirst() {
            guard !entry.isHole else { continue }
            count -= 1
            if entry.isPending { pendingCount -= 1 }
            if count == 0 { giveRoomBack() }
            return entry
        }
        return nil
    }

    /// Sets what the first entry is told from, if it is that note's.
    mutating func setPastOfFirst(_ note: NoteID, _ past: FilteredState) {
        guard let index = entries.firstIndex(where: { !$0.isHole }), entries[index].note == note else { return }
        entries[index].before = past
        entries[index].isPastKnown = true
    }

    /// The commits that notes which are owed were at before they changed again.
    ///
    /// - Complexity: O(entries).
    var pendingOrigins: Set<UInt64> {
        pendingCount == 0 ? [] : Set(entries.lazy.filter { $0.isPending && !$0.isHole }.map(\.from))
    }

    /// Forgets all and gives the room back.
    mutating func removeAll() {
        self = Outbox()
    }

    /// Of an emptied outbox. There are no holes left: an entry that moves goes behind its own.
    private mutating func giveRoomBack() {
        if widest > Self.keptMax { entries = [] }
        widest = 0
    }

    private func index(of commit: UInt64) -> Int? {
        guard let first = entries.first, first.to <= commit else { return nil }
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].to < commit { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].to == commit && !entries[low].isHole ? low : nil
    }
}
