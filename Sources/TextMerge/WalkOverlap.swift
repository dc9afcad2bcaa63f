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
        let whole = ConflictIndex.Member(ordinal: newest, index: 0)
        var editors = Bits(bound: unseen.count)
        var found = Bits(bound: unseen.count)
        let concurrent = ConcurrentRevisions(unseen, newest: newest, graph: graph)
        for other in fact.isPlain ? marked[marked.ascendingIndex(from: unseen[0])...] : unseen[...] {
            guard let number = concurrent.number(of: other) else { continue }
            let beside = ConflictIndex.Member(ordinal: other, index: 0)
            if fact.isTombstone != facts[other].isTombstone { conflictIndex.add(.deletion, whole, beside) }
            if fact.name != .none, facts[other].name != .none, fact.name != facts[other].name { conflictIndex.add(.name, whole, beside) }
            guard fact.isFound || facts[other].isFound, !footprints(of: other).isEmpty else { continue }
            editors.insert(number)
            if facts[other].isFound { found.insert(number) }
        }
        guard !editors.isEmpty, !footprints(of: newest).isEmpty else { return }
        let search = OverlapSearch(newest: newest, branch: branch, editors: editors, found: found, concurrent: concurrent)
        for footprint in footprints(of: newest) {
            for candidate in touching(footprint, search).sorted() where !isExcepted(footprints[footprint], footprints[candidate.footprint]) {
                conflictIndex.add(
                    .text, ConflictIndex.Member(ordinal: newest, index: footprints[footprint].edit),
                    ConflictIndex.Member(ordinal: candidate.ordinal, index: footprints[candidate.footprint].edit))
            }
        }
    }

    private func touching(_ footprint: Int, _ search: OverlapSearch) -> Set<Candidate> {
        var met: Set<Candidate> = []
        var gap = sequence.position(of: run(holding: first(of: footprints[footprint])))
        let end = run(holding: last(of: footprints[footprint]))
        while let run = sequence.run(at: &gap) {
            for candidate in candidates(at: run, gap, among: search.editors, search) { met.insert(candidate) }
            if run == end { break }
            gap.index += 1
        }
        searchRight(of: footprint, search, &met)
        searchLeft(of: footprint, search, &met)
        return met
    }

    private func searchRight(of footprint: Int, _ search: OverlapSearch, _ met: inout Set<Candidate>) {
        /// Those whom nothing has separated yet, and of these those for whom only the end of a line is missing.
        var active = search.editors
        var barred = Bits(bound: search.concurrent.ordinals.count)
        // A widened span ends once the end of a line has been passed that its writer was shown.
        var hasEnded = !footprints[footprint].isWidened || removesLineEnd(footprints[footprint])
        var gap = sequence.position(after: run(holding: last(of: footprints[footprint])))
        while !active.isEmpty, let run = sequence.run(at: &gap) {
            for candidate in candidates(at: run, gap, among: active, search) where !met.contains(candidate) {
                if barred.contains(candidate.number), !footprints[candidate.footprint].isWidened {
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

    private func searchLeft(of footprint: Int, _ search: OverlapSearch, _ met: inout Set<Candidate>) {
        var active = search.editors
        var barred = Bits(bound: search.concurrent.ordinals.count)
        var hasEnded = !footprints[footprint].isWidened
        var gap = sequence.position(of: run(holding: first(of: footprints[footprint])))
        while !active.isEmpty, let run = sequence.run(before: &gap) {
            for candidate in candidates(at: run, gap, among: active, search) where !met.contains(candidate) {
                let other = footprints[candidate.footprint]
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
        at run: Int, _ position: RunSequence.Position, among active: Bits, _ search: OverlapSearch
    ) -> [Candidate] {
        var result: [Candidate] = []
        func meet(_ ordinal: Int) {
            guard let number = search.concurrent.number(of: ordinal), active.contains(number),
                let footprint = footprint(of: ordinal, around: position)
            else { return }
            result.append(Candidate(footprint: footprint, ordinal: ordinal, number: number))
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
    private func footprint(of ordinal: Int, around run: RunSequence.Position) -> Int? {
        let own = footprints(of: ordinal)
        var (low, high) = (own.lowerBound, own.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if position(of: last(of: footprints[middle])).run < run { low = middle + 1 } else { high = middle }
        }
        guard low < own.upperBound, position(of: first(of: footprints[low])).run <= run else { return nil }
        return low
    }

    private func isExcepted(_ footprint: EditFootprint, _ other: EditFootprint) -> Bool {
        if footprint.inserted == other.inserted, removedParts[footprint.removed] == removedParts[other.removed] { return true }
        return footprint.insertsLines && other.insertsLines || footprint.insertsTail && other.insertsTail
    }

    private func removesLineEnd(_ footprint: EditFootprint) -> Bool {
        !footprint.removed.isEmpty && byte(of: last(of: footprint)) == lineFeed
    }

    /// Whether the newest revision was shown a run.
    private func wasShown(_ run: Int, _ search: OverlapSearch) -> Bool {
        hasCopy(of: run) { copy in
            let state = branches[search.branch].states[copy]
            guard copies[copy].inserter != search.newest, state != Copy.notYet else { return false }
            guard state > Copy.inserted else { return true }
            return state == Copy.inserted + 1 && copies[copy].lastRemoval.map { removals[$0].remover } == search.newest
        }
    }

    /// Whether the newest revision was shown a run and has not removed it.
    private func keeps(_ run: Int, _ search: OverlapSearch) -> Bool {
        hasCopy(of: run) { copies[$0].inserter != search.newest && branches[search.branch].states[$0] == Copy.inserted }
    }

    /// The bystanders who were shown a run and have not removed it.
    private func keepers(of run: Int, _ search: OverlapSearch) -> Bits {
        readers(of: run, search, butRemovers: true)
    }

    /// The bystanders who were shown a run.
    private func readers(of run: Int, _ search: OverlapSearch, butRemovers: Bool = false) -> Bits {
        var result = Bits(bound: search.concurrent.ordinals.count)
        var next: Int? = runs[run].firstCopy
        while let copy = next {
            next = copies[copy].next
            guard copies[copy].inserter != search.newest else { continue }
            var shown = search.concurrent.having(copies[copy].inserter)
            var link = copies[copy].lastRemoval
            while let removal = link {
                link = removals[removal].before
                let remover = removals[removal].remover
                guard remover != search.newest else { continue }
                shown.subtract(search.concurrent.having(remover))
                if butRemovers, let number = search.concurrent.number(of: remover) { shown.remove(number) }
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
private struct OverlapSearch {
    let newest: Int
    /// Stands at the newest.
    let branch: Int
    /// The bystanders, by number, who may be in conflict with it for what they edited; and those of them who found it.
    let editors: Bits
    let found: Bits
    let concurrent: ConcurrentRevisions
}

/// A place of a bystander that was met on the way.
private struct Candidate: Hashable, Comparable {
    let footprint: Int
    let ordinal: Int
    let number: Int

    static func < (left: Candidate, right: Candidate) -> Bool { left.footprint < right.footprint }
}

let lineFeed = UInt8(ascii: "\n")
