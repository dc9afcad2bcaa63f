package import NotesModel

/// Who is registered, and what each still has to hear: the model's dependents, known only as things that can be told.
///
/// A pure state machine, held by the engine. What happens is a mutating function named after it (`register`, `committed`, `tick`,
/// `release`); what is to be done for a dependent is asked a step at a time (`next`), as fast as its socket takes lines, so that a
/// slow one keeps nothing but a bounded, coalescing outbox and holds up nobody.
///
/// A worked example. Dependent 1 watches from the tail, commit 7 edits a note:
///
///     next(for: 1)            → .line(.synced(watch: 1, seq: 1, cursor: 6))
///     next(for: 1)            → .nothing
///     committed([change 7])   → [1]
///     next(for: 1)            → .line(.changed(seq: 2, kind: .edited, to: 7, …))
///     next(for: 1)            → .nothing
///
/// A turn for one dependent should be limited by steps, not by lines: a watch whose filter matches little passes over many pages
/// without a line.
package struct Dependents: Sendable {
    package let limits: DependentLimits
    /// The newest commit that was told of.
    package private(set) var newest: UInt64
    private var now: UInt64
    /// By id, so that a dependent is found by halving.
    var slots: [Slot] = []
    private(set) var filters = FilterTable()
    private var recent: RecentCommits
    var presences: PresenceTable
    /// Up to which of their stamps those who are concerned were told that there is something for them.
    var presencesSpread: UInt64 = 0

    struct Slot: Sendable {
        let id: DependentID
        var registration: Registration
        /// By id.
        var watches: [Watch] = []
        var lastWatch: UInt64 = 0
        /// The watch that had the last step: the next one after it is asked first.
        var lastServed = WatchID(0)
        /// Whether lines are on their way that have not left yet.
        var isBusy = false
        /// How far it was told who is where.
        var telling: PresenceCursor
    }

    /// - Parameters:
    ///   - newest: the store's last commit.
    ///   - now: seconds of any clock that only goes forward; `tick` moves it.
    package init(limits: DependentLimits = DependentLimits(), newest: UInt64, now: UInt64 = 0) {
        self.limits = limits
        self.newest = newest
        self.now = now
        recent = RecentCommits(newest: newest)
        presences = PresenceTable(departuresMax: limits.departuresMax)
    }

    package var count: Int { slots.count }

    /// Whether anybody watches anything.
    package var hasWatches: Bool { filters.isInUse }

    /// All that are registered, by id: whom the model tells that it goes (`session.closing`).
    package var ids: [DependentID] { slots.map(\.id) }

    /// One that is registered already keeps its watches and is described anew.
    ///
    /// - Complexity: O(dependents with a greater id): few, since ids are drawn as connections come, though hellos may overtake.
    package mutating func register(_ id: DependentID, _ registration: Registration) {
        let place = place(of: id)
        if place < slots.count, slots[place].id == id {
            slots[place].registration = registration
        } else {
            let telling = PresenceCursor(through: presences.newest)
            slots.insert(Slot(id: id, registration: registration, telling: telling), at: place)
        }
    }

    /// Forgets the dependent and all that waits for it; it is nowhere any more (`spreadPresence`). One that is not there is nobody's concern: a connection may end twice.
    package mutating func release(_ id: DependentID) {
        guard let index = index(of: id) else { return }
        presences.put(nil, head: nil, of: id, slots[index].registration)
        for watch in slots.remove(at: index).watches { filters.release(watch.filterIndex) }
    }

    package func registration(of id: DependentID) -> Registration? {
        index(of: id).map { slots[$0].registration }
    }

    /// What a change of this dependent is marked with.
    package func origin(of id: DependentID) -> Origin? {
        registration(of: id).map { Origin(dependent: id, label: $0.label) }
    }

    /// Begins a watch. It is told of everything after `newest` as it is now, and before that of what `start` says; a start past
    /// `newest` is one at `newest`.
    package mutating func watch(
        _ dependent: DependentID, filter: Filter, include: WatchDetail, start: Start, echo: Bool
    ) throws(WatchRefusal) -> WatchID {
        guard let index = index(of: dependent) else { throw .notRegistered }
        let weight = slots[index].watches.reduce(Watch.weight(of: filter)) { $0 + Watch.weight(of: $1.filter) }
        guard weight <= limits.watchesMax else { throw .tooMany(limit: limits.watchesMax) }
        slots[index].lastWatch += 1
        let id = WatchID(slots[index].lastWatch)
        slots[index].watches.append(
            Watch(
                id: id, filter: filters.retain(filter), include: include, isEchoing: echo, start: start, newest: newest, now: now)
        )
        keepWithinShare(index)
        return id
    }

    /// Ends a watch and forgets all that waits in it.
    ///
    /// - Returns: whether there was one.
    package mutating func unwatch(_ dependent: DependentID, _ watch: WatchID) -> Bool {
        guard let index = index(of: dependent), let place = place(of: watch, in: index) else { return false }
        let ended = slots[index].watches.remove(at: place)
        filters.release(ended.filterIndex)
        unwatched(ended, index)
        return true
    }

    func index(of id: DependentID) -> Int? {
        let place = place(of: id)
        return place < slots.count && slots[place].id == id ? place : nil
    }

    /// Where the dependent stands, or would.
    private func place(of id: DependentID) -> Int {
        var low = 0
        var high = slots.count
        while low < high {
            let middle = (low + high) / 2
            if slots[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// What each of a dependent's watches may hold.
    func quota(_ slot: Int) -> Quota {
        limits.quota(of: slots[slot].watches.count, besides: isOwedPresence(slot) ? slots[slot].telling.bytesMax : 0)
    }

    /// The share became less: a watch that holds more drops it.
    mutating func keepWithinShare(_ slot: Int) {
        let quota = quota(slot)
        for watch in slots[slot].watches.indices { slots[slot].watches[watch].keep(within: quota) }
    }

    private func place(of watch: WatchID, in index: Int) -> Int? {
        slots[index].watches.firstIndex { $0.id == watch }
    }
}

// MARK: - What happens

extension Dependents {
    /// Every watch that covers a change gets an entry, one a note, at its newest commit; or the whole batch as one, where nothing about
    /// the same notes waits (`ChangeBatch`).
    ///
    /// Who has one watch, was told all before, and whose socket takes lines (`sent`) is told at once: that is most of those who
    /// listen, most of the time, and needs no steps.
    ///
    /// - Precondition: the sequences rise by exactly 1 from `newest` + 1.
    /// - Returns: what is told at once, and the dependents that now have something else to be told, in the order of their ids.
    /// - Complexity: O(changes × distinct filters + watches that had been told all before + changes × other watches).
    package mutating func committed(_ changes: [Change]) -> (broadcasts: [Broadcast], concerned: [DependentID]) {
        for change in changes {
            precondition(change.sequence == newest + 1, "a store's sequences have no gap")
            newest = change.sequence
            recent.record(change)
        }
        guard !changes.isEmpty else { return ([], []) }
        let notes = changes.map(CommittedNote.init)
        filters.match(changes, notes, limits)
        tellPresences(of: changes)
        var concerned: [DependentID] = []
        let before = newest - UInt64(notes.count)
        let previous = notes.reduce(0) { $1.previous <= before ? max($0, $1.previous) : $0 }
        for slot in slots.indices where tell(notes, after: previous, slot) { concerned.append(slots[slot].id) }
        return (filters.takeBroadcasts(), concerned)
    }

    /// - Parameter previous: the newest commit that one of the notes was at before the batch.
    private mutating func tell(_ notes: [CommittedNote], after previous: UInt64, _ slot: Int) -> Bool {
        let id = slots[slot].id
        let quota = quota(slot)
        var isConcerned = false
        for watch in slots[slot].watches.indices {
            let row = slots[slot].watches[watch].filterIndex
            if slots[slot].watches[watch].takesWhole(after: previous) {
                guard let changeBatch = filters.changeBatch(under: row) else { continue }
                if slots[slot].watches[watch].post(changeBatch, to: id, limits, quota) {
                    if !deliverBroadcasts(slot, row) { isConcerned = true }
                    continue
                }
            }
            let passages = filters.passages(under: row)
            let isDelivered = slots[slot].watches[watch].committed(notes, passages, to: id, movesMax: limits.movesMax, quota: quota)
            isConcerned = isConcerned || isDelivered
        }
        return isConcerned
    }

    /// Hands out what was posted to a dependent's only watch. False where it has to wait, or to take turns.
    private mutating func deliverBroadcasts(_ slot: Int, _ row: Int) -> Bool {
        guard !slots[slot].isBusy, slots[slot].watches.count == 1, slots[slot].watches[0].outbox.isOneBulletin,
            let lines = slots[slot].watches[0].takeBulletin(now: now)
        else { return false }
        slots[slot].isBusy = true
        let recipient = Broadcast.Recipient(dependent: slots[slot].id, watch: lines.watch, seq: lines.seq)
        filters.deliverBroadcasts(recipient, under: row, lines.include)
        return true
    }

    /// Lines are on their way to a dependent: it is told nothing at once until they have left.
    package mutating func sent(to dependent: DependentID) {
        if let slot = index(of: dependent) { slots[slot].isBusy = true }
    }

    /// They have left.
    package mutating func drained(_ dependent: DependentID) {
        if let slot = index(of: dependent) { slots[slot].isBusy = false }
    }

    /// Whether lines are on their way.
    package func isBusy(_ dependent: DependentID) -> Bool {
        index(of: dependent).map { slots[$0].isBusy } ?? false
    }

    /// Whether the dependent may have something to be told.
    package func isOwed(_ dependent: DependentID) -> Bool {
        index(of: dependent).map { slot in slots[slot].watches.contains { !$0.isDelivered } || isOwedPresence(slot) } ?? false
    }

    /// Time goes on.
    ///
    /// - Returns: the dependents with a watch that was silent for `idleSecondsMax`: `next` has a bookmark for them.
    /// - Complexity: O(watches).
    package mutating func tick(now: UInt64) -> [DependentID] {
        self.now = max(now, self.now)
        return slots.compactMap { slot in
            slot.watches.contains { $0.isIdle(since: limits.idleSecondsMax, now: self.now) } ? slot.id : nil
        }
    }
}

// MARK: - What is to be done

extension Dependents {
    /// The next step for a dependent: a line to be written, a page to be read, or nothing. Its watches take turns, a step each.
    ///
    /// - Complexity: O(watches of the dependent).
    package mutating func next(for dependent: DependentID) -> Step {
        guard let slot = index(of: dependent) else { return .nothing }
        if let step = nextPresence(slot) { return step }
        let step = nextOfWatches(slot)
        // It was the turn of a watch, and none has anything.
        if case .nothing = step, let step = nextPresence(slot) { return step }
        switch step {
        case .line(.synced): slots[slot].telling.startOver()
        case .line(.reset): slots[slot].telling.forgotten()
        case .line, .changeBatch, .presence, .passed, .read, .nothing: break
        }
        return step
    }

    private mutating func nextOfWatches(_ slot: Int) -> Step {
        let count = slots[slot].watches.count
        let context = Watch.WatchContext(
            dependent: slots[slot].id, newest: newest, now: now, quota: quota(slot), idleSecondsMax: limits.idleSecondsMax)
        let first = slots[slot].watches.firstIndex { $0.id > slots[slot].lastServed } ?? 0
        for offset in 0..<count {
            let watch = (first + offset) % count
            let step = slots[slot].watches[watch].next(context, recent)
            if case .nothing = step { continue }
            slots[slot].lastServed = slots[slot].watches[watch].id
            return step
        }
        return .nothing
    }

    /// Takes in a page that `next` asked for: `Journal.changed` of its span and limit, as it was answered, in its order. One that
    /// is asked for no longer is left.
    package mutating func receive(_ page: [PageNote], for read: PageRead, of dependent: DependentID) {
        guard let slot = index(of: dependent), let watch = place(of: read.watch, in: slot) else { return }
        let quota = quota(slot)
        slots[slot].watches[watch].receive(page, for: read, to: dependent, quota, recent)
    }

    /// Takes in what a note was: nil where it was not there then.
    package mutating func receive(_ past: Head?, for read: PastRead, of dependent: DependentID) {
        guard let slot = index(of: dependent), let watch = place(of: read.watch, in: slot) else { return }
        slots[slot].watches[watch].receive(past: past, for: read)
    }

    /// The oldest commit as of which any watch may still ask what a note was; nil where none does.
    ///
    /// - Complexity: O(watches).
    package var oldestNeeded: UInt64? { slots.lazy.flatMap(\.watches).compactMap(\.oldestNeeded).min() }

    /// - Complexity: O(watches).
    package func describe() -> [DependentDescription] {
        slots.indices.map { index in
            let slot = slots[index]
            let states = slot.watches.map(\.state)
            let isLagging = states.contains(.lagging) || isOwedPresence(index)
            return DependentDescription(
                dependent: slot.id, registration: slot.registration, watches: slot.watches.map(\.id),
                state: states.contains(.reset) ? .reset : isLagging ? .lagging : .synced,
                outboxBytes: slot.watches.reduce(presenceBytes(index)) { $0 + $1.outboxBytes },
                presence: presences.presence(of: slot.id))
        }
    }
}
