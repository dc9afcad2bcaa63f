import Causality

/// Which edits of the newest revision touch edits of those beside it. The words are those of decision 0012.
extension Walk {
    /// Finds the newest revision's pairs.
    ///
    /// - Parameter unseen: the revisions beside it.
    /// - Complexity: O(unseen) where there is nothing to be in conflict with: nobody found anything, deletes or renames. Otherwise
    ///   for each edit and each revision beside it O(log edits), and what stands between those that are near.
    mutating func pair(_ newest: Int, unseen: [Int], in graph: RevisionGraph) {
        guard !unseen.isEmpty else { return }
        let fact = facts[newest]
        let whole = ConflictLedger.Member(ordinal: newest, index: 0)
        var editors: [Int] = []
        for other in unseen {
            let beside = ConflictLedger.Member(ordinal: other, index: 0)
            if fact.isTombstone != facts[other].isTombstone { ledger.add(.deletion, whole, beside) }
            if fact.name != .none, facts[other].name != .none, fact.name != facts[other].name { ledger.add(.name, whole, beside) }
            if fact.isFound || facts[other].isFound, !places(of: other).isEmpty { editors.append(other) }
        }
        guard !editors.isEmpty, !places(of: newest).isEmpty else { return }
        let pasts = PastTest(newest: newest, unseen: unseen, graph: graph)
        for place in places(of: newest) {
            let reach = (first: position(of: first(of: places[place])), last: position(of: last(of: places[place])))
            for other in editors { pair(place, reach, of: newest, with: other, pasts) }
        }
    }

    /// Nearest first, to both sides: behind one that does not touch, none does. Edits do not touch each other, so that the places of
    /// a revision stand one behind the other.
    private mutating func pair(
        _ place: Int, _ reach: (first: ItemPosition, last: ItemPosition), of newest: Int, with other: Int, _ pasts: PastTest
    ) {
        let candidates = places(of: other)
        var (low, high) = (candidates.lowerBound, candidates.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if position(of: last(of: places[middle])) < reach.first { low = middle + 1 } else { high = middle }
        }
        for candidate in candidates[..<low].reversed() {
            if isSeparated(candidate, of: other, from: place, of: newest, pasts) { break }
            add(place, of: newest, candidate, of: other, pasts)
        }
        for candidate in candidates[low...] {
            let overlaps = position(of: first(of: places[candidate])) <= reach.last
            if !overlaps, isSeparated(place, of: newest, from: candidate, of: other, pasts) { break }
            add(place, of: newest, candidate, of: other, pasts)
        }
    }

    private mutating func add(_ place: Int, of newest: Int, _ candidate: Int, of other: Int, _ pasts: PastTest) {
        guard !isExcepted(places[place], of: newest, places[candidate], of: other, pasts) else { return }
        ledger.add(
            .text, ConflictLedger.Member(ordinal: newest, index: places[place].edit),
            ConflictLedger.Member(ordinal: other, index: places[candidate].edit))
    }

    /// Whether an item stands between the spans of two places that both pasts show and neither revision removes.
    ///
    /// - Precondition: what the left one owns stands before what the right one owns.
    private func isSeparated(_ left: Int, of one: Int, from right: Int, of other: Int, _ pasts: PastTest) -> Bool {
        let start = last(of: places[left])
        let end = run(holding: first(of: places[right]))
        // The left span ends, and the right one begins, once the end of a line has been passed that its writer was shown.
        var hasLeft = !isWidened(places[left], of: one, pasts)
        let isRightWidened = isWidened(places[right], of: other, pasts)
        var hasBarrier = false
        if !hasLeft, byte(of: start) == lineFeed, shows(run(holding: start), inPastOf: one, pasts) { hasLeft = true }
        var gap = sequence.position(after: run(holding: start))
        while let run = sequence.run(at: &gap), run != end {
            gap.index += 1
            var rest = content(of: run)
            let isLeftShown = shows(run, inPastOf: one, pasts)
            let isRightShown = shows(run, inPastOf: other, pasts)
            if !hasLeft {
                guard isLeftShown, let feed = rest.firstIndex(of: lineFeed) else { continue }
                hasLeft = true
                rest = rest[(feed + 1)...]
            }
            if !rest.isEmpty, isLeftShown, isRightShown, !removes(one, run), !removes(other, run) { hasBarrier = true }
            if hasBarrier, !isRightWidened || (isRightShown && rest.contains(lineFeed)) { return true }
        }
        return false
    }

    private func isExcepted(_ place: Place, of one: Int, _ other: Place, of another: Int, _ pasts: PastTest) -> Bool {
        if place.inserted == other.inserted, removedParts[place.removed] == removedParts[other.removed] { return true }
        guard place.removed.isEmpty, other.removed.isEmpty else { return false }
        if insertsLines(place, of: one, pasts), insertsLines(other, of: another, pasts) { return true }
        return insertsTail(place, of: one, pasts) && insertsTail(other, of: another, pasts)
    }

    /// Whether a place counts as the lines that it lies in.
    private func isWidened(_ place: Place, of ordinal: Int, _ pasts: PastTest) -> Bool {
        guard !facts[ordinal].isFound else { return false }
        if !place.removed.isEmpty, byte(of: last(of: place)) != lineFeed { return true }
        if let hunk = place.inserted, byte(of: Item(hunk: hunk, offset: hunks[hunk].length - 1)) != lineFeed { return true }
        return !startsLine(place, of: ordinal, pasts)
    }

    private func insertsLines(_ place: Place, of ordinal: Int, _ pasts: PastTest) -> Bool {
        byte(of: last(of: place)) == lineFeed && startsLine(place, of: ordinal, pasts)
    }

    /// Whether it only appends, to an unterminated last line, what begins with LF and does not end with one.
    private func insertsTail(_ place: Place, of ordinal: Int, _ pasts: PastTest) -> Bool {
        guard byte(of: first(of: place)) == lineFeed, byte(of: last(of: place)) != lineFeed else { return false }
        guard let before = shownByte(before: place, of: ordinal, pasts), before != lineFeed else { return false }
        var gap = sequence.position(after: run(holding: last(of: place)))
        while let run = sequence.run(at: &gap) {
            if shows(run, inPastOf: ordinal, pasts) { return false }
            gap.index += 1
        }
        return true
    }

    private func startsLine(_ place: Place, of ordinal: Int, _ pasts: PastTest) -> Bool {
        shownByte(before: place, of: ordinal, pasts).map { $0 == lineFeed } ?? true
    }

    /// The byte before the place in what its writer was shown; nil at the start.
    private func shownByte(before place: Place, of ordinal: Int, _ pasts: PastTest) -> UInt8? {
        var gap = sequence.position(of: run(holding: first(of: place)))
        while let run = sequence.run(before: &gap) {
            if shows(run, inPastOf: ordinal, pasts) { return content(of: run).last }
        }
        return nil
    }

    private func shows(_ run: Int, inPastOf ordinal: Int, _ pasts: PastTest) -> Bool {
        var next: Int? = runs[run].firstCopy
        while let copy = next {
            if pasts.isInPast(copies[copy].inserter, of: ordinal), !isRemoved(copy, where: { pasts.isInPast($0, of: ordinal) }) {
                return true
            }
            next = copies[copy].next
        }
        return false
    }

    private func removes(_ ordinal: Int, _ run: Int) -> Bool {
        var next: Int? = runs[run].firstCopy
        while let copy = next {
            if isRemoved(copy, where: { $0 == ordinal }) { return true }
            next = copies[copy].next
        }
        return false
    }

    private func isRemoved(_ copy: Int, where condition: (Int) -> Bool) -> Bool {
        var link = copies[copy].lastRemoval
        while let removal = link {
            if condition(removals[removal].remover) { return true }
            link = removals[removal].before
        }
        return false
    }
}

let lineFeed = UInt8(ascii: "\n")
