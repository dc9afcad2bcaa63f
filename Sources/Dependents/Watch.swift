import NotesModel

/// One watch: what it covers, its position in the store's commit order, and its pending changes.
///
/// Every change up to `position` has been sent or passed over. Why the commit of every line is a
/// valid cursor (guarantee G6): each note waits at its *newest* commit, and lines are sent in the
/// order of these commits. When the line of commit c is sent, a note that changed at or before c
/// was either sent at its newest commit up to c, or has a newer commit and waits there. Resuming
/// from c reports every note with a commit after c. The catch-up keeps this order: it finds notes
/// by their newest commits, and commits after its target wait behind it.
///
/// Example: a changes at 1, b at 2, a at 3. The outbox holds b@2 and a@3. A client that stops after
/// b@2 resumes from 2 and receives a@3; no line of a was due before b.
///
/// An older copy of the store does not contain the commits after c. So while anything is pending, a
/// cursor also names the newest commit of the store (`WatchPosition.newest`).
///
///     catching up ──(target reached, nothing pending: watch.synced)──► following ◄─┐
///         ▲                                                              │         │
///         └──(dependent reads: watch.reset)── dropped ◄──(over its share)┴── also while catching up
struct Watch: Sendable {
    let id: WatchID
    let filter: Filter
    /// The row of the filter in `FilterTable`.
    let filterIndex: Int
    let include: WatchDetail
    /// Whether lines are sent that stand only for writes of the same connection.
    let isEchoing: Bool

    private(set) var seq: UInt64 = 0
    /// Up to this commit, the catch-up reports own writes even without echo: an entry that kept its
    /// place may have sent an older state of the note after the write's response.
    private(set) var echoedThrough: UInt64 = 0
    /// Maintained only while something is pending; a watch with nothing pending is at the newest
    /// commit.
    private(set) var position: UInt64
    /// Nil once `watch.synced` was sent.
    private(set) var catchUp: CatchUp?
    /// Whether entries were dropped and `watch.reset` is due. New changes are then ignored: the
    /// next catch-up reads them.
    private(set) var isDropped = false
    private(set) var outbox = Outbox()
    /// When the last line was taken, in seconds of the caller's clock.
    private(set) var lastLineAt: UInt64

    init(
        id: WatchID, filter: (index: Int, filter: Filter), include: WatchDetail, isEchoing: Bool, start: Start, newest: UInt64,
        now: UInt64
    ) {
        self.id = id
        self.filter = filter.filter
        filterIndex = filter.index
        self.include = include
        self.isEchoing = isEchoing
        switch start {
        case .snapshot: position = 0
        case .since(let sequence): position = min(sequence, newest)
        case .tail: position = newest
        }
        catchUp = CatchUp(base: position, target: newest, snapshotBegan: start == .snapshot ? newest : nil)
        lastLineAt = now
    }

    /// A watch that has sent everything up to a commit.
    init(following filter: Filter, from position: UInt64) {
        self.init(
            id: WatchID(0), filter: (0, filter), include: .meta, isEchoing: true, start: .since(position), newest: position,
            now: 0)
        catchUp = nil
    }

    /// How many watches it counts as: one, and one more for each `idsPerWatch` ids of its filter.
    static func weight(of filter: Filter) -> Int {
        1 + (filter.ids?.count ?? 0) / DependentLimits.idsPerWatch
    }

    /// The bytes pending, as counted against the share.
    var outboxBytes: Int {
        (outbox.count + (catchUp?.page.count ?? 0)) * DependentLimits.entryBytes
    }

    var state: DependentDescription.DependentState {
        if isDropped { return .reset }
        return catchUp == nil && outbox.isEmpty ? .synced : .lagging
    }

    /// The oldest commit whose states the watch may still look up; nil if it needs only newest
    /// states.
    ///
    /// A line names a commit after the position, and its kind may depend on the state as of the
    /// base. Edits may start from an older state; if that was compacted, the whole text is sent.
    var oldestNeeded: UInt64? {
        guard let catchUp else { return isDropped || !outbox.isEmpty ? position : nil }
        return isDropped || catchUp.isSnapshot ? position : min(position, catchUp.base)
    }

    /// Whether everything was sent and no line was taken for that many seconds.
    func isIdle(since seconds: UInt64, now: UInt64) -> Bool {
        state == .synced && now >= lastLineAt && now - lastLineAt >= seconds
    }
}

// MARK: - Commits

extension Watch {
    /// Whether nothing is pending and nothing has to be caught up.
    var isDelivered: Bool { catchUp == nil && outbox.isEmpty && !isDropped }

    /// Whether `watch.synced` was sent and no reset is due since. Only then does it receive
    /// presence.
    var isFollowing: Bool { catchUp == nil && !isDropped }

    /// Whether this watch of `receiver` covers a presence line of `dependent` in a note.
    func reports(of dependent: DependentID, to receiver: DependentID, in head: Head) -> Bool {
        isFollowing && (isEchoing || dependent != receiver) && filter.matches(head)
    }

    /// Makes the watch send `watch.reset`, so that the client forgets presence that may be wrong.
    mutating func startOver(at newest: UInt64) {
        if isDelivered { position = newest }
        drop()
    }

    /// Whether a batch can be queued as a shared `ChangeBatch`: nothing has to be caught up, and
    /// the pending changes are about other notes.
    ///
    /// - Parameter previous: the newest commit before the batch of any of its notes.
    func takesWhole(after previous: UInt64) -> Bool {
        catchUp == nil && !isDropped && outbox.isDisjoint(from: previous)
    }

    /// Queues a batch as a whole. False if it has to be taken in change by change.
    ///
    /// - Precondition: `takesWhole`.
    mutating func post(_ changeBatch: ChangeBatch, to dependent: DependentID, _ limits: DependentLimits, _ quota: Quota) -> Bool {
        guard !changeBatch.isEmpty, changeBatch.suits(dependent, include, within: limits),
            (outbox.count + changeBatch.entries.count) * DependentLimits.entryBytes <= quota.bytes
        else { return false }
        if outbox.isEmpty { position = changeBatch.after }
        outbox.post(changeBatch)
        return true
    }

    /// Takes in a batch of changes, with the transition of each under the filter.
    ///
    /// - Returns: whether something became pending.
    /// - Complexity: O(changes × log entries) at worst; O(1) for a change that concerns nothing
    ///   pending.
    mutating func committed(
        _ changes: [Change], _ transitions: [FilterTransition], to dependent: DependentID, movesMax: Int, quota: Quota
    ) -> Bool {
        var isConcerned = false
        for index in changes.indices {
            // The next catch-up reads the rest.
            if isDropped { return isConcerned }
            if !transitions[index].isCovered && outbox.isEmpty && catchUp == nil { continue }
            if committed(changes[index], transitions[index], to: dependent, movesMax: movesMax) {
                isConcerned = true
                keep(within: quota)
            }
        }
        return isConcerned
    }

    private mutating func committed(
        _ change: Change, _ transition: FilterTransition, to dependent: DependentID, movesMax: Int
    ) -> Bool {
        let isOwn = change.origin?.dependent == dependent
        // Without echo only the response reports the connection's own write. An entry that kept
        // its place would then follow it with an older state.
        let movesMax = isOwn && !isEchoing ? nil : movesMax
        let isWaiting: Bool
        switch outbox.move(to: change, isOwn: isOwn, after: transition.after, movesMax: movesMax) {
        case .moved: return true
        case .kept: isWaiting = true
        case .absent: isWaiting = false
        }
        let isPending = catchUp?.owes(change.previous, at: position) ?? false
        guard isWaiting || isDelivered(change.note, transition, isOwn: isOwn, isPending: isPending) else { return false }
        if outbox.isEmpty && catchUp == nil { position = change.sequence - 1 }
        if isPending { catchUp?.supersede(change.previous) }
        outbox.append(OutboxEntry(change, isOwn: isOwn, transition, isPending: isPending))
        return true
    }

    /// Whether a change of a note that does not wait makes an entry.
    ///
    /// Without echo the response reports the connection's own write. If a catch-up still owes an
    /// older change of the note, an entry is made nevertheless, or the client would be left with
    /// that older state.
    private func isDelivered(_ note: NoteID, _ transition: FilterTransition, isOwn: Bool, isPending: Bool) -> Bool {
        if isPending { return transition.isCovered || catchUp?.mayHoldOutsiders == true && filter.canMatch(note) }
        return transition.isCovered && (isEchoing || !isOwn)
    }

    /// Drops everything pending if it exceeds the share, now or with the next page.
    mutating func keep(within quota: Quota) {
        let pageToCome = isReading ? quota.pageBytes : 0
        if max(outboxBytes, outbox.count * DependentLimits.entryBytes + pageToCome) > quota.bytes { drop() }
    }

    /// Whether pages remain to be read or sent.
    private var isReading: Bool {
        guard let catchUp, !isDropped else { return false }
        return position < catchUp.target
    }

    /// Drops everything pending. The store can report it again from the last line's commit.
    private mutating func drop() {
        outbox.removeAll()
        position = catchUp?.delivered ?? position
        catchUp = CatchUp(base: position, target: position, snapshotBegan: catchUp?.snapshotBegan)
        isDropped = true
    }
}

// MARK: - Steps

extension Watch {
    /// What the next step depends on besides the watch.
    struct WatchContext {
        let dependent: DependentID
        let newest: UInt64
        let now: UInt64
        let quota: Quota
        let idleSecondsMax: UInt64
    }

    /// The next line or read.
    ///
    /// - Complexity: amortised O(1) per entry, plus `RecentCommits.span` for a pending note.
    mutating func next(_ at: WatchContext, _ recent: borrowing RecentCommits) -> Step {
        if isDropped { return restart(at) }
        if let step = nextOfPage(at) { return step }
        if let lines = takeChangeBatch(now: at.now) { return .changeBatch(lines) }
        while true {
            if catchUp != nil, outbox.pendingCount == 0 {
                catchUp = nil
                return .line(.synced(watch: id, seq: nextSeq(at), cursor: reached(outbox.isEmpty ? at.newest : position, at)))
            }
            guard let entry = outbox.first else { break }
            if let read = pastNeeded(for: entry) { return .read(.past(read)) }
            _ = outbox.popFirst()
            position = entry.to
            if let line = line(of: entry, at, recent) {
                catchUp?.delivered = entry.to
                return .line(line)
            }
        }
        guard isIdle(since: at.idleSecondsMax, now: at.now) else { return .nothing }
        return .line(.bookmark(watch: id, seq: nextSeq(at), cursor: reached(at.newest, at)))
    }

    /// Takes the next shared batch, if one is queued.
    mutating func takeChangeBatch(now: UInt64) -> NumberedChangeBatch? {
        guard let changeBatch = outbox.takeChangeBatch() else { return nil }
        let first = pass(changeBatch, now: now)
        return NumberedChangeBatch(watch: id, seq: first, include: include, changeBatch: changeBatch)
    }

    /// Numbers the lines of a shared batch. Returns the number of the first.
    ///
    /// - Precondition: every earlier change was sent.
    mutating func pass(_ changeBatch: ChangeBatch, now: UInt64) -> UInt64 {
        position = changeBatch.through
        let first = seq + 1
        seq += UInt64(changeBatch.count)
        lastLineAt = now
        return first
    }

    /// The cursor of a line that brings the watch to a commit.
    private func reached(_ commit: UInt64, _ at: WatchContext) -> WatchPosition {
        WatchPosition(commit, newest: isDelivered ? commit : at.newest)
    }

    private mutating func nextSeq(_ at: WatchContext) -> UInt64 {
        seq += 1
        lastLineAt = at.now
        return seq
    }

    private mutating func restart(_ at: WatchContext) -> Step {
        isDropped = false
        catchUp = CatchUp(base: position, target: at.newest, snapshotBegan: catchUp?.snapshotBegan)
        return .line(.reset(watch: id, seq: nextSeq(at), reason: .outboxFull))
    }

    /// The next line or page read of the catch-up; nil once its target is reached, and without one.
    private mutating func nextOfPage(_ at: WatchContext) -> Step? {
        // Binding the catch-up to a variable would copy the page for each of its notes.
        if let (item, base) = catchUp?.nextItem() {
            position = item.to
            catchUp?.delivered = item.to
            let from = item.kind.buildsOnEarlierText ? base : 0
            let line = ChangedLine(
                watch: id, seq: nextSeq(at), kind: item.kind, note: item.note, to: item.to, from: from, include: include,
                changes: item.changes, uncountedAfter: item.isCounted ? nil : base, origin: item.origin,
                cursor: reached(item.to, at))
            return .line(.changed(line))
        }
        guard let catchUp else { return nil }
        position = max(position, catchUp.pageEnd)
        guard position < catchUp.target else { return nil }
        let read = PageRead(
            watch: id, after: position, through: catchUp.target, limit: at.quota.pageNotes,
            asOf: catchUp.isSnapshot ? nil : catchUp.base, filter: filter, include: include)
        return .read(.page(read))
    }

    private func pastNeeded(for entry: OutboxEntry) -> PastRead? {
        guard entry.isPending, !entry.isPastKnown, let catchUp, catchUp.needsPast(for: entry.after) else { return nil }
        return PastRead(watch: id, note: entry.note, asOf: catchUp.base)
    }

    /// Whether a catch-up line would stand only for own writes, and the watch does not echo.
    private func isOwnAlone(_ span: RecentCommits.Span, at sequence: UInt64, of dependent: DependentID) -> Bool {
        !isEchoing && sequence > echoedThrough && span.isAlone(dependent)
    }

    /// The line of an entry; nil if there is nothing to report.
    private mutating func line(of entry: OutboxEntry, _ at: WatchContext, _ recent: borrowing RecentCommits) -> Line? {
        var changes = Int(entry.changes)
        var uncountedAfter: UInt64?
        let kind: ChangeKind?
        var from = entry.from
        if entry.isPending, let catchUp {
            let before = entry.isPastKnown ? entry.before : .absent
            kind = catchUp.kind(from: before, to: entry.after, at: entry.to)
            from = catchUp.base
            if kind == .snapshot {
                changes = 1
            } else {
                let span = recent.span(endingAt: entry.to, after: catchUp.base)
                if isOwnAlone(span, at: entry.to, of: at.dependent) { return nil }
                changes = max(changes, span.changes)
                if !span.isWhole { uncountedAfter = catchUp.base }
            }
        } else {
            kind = ChangeKind.followed(
                from: entry.before, to: entry.after, matchedMeanwhile: entry.matchedMeanwhile,
                wasVisibleMeanwhile: entry.wasVisibleMeanwhile)
        }
        guard let kind else { return nil }
        if entry.keepsPlace { echoedThrough = at.newest }
        return .changed(
            ChangedLine(
                watch: id, seq: nextSeq(at), kind: kind, note: entry.note, to: entry.to,
                from: kind.buildsOnEarlierText ? from : 0, include: include, changes: changes, uncountedAfter: uncountedAfter,
                origin: entry.origin, cursor: reached(entry.to, at)))
    }
}

// MARK: - Results of reads

extension Watch {
    /// Takes in a page. Ignores it if it is not the page that is awaited.
    mutating func receive(
        _ notes: [PageNote], for read: PageRead, to dependent: DependentID, _ quota: Quota, _ recent: borrowing RecentCommits
    ) {
        guard !isDropped, notes.count <= quota.pageNotes, let begun = catchUp, begun.isAwaiting(read), position == read.after
        else {
            return
        }
        // Notes that changed after the page was read wait in the outbox.
        let superseded = outbox.pendingOrigins
        for note in notes where !superseded.contains(note.stored.sequence) {
            if let item = item(for: note, of: begun, dependent, recent) { catchUp?.page.append(item) }
        }
        catchUp?.pageEnd = read.through
        if notes.count >= read.limit, let last = notes.last { catchUp?.pageEnd = last.stored.sequence }
    }

    private func item(
        for note: PageNote, of catchUp: CatchUp, _ dependent: DependentID, _ recent: borrowing RecentCommits
    ) -> CatchUp.Item? {
        let to = note.stored.sequence
        let after = FilteredState(note.stored.head, under: filter)
        guard filter.canMatch(note.stored.head.id),
            let kind = catchUp.kind(from: FilteredState(note.past, under: filter), to: after, at: to)
        else { return nil }
        var changes = 1
        var isCounted = true
        if kind != .snapshot {
            let span = recent.span(endingAt: to, after: catchUp.base)
            if isOwnAlone(span, at: to, of: dependent) { return nil }
            changes = max(1, span.changes)
            isCounted = span.isWhole
        }
        return CatchUp.Item(
            note: note.stored.head.id, to: to, kind: kind, changes: changes, isCounted: isCounted, origin: recent.origin(of: to))
    }

    /// Takes in the past state of a pending note, if that note is still next.
    mutating func receive(past: Head?, for read: PastRead) {
        guard let catchUp, !isDropped, catchUp.base == read.asOf else { return }
        outbox.setPastOfFirst(read.note, FilteredState(past, under: filter))
    }
}
