import NotesModel

/// One watch: what it covers, where it stands in the store's commit order, and what it still has to hear.
///
/// `position` is a commit up to which every change has been told or passed over. Why every line's commit is such a cursor (G6):
/// a note waits at its *newest* commit and lines go out in the order of these. So when the line of commit c goes out, each note
/// that changed at or before c was either told at its newest commit up to c, or has a commit after c and waits there; and
/// going on from c means hearing of every note that has a commit after c. The catch-up keeps the same order: it comes to notes
/// by their newest commits, and what is committed after its target waits behind it.
///
/// That holds in a store that has those newer commits. In an older copy the newest commit of such a note lies at or before c, though
/// it was not told. So as long as anything waits or is caught up a cursor also says how far the store had come (`reached`).
///
/// The life of a watch:
///
///     catching up ──(target reached, nothing untold: watch.synced)──► following ◄─┐
///         ▲                                                              │        │
///         └──(dependent reads: watch.reset)── dropped ◄──(over its share)┴── also while catching up
struct Watch: Sendable {
    let id: WatchID
    let filter: Filter
    /// The filter's row in the table of those in use.
    let filterIndex: Int
    let include: WatchDetail
    /// Whether lines that stand for the connection's own writes alone are sent.
    let isEchoing: Bool

    private(set) var seq: UInt64 = 0
    /// Own writes up to here are told in a catch-up though they stand alone: after the answer to one of them an older state of its
    /// note may have been told, from an entry that kept its place.
    private(set) var echoedThrough: UInt64 = 0
    /// Kept while something waits or is caught up; a watch that was told all stands at the newest commit, without a word here.
    private(set) var position: UInt64
    /// Nil once `watch.synced` was sent.
    private(set) var catchUp: CatchUp?
    /// Whether entries were dropped and `watch.reset` is due. Then nothing is taken in: the catch-up to come reads it.
    private(set) var isDropped = false
    private(set) var outbox = Outbox()
    /// When the last line was given, in the caller's seconds.
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

    /// A watch that has been told all up to a commit.
    init(following filter: Filter, from position: UInt64) {
        self.init(
            id: WatchID(0), filter: (0, filter), include: .meta, isEchoing: true, start: .since(position), newest: position,
            now: 0)
        catchUp = nil
    }

    /// As how many watches it counts: one more for each thousand ids of its filter.
    static func weight(of filter: Filter) -> Int {
        1 + (filter.ids?.count ?? 0) / DependentLimits.idsPerWatch
    }

    /// What waits, as it is counted against the share.
    var outboxBytes: Int {
        (outbox.count + (catchUp?.page.count ?? 0)) * DependentLimits.entryBytes
    }

    var state: DependentDescription.DependentState {
        if isDropped { return .reset }
        return catchUp == nil && outbox.isEmpty ? .synced : .lagging
    }

    /// The oldest commit as of which what a note was may still be asked for; nil where nothing is asked for but what notes are.
    ///
    /// A line names a commit after the position; what is said of it in a catch-up depends on what it was at the base. Edits may be from
    /// something older that was told: where that is gone, the text is told whole.
    var oldestNeeded: UInt64? {
        guard let catchUp else { return isDropped || !outbox.isEmpty ? position : nil }
        return isDropped || catchUp.isSnapshot ? position : min(position, catchUp.base)
    }

    func isIdle(since seconds: UInt64, now: UInt64) -> Bool {
        state == .synced && now >= lastLineAt && now - lastLineAt >= seconds
    }
}

// MARK: - What is committed

extension Watch {
    /// Whether nothing waits, nor has to be caught up.
    var isDelivered: Bool { catchUp == nil && outbox.isEmpty && !isDropped }

    /// Whether `watch.synced` was told, and no reset since: then it is told who is where, too.
    var isFollowing: Bool { catchUp == nil && !isDropped }

    /// Whether a line about a dependent in a note goes to whoever has this watch.
    func tells(of dependent: DependentID, to receiver: DependentID, in head: Head) -> Bool {
        isFollowing && (isEchoing || dependent != receiver) && filter.matches(head)
    }

    /// Makes the watch start over, since what it was told of who is where does not hold any more.
    mutating func startOver(at newest: UInt64) {
        if isDelivered { position = newest }
        drop()
    }

    /// Whether a batch is to this watch what it is to all who had been told what was before it: nothing has to be caught up, and what
    /// waits is about other notes.
    ///
    /// - Parameter previous: the newest commit that one of the batch's notes was at before it.
    func takesWhole(after previous: UInt64) -> Bool {
        catchUp == nil && !isDropped && outbox.isApart(from: previous)
    }

    /// Takes in a batch as what it says to all such watches. False where it has to be taken in change by change.
    ///
    /// - Precondition: `takesWhole`.
    mutating func post(_ changeBatch: ChangeBatch, to dependent: DependentID, _ limits: DependentLimits, _ quota: Quota) -> Bool {
        guard !changeBatch.notes.isEmpty, changeBatch.suits(dependent, include, within: limits),
            (outbox.count + changeBatch.entries.count) * DependentLimits.entryBytes <= quota.bytes
        else { return false }
        if outbox.isEmpty { position = changeBatch.after }
        outbox.post(changeBatch)
        return true
    }

    /// Takes in a batch of changes, with what each did in the eyes of the filter.
    ///
    /// - Returns: whether there is something to be told now.
    /// - Complexity: O(changes × log entries) at worst; O(1) a change that concerns nothing that waits.
    mutating func committed(
        _ changes: [CommittedNote], _ passages: [FilterTransition], to dependent: DependentID, movesMax: Int, quota: Quota
    ) -> Bool {
        var isConcerned = false
        for index in changes.indices {
            // The catch-up to come reads it.
            if isDropped { return isConcerned }
            if !passages[index].isCovered && outbox.isEmpty && catchUp == nil { continue }
            if committed(changes[index], passages[index], to: dependent, movesMax: movesMax) {
                isConcerned = true
                keep(within: quota)
            }
        }
        return isConcerned
    }

    private mutating func committed(_ change: CommittedNote, _ transition: FilterTransition, to dependent: DependentID, movesMax: Int) -> Bool
    {
        let isOwn = change.origin?.dependent == dependent
        // Told by its answer alone, an own write would be followed by the older state that keeps its place.
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

    /// Whether a change of a note that does not wait makes an entry, or is passed over.
    ///
    /// An own write is told by its answer, so without echo it counts as told at once; not where a catch-up still has to come to an
    /// older change of the note, with which the client would be left.
    private func isDelivered(_ note: NoteID, _ transition: FilterTransition, isOwn: Bool, isPending: Bool) -> Bool {
        if isPending { return transition.isCovered || catchUp?.mayHoldOutsiders == true && filter.canMatch(note) }
        return transition.isCovered && (isEchoing || !isOwn)
    }

    /// Drops all that waits where it is more than the share: now, or with the page that is to be read.
    mutating func keep(within quota: Quota) {
        let pageToCome = isReading ? quota.pageBytes : 0
        if max(outboxBytes, outbox.count * DependentLimits.entryBytes + pageToCome) > quota.bytes { drop() }
    }

    /// Whether pages are still to be read or told.
    private var isReading: Bool {
        guard let catchUp, !isDropped else { return false }
        return position < catchUp.target
    }

    /// Forgets what waits. What the client was told up to is known, so the store can tell it the rest.
    private mutating func drop() {
        outbox.removeAll()
        position = catchUp?.delivered ?? position
        catchUp = CatchUp(base: position, target: position, snapshotBegan: catchUp?.snapshotBegan)
        isDropped = true
    }
}

// MARK: - What is told

extension Watch {
    /// What the next step needs to know besides the watch.
    struct WatchContext {
        let dependent: DependentID
        let newest: UInt64
        let now: UInt64
        let quota: Quota
        let idleSecondsMax: UInt64
    }

    /// - Complexity: O(1) amortised over the entries, but for `RecentCommits.span` of a note that is owed.
    mutating func next(_ at: WatchContext, _ recent: borrowing RecentCommits) -> Step {
        if isDropped { return restart(at) }
        if let step = nextOfPage(at) { return step }
        if let lines = takeBulletin(now: at.now) { return .changeBatch(lines) }
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

    /// What waits as one, if it does.
    mutating func takeBulletin(now: UInt64) -> NumberedChangeBatch? {
        guard let changeBatch = outbox.takeBulletin() else { return nil }
        position = changeBatch.through
        let first = seq + 1
        seq += UInt64(changeBatch.notes.count)
        lastLineAt = now
        return NumberedChangeBatch(watch: id, seq: first, include: include, changeBatch: changeBatch)
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

    /// The next line or page of the catch-up; nil once its target is reached, and without one.
    private mutating func nextOfPage(_ at: WatchContext) -> Step? {
        // A copy of the catch-up would have the page copied for each of its notes.
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

    /// Whether a line of a catch-up would stand for own writes alone, and none is wanted.
    private func isOwnAlone(_ span: RecentCommits.Span, at sequence: UInt64, of dependent: DependentID) -> Bool {
        !isEchoing && sequence > echoedThrough && span.isAlone(dependent)
    }

    /// The line of an entry; nil where there is nothing to say.
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
                from: entry.before, to: entry.after, matchedOnTheWay: entry.matchedOnTheWay, shownOnTheWay: entry.shownOnTheWay)
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

// MARK: - What the store answered

extension Watch {
    /// Takes in a page. An answer to what is no longer asked is left.
    mutating func receive(
        _ notes: [PageNote], for read: PageRead, to dependent: DependentID, _ quota: Quota, _ recent: borrowing RecentCommits
    ) {
        guard !isDropped, notes.count <= quota.pageNotes, let begun = catchUp, begun.isAwaiting(read), position == read.after
        else {
            return
        }
        // Those that changed between the reading and now.
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

    /// Takes in what an untold note was, if it is still next.
    mutating func receive(past: Head?, for read: PastRead) {
        guard let catchUp, !isDropped, catchUp.base == read.asOf else { return }
        outbox.setPastOfFirst(read.note, FilteredState(past, under: filter))
    }
}
