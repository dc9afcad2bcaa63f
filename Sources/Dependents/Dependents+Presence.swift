package import NotesModel

/// How far one dependent has been sent the presence of others, as a place in the order of
/// `PresenceTable`.
///
/// Why two stamps: after `watch.synced` the client needs every presence that the watch covers
/// (P13), so the cursor goes back to 0. It does not need the departures before that point: it
/// either was sent them or never knew that the dependent was there. `departuresThrough` keeps that
/// point while `through` goes back.
///
/// Worked example. The table holds (a,1)@3 (a,2 left)@4 (b,3)@5, and the dependent is at 5:
///
///     its second watch is synced  through 0, departuresThrough 5
///     next                        (a,1)@3 is sent again; through 3
///     3 leaves b                  the table holds (a,1)@3 (a,2 left)@4 (b,3 left)@6
///     next                        (a,2 left)@4 is passed over: 4 is not after 5; through 4
///     next                        (b,3 left)@6 is sent: 6 is after 5; through 6
struct PresenceCursor: Sendable {
    /// The stamp of the last line that was sent or passed over.
    private(set) var through: UInt64
    /// Departures with this stamp or an older one are not sent: the client received them, or never
    /// knew of that presence. It is at most `through`, except while presence is being sent again
    /// after a `watch.synced`.
    private var departuresThrough: UInt64
    /// An upper bound of the bytes pending for the dependent. Computed when a line for it is
    /// published, and valid while a line is pending.
    fileprivate(set) var bytesMax = 0
    /// The exact count of pending bytes, and the newest stamp when it was made; nil if no count was
    /// made, or if the dependent's watches may cover other lines since.
    fileprivate var known: (bytes: Int, through: UInt64)?
    /// Whether the presence that the client shows may be wrong, and no watch has sent the
    /// `watch.reset` that makes the client forget it.
    fileprivate var isLost = false
    /// Whether the last step was for presence, so that the next one belongs to a watch.
    fileprivate var hadTurn = false

    init(through newest: UInt64) {
        through = newest
        departuresThrough = newest
    }

    /// Prepares to send all covered presence again, from the first line on, after a watch was
    /// synced.
    mutating func startOver() {
        departuresThrough = max(departuresThrough, through)
        through = 0
        known = nil
    }

    /// Records that a `watch.reset` was sent, at which the client forgets all presence.
    mutating func forgotten() {
        isLost = false
    }

    /// Records that the line with this stamp was sent or passed over.
    fileprivate mutating func passed(_ stamp: UInt64) {
        through = stamp
    }

    /// Skips all lines up to a stamp: none of them concerns the dependent, or all of its presence
    /// will be sent again.
    fileprivate mutating func leave(at stamp: UInt64) {
        through = stamp
        departuresThrough = max(departuresThrough, stamp)
        known = nil
    }

    /// The stamp after which lines count as pending. While presence is being sent again, the older
    /// lines are read from the table as the socket accepts them, like a snapshot from the store,
    /// and do not count.
    fileprivate var counted: UInt64 { max(through, departuresThrough) }

    /// Whether the client needs a line: every presence, and departures that it was not sent.
    fileprivate func reports(_ line: PresenceLine) -> Bool {
        line.presence != nil || line.stamp > departuresThrough
    }
}

// MARK: - Events

extension Dependents {
    /// Sets the presence of a dependent; nil removes it. Does nothing if the dependent is not
    /// registered.
    ///
    /// - Parameter head: the newest head of the note; required with a presence.
    package mutating func place(_ presence: Presence?, head: Head?, of dependent: DependentID) {
        guard let slot = index(of: dependent) else { return }
        presences.put(presence, head: head, of: dependent, slots[slot].registration)
    }

    /// The current presence of a dependent; nil if it has none.
    package func presence(of dependent: DependentID) -> Presence? {
        presences.presence(of: dependent)
    }

    /// Finds the dependents that the presence published since the last call concerns. Calling it
    /// once a turn makes many movements of one dependent cost the others one look.
    ///
    /// - Returns: the dependents with something to be sent, in ascending order of their ids.
    /// - Complexity: O(1) if nothing was published; otherwise O(new lines × filters in use +
    ///   watches).
    package mutating func spreadPresence() -> [DependentID] {
        let last = presencesSpread
        guard presences.newest > last else { return [] }
        presencesSpread = presences.newest
        let heads = Set(presences.lines(after: last).map(\.note)).compactMap(presences.head)
        let covering = filters.covering(anyOf: heads)
        return slots.indices.filter { spread(since: last, covering, $0) }.map { slots[$0].id }
    }

    /// Whether the lines after `last` concern the dependent of a slot. If not, its cursor moves past
    /// them. If it has too much presence pending or missed a departure, one of its watches is reset.
    private mutating func spread(since last: UInt64, _ covering: [Bool], _ slot: Int) -> Bool {
        guard slots[slot].watches.contains(where: \.isFollowing) else {
            slots[slot].presenceCursor.leave(at: presences.newest)
            // If that watch ends before it sends its reset, another watch has to send one.
            if slots[slot].watches.contains(where: \.isDropped) { slots[slot].presenceCursor.isLost = true }
            return false
        }
        let isConcerned = slots[slot].watches.contains { $0.isFollowing && covering[$0.filterIndex] }
        // It is not known which filters a dropped departure concerned.
        let hasMissed = hasMissed(slot)
        if !isConcerned, !hasMissed, slots[slot].presenceCursor.through >= last {
            slots[slot].presenceCursor.leave(at: presences.newest)
            return false
        }
        if hasMissed || !countWaiting(slot) {
            startOver(slot)
            return true
        }
        keepWithinShare(slot)
        return isConcerned || slots[slot].watches.contains(where: \.isDropped)
    }

    /// Computes how much presence is pending for a dependent. False if that is more than
    /// `DependentLimits.presenceBytesMax`.
    ///
    /// Why in two steps: an exact count matches every pending line with every watch, too much for
    /// each published line. `PresenceTable.countMax` costs O(log lines) but includes holes and
    /// lines of notes that no watch covers. So the upper bound is used while it is within the
    /// limit, and only a bound above the limit causes an exact count. A later bound is that exact
    /// count plus what was published since. If it exceeds the limit, lines are counted exactly
    /// again only if the last count was at most half the limit: then at least half the limit was
    /// published in between, and its number of lines pays for the count. Otherwise the bound
    /// decides.
    ///
    /// Example with room for 100 lines: the bound is 101, and an exact count finds 20. The next 80
    /// lines need no count, since 20 + 80 is 100. The 81st causes the second count.
    private mutating func countWaiting(_ slot: Int) -> Bool {
        let most = limits.presenceBytesMax
        let (counted, known) = (slots[slot].presenceCursor.counted, slots[slot].presenceCursor.known)
        var bytes = presences.countMax(after: counted) * DependentLimits.entryBytes
        if let known {
            bytes = min(bytes, known.bytes + presences.countMax(after: max(counted, known.through)) * DependentLimits.entryBytes)
        }
        if bytes > most, known.map({ $0.bytes <= most / 2 }) ?? true {
            bytes = presenceBytes(slot)
            slots[slot].presenceCursor.known = (bytes, presences.newest)
        }
        slots[slot].presenceCursor.bytesMax = bytes
        return bytes <= most
    }

    /// Whether the table dropped a departure that the dependent had not been sent.
    private func hasMissed(_ slot: Int) -> Bool {
        presences.forgotten > slots[slot].presenceCursor.counted
    }

    /// Skips all pending presence of a dependent and resets one of its watches. The client then
    /// forgets all presence and is sent it again after the next `watch.synced`.
    private mutating func startOver(_ slot: Int) {
        slots[slot].presenceCursor.leave(at: presences.newest)
        slots[slot].presenceCursor.isLost = true
        ensureReset(slot)
    }

    /// Makes a watch of a dependent send `watch.reset` if the client's presence may be wrong and no
    /// reset is pending.
    private mutating func ensureReset(_ slot: Int) {
        guard slots[slot].presenceCursor.isLost, !slots[slot].watches.contains(where: \.isDropped),
            let watch = slots[slot].watches.firstIndex(where: \.isFollowing)
        else { return }
        slots[slot].watches[watch].startOver(at: newest)
    }

    /// Adjusts a dependent's presence after one of its watches ended.
    ///
    /// If the watch was catching up, its `watch.synced` would have caused presence to be sent
    /// again, perhaps after a reset at which the client forgot all of it. The other watches need it
    /// all the same, so it is sent again now.
    mutating func unwatched(_ watch: Watch, _ slot: Int) {
        if !watch.isFollowing { slots[slot].presenceCursor.startOver() }
        ensureReset(slot)
        // No watch follows or has a reset pending, so the client shows no presence that could be
        // wrong.
        if slots[slot].watches.allSatisfy({ !$0.isFollowing && !$0.isDropped }) { slots[slot].presenceCursor.isLost = false }
    }

    /// Records the new heads of the notes in which dependents are present. The presence in a note
    /// is published again if the change moved the note into or out of a filter in use, or deleted
    /// it.
    ///
    /// - Precondition: `changes` is the batch that the filters were matched with last.
    mutating func updatePresences(of changes: [Change]) {
        guard !presences.isEmpty else { return }
        for (index, change) in changes.enumerated() {
            guard let dependents = presences.changed(to: change.after) else { continue }
            // A client that receives a tombstone forgets the presence in that note.
            if filters.isCrossing(index) || change.after.isDeleted { presences.republish(change.after, of: dependents) }
        }
    }
}

// MARK: - Steps

extension Dependents {
    /// Whether spread lines are left that the dependent was neither sent nor passed over. False if
    /// none of its watches follows.
    func isOwedPresence(_ slot: Int) -> Bool {
        slots[slot].presenceCursor.through < presencesSpread && slots[slot].watches.contains(where: \.isFollowing)
    }

    /// The next presence step for a dependent; nil if nothing is due. Presence takes turns with the
    /// watches, a step each.
    ///
    /// Presence waits until every watch that follows has sent all its changes, and until no
    /// `watch.reset` is pending. Why: a selection counts positions in the text of a version, so the
    /// client has to receive the change that made that version first (P11). And at `left` and
    /// `deleted` a client forgets the presence in the note, so the presence that it still covers
    /// has to come after that line (P15).
    ///
    /// Example: dependent 1 saves note a at commit 9 and moves its cursor in the new version.
    /// Receiver 2 still has commit 8 pending. It is sent 8, then 9, then the presence.
    mutating func nextPresence(_ slot: Int) -> Step? {
        guard !slots[slot].presenceCursor.hadTurn, isOwedPresence(slot),
            slots[slot].watches.allSatisfy({ $0.isFollowing ? $0.isDelivered : !$0.isDropped })
        else {
            slots[slot].presenceCursor.hadTurn = false
            return nil
        }
        guard !hasMissed(slot) else {
            startOver(slot)
            return .passed
        }
        guard let line = presences.first(after: slots[slot].presenceCursor.through) else {
            slots[slot].presenceCursor.leave(at: presences.newest)
            return nil
        }
        slots[slot].presenceCursor.hadTurn = true
        slots[slot].presenceCursor.passed(line.stamp)
        let receiver = slots[slot].id
        guard slots[slot].presenceCursor.reports(line), let head = presences.head(of: line.note),
            slots[slot].watches.contains(where: { $0.reports(of: line.dependent, to: receiver, in: head) })
        else { return .passed }
        return .presence(line)
    }

    /// The bytes of presence pending for a dependent, counted exactly.
    ///
    /// - Complexity: O(pending lines × watches of the dependent).
    func presenceBytes(_ slot: Int) -> Int {
        guard isOwedPresence(slot) else { return 0 }
        let receiver = slots[slot].id
        let lines = presences.lines(after: slots[slot].presenceCursor.counted).filter { line in
            guard line.stamp <= presencesSpread, let head = presences.head(of: line.note) else { return false }
            return slots[slot].watches.contains { $0.reports(of: line.dependent, to: receiver, in: head) }
        }
        return lines.count * DependentLimits.entryBytes
    }
}
