import Causality
import Dependents
import Logging
import NotesModel
import NotesStore

extension Engine {
    /// Builds lines for the dependents with pending changes whose sockets are not busy, one bounded
    /// output for each.
    ///
    /// The reads for it are bounded too, so that no catch-up delays the requests of others. A
    /// dependent that exceeds the bound waits for another turn, at the end of the queue if this
    /// turn read for it.
    func deliver(into output: inout TurnOutput) throws(JournalError) {
        outgoing.unsynced.formUnion(dependents.spreadPresence())
        var allowance = Allowance(reads: configuration.turnReadsMax, notifications: configuration.turnNotificationsMax)
        for dependent in outgoing.takeWaiting() { try serve(dependent, &allowance, into: &output) }
        outgoing.awaitingRead += allowance.spent
        try feedPeers(into: &output)
        // For the presence of dependents that were cut short.
        outgoing.unsynced.formUnion(dependents.spreadPresence())
    }

    /// What the turn may still read and build.
    private struct Allowance {
        var reads: Int
        var notifications: Int
        /// Dependents that the turn read for and that need more reads.
        var spent: [DependentID] = []
    }

    /// Builds lines for one dependent, or cuts it short if a read fails.
    private func serve(_ dependent: DependentID, _ allowance: inout Allowance, into output: inout TurnOutput) throws(JournalError)
    {
        guard !dependents.isBusy(dependent), !longReads.isParked(dependent) else {
            outgoing.unsynced.remove(dependent)
            return
        }
        guard allowance.notifications > 0 else { return }
        do throws(JournalError) {
            try deliver(dependent, &allowance, into: &output)
        } catch {
            if case .fatal = error { throw error }
            cutShort(dependent, error, in: &output)
        }
    }

    /// Takes steps of a dependent until its output is full or nothing is pending.
    private func deliver(
        _ dependent: DependentID, _ allowance: inout Allowance, into output: inout TurnOutput
    ) throws(JournalError) {
        var notifications: [WatchNotification] = []
        var presences: [PresenceLine] = []
        var bytes = 0
        let reads = allowance.reads
        // Also before a throw: a line whose number is assigned is sent.
        defer {
            if !notifications.isEmpty || !presences.isEmpty {
                dependents.sent(to: dependent)
                outgoing.unsynced.remove(dependent)
                output.deliver(notifications, presences, to: dependent)
                allowance.notifications -= notifications.count + presences.count
            }
        }
        for _ in 0..<configuration.outputNotificationsMax where bytes < configuration.outputBytesMax {
            let step = takeHeldLines(of: dependent) ?? dependents.next(for: dependent)
            if try waits(step, of: dependent) { return }
            switch step {
            case .nothing:
                outgoing.unsynced.remove(dependent)
                return
            case .read where allowance.reads <= 0:
                if reads > 0 { allowance.spent.append(dependent) } else { outgoing.awaitingRead.append(dependent) }
                return
            case .read(.page(let read)):
                allowance.reads -= read.limit
                guard let page = try page(read, for: dependent) else {
                    outgoing.unsynced.remove(dependent)
                    return
                }
                dependents.receive(page, for: read, of: dependent)
            case .read(.past(let read)):
                if read.asOf > 0, try waits(dependent, forCommitsOf: read.note, downTo: read.asOf) { return }
                allowance.reads -= 1
                let past = read.asOf == 0 ? nil : try noteCache.past(of: read.note, asOf: read.asOf)
                dependents.receive(past, for: read, of: dependent)
            case .line(let line):
                if case .changed(let changed) = line, readsHistory(changed) {
                    guard allowance.reads > 0 else {
                        if reads > 0 { allowance.spent.append(dependent) } else { outgoing.awaitingRead.append(dependent) }
                        hold(step, of: dependent)
                        return longReads.crowdOut(dependent)
                    }
                    allowance.reads -= 1
                }
                let notification = try notification(line)
                notifications.append(notification)
                bytes += notification.weight
            case .changeBatch(let lines):
                let notification = try notification(lines)
                notifications.append(notification)
                bytes += notification.weight
            case .presence(let line):
                presences.append(line)
                bytes += Self.presenceWeight
            case .passed: break
            }
        }
    }

    /// What a presence line counts as, in bytes.
    private static let presenceWeight = 256

    /// Reads a page of a catch-up, with the past states that its lines depend on.
    ///
    /// - Returns: nil if the page waits until another thread has loaded a note.
    private func page(_ read: PageRead, for dependent: DependentID) throws(JournalError) -> [PageNote]? {
        let changed = try noteCache.journal.changed(after: read.after, through: read.through, limit: read.limit)
        if let asOf = read.asOf, asOf > 0 {
            for stored in changed where read.needsPast(of: stored.head) {
                if try waits(dependent, forCommitsOf: stored.head.id, downTo: asOf) { return nil }
            }
        }
        if read.include != .meta {
            // The store has the text of a note with a single newest revision.
            for stored in changed where stored.head.version.dots.count > 1 && read.filter.matches(stored.head) {
                if try waits(dependent, for: stored.head.id) { return nil }
            }
            longReads.endDelivery(to: dependent)
        }
        var page: [PageNote] = []
        for stored in changed {
            if read.include == .meta, read.filter.matches(stored.head) { noteCache.remember(stored) }
            var past: Head?
            if read.needsPast(of: stored.head), let asOf = read.asOf, asOf > 0 {
                past = try noteCache.past(of: stored.head.id, asOf: asOf)
            }
            page.append(PageNote(stored: stored, past: past))
        }
        return page
    }

    private func notification(_ line: Line) throws(JournalError) -> WatchNotification {
        switch line {
        case .changed(let changed): try notification(changed)
        case .synced(let watch, let seq, let cursor):
            WatchNotification(watch: watch, number: seq, cursor: try self.cursor(cursor), event: .synced)
        case .bookmark(let watch, let seq, let cursor):
            WatchNotification(watch: watch, number: seq, cursor: try self.cursor(cursor), event: .bookmark)
        case .reset(let watch, let seq, let reason):
            WatchNotification(watch: watch, number: seq, cursor: try self.cursor(atAll: 0), event: .reset(reason))
        }
    }

    private func notification(_ lines: NumberedChangeBatch) throws(JournalError) -> WatchNotification {
        let shared = try shared(lines.changeBatch, lines.include)
        return WatchNotification(watch: lines.watch, number: lines.seq, cursor: shared.cursor, event: .changes(shared))
    }

    /// The shared lines of a batch.
    ///
    /// - Complexity: O(1) if the last use was the same batch; otherwise O(notes) and that of
    ///   their states.
    private func shared(_ changeBatch: ChangeBatch, _ include: WatchDetail) throws(JournalError) -> RenderedChanges {
        let key = RenderedChangesKey(changeBatch: changeBatch, include: include)
        if let kept = outgoing.renderedChanges.value(key) { return kept }
        var changes: [(cursor: Cursor, notification: ChangeNotification)] = []
        for line in changeBatch.lines(showing: include) { changes.append((try cursor(line.cursor), try changed(line))) }
        let shared = RenderedChanges(changes, cursor: try cursor(atAll: changeBatch.through))
        outgoing.renderedChanges.insert(shared, for: key)
        return shared
    }

    /// Records which dependents changes concern. Changes whose lines may have to wait for the sides of
    /// conflicts are not broadcast, but wait in the watches' outboxes.
    func deliver(_ changes: [Change]) {
        let isReady = changes.allSatisfy {
            noteCache.hasSides(of: $0.after.conflicts, inNote: $0.after.id, at: $0.after.version)
        }
        if !isReady { dependents.canBroadcast = false }
        let delivered = dependents.committed(changes)
        changeBroadcastsWeight(by: 0)
        outgoing.broadcasts += delivered.broadcasts
        outgoing.unsynced.formUnion(delivered.concerned)
    }

    /// Records that a connection has written its lines.
    func drained(_ dependent: DependentID) {
        dependents.drained(dependent)
        if dependents.hasPending(dependent) || longReads.heldLines[dependent] != nil { outgoing.unsynced.insert(dependent) }
    }

    /// Adds a difference to the weight of the broadcasts that the event loops have still to write.
    func changeBroadcastsWeight(by difference: Int) {
        outgoing.broadcastsWeight += difference
        dependents.canBroadcast = outgoing.broadcastsWeight < configuration.broadcastBytesMax
    }

    /// Sends the immediate broadcasts, after the output that is already in `output`.
    func deliverBroadcasts(behind output: inout TurnOutput) throws(JournalError) {
        let waiting = outgoing.takeBroadcasts()
        guard !waiting.isEmpty else { return }
        flush(&output)
        for broadcast in waiting {
            do throws(JournalError) {
                let shared = try shared(broadcast.changeBatch, broadcast.include)
                changeBroadcastsWeight(by: shared.weight * broadcast.recipients.count)
                outputSink.broadcast(shared, to: broadcast.recipients)
            } catch {
                if case .fatal = error { throw error }
                for recipient in broadcast.recipients { cutShort(recipient.dependent, error, in: &output) }
                // Before the next broadcast, which would leave a gap in their lines.
                flush(&output)
            }
        }
    }

    private func flush(_ output: inout TurnOutput) {
        if !output.isEmpty { outputSink.deliver(output.connections) }
        output = TurnOutput()
    }

    /// Ends a connection, since a line whose number is assigned cannot be built. So nothing is
    /// skipped.
    func cutShort(_ dependent: DependentID, _ error: JournalError, in output: inout TurnOutput) {
        logger.error(
            "a notification could not be built; its connection is closed",
            metadata: ["event": "line-failed", "error": "\(error)", "dependent": "\(dependent.number)"])
        output.cutShort(dependent)
        dependents.release(dependent)
        outgoing.unsynced.remove(dependent)
    }

    private func notification(_ line: ChangedLine) throws(JournalError) -> WatchNotification {
        WatchNotification(
            watch: line.watch, number: line.seq, cursor: try cursor(line.cursor), event: .changed(try changed(line)))
    }

    /// The contents of a line.
    private func changed(_ line: ChangedLine) throws(JournalError) -> ChangeNotification {
        let showsText = line.include != .meta && line.kind != .left
        guard let state = try noteCache.state(of: line.note, at: line.to, withText: showsText) else {
            throw .failed("note \(line.note) has no state at commit \(line.to), which changed it")
        }
        var base: NoteState?
        if line.include == .edits, line.from > 0 {
            // Without a base the whole text is sent.
            base =
                try noteCache.journal.nilIfCorrupt { () throws(JournalError) in
                    try noteCache.base(of: line.note, at: line.from)
                } ?? nil
        }
        var changes = line.changes
        if let after = line.uncountedAfter {
            changes = try noteCache.journal.countCommits(of: line.note, after: after, through: line.to)
        }
        return ChangeNotification(
            kind: line.kind, state: state, include: line.include, base: base, coalesced: changes, origin: line.origin)
    }
}

extension WatchNotification {
    /// The size at which the output of a connection counts the lines, in bytes.
    fileprivate var weight: Int {
        switch event {
        case .changed(let changed): changed.weight
        case .changes(let shared): shared.weight
        case .revisions, .synced, .reset, .bookmark: 128
        }
    }
}

extension ChangeNotification {
    /// The size at which the output of a connection counts the change, in bytes.
    var weight: Int { 512 + (include == .meta ? 0 : state.text?.count ?? 0) }
}
