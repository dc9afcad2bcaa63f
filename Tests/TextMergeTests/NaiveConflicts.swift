import Causality

@testable import TextMerge

/// An open conflict of a version, by the naive oracle.
struct NaiveConflict: Hashable {
    let id: ConflictID
    let kind: ConflictKind
    let members: Set<ConflictMember>
    /// Sorted.
    let sides: [Dot]
    /// The sides that are withdrawn, sorted.
    let withdrawn: [Dot]
    let range: Range<Int>
    /// The range in the kept sequence.
    let keptRange: Range<Int>
    /// The bytes of the kept sequence that belong to a text conflict; empty for other kinds.
    let own: [Range<Int>]
    /// Of a text conflict: the text at the base, and the text of each side, in the order of the
    /// sides.
    let base: [UInt8]
    let sideTexts: [[UInt8]]
}

/// `docs/decisions/conflicts.md#0012`, sentence by sentence, on the naive walk: what
/// `View.conflicts` is compared with.
///
/// If a sentence leaves something open, the oracle takes the plainest reading and says so there.
struct NaiveConflicts {
    private let walk: NaiveWalk
    private let naming: ConflictNaming
    private let sequence: NaiveSequence
    /// All pairs of the revisions, resolved or not.
    private var pairs: [NaivePair] = []
    /// The pairs that each revision resolved, by its dot; computed once, in a causal order.
    private var resolved: [Dot: Set<NaivePair>] = [:]

    init(_ events: [Event], naming: ConflictNaming) {
        walk = NaiveWalk(events)
        self.naming = naming
        sequence = NaiveSequence(walk)
        let order = walk.causalOrder(Set(walk.events.keys))
        for (index, dot) in order.enumerated() {
            for other in order[..<index] { pairs += pairs(other, dot) }
        }
        for dot in order {
            guard let event = walk.events[dot], let past = walk.pasts[dot] else { continue }
            let ended = components(in: past).filter { resolves(event, past, $0) }
            resolved[dot] = ended.reduce(into: []) { $0.formUnion($1.pairs) }
        }
    }

    /// *Open* are the unresolved conflicts; a version that shows a deleted note has none. The dots
    /// are a closed set.
    func open(in dots: Set<Dot>) -> [NaiveConflict] {
        walk.isDeleted(dots) ? [] : unresolved(in: dots)
    }

    /// The ids that a revision with this past may name in its `resolves`.
    func unresolved(in dots: Set<Dot>) -> [NaiveConflict] {
        components(in: dots).map { conflict($0, in: dots) }.sorted { $0.id < $1.id }
    }

    /// The text of a version, as `NaiveWalk.text(of:)` gives it, without another replay.
    func text(in dots: Set<Dot>) -> [UInt8] {
        let shown = sequence.shown(in: dots)
        return Array(shown.text.prefix(shown.length))
    }

    /// The last LF of the kept sequence of a version, and its register.
    func lastLineFeed(in dots: Set<Dot>) -> LastLineFeed {
        let shown = sequence.shown(in: dots)
        return LastLineFeed(isHidden: shown.isShort, registerHides: shown.hidesLast)
    }

    // MARK: Pairs

    /// The pairs of two revisions, of all kinds. r comes before s in a causal order, so s was not
    /// shown to the writer of r.
    ///
    /// If r was not shown to the writer of s either, they are rivals where both count. Otherwise
    /// they are rivals where s counts and r is withdrawn, and only their edits can be a pair.
    private func pairs(_ r: Dot, _ s: Dot) -> [NaivePair] {
        guard let left = walk.events[r], let right = walk.events[s], !left.isWithdrawal, !right.isWithdrawal else { return [] }
        guard !walk.wasShown(r, to: s) else {
            return sequence.edits(of: r).flatMap { e in
                sequence.edits(of: s).filter { areInConflict(withdrawn: e, $0) }.map {
                    NaivePair(.text, e.member, $0.member, isOverWithdrawn: true)
                }
            }
        }
        let (first, second) = (ConflictMember(dot: r, index: 0), ConflictMember(dot: s, index: 0))
        var pairs: [NaivePair] = []
        // Any revision that is not a tombstone, even one that only renames or resolves.
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
        guard e.isFound || f.isFound else { return sequence.keeps(e, f) }
        guard sequence.touch(e, f) else { return false }
        let areEqual = e.removed == f.removed && e.inserted == f.inserted
        let bothInsertLines = e.onlyInsertsWholeLines && f.onlyInsertsWholeLines
        return !areEqual && !bothInsertLines
    }

    /// Whether an edit of a withdrawn revision and one that was written on it are in conflict. Two
    /// stated ones are if the latter lies strictly inside what the former inserted.
    private func areInConflict(withdrawn e: NaiveEdit, _ f: NaiveEdit) -> Bool {
        guard sequence.touch(e, f), !(e.onlyInsertsWholeLines && f.onlyInsertsWholeLines) else { return false }
        if e.isFound || f.isFound { return true }
        guard let first = e.inserted.min(), let last = e.inserted.max() else { return false }
        return first < f.own.lowerBound && f.own.upperBound < last
    }

    // MARK: One conflict

    /// The components of the pairs that no revision that counts in the set has resolved.
    private func components(in dots: Set<Dot>) -> [NaiveComponent] {
        let counting = walk.counting(dots)
        let gone = counting.reduce(into: Set<NaivePair>()) { $0.formUnion(resolved[$1] ?? []) }
        func isOpen(_ pair: NaivePair) -> Bool {
            let (r, s) = (pair.first.dot, pair.second.dot)
            let isFirst = pair.isOverWithdrawn ? dots.contains(r) && !counting.contains(r) : counting.contains(r)
            return isFirst && counting.contains(s) && !gone.contains(pair)
        }
        var components: [NaiveComponent] = []
        for pair in pairs where isOpen(pair) {
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

    /// The dots of its members that are withdrawn, and those of the others that were not shown to the
    /// writer of another such side.
    private func sides(_ component: NaiveComponent, _ withdrawn: Set<Dot>) -> [Dot] {
        let dots = Set(component.members.map(\.dot))
        var newest: Set<Dot> = []
        for dot in walk.causalOrder(dots.subtracting(withdrawn)).reversed() {
            if !newest.contains(where: { walk.wasShown(dot, to: $0) }) { newest.insert(dot) }
        }
        return newest.union(dots.intersection(withdrawn)).sorted()
    }

    private func conflict(_ component: NaiveComponent, in all: Set<Dot>) -> NaiveConflict {
        let shown = sequence.shown(in: all)
        let withdrawn = walk.withdrawn(all)
        let sides = sides(component, withdrawn)
        var (base, sideTexts): ([UInt8], [[UInt8]]) = ([], [])
        let range = range(component, shown)
        if component.kind == .text {
            let items = sequence.items(component.members, in: shown)
            // What a withdrawn member showed is what the others were written on.
            let pasts = component.members.map { member in
                withdrawn.contains(member.dot) ? walk.closure(Version(member.dot)) : walk.pasts[member.dot] ?? []
            }
            func text(in dots: Set<Dot>) -> [UInt8] {
                let text = sequence.shown(in: dots).bytes(items)
                let isCut = shown.isShort && range.upperBound == shown.text.count && text.last == UInt8(ascii: "\n")
                return isCut ? Array(text.dropLast()) : text
            }
            base = text(in: pasts.dropFirst().reduce(pasts[0]) { $0.intersection($1) })
            sideTexts = sides.map { side in
                text(in: withdrawn.contains(side) ? walk.pasts[side] ?? [] : walk.closure(Version(side)))
            }
        }
        return NaiveConflict(
            id: id(component), kind: component.kind, members: component.members, sides: sides,
            withdrawn: sides.filter(withdrawn.contains), range: shown.clamped(range), keptRange: range,
            own: component.kind == .text ? sequence.own(component.members, in: shown) : [], base: base, sideTexts: sideTexts)
    }

    private func range(_ component: NaiveComponent, _ shown: NaiveShown) -> Range<Int> {
        switch component.kind {
        case .text: sequence.range(component.members, in: shown)
        case .deletion: 0..<shown.text.count
        case .name: 0..<0
        }
    }

    // MARK: How it ends

    /// Whether an edit only inserts whole lines right before or after a range of the text. At the end
    /// of an unterminated text, the first LF that a saved text adds ends the old last line.
    private func isLineBeside(_ edit: Edit, _ origin: EditOrigin, _ range: Range<Int>, _ shown: NaiveShown) -> Bool {
        let lf = UInt8(ascii: "\n")
        guard edit.start == edit.end, edit.start == range.lowerBound || edit.start == range.upperBound else { return false }
        if edit.start < shown.length { return edit.replacement.last == lf }
        if shown.isShort { return origin == .found && edit.replacement.first == lf && edit.replacement != [lf] }
        return shown.text.last == lf
    }

    /// Whether w, whose past has the conflict unresolved, resolves it. Its past includes all sides,
    /// because the conflict is unresolved there.
    private func resolves(_ w: Event, _ past: Set<Dot>, _ component: NaiveComponent) -> Bool {
        if w.resolves.contains(id(component)) { return true }
        switch component.kind {
        case .text:
            if w.isTombstone { return false }
            // A write that restores the note resolves even without an edit, for example a renaming
            // of a deleted note.
            if walk.restores(w) { return true }
            let shown = sequence.shown(in: past)
            let own = sequence.ownPlaces(component.members, in: shown)
            if w.origin == .stated, !own.isEmpty {
                return sequence.edits(of: w.dot).contains { !$0.removed.isDisjoint(with: own) }
            }
            let range = shown.clamped(sequence.range(component.members, in: shown))
            return w.edits.contains { edit in
                guard edit.start <= range.upperBound, edit.end >= range.lowerBound else { return false }
                return range.isEmpty || !isLineBeside(edit, w.origin, range, shown)
            }
        case .deletion: return w.isTombstone || !w.edits.isEmpty || walk.restores(w)
        // A tombstone that sets the name also resolves it.
        case .name: return w.name != .none
        }
    }
}

/// Two members that are in conflict, in the order of the walk.
private struct NaivePair: Hashable {
    let kind: ConflictKind
    let first: ConflictMember
    let second: ConflictMember
    /// Whether they are in conflict where the first one is withdrawn; otherwise where both count.
    let isOverWithdrawn: Bool

    init(_ kind: ConflictKind, _ first: ConflictMember, _ second: ConflictMember, isOverWithdrawn: Bool = false) {
        (self.kind, self.first, self.second, self.isOverWithdrawn) = (kind, first, second, isOverWithdrawn)
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
