import Causality

@testable import TextMerge

/// An open conflict of a version, by the naive oracle.
struct NaiveConflict: Hashable {
    let id: ConflictID
    let kind: ConflictKind
    let members: Set<ConflictMember>
    /// Sorted.
    let sides: [Dot]
    let range: Range<Int>
    /// Of a text conflict: the text at the base, and the text of each side, in the order of the
    /// sides.
    let base: [UInt8]
    let sideTexts: [[UInt8]]
}

/// `docs/decisions/0012-definition-of-a-conflict.md`, sentence by sentence, on the naive walk: what
/// `View.conflicts` is compared with.
///
/// If a sentence leaves something open, the oracle takes the plainest reading and says so there.
struct NaiveConflicts {
    private let walk: NaiveWalk
    private let naming: ConflictNaming
    private let sequence: NaiveSequence
    /// All pairs of the revisions, settled or not.
    private var pairs: [NaivePair] = []
    /// The pairs that each revision settled, by its dot; computed once, in a causal order.
    private var settled: [Dot: Set<NaivePair>] = [:]

    init(_ events: [Event], naming: ConflictNaming) {
        walk = NaiveWalk(events)
        self.naming = naming
        sequence = NaiveSequence(walk)
        let order = walk.causalOrder(Set(walk.events.keys))
        for (index, dot) in order.enumerated() {
            for other in order[..<index] where areConcurrent(dot, other) { pairs += pairs(other, dot) }
        }
        for dot in order {
            guard let event = walk.events[dot], let past = walk.pasts[dot] else { continue }
            let ended = components(in: past).filter { settles(event, past, $0) }
            settled[dot] = ended.reduce(into: []) { $0.formUnion($1.pairs) }
        }
    }

    /// *Open* are the unsettled conflicts; a version that shows a deleted note has none. The dots
    /// are a closed set.
    func open(in dots: Set<Dot>) -> [NaiveConflict] {
        walk.isDeleted(dots) ? [] : unsettled(in: dots)
    }

    /// The ids that a revision with this past may name in its `resolves`.
    func unsettled(in dots: Set<Dot>) -> [NaiveConflict] {
        let shown = sequence.shown(in: dots)
        return components(in: dots).map { conflict($0, shown) }.sorted { $0.id < $1.id }
    }

    /// The text of a version, as `NaiveWalk.text(of:)` gives it, without another replay.
    func text(in dots: Set<Dot>) -> [UInt8] { sequence.shown(in: dots).text }

    // MARK: Pairs

    /// r and s are concurrent if neither is in the other's past.
    private func areConcurrent(_ r: Dot, _ s: Dot) -> Bool {
        r != s && walk.pasts[r]?.contains(s) == false && walk.pasts[s]?.contains(r) == false
    }

    /// The pairs of two concurrent revisions, of all kinds.
    private func pairs(_ r: Dot, _ s: Dot) -> [NaivePair] {
        guard let left = walk.events[r], let right = walk.events[s] else { return [] }
        let (first, second) = (ConflictMember(dot: r, index: 0), ConflictMember(dot: s, index: 0))
        var pairs: [NaivePair] = []
        // Any revision that is not a tombstone, even one that only renames or settles.
        if left.isTombstone != right.isTombstone { pairs.append(NaivePair(.deletion, first, second)) }
        if left.name != .none, right.name != .none, left.name != right.name { pairs.append(NaivePair(.name, first, second)) }
        for e in sequence.edits(of: r) {
            for f in sequence.edits(of: s) where areInConflict(e, f) {
                pairs.append(NaivePair(.text, e.member, f.member))
            }
        }
        return pairs
    }

    private func areInConflict(_ e: NaiveEdit, _ f: NaiveEdit) -> Bool {
        guard e.isFound || f.isFound, sequence.touch(e, f) else { return false }
        let areEqual = e.removed == f.removed && e.inserted == f.inserted
        let bothInsertLines = e.onlyInsertsWholeLines && f.onlyInsertsWholeLines
        let bothAppend = e.onlyAppendsToAnUnterminatedLine && f.onlyAppendsToAnUnterminatedLine
        return !areEqual && !bothInsertLines && !bothAppend
    }

    // MARK: One conflict

    /// The components of the pairs that no revision in the set has settled.
    private func components(in dots: Set<Dot>) -> [NaiveComponent] {
        let gone = dots.reduce(into: Set<NaivePair>()) { $0.formUnion(settled[$1] ?? []) }
        var components: [NaiveComponent] = []
        for pair in pairs where dots.contains(pair.first.dot) && dots.contains(pair.second.dot) && !gone.contains(pair) {
            var joined = NaiveComponent(pair)
            components.removeAll { component in
                guard component.kind == joined.kind, !component.members.isDisjoint(with: [pair.first, pair.second])
                else { return false }
                joined.members.formUnion(component.members)
                joined.pairs += component.pairs
                return true
            }
            components.append(joined)
        }
        return components
    }

    private func id(_ component: NaiveComponent) -> ConflictID {
        let members = component.members.sorted()
        return naming.id(component.kind, least: (members[0], members[1]))
    }

    /// The dots of its members that are in no other member's past.
    private func sides(_ component: NaiveComponent) -> [Dot] {
        let dots = Set(component.members.map(\.dot))
        return dots.filter { dot in !dots.contains { walk.pasts[$0]?.contains(dot) ?? false } }.sorted()
    }

    private func conflict(_ component: NaiveComponent, _ shown: NaiveShown) -> NaiveConflict {
        let sides = sides(component)
        var (base, sideTexts): ([UInt8], [[UInt8]]) = ([], [])
        if component.kind == .text {
            let items = sequence.items(component.members, in: shown)
            let pasts = component.members.compactMap { walk.pasts[$0.dot] }
            base = sequence.shown(in: pasts.dropFirst().reduce(pasts[0]) { $0.intersection($1) }).bytes(items)
            sideTexts = sides.map { sequence.shown(in: walk.closure(Version($0))).bytes(items) }
        }
        return NaiveConflict(
            id: id(component), kind: component.kind, members: component.members, sides: sides,
            range: range(component, shown), base: base, sideTexts: sideTexts)
    }

    private func range(_ component: NaiveComponent, _ shown: NaiveShown) -> Range<Int> {
        switch component.kind {
        case .text: sequence.range(component.members, in: shown)
        case .deletion: 0..<shown.text.count
        case .name: 0..<0
        }
    }

    // MARK: How it ends

    /// Whether w, whose past has the conflict unsettled, settles it. Its past includes all sides,
    /// because the conflict is unsettled there.
    private func settles(_ w: Event, _ past: Set<Dot>, _ component: NaiveComponent) -> Bool {
        if w.resolves.contains(id(component)) { return true }
        switch component.kind {
        case .text:
            if w.isTombstone { return false }
            // A write that restores the note settles even without an edit, for example a renaming
            // of a deleted note.
            if walk.restores(w) { return true }
            let range = sequence.range(component.members, in: sequence.shown(in: past))
            return w.edits.contains { $0.start <= range.upperBound && $0.end >= range.lowerBound }
        case .deletion: return w.isTombstone || !w.edits.isEmpty || walk.restores(w)
        // A tombstone that sets the name also settles it.
        case .name: return w.name != .none
        }
    }
}

/// Two members that are in conflict, in the order of the walk.
private struct NaivePair: Hashable {
    let kind: ConflictKind
    let first: ConflictMember
    let second: ConflictMember

    init(_ kind: ConflictKind, _ first: ConflictMember, _ second: ConflictMember) {
        (self.kind, self.first, self.second) = (kind, first, second)
    }
}

private struct NaiveComponent {
    let kind: ConflictKind
    var members: Set<ConflictMember>
    var pairs: [NaivePair]

    init(_ pair: NaivePair) {
        (kind, members, pairs) = (pair.kind, [pair.first, pair.second], [pair])
    }
}

extension ConflictNaming {
    /// A cheap substitute for SHA-256: two 64-bit FNV-1a hashes with different initial values.
    static let cheap = ConflictNaming { bytes in
        [0xCBF2_9CE4_8422_2325, 0x9AE1_6A3B_2F90_404F].flatMap { (start: UInt64) in
            let hash = bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            return (0..<8).map { UInt8(truncatingIfNeeded: hash >> (56 - 8 * $0)) }
        }
    }
}
