import Causality

@testable import TextMerge

/// The sequence of all items of a history, by the naive walk, and the place of each edit in it: the
/// terms of `docs/decisions/conflicts.md#0012`. An item is identified by its place.
struct NaiveSequence {
    private let walk: NaiveWalk
    private let replay: NaiveReplay
    private let items: [NaiveItem]
    private var edits: [Dot: [NaiveEdit]] = [:]
    private var spans: [ConflictMember: ClosedRange<Int>] = [:]
    /// By revision and place: whether past(r) shows the item, and whether r removes it.
    private var shownToWriter: [Dot: [Bool]] = [:]
    private var removedBy: [Dot: [Bool]] = [:]

    init(_ walk: NaiveWalk) {
        self.walk = walk
        replay = walk.replay(Set(walk.events.keys))
        items = replay.items
        var places: [ObjectIdentifier: Int] = [:]
        for (place, item) in items.enumerated() { places[ObjectIdentifier(item)] = place }
        func set(_ items: [NaiveItem]?) -> Set<Int> { Set((items ?? []).compactMap { places[ObjectIdentifier($0)] }) }
        for (dot, event) in walk.events {
            let shown = shown(in: walk.closure(event.parents))
            guard !event.isWithdrawal else { continue }
            shownToWriter[dot] = shown.isShown
            // A write on a deleted note removes the hidden text; this removal is not an edit.
            removedBy[dot] = items.map { $0.isRemoved(by: dot) }
            // The list is normalized: edits that touch are joined, and none is empty.
            edits[dot] = (replay.kept[dot] ?? []).enumerated().map { index, edit in
                let member = ConflictMember(dot: dot, index: index)
                return NaiveEdit(
                    member, edit, event.origin, writerWasShown: shown.text, removed: set(replay.removed[member]),
                    inserted: set(replay.inserted[member]))
            }
            for edit in edits(of: dot) { spans[edit.member] = span(edit) }
        }
    }

    func edits(of dot: Dot) -> [NaiveEdit] { edits[dot] ?? [] }

    /// The kept sequence of a version; empty if the note is deleted in it. The dots are a closed
    /// set.
    func shown(in dots: Set<Dot>) -> NaiveShown {
        let isDeleted = walk.isDeleted(dots)
        let counting = walk.counting(dots)
        return NaiveShown(
            isShown: items.map { !isDeleted && $0.isVisible(in: counting) }, all: items.map(\.byte),
            hidesLast: replay.hidesLast(counting, walk))
    }

    /// From the first to the last item of own(e). A stated edit extends to the ends of the lines
    /// that contain it, unless it consists of whole lines. If past(r) shows no LF on one side, it
    /// extends to that end of the sequence.
    private func span(_ e: NaiveEdit) -> ClosedRange<Int> {
        guard !e.isFound, !e.isMadeOfWholeLines else { return e.own }
        func isLineEnd(_ place: Int) -> Bool {
            items[place].byte == UInt8(ascii: "\n") && shownToWriter[e.member.dot]?[place] == true
        }
        let before = (0..<e.own.lowerBound).last(where: isLineEnd)
        let after = (e.own.upperBound..<items.count).first(where: isLineEnd)
        return (before.map { $0 + 1 } ?? 0)...(after ?? items.count - 1)
    }

    /// Whether one is a stated line edit that replaces or moves a line, and the other one keeps the line.
    func keeps(_ e: NaiveEdit, _ f: NaiveEdit) -> Bool {
        replay.keptPairs.contains([e.member, f.member]) || replay.keptPairs.contains([f.member, e.member])
    }

    /// Whether no item between their spans is shown by both pasts and removed by neither revision.
    ///
    /// - Precondition: the revisions are rivals.
    func touch(_ e: NaiveEdit, _ f: NaiveEdit) -> Bool {
        let (r, s) = (e.member.dot, f.member.dot)
        guard let (left, right) = inOrder(spans[e.member], spans[f.member]), let shownToR = shownToWriter[r],
            let shownToS = shownToWriter[s], let goneByR = removedBy[r], let goneByS = removedBy[s]
        else { return false }
        return !(left.upperBound..<max(left.upperBound, right.lowerBound)).dropFirst().contains { place in
            shownToR[place] && shownToS[place] && !goneByR[place] && !goneByS[place]
        }
    }

    private func inOrder(_ one: ClosedRange<Int>?, _ other: ClosedRange<Int>?) -> (ClosedRange<Int>, ClosedRange<Int>)? {
        guard let one, let other else { return nil }
        return one.lowerBound <= other.lowerBound ? (one, other) : (other, one)
    }

    /// From the first to the last of own(e) over the members.
    private func own(_ members: Set<ConflictMember>) -> ClosedRange<Int> {
        let all = members.flatMap { member in edits(of: member.dot).filter { $0.member == member } }.map(\.own)
        return (all.map(\.lowerBound).min() ?? 0)...(all.map(\.upperBound).max() ?? 0)
    }

    /// The own items that a version shows and that a member or its past inserted, ascending.
    func ownPlaces(_ members: Set<ConflictMember>, in shown: NaiveShown) -> [Int] {
        let known = walk.closure(Version(members.map(\.dot)))
        return own(members).filter { shown.isShown[$0] && items[$0].isKnown(in: known) }
    }

    /// The ranges of these items in the kept sequence, one range for each item.
    func own(_ members: Set<ConflictMember>, in shown: NaiveShown) -> [Range<Int>] {
        ownPlaces(members, in: shown).map { shown.count(before: $0) }.map { $0..<$0 + 1 }
    }

    /// The range in a version's text: from the first to the last visible own byte that a member or
    /// its past inserted, widened to whole lines.
    func range(_ members: Set<ConflictMember>, in shown: NaiveShown) -> Range<Int> {
        let own = own(members)
        let places = ownPlaces(members, in: shown)
        var start = shown.count(before: places.first ?? own.lowerBound)
        var end = places.last.map { shown.count(before: $0 + 1) } ?? start
        while !startsLine(start, in: shown.text) { start -= 1 }
        while !startsLine(end, in: shown.text), end < shown.text.count { end += 1 }
        return start..<end
    }

    /// The items of a side's text: from the first to the last of the members' own items and of the
    /// shown items in their range. Own items count even if the version does not show them: another
    /// side may show them, and putting that side in place of the range has to bring them back.
    func items(_ members: Set<ConflictMember>, in shown: NaiveShown) -> ClosedRange<Int> {
        let own = own(members)
        let inRange = shown.places[shown.widened(range(members, in: shown))]
        return min(own.lowerBound, inRange.first ?? own.lowerBound)...max(own.upperBound, inRange.last ?? own.upperBound)
    }
}

/// The items that a version shows.
struct NaiveShown {
    /// By place.
    let isShown: [Bool]
    /// The places of the shown items, ascending.
    let places: [Int]
    /// The kept sequence.
    let text: [UInt8]
    /// The value of the register of the last LF.
    let hidesLast: Bool
    /// Whether the version's text lacks the last LF of the kept sequence.
    let isShort: Bool
    private let all: [UInt8]

    init(isShown: [Bool], all: [UInt8], hidesLast: Bool) {
        (self.isShown, self.all, self.hidesLast) = (isShown, all, hidesLast)
        places = isShown.indices.filter { isShown[$0] }
        text = places.map { all[$0] }
        isShort = hidesLast && text.last == UInt8(ascii: "\n")
    }

    /// The length of the version's text.
    var length: Int { text.count - (isShort ? 1 : 0) }

    /// A range of the kept sequence; an empty one that follows a hidden last LF is widened to the last
    /// line, because in the text it would be inside that line.
    func widened(_ range: Range<Int>) -> Range<Int> {
        guard isShort, range.lowerBound == text.count else { return range }
        return (text.dropLast().lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1..<text.count
    }

    /// A range of the kept sequence as one of the text.
    func clamped(_ range: Range<Int>) -> Range<Int> {
        let range = widened(range)
        return min(range.lowerBound, length)..<min(range.upperBound, length)
    }

    func count(before place: Int) -> Int { isShown[..<place].count { $0 } }

    func bytes(_ items: ClosedRange<Int>) -> [UInt8] {
        items.filter { isShown[$0] }.map { all[$0] }
    }
}

/// An edit, in a conflict or not.
struct NaiveEdit {
    let member: ConflictMember
    let isFound: Bool
    /// The items that it removed, including those that a concurrent revision removes too.
    let removed: Set<Int>
    /// The items that its replacement became, or of the run that it joined as a twin.
    let inserted: Set<Int>
    /// From the first to the last of both.
    let own: ClosedRange<Int>

    /// Whether it starts at the start of a line, what it removes is empty or ends with LF, and so
    /// does its replacement.
    let isMadeOfWholeLines: Bool
    let onlyInsertsWholeLines: Bool

    init(
        _ member: ConflictMember, _ edit: Edit, _ origin: EditOrigin, writerWasShown text: [UInt8], removed: Set<Int>,
        inserted: Set<Int>
    ) {
        (self.member, self.removed, self.inserted) = (member, removed, inserted)
        isFound = origin == .found
        let both = removed.union(inserted)
        own = (both.min() ?? 0)...(both.max() ?? 0)
        let lf = UInt8(ascii: "\n")
        let gone = text[edit.start..<edit.end]
        let new = edit.replacement
        let startsLine = startsLine(edit.start, in: text)
        isMadeOfWholeLines = startsLine && (gone.isEmpty || gone.last == lf) && (new.isEmpty || new.last == lf)
        onlyInsertsWholeLines = gone.isEmpty && startsLine && new.last == lf
    }
}

/// Whether a line starts at the offset: at 0 and after each LF, even at the end of the text.
private func startsLine(_ offset: Int, in text: [UInt8]) -> Bool {
    offset == 0 || text[offset - 1] == UInt8(ascii: "\n")
}
