import Dependents
import NotesModel

/// Checks the lines of one watch. It knows the log of changes and the rules of the protocol, keeps
/// a simple record of the watch's pending changes, note by note, and does not look inside the
/// machine under test.
struct Checker {
    let dependent: UInt64
    let filter: Filter
    let isEchoing: Bool
    let movesMax: Int

    /// Changes of one note that one notification may represent.
    struct Span {
        var from: UInt64
        var commits: [UInt64]
        /// Whether a snapshot or catch-up owes it.
        var hasPending: Bool
        /// How often it moved while it waited.
        var moves = 0
    }

    /// The pending changes, oldest first within a note.
    private(set) var spans: [NoteID: [Span]] = [:]
    /// Whether the watch is between its beginning, or a reset, and `watch.synced`.
    private(set) var isCatchingUp = true
    private(set) var isSnapshot: Bool
    private(set) var base: UInt64
    /// The newest commit when the watch began.
    private let start: UInt64
    /// The newest commit when the catch-up began.
    private var target: UInt64
    private(set) var seq: UInt64 = 0
    private(set) var lastTo: UInt64 = 0
    private var echoedThrough: UInt64 = 0
    private(set) var lastCursor: UInt64
    /// What the client holds: for each note in the filter, the commit of the state that it
    /// received.
    private(set) var mirror: [NoteID: UInt64]
    private(set) var faults: [String] = []

    init(
        dependent: UInt64, filter: Filter, isEchoing: Bool, movesMax: Int, start: Start, mirror: [NoteID: UInt64], world: World
    ) {
        self.dependent = dependent
        self.filter = filter
        self.isEchoing = isEchoing
        self.movesMax = movesMax
        self.mirror = mirror
        isSnapshot = start == .snapshot
        switch start {
        case .snapshot: base = 0
        case .since(let sequence): base = sequence
        case .tail: base = world.newest
        }
        lastCursor = base
        self.start = world.newest
        target = world.newest
        owe(world)
    }

    private mutating func owe(_ world: World) {
        spans = [:]
        for note in world.ids where filter.ids?.contains(note) ?? true {
            let commits = world.commits(of: note, after: base)
            if !commits.isEmpty { spans[note] = [Span(from: base, commits: commits, hasPending: true)] }
        }
    }

    private mutating func expect(_ isTrue: Bool, _ words: String) {
        if !isTrue { faults.append(words) }
    }

    // MARK: Events

    mutating func committed(_ change: Change, _ world: World) {
        let isOwn = change.origin?.dependent.number == dependent
        if isOwn && !isEchoing { show(change.note, at: change.sequence, world) }
        let before = change.before.map(filter.matches) ?? false
        let isCovered = before || filter.matches(change.after)
        guard var waiting = spans[change.note], let last = waiting.indices.last else {
            if isCovered && (isEchoing || !isOwn) {
                spans[change.note] = [Span(from: change.previous, commits: [change.sequence], hasPending: false)]
            }
            return
        }
        // A catch-up finds a note at its newest commit, so the entry of a note that is only owed
        // has not begun to move.
        let isScanned = waiting[last].hasPending && waiting[last].commits.last.map { $0 <= target } ?? false
        if isScanned && !isCovered && isSnapshot && target == start {
            // The note is not in the snapshot, and nothing was reported about it.
            spans[change.note] = nil
        } else if isScanned || waiting[last].moves < movesMax || isOwn && !isEchoing {
            waiting[last].commits.append(change.sequence)
            if !isScanned { waiting[last].moves += 1 }
            spans[change.note] = waiting
        } else {
            spans[change.note] = waiting + [Span(from: change.previous, commits: [change.sequence], hasPending: false)]
        }
    }

    /// The watch was reset and resumes from this commit. No cursor may have gone past it.
    mutating func restarted(from position: UInt64, _ world: World) {
        // During a catch-up everything after its last line is owed, even if the watch has read it.
        let isRight = isCatchingUp ? position == max(lastCursor, base) : position >= lastCursor
        expect(isRight, "reset to \(position), but \(lastCursor) was delivered")
        pass(position, world)
        base = position
        isCatchingUp = true
        target = world.newest
        owe(world)
    }

    /// The watch is at this commit: no unsent change at or before it may need a line.
    mutating func pass(_ position: UInt64, _ world: World) {
        for (note, waiting) in spans {
            var left = waiting
            while let span = left.first, let to = span.commits.last, to <= position {
                let kind = kind(of: span, at: to, note, world)
                if let kind {
                    faults.append("note \(name(note, world)) at \(to) was passed over at \(position), should be \(kind)")
                }
                left.removeFirst()
            }
            spans[note] = left.isEmpty ? nil : left
        }
    }

    /// The watch has reached this note, so it passed over everything that was due before it.
    mutating func pass(before note: NoteID, _ world: World) {
        if let to = spans[note]?.first?.commits.last { pass(to - 1, world) }
    }

    // MARK: Lines

    mutating func delivered(_ line: Line, _ world: World) {
        seq += 1
        switch line {
        case .changed(let line): changed(line, world)
        case .synced(_, let seq, let cursor):
            expect(seq == self.seq, "seq \(seq), not \(self.seq)")
            expect(isCatchingUp, "synced twice")
            move(to: cursor, world)
            expect(!spans.values.joined().contains { $0.hasPending }, "synced with notes owed")
            isCatchingUp = false
            isSnapshot = false
        case .bookmark(_, let seq, let cursor):
            expect(seq == self.seq, "seq \(seq), not \(self.seq)")
            expect(!isCatchingUp, "a bookmark during a catch-up")
            move(to: cursor, world)
        case .reset(_, let seq, _):
            expect(seq == self.seq, "seq \(seq), not \(self.seq)")
        }
    }

    private mutating func changed(_ line: ChangedLine, _ world: World) {
        let name = "note \(name(line.note, world)) at \(line.to)"
        expect(line.seq == seq, "seq \(line.seq), not \(seq)")
        expect(line.to > lastTo, "\(name) after \(lastTo)")
        lastTo = line.to
        pass(line.to - 1, world)
        guard var waiting = spans[line.note], let span = waiting.first else {
            faults.append("\(name) is told, but nothing of it waits")
            return
        }
        waiting.removeFirst()
        spans[line.note] = waiting.isEmpty ? nil : waiting
        if !waiting.isEmpty { echoedThrough = world.newest }
        expect(span.commits.last == line.to, "\(name), but it waits at \(span.commits)")
        let kind = kind(of: span, at: line.to, line.note, world)
        expect(kind == line.kind, "\(name) is \(line.kind), should be \(String(describing: kind))")
        let changes = kind == .snapshot ? 1 : span.commits.count
        expect(line.changes == changes, "\(name): \(line.changes) changes, not \(span.commits)")
        expect(line.origin == world.log[Int(line.to) - 1].origin, "\(name): another's origin")
        let isKnown = [.edited, .conflicted, .resolved].contains(line.kind)
        let from = isKnown ? world.newestCommit(of: line.note, through: span.from) : 0
        expect(world.newestCommit(of: line.note, through: line.from) == from, "\(name) builds on \(line.from), not \(from)")
        expect(line.cursor.commit == line.to, "\(name) has the cursor \(line.cursor.commit)")
        show(line.note, at: line.to, world)
        move(to: line.cursor, world)
    }

    private mutating func move(to reached: WatchPosition, _ world: World) {
        let cursor = reached.commit
        expect(cursor >= lastCursor && cursor <= world.newest, "cursor \(cursor) after \(lastCursor), newest \(world.newest)")
        lastCursor = cursor
        pass(cursor, world)
        if isEchoing { holds(reached, world) }
    }

    /// Whether the cursor is valid in every store in which it counts. Such a store is a copy that
    /// ends at a transaction and contains the commit that the cursor names as the newest. In each
    /// of them the client must have received every note whose last change is not after the cursor.
    private mutating func holds(_ reached: WatchPosition, _ world: World) {
        expect(reached.newest >= reached.commit && reached.newest <= world.newest, "cursor \(reached), newest \(world.newest)")
        for end in world.ends.reversed() {
            guard end >= reached.newest else { return }
            for note in world.ids {
                let last = world.newestCommit(of: note, through: end)
                guard last > 0, last <= reached.commit else { continue }
                let expected = world.head(note, asOf: last).map(filter.matches) == true ? last : nil
                let held = mirror[note]
                let words = "the client holds \(held ?? 0), and in a copy up to \(end) the note is at \(expected ?? 0)"
                expect(held == expected, "cursor \(reached), note \(name(note, world)): \(words)")
            }
        }
    }

    /// The kind of line for a span, by the rules of the protocol.
    private func kind(of span: Span, at to: UInt64, _ note: NoteID, _ world: World) -> ChangeKind? {
        let before = world.head(note, asOf: span.from)
        guard let after = world.head(note, asOf: to) else { return nil }
        let matched = before.map(filter.matches) ?? false
        let matches = filter.matches(after)
        let shown = span.commits.contains { commit in
            let change = world.log[Int(commit) - 1]
            return change.origin?.dependent.number == dependent && filter.matches(change.after)
        }
        let ever = span.commits.contains { commit in world.head(note, asOf: commit).map(filter.matches) ?? false }
        if span.hasPending {
            if isSnapshot && matches { return .snapshot }
            if isSnapshot && to <= start { return nil }
            // Unless an older state was sent after the response.
            if isOwn(span, world) && to > echoedThrough { return nil }
        } else if after.isDeleted ? !matched && !ever : !matched && !matches && !shown {
            // The note entered the filter and left it before a line was sent, or never matched.
            return nil
        }
        if after.isDeleted { return .deleted }
        if !matches { return .left }
        if before?.isDeleted == true { return .restored }
        guard let before, matched else { return .created }
        let (old, new) = (Set(before.conflicts.map(\.id)), Set(after.conflicts.map(\.id)))
        if old == new { return .edited }
        return new.isEmpty ? .resolved : .conflicted
    }

    private func isOwn(_ span: Span, _ world: World) -> Bool {
        !isEchoing && span.commits.allSatisfy { world.log[Int($0) - 1].origin?.dependent.number == dependent }
    }

    private mutating func show(_ note: NoteID, at sequence: UInt64, _ world: World) {
        let isShown = world.head(note, asOf: sequence).map(filter.matches) ?? false
        mirror[note] = isShown ? sequence : nil
    }

    // MARK: The end

    /// Nothing is pending: the client holds what the store holds.
    mutating func ended(_ world: World) {
        pass(world.newest, world)
        expect(!isCatchingUp, "never synced")
        for note in world.ids {
            let newest = world.newestCommit(of: note)
            let expected = world.head(note, asOf: newest).map(filter.matches) == true ? newest : nil
            let held = mirror[note]
            expect(held == expected, "note \(name(note, world)): the client holds \(held ?? 0), the store \(expected ?? 0)")
        }
    }

    private func name(_ note: NoteID, _ world: World) -> String {
        world.ids.firstIndex(of: note).map { "\($0)" } ?? "?"
    }
}

extension World {
    /// What a client holds that received everything up to a commit.
    func mirror(_ filter: Filter, asOf sequence: UInt64) -> [NoteID: UInt64] {
        var mirror: [NoteID: UInt64] = [:]
        for note in ids {
            if let head = head(note, asOf: sequence), filter.matches(head) {
                mirror[note] = newestCommit(of: note, through: sequence)
            }
        }
        return mirror
    }
}
