package import NotesModel

/// How far one dependent was told who is where, in the order of `PresenceTable`.
struct PresenceCursor: Sendable {
    /// The stamp of the last line that was told or passed over.
    private(set) var through: UInt64
    /// Those who left at or before this stamp: it was told of them, or never heard of them. At or before `through`, but while it is told
    /// anew who is there.
    private var departuresThrough: UInt64
    /// What may wait for it, in bytes, and no less than what does; worked out when something comes to it, and holds while it is owed
    /// something.
    fileprivate(set) var bytesMax = 0
    /// What waited for it when that was counted, line by line, and the newest stamp at that time; nil where it was not, or where other
    /// lines may be told of it since.
    fileprivate var known: (bytes: Int, through: UInt64)?
    /// Whether what it was told does not hold any more, and the `watch.reset` that says so is still to come.
    fileprivate var isLost = false
    /// Whether it had the last step, so that it is a watch's turn.
    fileprivate var hadTurn = false

    init(through newest: UInt64) {
        through = newest
        departuresThrough = newest
    }

    /// A watch is synced: whoever is there is told, from the first on.
    mutating func startOver() {
        departuresThrough = max(departuresThrough, through)
        through = 0
        known = nil
    }

    /// A watch is reset: the client forgets who is where.
    mutating func forgotten() {
        isLost = false
    }

    fileprivate mutating func passed(_ stamp: UInt64) {
        through = stamp
    }

    /// There is nothing for it up to a stamp, or it will be told all anew.
    fileprivate mutating func leave(at stamp: UInt64) {
        through = stamp
        departuresThrough = max(departuresThrough, stamp)
        known = nil
    }

    /// From where on what waits is counted. Who is there when a watch begins is read from the board as the socket takes it, like a
    /// snapshot from the store.
    fileprivate var counted: UInt64 { max(through, departuresThrough) }

    fileprivate func tells(_ line: PresenceLine) -> Bool {
        line.presence != nil || line.stamp > departuresThrough
    }
}

// MARK: - What happens

extension Dependents {
    /// A dependent says where it is, or with nil that it is nowhere. One that is not registered is nobody's concern.
    ///
    /// - Parameter head: what the note is now; given with a presence.
    package mutating func place(_ presence: Presence?, head: Head?, of dependent: DependentID) {
        guard let slot = index(of: dependent) else { return }
        presences.put(presence, head: head, of: dependent, slots[slot].registration)
    }

    /// Where a dependent is.
    package func presence(of dependent: DependentID) -> Presence? {
        presences.presence(of: dependent)
    }

    /// Finds out whom it concerns what was said since the last time, so that many words of one dependent cost others one look.
    ///
    /// - Returns: the dependents that have something to be told, in the order of their ids.
    /// - Complexity: O(1) where nothing was said; otherwise O(lines × filters in use + watches).
    package mutating func spreadPresence() -> [DependentID] {
        let last = presencesSpread
        guard presences.newest > last else { return [] }
        presencesSpread = presences.newest
        let heads = Set(presences.lines(after: last).map(\.note)).compactMap(presences.head)
        let covering = filters.covering(anyOf: heads)
        return slots.indices.filter { spread(since: last, covering, $0) }.map { slots[$0].id }
    }

    private mutating func spread(since last: UInt64, _ covering: [Bool], _ slot: Int) -> Bool {
        guard slots[slot].watches.contains(where: \.isFollowing) else {
            slots[slot].telling.leave(at: presences.newest)
            // Should that watch end before it says so, another one has to.
            if slots[slot].watches.contains(where: \.isDropped) { slots[slot].telling.isLost = true }
            return false
        }
        let isConcerned = slots[slot].watches.contains { $0.isFollowing && covering[$0.filterIndex] }
        // Of who left and is forgotten already, it is not known whom it concerned.
        let hasMissed = hasMissed(slot)
        if !isConcerned, !hasMissed, slots[slot].telling.through >= last {
            slots[slot].telling.leave(at: presences.newest)
            return false
        }
        if hasMissed || !countWaiting(slot) {
            startOver(slot)
            return true
        }
        keepWithinShare(slot)
        return isConcerned || slots[slot].watches.contains(where: \.isDropped)
    }

    /// Works out what may wait for a dependent. False where that is too much.
    ///
    /// Lines that were replaced and lines of notes that it does not watch are counted with the others, as long as that is little enough.
    /// Otherwise what waits is counted line by line. After that it is only where more came since than waited: so each is paid for.
    private mutating func countWaiting(_ slot: Int) -> Bool {
        let most = limits.presenceBytesMax
        let (counted, known) = (slots[slot].telling.counted, slots[slot].telling.known)
        var bytes = presences.countMax(after: counted) * DependentLimits.entryBytes
        if let known {
            bytes = min(bytes, known.bytes + presences.countMax(after: max(counted, known.through)) * DependentLimits.entryBytes)
        }
        if bytes > most, known.map({ $0.bytes <= most / 2 }) ?? true {
            bytes = presenceBytes(slot)
            slots[slot].telling.known = (bytes, presences.newest)
        }
        slots[slot].telling.bytesMax = bytes
        return bytes <= most
    }

    /// Whether somebody left of whom it was not told, and cannot be any more.
    private func hasMissed(_ slot: Int) -> Bool {
        presences.forgotten > slots[slot].telling.counted
    }

    /// A dependent is told all anew.
    private mutating func startOver(_ slot: Int) {
        slots[slot].telling.leave(at: presences.newest)
        slots[slot].telling.isLost = true
        ensureReset(slot)
    }

    /// Where what a dependent was told does not hold any more, has one of its watches say so.
    private mutating func ensureReset(_ slot: Int) {
        guard slots[slot].telling.isLost, !slots[slot].watches.contains(where: \.isDropped),
            let watch = slots[slot].watches.firstIndex(where: \.isFollowing)
        else { return }
        slots[slot].watches[watch].startOver(at: newest)
    }

    /// A watch ended, maybe one behind whose `watch.synced` all was to be told again.
    mutating func unwatched(_ watch: Watch, _ slot: Int) {
        if !watch.isFollowing { slots[slot].telling.startOver() }
        ensureReset(slot)
        // Then the client knows of nobody.
        if slots[slot].watches.allSatisfy({ !$0.isFollowing && !$0.isDropped }) { slots[slot].telling.isLost = false }
    }

    /// Takes in what notes are now in which somebody is. Where one came into a filter or left it, or is deleted, those who are there are
    /// told anew.
    ///
    /// - Precondition: the changes are the batch that the filters were matched with last.
    mutating func tellPresences(of changes: [Change]) {
        guard !presences.isEmpty else { return }
        for (index, change) in changes.enumerated() {
            guard let dependents = presences.changed(to: change.after) else { continue }
            // Who hears of a tombstone takes it that nobody is there any more.
            if filters.isCrossing(index) || change.after.isDeleted { presences.republish(change.after, of: dependents) }
        }
    }
}

// MARK: - What is told

extension Dependents {
    /// Whether a dependent was not told, or has not passed over, all that was said and spread.
    func isOwedPresence(_ slot: Int) -> Bool {
        slots[slot].telling.through < presencesSpread && slots[slot].watches.contains(where: \.isFollowing)
    }

    /// Of who is where, the next step; nil where nothing is due. Nothing is before the watches that follow have told all: so whoever is
    /// told of a version was told of its note's change before, and whoever hears that a note left has been told of all who are in it.
    ///
    /// Takes turns with the other watches.
    mutating func nextPresence(_ slot: Int) -> Step? {
        guard !slots[slot].telling.hadTurn, isOwedPresence(slot),
            slots[slot].watches.allSatisfy({ $0.isFollowing ? $0.isDelivered : !$0.isDropped })
        else {
            slots[slot].telling.hadTurn = false
            return nil
        }
        guard !hasMissed(slot) else {
            startOver(slot)
            return .passed
        }
        guard let line = presences.first(after: slots[slot].telling.through) else {
            slots[slot].telling.leave(at: presences.newest)
            return nil
        }
        slots[slot].telling.hadTurn = true
        slots[slot].telling.passed(line.stamp)
        let receiver = slots[slot].id
        guard slots[slot].telling.tells(line), let head = presences.head(of: line.note),
            slots[slot].watches.contains(where: { $0.tells(of: line.dependent, to: receiver, in: head) })
        else { return .passed }
        return .presence(line)
    }

    /// What waits for it of who is where, in bytes.
    ///
    /// - Complexity: O(lines that wait).
    func presenceBytes(_ slot: Int) -> Int {
        guard isOwedPresence(slot) else { return 0 }
        let receiver = slots[slot].id
        let lines = presences.lines(after: slots[slot].telling.counted).filter { line in
            guard line.stamp <= presencesSpread, let head = presences.head(of: line.note) else { return false }
            return slots[slot].watches.contains { $0.tells(of: line.dependent, to: receiver, in: head) }
        }
        return lines.count * DependentLimits.entryBytes
    }
}
