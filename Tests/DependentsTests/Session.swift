import Causality
import Dependents
import NotesModel
import Testing

/// A store and its dependents, driven by hand: a simple stand-in for the engine.
struct Session {
    var world: World
    var dependents: Dependents
    /// Lines of shared batches that were taken whole and are returned one by one.
    private var unrolled: [UInt64: [ChangedLine]] = [:]
    /// The presence that each dependent received, in order.
    private(set) var presences: [UInt64: [PresenceLine]] = [:]

    init(limits: DependentLimits = DependentLimits(), notes: Int = 8) {
        world = World(notes: notes)
        dependents = Dependents(limits: limits, newest: 0)
    }

    @discardableResult
    mutating func register(_ number: UInt64) -> DependentID {
        dependents.register(DependentID(number), .named("label \(number)"))
        // It gets lines only when it asks, and no immediate broadcast.
        dependents.sent(to: DependentID(number))
        return DependentID(number)
    }

    mutating func watch(
        _ number: UInt64, _ filter: Filter = .all, _ start: Start = .tail, include: WatchDetail = .meta, echo: Bool = true
    ) throws -> WatchID {
        try dependents.watch(DependentID(number), filter: filter, include: include, start: start, echo: echo)
    }

    /// Makes a commit and reports it to the dependents.
    @discardableResult
    mutating func commit(
        _ note: Int, name: String? = nil, tags: [String] = [], conflicts: [UInt64] = [], isDeleted: Bool = false,
        by dependent: UInt64? = nil
    ) -> [DependentID] {
        let change = world.commit(
            note, name: name, tags: tags, conflicts: conflicts, isDeleted: isDeleted, by: dependent)
        world.seal()
        return dependents.committed([change]).concerned
    }

    /// The next line, after all reads before it.
    mutating func line(_ number: UInt64) -> Line? {
        let id = DependentID(number)
        while true {
            if unrolled[number]?.isEmpty == false, let line = unrolled[number]?.removeFirst() { return .changed(line) }
            switch nextStep(for: id) {
            case .line(let line): return line
            case .changeBatch(let delivered): unrolled[number] = delivered.lines
            case .read(let read): answer(read, of: id)
            case .presence(let line): presences[number, default: []].append(line)
            case .passed: continue
            case .nothing: return nil
            }
        }
    }

    /// The next step, checked against what the engine relies on: a dependent with nothing pending
    /// has no step, and no state older than the oldest commit that is needed is read.
    mutating func nextStep(for id: DependentID) -> Step {
        let (hasPending, needed) = (dependents.hasPending(id), dependents.oldestNeeded ?? .max)
        let step = dependents.next(for: id)
        switch step {
        case .nothing, .passed, .line(.bookmark), .line(.synced), .line(.reset), .presence: break
        case .read(.page(let read)): #expect(needed <= read.asOf ?? .max, "\(read)")
        case .read(.past(let read)): #expect(needed <= read.asOf, "\(read)")
        case .line(.changed), .changeBatch: break
        }
        switch step {
        case .nothing, .passed, .line(.bookmark): break
        case .line, .changeBatch, .presence, .read: #expect(hasPending, "\(step)")
        }
        return step
    }

    /// Sets the presence of a dependent: in a note, at the version of a commit; nil removes it.
    @discardableResult
    mutating func place(_ number: UInt64, _ note: Int?, at commit: UInt64 = 1, selection: Int = 0) -> [DependentID] {
        let position = TextPosition(utf8: selection, utf16: selection, utf32: selection)
        let presence = note.map { note in
            Presence(
                note: world.ids[note], version: Version(Dot(ReplicaID(bits: 1), commit)),
                selection: Presence.Selection(start: position, end: position))
        }
        let head = presence.flatMap { world.head($0.note, asOf: world.newest) }
        dependents.place(presence, head: head, of: DependentID(number))
        return dependents.spreadPresence()
    }

    /// The presence that a dependent received since the last call, after all lines before it:
    /// `<dependent> in <note> at <offset>`, or `<dependent> left <note>`.
    mutating func pendingPresence(_ number: UInt64) -> [String] {
        _ = lines(number)
        return (presences.removeValue(forKey: number) ?? []).map { line in
            let note = world.ids.firstIndex(of: line.note) ?? -1
            guard let presence = line.presence else { return "\(line.dependent.number) left \(note)" }
            return "\(line.dependent.number) in \(note) at \(presence.selection?.start.utf8 ?? -1)"
        }
    }

    mutating func answer(_ read: Read, of id: DependentID) {
        switch read {
        case .page(let read): dependents.receive(world.answer(read), for: read, of: id)
        case .past(let read): dependents.receive(world.head(read.note, asOf: read.asOf), for: read, of: id)
        }
    }

    /// Every line until nothing is pending.
    mutating func lines(_ number: UInt64) -> [Line] {
        var lines: [Line] = []
        while let line = line(number) { lines.append(line) }
        return lines
    }

    /// Every line until nothing is pending, except those about notes.
    mutating func changes(_ number: UInt64) -> [ChangedLine] {
        lines(number).compactMap { line in
            if case .changed(let line) = line { line } else { nil }
        }
    }

    /// The result of `lines` as short text: `<seq> <kind> <note>@<to>` or `<seq> synced @<cursor>`.
    mutating func delivered(_ number: UInt64) -> [String] {
        lines(number).map(short)
    }

    func short(_ line: Line) -> String {
        switch line {
        case .changed(let line):
            "\(line.seq) \(line.kind.rawValue) \(world.ids.firstIndex(of: line.note) ?? -1)@\(line.to)"
                + (line.changes > 1 ? " x\(line.changes)" : "")
        case .synced(_, let seq, let cursor): "\(seq) synced @\(cursor.commit)"
        case .bookmark(_, let seq, let cursor): "\(seq) bookmark @\(cursor.commit)"
        case .reset(_, let seq, let reason): "\(seq) reset \(reason.rawValue)"
        }
    }
}

extension NumberedChangeBatch {
    /// The lines of the watch, one by one.
    var lines: [ChangedLine] { changeBatch.lines(showing: include, to: watch, from: seq) }
}
