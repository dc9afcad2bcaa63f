import Causality
import TextMerge

/// The merged text by the plainest method: one item per byte, in an array, with everything replayed
/// every time. `View` is compared with it.
///
/// It is a second implementation of the walk of Gentle and Kleppmann with the additional rules for
/// found edits, for the end of unterminated texts, and for withdrawals. Whether a version shows an
/// item is computed anew from the revisions that count in the version.
struct NaiveWalk {
    private(set) var events: [Dot: Event] = [:]
    private(set) var pasts: [Dot: Set<Dot>] = [:]

    init(_ events: [Event]) {
        for event in events { append(event) }
    }

    mutating func append(_ event: Event) {
        events[event.dot] = event
        pasts[event.dot] = closure(event.parents)
    }

    func closure(_ version: Version) -> Set<Dot> {
        version.dots.reduce(into: []) { $0.formUnion((pasts[$1] ?? []).union([$1])) }
    }

    func isDeleted(_ dots: Set<Dot>) -> Bool {
        let heads = maximal(counting(dots))
        return !heads.isEmpty && heads.allSatisfy { events[$0]?.isTombstone ?? false }
    }

    /// The members of a set that are in no other member's past.
    func maximal(_ dots: Set<Dot>) -> Set<Dot> {
        dots.filter { dot in !dots.contains { pasts[$0]?.contains(dot) ?? false } }
    }

    /// The revisions that are withdrawn in a closed set: those that an effective withdrawal names.
    func withdrawn(_ dots: Set<Dot>) -> Set<Dot> {
        var withdrawn: Set<Dot> = []
        for dot in causalOrder(dots).reversed() where !withdrawn.contains(dot) {
            withdrawn.formUnion(events[dot]?.withdraws ?? [])
        }
        return withdrawn
    }

    /// The revisions of a closed set that count: neither withdrawn nor withdrawals.
    func counting(_ dots: Set<Dot>) -> Set<Dot> {
        guard dots.contains(where: { events[$0]?.isWithdrawal == true }) else { return dots }
        return dots.subtracting(withdrawn(dots)).filter { events[$0]?.isWithdrawal == false }
    }

    /// Whether r was shown to the writer of s: r counts in the past of s.
    func wasShown(_ r: Dot, to s: Dot) -> Bool {
        counting(pasts[s] ?? []).contains(r)
    }

    var text: [UInt8] { text(of: Set(events.keys)) }

    /// The text of a closed set of revisions.
    func text(of dots: Set<Dot>) -> [UInt8] {
        guard !isDeleted(dots) else { return [] }
        let replay = replay(dots)
        let counting = counting(dots)
        let kept = replay.items.filter { $0.isVisible(in: counting) }.map(\.byte)
        return replay.hidesLast(counting, self) && kept.last == UInt8(ascii: "\n") ? Array(kept.dropLast()) : kept
    }

    /// The items of a closed set of revisions, and what each edit did.
    func replay(_ dots: Set<Dot>) -> NaiveReplay {
        let replay = NaiveReplay()
        for dot in causalOrder(dots) {
            guard let event = events[dot], let past = pasts[dot], !event.isWithdrawal else { continue }
            replay.replay(event, past: past, restores: restores(event), self)
        }
        return replay
    }

    func causalOrder(_ dots: Set<Dot>) -> [Dot] {
        dots.sorted { ((pasts[$0]?.count ?? 0), $0) < ((pasts[$1]?.count ?? 0), $1) }
    }

    /// Whether the event's writer saw a deleted note, and the event restores it.
    func restores(_ event: Event) -> Bool {
        !event.isTombstone && !event.isWithdrawal && isDeleted(closure(event.parents))
    }
}

// MARK: Feeding a view

extension NaiveWalk {
    /// Events in a causal order, in pieces of at least `length` events. A cut is only made if no
    /// later event has a parent below the floor that a view of the earlier ones may have.
    func pieces(of order: [Event], length: () -> Int) -> [[Event]] {
        var pieces: [[Event]] = []
        var start = 0
        while start < order.count {
            var end = min(start + max(1, length()), order.count)
            while end < order.count, !mayFollow(Set(order[..<end].map(\.dot)), order[end...]) { end += 1 }
            pieces.append(Array(order[start..<end]))
            start = end
        }
        return pieces
    }

    /// Whether every later event has the newest critical version of these in its past and names no
    /// revision at or below it; and whether no conflict is unresolved there, if one of them is a
    /// withdrawal.
    private func mayFollow(_ dots: Set<Dot>, _ later: ArraySlice<Event>) -> Bool {
        guard let newest = criticalDots(in: dots).last, let below = pasts[newest]?.union([newest]) else { return true }
        if later.contains(where: \.isWithdrawal) {
            let known = causalOrder(below).compactMap { events[$0] }
            guard NaiveConflicts(known, naming: .cheap).unresolved(in: below).isEmpty else { return false }
        }
        return later.allSatisfy { pasts[$0.dot]?.contains(newest) ?? false && below.isDisjoint(with: $0.withdraws) }
    }

    /// The dots that are critical versions from which a walk may start: every other revision of the
    /// set has the dot in its past or is in the dot's past, and no later one names the dot or what
    /// is below it. Oldest first.
    func criticalDots(in dots: Set<Dot>) -> [Dot] {
        causalOrder(dots).filter { dot in
            let below = (pasts[dot] ?? []).union([dot])
            guard !isDeleted(below) else { return false }
            return dots.allSatisfy { other in
                other == dot || pasts[dot]?.contains(other) == true
                    || pasts[other]?.contains(dot) == true && below.isDisjoint(with: events[other]?.withdraws ?? [])
            }
        }
    }
}

/// Each state is computed anew from the past in question; nothing is retreated or advanced.
final class NaiveReplay {
    private(set) var items: [NaiveItem] = []
    /// What each edit removed and inserted; for a twin, the items that it joined.
    private(set) var removed: [ConflictMember: [NaiveItem]] = [:]
    private(set) var inserted: [ConflictMember: [NaiveItem]] = [:]
    /// The edits of each revision in terms of the kept sequence.
    private(set) var kept: [Dot: [Edit]] = [:]
    /// What each revision sets the register of the last LF to.
    private var settings: [Dot: Bool] = [:]
    private var lines: [NaiveLine] = []
    private var keeps: [NaiveLine] = []
    /// The pairs of a stated line edit that replaces or moves a line, and one that keeps it.
    private(set) var keptPairs: Set<[ConflictMember]> = []
    private var foundRuns: [(left: NaiveItem?, right: NaiveItem?, items: [NaiveItem], replacement: [UInt8])] = []

    func replay(_ event: Event, past: Set<Dot>, restores: Bool, _ walk: NaiveWalk) {
        let counting = walk.counting(past)
        let hidesLast = hidesLast(counting, walk)
        let known = past.union([event.dot])
        let now = counting.union([event.dot])
        let (oldLines, oldKeeps) = (lines, keeps)
        defer {
            for keep in keeps[oldKeeps.count...] { for line in lines { hold(line, keep, walk) } }
            for keep in oldKeeps { for line in lines[oldLines.count...] { hold(line, keep, walk) } }
        }
        let all = items.filter { $0.isVisible(in: now) }
        if restores { noteLines(all[...], ConflictMember(dot: event.dot, index: -1), [], now) }
        let restored = restores ? remove(0, all.count, event.dot, now) : []
        let shown = restores ? [] : all
        let base = shown.map(\.byte)
        let (edits, setting) = NaiveKeptEdits(event, base, hidesLast).result
        kept[event.dot] = edits
        settings[event.dot] = setting
        let new = event.origin == .found ? [] : edits.flatMap { Self.lines($0.replacement) }
        for (index, edit) in edits.enumerated() {
            let member = ConflictMember(dot: event.dot, index: index)
            if event.origin == .found || NaiveKeptEdits.isWholeLines(edit, in: base) {
                let replaces = event.origin == .stated && !edit.replacement.isEmpty
                noteLines(shown[edit.start..<edit.end], member, new, now, replaces: replaces)
            } else {
                noteKept(by: edit, member, shown, now)
            }
        }
        var growth = 0
        for (index, edit) in edits.enumerated() {
            let member = ConflictMember(dot: event.dot, index: index)
            let isOfLines = NaiveKeptEdits.isWholeLines(edit, in: base)
            removed[member] = remove(edit.start + growth, edit.end - edit.start, event.dot, now)
            if !edit.replacement.isEmpty {
                let gone = removed[member] ?? []
                inserted[member] = insert(
                    edit.replacement, edit.start + growth, event, now, known, removing: gone + restored, isOfLines)
            }
            growth += edit.growth
        }
    }

    private static func lines(_ text: [UInt8]) -> [[UInt8]] {
        let lines = Lines(text)
        return (0..<lines.count).map { Array(lines[$0]) }
    }

    /// Notes the lines that a line edit removes, each with the copies that it removes.
    ///
    /// - Parameters:
    ///   - new: the lines that the revision inserts, if its edits are stated.
    ///   - replaces: whether the edit is stated and inserts something.
    private func noteLines(
        _ gone: ArraySlice<NaiveItem>, _ member: ConflictMember, _ new: [[UInt8]], _ now: Set<Dot>, replaces: Bool = false
    ) {
        var rest = gone
        while !rest.isEmpty {
            let end = rest.firstIndex { $0.byte == UInt8(ascii: "\n") }.map { $0 + 1 } ?? rest.endIndex
            let isMoved = new.contains(rest[..<end].map(\.byte))
            lines.append(NaiveLine(member, rest[..<end], now, conflicts: replaces || isMoved))
            rest = rest[end...]
        }
    }

    /// Notes what an edit within lines keeps: of the lines that it touches, the copies that it does not
    /// remove itself.
    private func noteKept(by edit: Edit, _ member: ConflictMember, _ shown: [NaiveItem], _ now: Set<Dot>) {
        let isFeed = { (item: NaiveItem) in item.byte == UInt8(ascii: "\n") }
        guard !edit.replacement.isEmpty || shown[edit.start..<edit.end].contains(where: isFeed) else { return }
        let start = shown[..<edit.start].lastIndex(where: isFeed).map { $0 + 1 } ?? 0
        let end = shown[edit.end...].firstIndex(where: isFeed).map { $0 + 1 } ?? shown.count
        keeps.append(NaiveLine(member, shown[start..<edit.start] + shown[edit.end..<end], now))
    }

    /// Lets a removed line be held if the revision that keeps something of it, and the one that removed
    /// it, were not shown to each other.
    private func hold(_ line: NaiveLine, _ keep: NaiveLine, _ walk: NaiveWalk) {
        let (remover, keeper) = (line.member.dot, keep.member.dot)
        guard remover != keeper, !walk.wasShown(remover, to: keeper), !walk.wasShown(keeper, to: remover),
            !line.copies.isDisjoint(with: keep.copies), let past = walk.pasts[keeper]
        else { return }
        if line.conflicts { keptPairs.insert([line.member, keep.member]) }
        for item in line.items {
            for index in item.copies.indices where item.copies[index].removers[remover] != nil {
                if past.contains(item.copies[index].inserter) || !item.isKnown(in: past) {
                    item.copies[index].removers[remover]?.insert(keeper)
                }
            }
        }
    }

    /// Whether a version, given the revisions that count in it, does not show the last LF: the
    /// newest settings say so, and none of them says otherwise.
    func hidesLast(_ counting: Set<Dot>, _ walk: NaiveWalk) -> Bool {
        let newest = walk.maximal(counting.filter { settings[$0] != nil })
        return !newest.isEmpty && newest.allSatisfy { settings[$0] == true }
    }

    private func index(after count: Int, _ now: Set<Dot>) -> Int {
        var index = 0
        var seen = 0
        while seen < count {
            if items[index].isVisible(in: now) { seen += 1 }
            index += 1
        }
        return index
    }

    private func remove(_ start: Int, _ count: Int, _ dot: Dot, _ now: Set<Dot>) -> [NaiveItem] {
        let gone = Array(items[index(after: start, now)...].lazy.filter { $0.isVisible(in: now) }.prefix(count))
        for item in gone {
            for copy in item.copies.indices where now.contains(item.copies[copy].inserter) {
                if item.copies[copy].isVisible(in: now) { item.copies[copy].removers[dot] = [] }
            }
        }
        return gone
    }

    private func insert(
        _ replacement: [UInt8], _ start: Int, _ event: Event, _ now: Set<Dot>, _ known: Set<Dot>,
        removing replaced: [NaiveItem], _ isOfLines: Bool
    ) -> [NaiveItem] {
        var at = index(after: start, now)
        let startsLine = at == 0 || items[at - 1].byte == UInt8(ascii: "\n")
        if startsLine {
            // Before the first item that the writer saw or replaces, and after all that the writer knew
            // before it.
            let next = items[at...].firstIndex { item in item.isVisible(in: now) || replaced.contains { $0 === item } }
            at = items[at..<(next ?? items.count)].lastIndex { $0.isKnown(in: known) }.map { $0 + 1 } ?? at
        }
        let left = at > 0 ? items[at - 1] : nil
        let right = items[at...].first { $0.isKnown(in: known) }
        let twin = foundRuns.first { $0.left === left && $0.right === right && $0.replacement == replacement }
        if event.origin == .found, let twin {
            for item in twin.items { item.copies.append(NaiveItem.Copy(inserter: event.dot)) }
            return twin.items
        }
        var run: [NaiveItem] = []
        for byte in replacement {
            let item = NaiveItem(
                byte, event, replacement, isOfLines: isOfLines, startsLine: startsLine && run.isEmpty, left: run.last ?? left,
                right: right)
            at = place(item, from: at, known) + 1
            run.append(item)
        }
        if event.origin == .found { foundRuns.append((left, right, run, replacement)) }
        return run
    }

    private func place(_ new: NaiveItem, from start: Int, _ known: Set<Dot>) -> Int {
        func index(_ item: NaiveItem?, orElse end: Int) -> Int {
            item.flatMap { item in items.firstIndex { $0 === item } } ?? end
        }
        let (left, right) = (start - 1, index(new.right, orElse: items.count))
        var (at, scan, isPassing) = (start, start, false)
        while scan < right, !items[scan].isKnown(in: known) {
            let other = items[scan]
            let otherLeft = index(other.left, orElse: -1)
            let otherRight = index(other.right, orElse: items.count)
            if new.startsLine, !other.startsLine, otherLeft <= left {
                isPassing = false
            } else if !new.startsLine, other.startsLine, otherRight >= right {
                break
            } else {
                if otherLeft < left || (otherLeft == left && otherRight == right && new.precedes(other)) { break }
                if otherLeft == left { isPassing = otherRight < right }
            }
            scan += 1
            if !isPassing { at = scan }
        }
        items.insert(new, at: at)
        return at
    }
}
