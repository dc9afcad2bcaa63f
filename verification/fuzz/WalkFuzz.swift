/// The view compared with the naive walk and the naive oracle, on small histories of several
/// writers.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    var input = FuzzInput(data, size)
    let isTiny = input.byte() & 1 == 0
    let limits = isTiny ? WalkLimits(blockRuns: 2, branches: 2, splices: 1, branchText: 8, descendants: 1) : WalkLimits()
    let events = FuzzHistory(&input).events
    let walk = NaiveWalk(events)
    let naive = NaiveConflicts(events, naming: .cheap)
    let all = Set(walk.events.keys)

    var together = View(limits: limits, naming: .cheap)
    together.append(contentsOf: events)
    check(&together, all, walk, naive)
    var held = View(limits: limits, naming: .cheap)
    var rising = View(limits: limits, naming: .cheap)
    var dots: Set<Dot> = []
    for piece in walk.pieces(of: events, length: { 1 }) {
        held.append(contentsOf: piece, holdsFloor: true)
        rising.append(contentsOf: piece)
        dots.formUnion(piece.map(\.dot))
        check(&held, dots, walk, naive)
        check(&rising, dots, walk, naive)
    }
    for event in events {
        for version in [Version(event.dot), event.parents] where !version.isNothing {
            checkVersion(&held, version, walk, naive)
            if rising.knows(version) { checkVersion(&rising, version, walk, naive) }
        }
    }
    check(&held, all, walk, naive)
    if !events.isEmpty {
        checkFloor(walk.criticalDots(in: all), events, limits, walk, naive)
        checkOracle(events[Int(data?[size - 1] ?? 0) % events.count].dot, events, walk, naive)
    }
    return 0
}

/// A view made from the text at the second-newest critical version behaves like one of the whole
/// history.
private func checkFloor(_ critical: [Dot], _ events: [Event], _ limits: WalkLimits, _ walk: NaiveWalk, _ naive: NaiveConflicts) {
    guard let floor = critical.dropLast().last ?? critical.last else { return }
    let below = walk.closure(Version(floor))
    let state = ViewFloor(
        text: walk.text(of: below), lastLine: naive.lastLineFeed(in: below), isDeleted: walk.isDeleted(below),
        conflicts: naive.unresolved(in: below).map { KeptConflict(plain($0).moved(to: $0.keptRange), own: $0.own) })
    var view = View(floor: floor, state, naming: .cheap)
    check(&view, below, walk, naive)
    let rest = events.filter { !below.contains($0.dot) }
    guard view.canWithdraw || !rest.contains(where: \.isWithdrawal) else { return }
    view.append(contentsOf: rest)
    check(&view, Set(events.map(\.dot)), walk, naive)
}

/// The conflicts of a closed set need no revision outside it.
private func checkOracle(_ dot: Dot, _ events: [Event], _ walk: NaiveWalk, _ naive: NaiveConflicts) {
    let past = walk.closure(Version(dot))
    let alone = NaiveConflicts(events.filter { past.contains($0.dot) }, naming: .cheap)
    precondition(alone.unresolved(in: past) == naive.unresolved(in: past), "the conflicts are a function of the closed set")
}

private func check(_ view: inout View, _ dots: Set<Dot>, _ walk: NaiveWalk, _ naive: NaiveConflicts) {
    precondition(view.text == walk.text(of: dots), "the view's text is that of the naive walk")
    precondition(view.isDeleted == walk.isDeleted(dots), "the deletion is that of the naive walk")
    view.walk?.checkInvariants()
    let open = naive.open(in: dots)
    precondition(view.conflicts == open.map(plain), "the view's open conflicts are those of the definition")
    for conflict in open where conflict.kind == .text {
        guard let texts = view.texts(of: plain(conflict)) else {
            precondition(conflict.sides.contains { view.graph.ordinal(of: $0) == nil }, "the texts above the floor are known")
            continue
        }
        precondition(texts.base == conflict.base && texts.sides == conflict.sideTexts, "the texts of the sides")
    }
}

private func checkVersion(_ view: inout View, _ version: Version, _ walk: NaiveWalk, _ naive: NaiveConflicts) {
    let past = walk.closure(version)
    precondition(view.text(at: version) == walk.text(of: past), "the text at a version")
    precondition(view.conflicts(at: version) == naive.open(in: past).map(plain), "the conflicts that are open in a version")
}

private func plain(_ conflict: NaiveConflict) -> Conflict {
    Conflict(id: conflict.id, kind: conflict.kind, sides: conflict.sides, withdrawn: conflict.withdrawn, range: conflict.range)
}

/// Up to twelve revisions of four writers, each on its own version or on that and others: two bytes
/// choose the writer, the base and the kind.
private struct FuzzHistory {
    private(set) var events: [Event] = []
    private var walk = NaiveWalk([])
    private var versions = [Version](repeating: .nothing, count: 4)

    init(_ input: inout FuzzInput) {
        while !input.isEmpty, events.count < 12 { write(&input) }
    }

    private mutating func write(_ input: inout FuzzInput) {
        let (who, how) = (input.byte(), input.byte())
        let writer = Int(who & 3)
        let parents = parents(writer, who >> 2)
        let kind = how & 7
        if kind == 1, let withdrawal = withdrawal(writer, on: parents, isRedo: how & 8 == 8, &input) {
            return add(withdrawal, by: writer)
        }
        let text = walk.text(of: walk.closure(parents))
        let isFound = kind >= 3
        let edits = kind == 0 ? [] : isFound ? found(text, &input) : input.edits(of: text.count, atMost: 3, inserting: letters)
        let event = Event(
            dot: Dot(ReplicaID(bits: UInt64(writer + 1)), UInt64(events.count + 1)), parents: parents, edits: edits,
            origin: isFound ? .found : .stated, isTombstone: kind == 0, name: name(how >> 3 & 7),
            resolves: how >> 6 == 3 ? resolved(parents, &input) : [])
        add(event, by: writer)
    }

    private mutating func add(_ event: Event, by writer: Int) {
        events.append(event)
        walk.append(event)
        versions[writer] = Version(event.dot)
    }

    /// An undo of one or two revisions of the version, or of one or two undos (a redo); nil if there
    /// are none.
    private func withdrawal(_ writer: Int, on parents: Version, isRedo: Bool, _ input: inout FuzzInput) -> Event? {
        let past = walk.closure(parents)
        let candidates = past.filter {
            walk.events[$0]?.parents.isNothing == false && (!isRedo || walk.events[$0]?.isWithdrawal == true)
        }
        .sorted()
        guard !candidates.isEmpty else { return nil }
        let chosen = (0...input.below(2)).map { _ in input.pick(candidates) }
        return Event(
            dot: Dot(ReplicaID(bits: UInt64(writer + 1)), UInt64(events.count + 1)), parents: parents, edits: [], origin: .stated,
            withdraws: Set(chosen).sorted())
    }

    private let letters = Array("XY\n".utf8)

    /// The writer's own last version; that and another one; everything.
    private func parents(_ writer: Int, _ choice: UInt8) -> Version {
        switch choice & 3 {
        case 0, 1: versions[writer]
        case 2: reduced(versions[writer].union(versions[Int(choice >> 2 & 3)]))
        default: reduced(Version(events.map(\.dot)))
        }
    }

    private func reduced(_ version: Version) -> Version {
        Version(version.dots.filter { dot in !version.dots.contains { walk.pasts[$0]?.contains(dot) ?? false } })
    }

    private func found(_ text: [UInt8], _ input: inout FuzzInput) -> [Edit] {
        let lines = Lines(text)
        var saved = (0..<lines.count).map { Array(lines[$0]) }
        for _ in 0...input.below(2) {
            let at = input.below(saved.count + 1)
            let gone = input.below(min(3, saved.count - at) + 1)
            let new = (0..<input.below(3)).map { _ in (0..<input.below(2)).map { _ in input.pick(letters) } + Array("\n".utf8) }
            saved.replaceSubrange(at..<at + gone, with: new)
        }
        var result = saved.flatMap { $0 }
        if input.below(4) == 1, result.last == UInt8(ascii: "\n") { result.removeLast() }
        return LineDiff.edits(from: text, to: result)
    }

    private func name(_ choice: UInt8) -> NameChange {
        switch choice {
        case 1: .set(nil)
        case 2: .set(Array("a".utf8))
        case 3: .set(Array("b".utf8))
        default: .none
        }
    }

    private func resolved(_ parents: Version, _ input: inout FuzzInput) -> [ConflictID] {
        let chosen = input.byte()
        let unresolved = NaiveConflicts(events, naming: .cheap).unresolved(in: walk.closure(parents))
        return unresolved.enumerated().filter { chosen >> ($0.offset & 7) & 1 == 1 }.map(\.element.id)
    }
}
