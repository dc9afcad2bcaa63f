import Causality
import Dependents
import NotesModel
import TestKit
import Testing

/// Guarantees G4 to G7 on random histories, checked by a judge that knows only the log.
@Suite struct WatchLawsTests {
    @Test(arguments: seeds(400)) func everyWatch_deliversTheLogInOrder(seed: UInt64) throws {
        var play = Play(seed: seed)
        for _ in 0..<150 { try play.step() }
        play.end()
        #expect(play.faults.isEmpty, "seed \(seed): \(play.faults.prefix(3).joined(separator: "; "))")
    }

    @Test func randomHistories_coverAllEvents() throws {
        var seen: [String: Int] = [:]
        // Fixed seeds: a few configured seeds, or one that is repeated, need not produce every
        // event.
        let seeds: ClosedRange<UInt64> = 1...60
        for seed in seeds {
            var play = Play(seed: seed)
            for _ in 0..<150 { try play.step() }
            play.end()
            seen.merge(play.seen, uniquingKeysWith: +)
        }
        let words = [
            "snapshot", "left", "deleted", "created", "restored", "conflicted", "resolved", "edited", "synced", "reset",
            "bookmark",
        ]
        for word in words + [
            "coalesced", "past", "resumed", "at once", "bulletin", "longer bulletin", "presence", "departure",
            "reset by presence", "at once behind the rest",
        ] {
            #expect(3 * seen[word, default: 0] > seeds.count, "\(word): \(seen)")
        }
    }
}

/// A random session of several dependents with several watches each, which read at irregular times.
private struct Play {
    private var generator: SeededGenerator
    private var session: Session
    private var judges: [Key: Checker] = [:]
    private var lastDependent: UInt64 = 0
    private var now: UInt64 = 0
    /// How many reports the connection of each dependent owes to the engine.
    private var reportsDue: [UInt64: Int] = [:]
    /// Dependents that fell behind, which the engine has not heard yet.
    private var fallen: Set<UInt64> = []
    /// For each dependent, the watch that had the last step.
    private var lastSpeaker: [UInt64: WatchID] = [:]
    /// Where every dependent is, and what each received about it.
    private var presences: [UInt64: Presence] = [:]
    private var presenceJudges: [UInt64: PresenceChecker] = [:]
    private(set) var faults: [String] = []
    private(set) var seen: [String: Int] = [:]
    /// Cursors that were delivered, with what the client held then.
    private var bookmarks: [(filter: Filter, cursor: UInt64, mirror: [NoteID: UInt64])] = []

    private struct Key: Hashable {
        let dependent: UInt64
        let watch: WatchID
    }

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        let limits = DependentLimits(
            outboxBytesMax: generator.pick([12, 15, 20, 1_000]) * DependentLimits.entryBytes,
            movesMax: generator.pick([0, 1, 3, 1_000]),
            watchesMax: 3, pageNotesMax: generator.pick([1, 2, 64]), changeBatchNotesMax: generator.pick([0, 2, 256]),
            departuresMax: generator.pick([1, 2, 4_096]))
        session = Session(limits: limits, notes: generator.pick([2, 6, 14]))
        for _ in 0..<generator.below(12) { commit() }
    }

    private var ids: [UInt64] { session.dependents.ids.map(\.number) }

    mutating func step() throws {
        switch generator.below(20) {
        case 0: register()
        case 1, 2: try watch()
        case 3: end(anyOf: judges.keys.sorted { ($0.dependent, $0.watch) < ($1.dependent, $1.watch) })
        case 4: tick()
        case 5..<11: commit()
        case 11: place()
        default: read()
        }
        if generator.chance(0.7) { spread() }
        if generator.chance(0.1) { session.dependents.canBroadcast = generator.chance(0.8) }
        for dependent in fallen.sorted() where generator.chance(0.1) { hear(dependent) }
        for description in session.dependents.describe() where description.outboxBytes > session.dependents.limits.outboxBytesMax
        {
            faults.append("\(description.dependent.number) holds \(description.outboxBytes) bytes")
        }
    }

    /// Every dependent reads to the end.
    mutating func end() {
        spread()
        for dependent in ids { while step(of: dependent) {} }
        for dependent in ids {
            let coverage = coverage(of: dependent)
            presenceJudges[dependent]?.ended(presences, coverage, session.world)
            faults += presenceJudges[dependent]?.faults.map { "dependent \(dependent) \($0)" } ?? []
        }
        for key in judges.keys { judges[key]?.ended(session.world) }
        for (key, judge) in judges {
            faults += judge.faults.map { "dependent \(key.dependent) watch \(key.watch.number) \(judge.filter): \($0)" }
        }
        for description in session.dependents.describe() where description.state != .synced || description.outboxBytes != 0 {
            faults.append("\(description.dependent.number) was told all, and is \(description.state)")
        }
    }

    // MARK: Events

    private mutating func register() {
        guard ids.count < 4 else { return }
        lastDependent += 1
        session.register(lastDependent)
        reportsDue[lastDependent] = 1
        presenceJudges[lastDependent] = PresenceChecker(receiver: lastDependent)
    }

    /// A random dependent opens a note, or closes it.
    private mutating func place() {
        guard !ids.isEmpty else { return register() }
        let dependent = generator.pick(ids)
        let note = generator.below(session.world.ids.count)
        let commit = session.world.newestCommit(of: session.world.ids[note])
        let isNowhere = commit == 0 || generator.chance(0.2)
        let offset = TextPosition(utf8: generator.below(3), utf16: 0, utf32: 0)
        presences[dependent] =
            isNowhere
            ? nil
            : Presence(
                note: session.world.ids[note], version: Version(Dot(ReplicaID(bits: 1), commit)),
                selection: Presence.Selection(start: offset, end: offset))
        let head = session.world.head(session.world.ids[note], asOf: session.world.newest)
        session.dependents.place(presences[dependent], head: isNowhere ? nil : head, of: DependentID(dependent))
    }

    private mutating func spread() {
        let before = session.dependents.describe()
        let concerned = session.dependents.spreadPresence()
        let after = session.dependents.describe()
        for (old, new) in zip(before, after) where old.state != .reset && new.state == .reset {
            seen["reset by presence", default: 0] += 1
            if !concerned.contains(new.dependent) { faults.append("\(new.dependent.number) is reset and not told") }
        }
    }

    private func coverage(of dependent: UInt64) -> [PresenceChecker.Coverage] {
        watches(of: dependent).compactMap { judges[$0] }.map { judge in
            PresenceChecker.Coverage(filter: judge.filter, isEchoing: judge.isEchoing, isSynced: !judge.isCatchingUp)
        }
    }

    private mutating func commit() {
        var changes: [Change] = []
        let isForeign = generator.chance(0.4)
        for _ in 0...generator.below(4) {
            let writer = !isForeign && generator.chance(0.8) && !ids.isEmpty ? generator.pick(ids) : nil
            changes.append(session.world.commitAnything(by: writer, &generator))
            for key in judges.keys { judges[key]?.committed(changes[changes.count - 1], session.world) }
            forgetUnsent(changes[changes.count - 1])
        }
        session.world.seal()
        for broadcast in session.dependents.committed(changes).broadcasts {
            for recipient in broadcast.recipients { deliver(broadcast, to: recipient) }
        }
    }

    /// Applies the response to a write, which a watch without echo does not report.
    private mutating func forgetUnsent(_ change: Change) {
        guard let writer = change.origin?.dependent.number else { return }
        let isPending = watches(of: writer).compactMap { judges[$0] }.contains { judge in
            !judge.isEchoing && change.before.map(judge.filter.matches) ?? false != judge.filter.matches(change.after)
        }
        if isPending { presenceJudges[writer]?.leftUnsent(change.note) }
    }

    /// Takes in an immediate broadcast. If the connection falls behind, the engine hears it later.
    private mutating func deliver(_ broadcast: Broadcast, to recipient: Broadcast.Recipient) {
        seen["at once", default: 0] += 1
        let dependent = recipient.dependent.number
        if reportsDue[dependent] ?? 0 > 0 || !session.dependents.canBroadcast { faults.append("\(dependent): a broadcast") }
        if fallen.contains(dependent) { seen["at once behind the rest", default: 0] += 1 }
        if generator.chance(0.4) { fallen.insert(dependent) }
        for line in broadcast.changeBatch.lines(showing: broadcast.include, to: recipient.watch, from: recipient.seq) {
            deliver(.changed(line), dependent)
        }
        judges[Key(dependent: dependent, watch: recipient.watch)]?.pass(broadcast.changeBatch.through, session.world)
    }

    private mutating func watch() throws {
        guard !ids.isEmpty else { return register() }
        let dependent = generator.pick(ids)
        var filter = Filter.anything(of: session.world, &generator)
        var mirror: [NoteID: UInt64] = [:]
        let start: Start
        switch generator.below(4) {
        case 0:
            start = .tail
            mirror = session.world.mirror(filter, asOf: session.world.newest)
        case 1:
            let cursor = UInt64(generator.below(Int(session.world.newest) + 1))
            start = .since(cursor)
            mirror = session.world.mirror(filter, asOf: cursor)
        case 2 where !bookmarks.isEmpty:
            let bookmark = generator.pick(bookmarks)
            start = .since(bookmark.cursor)
            (filter, mirror) = (bookmark.filter, bookmark.mirror)
            seen["resumed", default: 0] += 1
        default: start = .snapshot
        }
        // Own writes from before a watch are not in the mirror with which it starts.
        let isFresh = start == .tail || start == .snapshot
        let echo = isFresh ? generator.chance(0.5) : true
        let id: WatchID
        do {
            id = try session.watch(dependent, filter, start, echo: echo)
        } catch WatchRefusal.tooMany {
            return
        }
        judges[Key(dependent: dependent, watch: id)] = Checker(
            dependent: dependent, filter: filter, isEchoing: echo, movesMax: session.dependents.limits.movesMax, start: start,
            mirror: mirror, world: session.world)
    }

    private mutating func end(anyOf keys: [Key]) {
        guard !keys.isEmpty, generator.chance(0.5) else { return }
        let key = generator.pick(keys)
        if generator.chance(0.5) {
            _ = session.dependents.unwatch(DependentID(key.dependent), key.watch)
            retire(key)
            let left = coverage(of: key.dependent)
            presenceJudges[key.dependent]?.unwatched(left, session.world)
        } else {
            session.dependents.release(DependentID(key.dependent))
            presences[key.dependent] = nil
            if let judge = presenceJudges.removeValue(forKey: key.dependent) {
                faults += judge.faults.map { "dependent \(key.dependent), gone, \($0)" }
            }
            for key in keys.filter({ $0.dependent == key.dependent }) { retire(key) }
        }
    }

    private mutating func retire(_ key: Key) {
        guard let judge = judges.removeValue(forKey: key) else { return }
        faults += judge.faults.map { "dependent \(key.dependent) watch \(key.watch.number), ended: \($0)" }
    }

    private mutating func tick() {
        now += UInt64(generator.below(40))
        _ = session.dependents.tick(now: now)
    }

    // MARK: Lines

    private mutating func read() {
        guard !ids.isEmpty else { return }
        let dependent = generator.pick(ids)
        hear(dependent)
        for _ in 0..<(reportsDue.removeValue(forKey: dependent) ?? 0) { session.dependents.drained(DependentID(dependent)) }
        for _ in 0..<generator.pick([1, 2, 5, 40]) where !step(of: dependent) { return }
        guard generator.chance(0.05) else { return }
        session.dependents.sent(to: DependentID(dependent))
        reportsDue[dependent] = 1
    }

    private mutating func hear(_ dependent: UInt64) {
        guard fallen.remove(dependent) != nil else { return }
        session.dependents.fellBehind(DependentID(dependent))
        reportsDue[dependent, default: 0] += 1
    }

    /// Takes one step; false if nothing was pending.
    private mutating func step(of dependent: UInt64) -> Bool {
        let id = DependentID(dependent)
        switch session.nextStep(for: id) {
        case .nothing:
            hadNothing(watches(of: dependent))
            return false
        case .read(let read):
            spoke(read, dependent)
            if case .page(let page) = read {
                judges[Key(dependent: dependent, watch: page.watch)]?.pass(page.after, session.world)
            } else {
                seen["past", default: 0] += 1
                if case .past(let past) = read {
                    judges[Key(dependent: dependent, watch: past.watch)]?.pass(before: past.note, session.world)
                }
            }
            // A result may arrive twice, or never, so that the read is requested again.
            if !generator.chance(0.1) { session.answer(read, of: id) }
            if generator.chance(0.1) { session.answer(read, of: id) }
            return true
        case .presence(let line):
            seen[line.presence == nil ? "departure" : "presence", default: 0] += 1
            hadNothingSynced(of: dependent)
            let coverage = coverage(of: dependent)
            presenceJudges[dependent]?.delivered(line, presences, coverage, session.world)
            return true
        case .passed:
            hadNothingSynced(of: dependent)
            return true
        case .line(let line):
            speak(line, dependent)
            deliver(line, dependent)
            return true
        case .changeBatch(let delivered):
            seen["bulletin", default: 0] += 1
            if delivered.lines.count > 1 { seen["longer bulletin", default: 0] += 1 }
            for (index, line) in delivered.lines.enumerated() {
                if index == 0 { speak(.changed(line), dependent) }
                deliver(.changed(line), dependent)
            }
            // The line also passed over notes that entered and left the filter before it.
            judges[Key(dependent: dependent, watch: delivered.watch)]?.pass(delivered.changeBatch.through, session.world)
            return true
        }
    }

    private func watches(of dependent: UInt64) -> [Key] {
        judges.keys.filter { $0.dependent == dependent }.sorted { $0.watch < $1.watch }
    }

    /// Presence follows everything pending in the synced watches.
    private mutating func hadNothingSynced(of dependent: UInt64) {
        hadNothing(watches(of: dependent).filter { judges[$0]?.isCatchingUp == false })
    }

    private mutating func hadNothing(_ watches: some Sequence<Key>) {
        for key in watches { judges[key]?.pass(session.world.newest, session.world) }
    }

    private mutating func spoke(_ read: Read, _ dependent: UInt64) {
        switch read {
        case .page(let read): spoke(Key(dependent: dependent, watch: read.watch))
        case .past(let read): spoke(Key(dependent: dependent, watch: read.watch))
        }
    }

    /// Watches take turns: those between the last one with a line and this one had nothing to send.
    private mutating func spoke(_ key: Key) {
        let watches = watches(of: key.dependent)
        guard let place = watches.firstIndex(of: key) else { return }
        let turn = lastSpeaker[key.dependent].map { last in watches.firstIndex { $0.watch > last } ?? 0 } ?? 0
        lastSpeaker[key.dependent] = key.watch
        hadNothing(turn <= place ? watches[turn..<place] : watches[turn...] + watches[..<place])
    }

    private mutating func speak(_ line: Line, _ dependent: UInt64) {
        spoke(Key(dependent: dependent, watch: label(line).0))
    }

    private mutating func deliver(_ line: Line, _ dependent: UInt64) {
        let (watch, word) = label(line)
        let key = Key(dependent: dependent, watch: watch)
        seen[word, default: 0] += 1
        if case .changed(let line) = line, line.changes > 1 { seen["coalesced", default: 0] += 1 }
        judges[key]?.delivered(line, session.world)
        presenceJudges[dependent]?.delivered(line)
        if case .reset = line {
            let position = position(after: key)
            judges[key]?.restarted(from: position, session.world)
        }
        // Without echo a client knows of own writes that are after the cursor.
        guard let judge = judges[key], judge.isEchoing, generator.chance(0.2) else { return }
        bookmarks.append((judge.filter, judge.lastCursor, judge.mirror))
    }

    /// Where a watch that was reset resumes, according to a copy of the machine.
    private func position(after key: Key) -> UInt64 {
        var copy = session.dependents
        while case let step = copy.next(for: DependentID(key.dependent)), step != .nothing {
            if case .read(.page(let read)) = step, read.watch == key.watch { return read.after }
            if case .read(let read) = step { Self.answer(read, session.world, &copy, DependentID(key.dependent)) }
        }
        return session.world.newest
    }

    private static func answer(_ read: Read, _ world: World, _ dependents: inout Dependents, _ id: DependentID) {
        switch read {
        case .page(let read): dependents.receive(world.answer(read), for: read, of: id)
        case .past(let read): dependents.receive(world.head(read.note, asOf: read.asOf), for: read, of: id)
        }
    }

    private func label(_ line: Line) -> (WatchID, String) {
        switch line {
        case .changed(let line): (line.watch, line.kind.rawValue)
        case .synced(let watch, _, _): (watch, "synced")
        case .bookmark(let watch, _, _): (watch, "bookmark")
        case .reset(let watch, _, _): (watch, "reset")
        }
    }
}
