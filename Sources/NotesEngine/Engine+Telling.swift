import Dependents
import Logging
import NotesModel
import NotesStore

extension Engine {
    /// Lines for the dependents that have something to hear and whose sockets can take it, a bounded parcel each.
    ///
    /// What has to be read for it is bounded, too, so that no catch-up holds up the requests of others: who comes too late waits for
    /// another turn, at the end of the line if it has had something read in this one.
    func tell(into mail: inout Mail) throws(JournalError) {
        hungry.formUnion(dependents.spreadPresence())
        var allowance = Allowance(reads: configuration.turnReadsMax, notices: configuration.turnNoticesMax)
        let first = readers
        readers = []
        for dependent in first where hungry.contains(dependent) { try serve(dependent, &allowance, into: &mail) }
        let served = Set(first)
        for dependent in hungry where !served.contains(dependent) { try serve(dependent, &allowance, into: &mail) }
        readers += allowance.spent
        // Of those that were cut short.
        hungry.formUnion(dependents.spreadPresence())
    }

    /// What one turn may still do.
    private struct Allowance {
        var reads: Int
        var notices: Int
        /// Who had something read and needs more.
        var spent: [DependentID] = []
    }

    private func serve(_ dependent: DependentID, _ allowance: inout Allowance, into mail: inout Mail) throws(JournalError) {
        guard !dependents.isBusy(dependent) else {
            hungry.remove(dependent)
            return
        }
        guard allowance.notices > 0 else { return }
        do throws(JournalError) {
            try tell(dependent, &allowance, into: &mail)
        } catch {
            if case .fatal = error { throw error }
            cutShort(dependent, error, in: &mail)
        }
    }

    private func tell(_ dependent: DependentID, _ allowance: inout Allowance, into mail: inout Mail) throws(JournalError) {
        var notices: [Notice] = []
        var presences: [PresenceLine] = []
        var bytes = 0
        let reads = allowance.reads
        // Before a throw too: what has its number given is sent.
        defer {
            if !notices.isEmpty || !presences.isEmpty {
                dependents.sent(to: dependent)
                hungry.remove(dependent)
                mail.tell(notices, presences, to: dependent)
                allowance.notices -= notices.count + presences.count
            }
        }
        for _ in 0..<configuration.parcelNoticesMax where bytes < configuration.parcelBytesMax {
            switch dependents.next(for: dependent) {
            case .nothing:
                hungry.remove(dependent)
                return
            case .read where allowance.reads <= 0:
                if reads > 0 { allowance.spent.append(dependent) } else { readers.append(dependent) }
                return
            case .read(.page(let read)):
                allowance.reads -= read.limit
                dependents.adopt(try page(read), for: read, of: dependent)
            case .read(.past(let read)):
                allowance.reads -= 1
                let past = read.asOf == 0 ? nil : try library.past(of: read.note, asOf: read.asOf)
                dependents.adopt(past, for: read, of: dependent)
            case .line(let line):
                let notice = try notice(line)
                notices.append(notice)
                bytes += notice.weight
            case .bulletin(let lines):
                let notice = try notice(lines)
                notices.append(notice)
                bytes += notice.weight
            case .presence(let line):
                presences.append(line)
                bytes += Self.presenceWeight
            case .passed: break
            }
        }
    }

    /// What a line of who is where is counted as, in bytes.
    private static let presenceWeight = 256

    private func page(_ read: PageRead) throws(JournalError) -> [PageNote] {
        let changed = try library.journal.changed(after: read.after, through: read.through, limit: read.limit)
        var page: [PageNote] = []
        for stored in changed {
            if read.include == .meta, read.filter.matches(stored.head) { library.remember(stored) }
            var past: Head?
            if read.needsPast(of: stored.head), let asOf = read.asOf, asOf > 0 {
                past = try library.past(of: stored.head.id, asOf: asOf)
            }
            page.append(PageNote(stored: stored, past: past))
        }
        return page
    }

    private func notice(_ line: Line) throws(JournalError) -> Notice {
        switch line {
        case .changed(let changed): try notice(changed)
        case .synced(let watch, let seq, let cursor):
            Notice(watch: watch, number: seq, cursor: try self.cursor(cursor), event: .synced)
        case .bookmark(let watch, let seq, let cursor):
            Notice(watch: watch, number: seq, cursor: try self.cursor(cursor), event: .bookmark)
        case .reset(let watch, let seq, let reason):
            Notice(watch: watch, number: seq, cursor: try self.cursor(atAll: 0), event: .reset(reason))
        }
    }

    private func notice(_ lines: BulletinLines) throws(JournalError) -> Notice {
        Notice(
            watch: lines.watch, number: lines.seq, cursor: try cursor(atAll: lines.bulletin.through),
            event: .changes(try shared(lines.bulletin, lines.include)))
    }

    /// - Complexity: O(1) where others were told it last; otherwise O(notes), and that of their states.
    private func shared(_ bulletin: Bulletin, _ include: Include) throws(JournalError) -> SharedChanges {
        let key = SharedChangesKey(bulletin: bulletin, include: include)
        if let kept = sharedChanges.value(key) { return kept }
        var changes: [(cursor: Cursor, notice: ChangedNotice)] = []
        for line in bulletin.lines(showing: include) { changes.append((try cursor(line.cursor), try changed(line))) }
        let shared = SharedChanges(changes)
        sharedChanges.insert(shared, for: key)
        return shared
    }

    /// Tells those who are told at once, behind what is there for them.
    func tellAtOnce(behind mail: inout Mail) throws(JournalError) {
        guard !broadcasts.isEmpty else { return }
        let waiting = broadcasts
        broadcasts = []
        if !mail.isEmpty { courier.deliver(mail.parcels) }
        mail = Mail()
        for broadcast in waiting {
            do throws(JournalError) {
                courier.broadcast(
                    ToldChanges(
                        changes: try shared(broadcast.bulletin, broadcast.include),
                        cursor: try cursor(atAll: broadcast.bulletin.through), recipients: broadcast.recipients))
            } catch {
                if case .fatal = error { throw error }
                for recipient in broadcast.recipients { cutShort(recipient.dependent, error, in: &mail) }
            }
        }
    }

    /// A line that has its number cannot be made: the connection ends, so that nothing is skipped.
    private func cutShort(_ dependent: DependentID, _ error: JournalError, in mail: inout Mail) {
        logger.error(
            "a line could not be made",
            metadata: ["event": "line-failed", "error": "\(error)", "dependent": "\(dependent.number)"])
        mail.cutShort(dependent)
        dependents.release(dependent)
        hungry.remove(dependent)
    }

    private func notice(_ line: ChangedLine) throws(JournalError) -> Notice {
        Notice(
            watch: line.watch, number: line.seq, cursor: try cursor(line.cursor), event: .changed(try changed(line)))
    }

    private func changed(_ line: ChangedLine) throws(JournalError) -> ChangedNotice {
        let showsText = line.include != .meta && line.kind != .left
        guard let state = try library.state(of: line.note, at: line.to, withText: showsText) else {
            throw .failed("note \(line.note) has no state at commit \(line.to), which changed it")
        }
        var base: NoteState?
        if line.include == .edits, line.from > 0 {
            // Without one the text is told whole.
            base =
                try library.journal.unlessDamaged { () throws(JournalError) in
                    try library.base(of: line.note, at: line.from)
                } ?? nil
        }
        var changes = line.changes
        if let after = line.uncountedAfter {
            changes = try library.journal.countCommits(of: line.note, after: after, through: line.to)
        }
        return ChangedNotice(
            kind: line.kind, state: state, include: line.include, base: base, coalesced: changes, origin: line.origin)
    }
}

extension Notice {
    /// What the line is counted as when parcels are filled, in bytes.
    fileprivate var weight: Int {
        switch event {
        case .changed(let changed): changed.weight
        case .changes(let shared): shared.weight
        case .synced, .reset, .bookmark: 128
        }
    }
}

extension ChangedNotice {
    /// The same of one change.
    var weight: Int { 512 + (include == .meta ? 0 : state.text?.count ?? 0) }
}

/// What is shared between dependents: what a bulletin says, with what its lines show.
struct SharedChangesKey: Hashable {
    let bulletin: Bulletin
    let include: Include
}
