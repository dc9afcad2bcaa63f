import Causality

/// Which edits of the newest revision touch edits of those beside it. The words are those of decision 0012.
///
/// From each of its places the runs are gone through to the right and to the left, once for all who are beside it, until for each of
/// them something has been passed that separates. So what is far away costs nothing, however many wrote it.
extension Walk {
    /// Finds the newest revision's pairs.
    ///
    /// - Parameters:
    ///   - branch: one that stands at the newest.
    ///   - unseen: the revisions beside it.
    /// - Complexity: O(1) where there is nothing to be in conflict with: nobody found anything, deletes or renames. Otherwise O(unseen),
    ///   and for each edit what stands between it and the nearest text that all have kept; of that each run costs O(unseen / 64), and
    ///   the first of each writer O(unseen).
    mutating func pair(_ newest: Int, branch: Int, unseen: [Int], in graph: RevisionGraph) {
        guard !unseen.isEmpty else { return }
        let fact = facts[newest]
        let whole = ConflictLedger.Member(ordinal: newest, index: 0)
        var editors = Bits(bound: unseen.count)
        var found = Bits(bound: unseen.count)
        let bystanders = Bystanders(unseen, newest: newest, graph: graph)
        for other in fact.isPlain ? marked[marked.ascendingIndex(from: unseen[0])...] : unseen[...] {
            guard let number = bystanders.number(of: other) else { continue }
            let beside = ConflictLedger.Member(ordinal: other, index: 0)
            if fact.isTombstone != facts[other].isTombstone { ledger.add(.deletion, whole, beside) }
            if fact.name != .none, facts[other].name != .none, fact.name != facts[other].name { ledger.add(.name, whole, beside) }
            guard fact.isFound || facts[other].isFound, !places(of: other).isEmpty else { continue }
            editors.insert(number)
            if facts[other].isFound { found.insert(number) }
        }
        guard !editors.isEmpty, !places(of: newest).isEmpty else { return }
        let search = TouchSearch(newest: newest, branch: branch, editors: editors, found: found, bystanders: bystanders)
        for place in places(of: newest) {
            for candidate in touching(place, search).sorted() where !isExcepted(places[place], places[candidate.place]) {
                ledger.add(
                    .text, ConflictLedger.Member(ordinal: newest, index: places[place].edit),
                    ConflictLedger.Member(ordinal: candidate.ordinal, index: places[candidate.place].edit))
            }
        }
    }

    private func touching(_ place: Int, _ search: TouchSearch) -> Set<Candidate> {
        var met: Set<Candidate> = []
        var gap = sequence.position(of: run(holding: first(of: places[place])))
        let end = run(holding: last(of: places[place]))
        while let run = sequence.run(at: &gap) {
            for candidate in candidates(at: run, gap, among: search.editors, search) { met.insert(candidate) }
            if run == end { break }
            gap.index += 1
        }
        searchRight(of: place, search, &met)
        searchLeft(of: place, search, &met)
        return met
    }

    private func searchRight(of place: Int, _ search: TouchSearch, _ met: inout Set<Candidate>) {
        /// Those whom nothing has separated yet, and of these those for whom only the end of a line is missing.
        var active = search.editors
        var barred = Bits(bound: search.bystanders.ordinals.count)
        // A widened span ends once the end of a line has been passed that its writer was shown.
        var hasEnded = !places[place].isWidened || removesLineEnd(places[place])
        var gap = sequence.position(after: run(holding: last(of: places[place])))
        while !active.isEmpty, let run = sequence.run(at: &gap) {
            for candidate in candidates(at: run, gap, among: active, search) where !met.contains(candidate) {
                if barred.contains(candidate.number), !places[candidate.place].isWidened {
                    active.remove(candidate.number)
                } else {
                    met.insert(candidate)
                }
            }
            gap.index += 1
            var rest = content(of: run)
            if !hasEnded {
                guard let feed = rest.firstIndex(of: lineFeed), wasShown(run, search) else { continue }
                hasEnded = true
                rest = rest[(feed + 1)...]
            }
            if !rest.isEmpty, keeps(run, search) {
                barred.formUnion(keepers(of: run, search).intersection(active))
                active.subtract(barred.intersection(search.found))
            }
            // The span of one that is widened begins behind the end of a line that its writer was shown.
            if rest.contains(lineFeed), !barred.intersection(active).isEmpty {
                active.subtract(barred.intersection(readers(of: run, search)))
            }
        }
    }

    private func searchLeft(of place: Int, _ search: TouchSearch, _ met: inout Set<Candidate>) {
        var active = search.editors
        var barred = Bits(bound: search.bystanders.ordinals.count)
        var hasEnded = !places[place].isWidened
        var gap = sequence.position(of: run(holding: first(of: places[place])))
        while !active.isEmpty, let run = sequence.run(before: &gap) {
            for candidate in candidates(at: run, gap, among: active, search) where !met.contains(candidate) {
                let other = places[candidate.place]
                if barred.contains(candidate.number), !other.isWidened || removesLineEnd(other) {
                    active.remove(candidate.number)
                } else {
                    met.insert(candidate)
                }
            }
            var rest = content(of: run)
            if !hasEnded {
                guard let feed = rest.lastIndex(of: lineFeed), wasShown(run, search) else { continue }
                hasEnded = true
                rest = rest[...feed]
            }
            if rest.contains(lineFeed), !barred.intersection(active).isEmpty {
                active.subtract(barred.intersection(readers(of: run, search)))
            }
            if keeps(run, search) {
                let keepers = keepers(of: run, search).intersection(active)
                active.subtract(keepers.intersection(search.found))
                // An end of a line counts only left of what separates.
                if rest.dropLast().contains(lineFeed) { active.subtract(keepers) }
                barred.formUnion(keepers)
            }
        }
    }

    /// The places of bystanders that own a run, or lie around it.
    private func candidates(
        at run: Int, _ position: RunSequence.Position, among active: Bits, _ search: TouchSearch
    ) -> [Candidate] {
        var result: [Candidate] = []
        func meet(_ ordinal: Int) {
            guard let number = search.bystanders.number(of: ordinal), active.contains(number),
                let place = place(of: ordinal, around: position)
            else { return }
            result.append(Candidate(place: place, ordinal: ordinal, number: number))
        }
        var next: Int? = runs[run].firstCopy
        while let copy = next {
            meet(copies[copy].inserter)
            var link = copies[copy].lastRemoval
            while let removal = link {
                meet(removals[removal].remover)
                link = removals[removal].before
            }
            next = copies[copy].next
        }
        return result
    }

    /// Edits do not touch each other, so that the places of a revision stand one behind the other.
    private func place(of ordinal: Int, around run: RunSequence.Position) -> Int? {
        let own = places(of: ordinal)
        var (low, high) = (own.lowerBound, own.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if position(of: last(of: places[middle])).run < run { low = middle + 1 } else { high = middle }
        }
        guard low < own.upperBound, position(of: first(of: places[low])).run <= run else { return nil }
        return low
    }

    private func isExcepted(_ place: Place, _ other: Place) -> Bool {
        if place.inserted == other.inserted, removedParts[place.removed] == removedParts[other.removed] { return true }
        return place.insertsLines && other.insertsLines || place.insertsTail && other.insertsTail
    }

    private func removesLineEnd(_ place: Place) -> Bool {
        !place.removed.isEmpty && byte(of: last(of: place)) == lineFeed
    }

    /// Whether the newest revision was shown a run.
    private func wasShown(_ run: Int, _ search: TouchSearch) -> Bool {
        hasCopy(of: run) { copy in
            let state = branches[search.branch].states[copy]
            guard copies[copy].inserter != search.newest, state != Copy.notYet else { return false }
            guard state > Copy.inserted else { return true }
            return state == Copy.inserted + 1 && copies[copy].lastRemoval.map { removals[$0].remover } == search.newest
        }
    }

    /// Whether the newest revision was shown a run and has not removed it.
    private func keeps(_ run: Int, _ search: TouchSearch) -> Bool {
        hasCopy(of: run) { copies[$0].inserter != search.newest && branches[search.branch].states[$0] == Copy.inserted }
    }

    /// The bystanders who were shown a run and have not removed it.
    private func keepers(of run: Int, _ search: TouchSearch) -> Bits {
        readers(of: run, search, butRemovers: true)
    }

    /// The bystanders who were shown a run.
    private func readers(of run: Int, _ search: TouchSearch, butRemovers: Bool = false) -> Bits {
        var result = Bits(bound: search.bystanders.ordinals.count)
        var next: Int? = runs[run].firstCopy
        while let copy = next {
            next = copies[copy].next
            guard copies[copy].inserter != search.newest else { continue }
            var shown = search.bystanders.having(copies[copy].inserter)
            var link = copies[copy].lastRemoval
            while let removal = link {
                link = removals[removal].before
                let remover = removals[removal].remover
                guard remover != search.newest else { continue }
                shown.subtract(search.bystanders.having(remover))
                if butRemovers, let number = search.bystanders.number(of: remover) { shown.remove(number) }
            }
            result.formUnion(shown)
        }
        return result
    }

    private func hasCopy(of run: Int, where condition: (Int) -> Bool) -> Bool {
        var next: Int? = runs[run].firstCopy
        while let copy = next {
            if condition(copy) { return true }
            next = copies[copy].next
        }
        return false
    }
}

/// What a search for what touches the newest revision's edits goes by.
private struct TouchSearch {
    let newest: Int
    /// Stands at the newest.
    let branch: Int
    /// The bystanders, by number, who may be in conflict with it for what they edited; and those of them who found it.
    let editors: Bits
    let found: Bits
    let bystanders: Bystanders
}

/// A place of a bystander that was met on the way.
private struct Candidate: Hashable, Comparable {
    let place: Int
    let ordinal: Int
    let number: Int

    static func < (left: Candidate, right: Candidate) -> Bool { left.place < right.place }
}

let lineFeed = UInt8(ascii: "\n")
