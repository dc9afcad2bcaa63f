import DequeModule
import NotesModel

/// The notes that wait for one watch, by their newest commit, each once but for those that keep their place.
///
/// Entries stand in the order of `to`: a change is always newer than all that wait, so an entry that moves goes to the end and
/// leaves a hole, which is skipped and in time swept out. A small outbox is searched from its end; a large one has an index by
/// note. Emptied, a large one gives its room back: ten thousand dependents that have been told all cost little.
///
/// Invariant: where `isIndexed`, `places` names for each waiting note the place of its newest entry, counted from the first entry
/// since the outbox was last empty; otherwise it is empty.
struct Outbox: Sendable {
    private var entries: Deque<Entry?> = []
    private var places: [NoteID: Int] = [:]
    private var isIndexed = false
    /// The place of `entries[0]`.
    private var base = 0
    /// Entries that wait.
    private(set) var count = 0
    /// Those of them that a catch-up owes.
    private(set) var untoldCount = 0

    /// Up to here a search from the end is quicker than an index.
    private static let searchedMax = 8

    var isEmpty: Bool { count == 0 }

    /// The entry that is next.
    var first: Entry? {
        for case let entry? in entries { return entry }
        return nil
    }

    func holds(_ note: NoteID) -> Bool {
        index(of: note) != nil
    }

    /// - Precondition: the change is newer than all that wait.
    mutating func append(_ entry: Entry) {
        entries.append(entry)
        if isIndexed {
            places[entry.note] = base + entries.count - 1
        } else if entries.count > Self.searchedMax {
            isIndexed = true
            indexAll()
        }
        count += 1
        if entry.isUntold { untoldCount += 1 }
    }

    /// Moves the note's entry to its newest commit.
    ///
    /// - Returns: `absent` where the note does not wait, `kept` where its entry has moved `movesMax` times and keeps its place.
    /// - Complexity: O(1), amortised.
    mutating func move(to change: Change, isOwn: Bool, after: @autoclosure () -> NoteState, movesMax: Int) -> Move {
        guard let index = index(of: change.note), var entry = entries[index] else { return .absent }
        guard entry.moves < movesMax else { return .kept }
        entry.move(to: change, isOwn: isOwn, after: after())
        if index == entries.count - 1 {
            entries[index] = entry
            return .moved
        }
        entries[index] = nil
        entries.append(entry)
        if isIndexed { places[entry.note] = base + entries.count - 1 }
        sweep()
        return .moved
    }

    enum Move {
        case absent
        case moved
        case kept
    }

    mutating func popFirst() -> Entry? {
        while !entries.isEmpty {
            let place = base
            base += 1
            guard let entry = entries.removeFirst() else { continue }
            if isIndexed, places[entry.note] == place { places[entry.note] = nil }
            count -= 1
            if entry.isUntold { untoldCount -= 1 }
            if count == 0 { clear() }
            return entry
        }
        return nil
    }

    /// Sets what the first entry is told from.
    mutating func setPastOfFirst(_ note: NoteID, _ past: NoteState) {
        guard let index = entries.firstIndex(where: { $0 != nil }), entries[index]?.note == note else { return }
        entries[index]?.before = past
        entries[index]?.isPastKnown = true
    }

    /// Forgets all and gives the room back.
    mutating func removeAll() {
        self = Outbox()
    }

    /// Of an emptied outbox: a small one keeps its little room for the next change.
    private mutating func clear() {
        if isIndexed {
            removeAll()
        } else {
            entries.removeAll(keepingCapacity: true)
            base = 0
        }
    }

    private func index(of note: NoteID) -> Int? {
        if !isIndexed { return entries.lastIndex { $0?.note == note } }
        return places[note].map { $0 - base }
    }

    private mutating func indexAll() {
        for (index, entry) in entries.enumerated() {
            if let entry { places[entry.note] = base + index }
        }
    }

    /// Closes the holes once they are more than the entries.
    private mutating func sweep() {
        guard entries.count > 2 * count + Self.searchedMax else { return }
        entries = Deque(entries.filter { $0 != nil })
        if isIndexed { indexAll() }
    }
}
