import Algorithms
package import NotesModel

/// All dependents (connected clients that are registered), their watches, and what is pending for
/// each.
///
/// A pure state machine that the engine owns. Each event has a mutating function (`register`,
/// `committed`, `tick`, `release`). The engine asks for the output of a dependent one step at a
/// time (`next`), as fast as its socket accepts lines. So a slow dependent keeps only a bounded
/// outbox of coalesced changes and delays no other.
///
/// Example. Dependent 1 watches from the tail, and commit 7 edits a note:
///
///     next(for: 1)            → .line(.synced(watch: 1, seq: 1, cursor: 6))
///     next(for: 1)            → .nothing
///     committed([change 7])   → [1]
///     next(for: 1)            → .line(.changed(seq: 2, kind: .edited, to: 7, …))
///     next(for: 1)            → .nothing
///
/// A caller should limit a dependent's turn by steps, not by lines: a watch whose filter matches
/// little reads many pages without producing a line.
package struct Dependents: Sendable {
    /// The limits on watches and on pending changes.
    package let limits: DependentLimits
    /// The newest commit that was passed to `committed`.
    package private(set) var newest: UInt64
    /// The time of the last `tick`, in seconds of the caller's clock.
    private var now: UInt64
    /// The dependents in ascending order of their ids, for binary search.
    var slots: [Slot] = []
    private(set) var filters = FilterTable()
    private var recent: RecentCommits
    var presences: PresenceTable
    /// The stamp up to which `spreadPresence` has found the receivers of presence lines.
    var presencesSpread: UInt64 = 0
    /// Whether batches may be broadcast. False while earlier broadcasts have still to be written;
    /// then batches wait in the watches' outboxes, where they are coalesced.
    package var canBroadcast = true

    /// One dependent.
    struct Slot: Sendable {
        let id: DependentID
        var registration: Registration
        /// The watches in ascending order of their ids.
        var watches: [Watch] = []
        /// The number of the newest watch.
        var lastWatch: UInt64 = 0
        /// The watch that the last step was for; the next step starts with the watch after it.
        var lastServed = WatchID(0)
        /// How many times its connection still has to report `drained`.
        var reportsDue = 0
        /// Whether lines whose numbers are assigned wait outside.
        var holdsLines = false
        /// How far it has been sent presence.
        var presenceCursor: PresenceCursor
    }

    /// - Parameters:
    ///   - newest: the store's last commit.
    ///   - now: seconds of any monotonic clock; `tick` advances it.
    package init(limits: DependentLimits = DependentLimits(), newest: UInt64, now: UInt64 = 0) {
        self.limits = limits
        self.newest = newest
        self.now = now
        recent = RecentCommits(newest: newest)
        presences = PresenceTable(departuresMax: limits.departuresMax)
    }

    /// The number of registered dependents.
    package var count: Int { slots.count }

    /// Whether any dependent has a watch.
    package var hasWatches: Bool { filters.isInUse }

    /// The ids of all dependents, in ascending order.
    package var ids: [DependentID] { slots.map(\.id) }

    /// Registers a dependent. If it is registered already, it keeps its watches and gets the new
    /// registration.
    ///
    /// - Complexity: O(dependents with a greater id). These are few: ids are assigned as
    ///   connections arrive, though hellos may overtake each other.
    package mutating func register(_ id: DependentID, _ registration: Registration) {
        let place = place(of: id)
        if place < slots.count, slots[place].id == id {
            slots[place].registration = registration
        } else {
            let presenceCursor = PresenceCursor(through: presences.newest)
            slots.insert(Slot(id: id, registration: registration, presenceCursor: presenceCursor), at: place)
        }
    }

    /// Removes a dependent, its watches, its pending changes and its presence (`spreadPresence`
    /// finds who is notified). Does nothing if it is not registered, since a connection may end
    /// twice.
    package mutating func release(_ id: DependentID) {
        guard let index = index(of: id) else { return }
        presences.put(nil, head: nil, of: id, slots[index].registration)
        for watch in slots.remove(at: index).watches { filters.release(watch.filterIndex) }
    }

    /// The registration of a dependent; nil if it is not registered.
    package func registration(of id: DependentID) -> Registration? {
        index(of: id).map { slots[$0].registration }
    }

    /// The origin that changes of this dependent carry; nil if it is not registered.
    package func origin(of id: DependentID) -> Origin? {
        registration(of: id).map { Origin(dependent: id, label: $0.label) }
    }

    /// Starts a watch. It reports everything after the current `newest`, and before that what
    /// `start` asks for. A `start` after `newest` counts as `newest`.
    ///
    /// - Throws: `WatchRefusal` if the dependent is not registered or its watches weigh more than
    ///   `watchesMax`.
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

    /// The number of a watch that the caller keeps itself; nil if the dependent is not registered.
    package mutating func drawWatchID(for dependent: DependentID) -> WatchID? {
        guard let index = index(of: dependent) else { return nil }
        slots[index].lastWatch += 1
        return WatchID(slots[index].lastWatch)
    }

    /// Ends a watch and drops what is pending for it.
    ///
    /// - Returns: whether the watch existed.
    package mutating func unwatch(_ dependent: DependentID, _ watch: WatchID) -> Bool {
        guard let index = index(of: dependent), let place = place(of: watch, in: index) else { return false }
        let ended = slots[index].watches.remove(at: place)
        filters.release(ended.filterIndex)
        unwatched(ended, index)
        return true
    }

    /// The index of a dependent in `slots`; nil if it is not registered.
    func index(of id: DependentID) -> Int? {
        let place = place(of: id)
        return place < slots.count && slots[place].id == id ? place : nil
    }

    /// The index of the first slot whose id is at least `id`.
    private func place(of id: DependentID) -> Int {
        // By index: an element would be copied whole, with every reference in it.
        slots.indices.partitioningIndex { slots[$0].id >= id }
    }

    /// The share of pending bytes that each of a dependent's watches may hold.
    func quota(_ slot: Int) -> Quota {
        limits.quota(of: slots[slot].watches.count, besides: isOwedPresence(slot) ? slots[slot].presenceCursor.bytesMax : 0)
    }

    /// Applies a reduced share: a watch that holds more than it drops its entries.
    mutating func keepWithinShare(_ slot: Int) {
        let quota = quota(slot)
        for watch in slots[slot].watches.indices { slots[slot].watches[watch].keep(within: quota) }
    }

    private func place(of watch: WatchID, in index: Int) -> Int? {
        slots[index].watches.firstIndex { $0.id == watch }
    }
}

// MARK: - Events

extension Dependents {
    /// Takes note of commits that change nothing that a watch reports: a change of their note follows.
    ///
    /// Catch-ups forget the origins of earlier commits.
    package mutating func passOver(_ commits: Int) {
        guard commits > 0 else { return }
        newest += UInt64(commits)
        recent = RecentCommits(newest: newest)
    }

    /// Takes in a batch of commits. Each watch that covers a change gets one entry for the note, at
    /// its newest commit. If nothing about the same notes is pending, it gets the whole batch as
    /// one shared `ChangeBatch`.
    ///
    /// A dependent with one watch, nothing pending and a connection that is not busy gets the batch
    /// as an immediate broadcast. That is most dependents most of the time. It needs no steps and
    /// does not make the connection busy, so each batch is broadcast as it comes.
    ///
    /// - Precondition: the sequences rise by exactly 1 from `newest` + 1.
    /// - Returns: the immediate broadcasts, and the dependents that now have something else
    ///   pending, in ascending order of their ids.
    /// - Complexity: O(changes × distinct filters + watches with nothing pending + changes ×
    ///   other watches).
    package mutating func committed(_ changes: [Change]) -> (broadcasts: [Broadcast], concerned: [DependentID]) {
        for change in changes {
            precondition(change.sequence == newest + 1, "a store's sequences have no gap but those of `passOver`")
            newest = change.sequence
            recent.record(change)
        }
        guard !changes.isEmpty else { return ([], []) }
        filters.match(changes, limits)
        updatePresences(of: changes)
        var concerned: [DependentID] = []
        let before = newest - UInt64(changes.count)
        let previous = changes.reduce(0) { $1.previous <= before ? max($0, $1.previous) : $0 }
        for slot in slots.indices where !broadcast(to: slot) {
            if enqueue(changes, after: previous, slot) { concerned.append(slots[slot].id) }
        }
        return (filters.takeBroadcasts(), concerned)
    }

    /// Adds a batch to the watches of a dependent. Returns whether it has something pending.
    ///
    /// - Parameter previous: the newest commit before the batch of any of its notes.
    private mutating func enqueue(_ changes: [Change], after previous: UInt64, _ slot: Int) -> Bool {
        let id = slots[slot].id
        let quota = quota(slot)
        var isConcerned = false
        for watch in slots[slot].watches.indices {
            let row = slots[slot].watches[watch].filterIndex
            if slots[slot].watches[watch].takesWhole(after: previous) {
                guard let changeBatch = filters.changeBatch(under: row) else { continue }
                if slots[slot].watches[watch].post(changeBatch, to: id, limits, quota) {
                    isConcerned = true
                    continue
                }
            }
            let transitions = filters.transitions(under: row)
            let isDelivered = slots[slot].watches[watch].committed(
                changes, transitions, to: id, movesMax: limits.movesMax, quota: quota)
            isConcerned = isConcerned || isDelivered
        }
        return isConcerned
    }

    /// Adds a dependent to the immediate broadcasts of the batch, unless the batch does not concern
    /// it. False if the batch has to be queued.
    private mutating func broadcast(to slot: Int) -> Bool {
        guard slots[slot].watches.count == 1, slots[slot].watches[0].isDelivered, !slots[slot].holdsLines else { return false }
        let row = slots[slot].watches[0].filterIndex
        guard let changeBatch = filters.changeBatch(under: row) else { return true }
        let (id, include) = (slots[slot].id, slots[slot].watches[0].include)
        guard canBroadcast, slots[slot].reportsDue == 0, !changeBatch.isEmpty,
            changeBatch.suits(id, include, within: limits)
        else { return false }
        let seq = slots[slot].watches[0].pass(changeBatch, now: now)
        let recipient = Broadcast.Recipient(dependent: id, watch: slots[slot].watches[0].id, seq: seq)
        filters.addRecipient(recipient, under: row, include)
        return true
    }

    /// Records that lines, other than a broadcast, were handed to a dependent's connection. It gets
    /// no broadcast until the connection has reported `drained` once for each such time.
    package mutating func sent(to dependent: DependentID) {
        if let slot = index(of: dependent) { slots[slot].reportsDue += 1 }
    }

    /// Records whether lines that `next` returned wait to be sent. Meanwhile the dependent gets no
    /// broadcast, which would overtake them.
    package mutating func setHoldsLines(_ holdsLines: Bool, of dependent: DependentID) {
        if let slot = index(of: dependent) { slots[slot].holdsLines = holdsLines }
    }

    /// Records that the connection did not accept a whole broadcast. It gets no further one until it
    /// has reported `drained` for that.
    package mutating func fellBehind(_ dependent: DependentID) {
        sent(to: dependent)
    }

    /// Records that the connection has written all lines, and reports it for one `sent` or
    /// `fellBehind`.
    package mutating func drained(_ dependent: DependentID) {
        if let slot = index(of: dependent), slots[slot].reportsDue > 0 { slots[slot].reportsDue -= 1 }
    }

    /// Whether the connection of a dependent still has lines to write, other than broadcasts that
    /// it accepts.
    package func isBusy(_ dependent: DependentID) -> Bool {
        index(of: dependent).map { slots[$0].reportsDue > 0 } ?? false
    }

    /// Whether anything may be pending for the dependent.
    package func hasPending(_ dependent: DependentID) -> Bool {
        index(of: dependent).map { slot in slots[slot].watches.contains { !$0.isDelivered } || isOwedPresence(slot) } ?? false
    }

    /// Advances the clock.
    ///
    /// - Parameter now: seconds; an earlier time than the last one counts as the last one.
    /// - Returns: the dependents with a watch that sent nothing for `idleSecondsMax`. `next`
    ///   returns a bookmark for them.
    /// - Complexity: O(watches).
    package mutating func tick(now: UInt64) -> [DependentID] {
        self.now = max(now, self.now)
        return slots.compactMap { slot in
            slot.watches.contains { $0.isIdle(since: limits.idleSecondsMax, now: self.now) } ? slot.id : nil
        }
    }
}

// MARK: - Steps

extension Dependents {
    /// The next step for a dependent: a line to write, a page to read, or nothing. Its watches take
    /// turns, one step each.
    ///
    /// - Complexity: O(watches of the dependent).
    package mutating func next(for dependent: DependentID) -> Step {
        guard let slot = index(of: dependent) else { return .nothing }
        if let step = nextPresence(slot) { return step }
        let step = nextOfWatches(slot)
        // It was a watch's turn and no watch has a step.
        if case .nothing = step, let step = nextPresence(slot) { return step }
        switch step {
        case .line(.synced): slots[slot].presenceCursor.startOver()
        case .line(.reset): slots[slot].presenceCursor.forgotten()
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

    /// Takes in the page that `next` asked for: the result of `Journal.changed` for its span and
    /// limit, in that order. Ignores a page that is not awaited.
    package mutating func receive(_ page: [PageNote], for read: PageRead, of dependent: DependentID) {
        guard let slot = index(of: dependent), let watch = place(of: read.watch, in: slot) else { return }
        let quota = quota(slot)
        slots[slot].watches[watch].receive(page, for: read, to: dependent, quota, recent)
    }

    /// Takes in the past state of a note; nil if the note did not exist then.
    package mutating func receive(_ past: Head?, for read: PastRead, of dependent: DependentID) {
        guard let slot = index(of: dependent), let watch = place(of: read.watch, in: slot) else { return }
        slots[slot].watches[watch].receive(past: past, for: read)
    }

    /// The oldest commit whose states a watch may still look up; nil if there is none. Compaction
    /// has to keep the states as of this commit and later.
    ///
    /// - Complexity: O(watches).
    package var oldestNeeded: UInt64? { slots.lazy.flatMap(\.watches).compactMap(\.oldestNeeded).min() }

    /// The state of every dependent, for `dependents.list`.
    ///
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
