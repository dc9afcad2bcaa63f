import Algorithms
import BitCollections
import Causality

/// Finding which edits of the newest revision touch edits of concurrent revisions. The terms (own,
/// span, touch) are those of `docs/decisions/conflicts.md#0012`.
///
/// Comparing the newest revision's edits with every concurrent edit would cost the number of all
/// concurrent edits, however far away they are. Instead, each edit of the newest revision searches
/// the sequence outward from its own place, once to the right and once to the left, for all
/// concurrent revisions together. Each concurrent revision drops out when the search has passed an
/// item that separates: one that both revisions had in the text that they edited and that neither
/// removed. The search ends when no revision is left, so its cost depends on the distance to text
/// that everybody kept.
///
/// Worked example: the text is `a b c d`, one letter a line. The newest revision r saved B for b.
/// Concurrently, s saved C for c and t saved D for d. The sequence has both the new and the removed
/// lines:
///
///     a   B(r)  b(removed by r)   C(s)  c(removed by s)   D(t)  d(removed by t)
///
/// The search to the right of r's edit starts after b, with s and t active. At C it meets s's edit:
/// s touches r. Line c was seen by all three; s removed it, but r and t kept it, so it separates r
/// from t, and t drops out. Line d was kept by r and s, so s drops out and the search ends. Result:
/// r and s are a pair, r and t are not.
extension Walk {
    /// Finds the pairs of the newest revision and adds them to the conflict index.
    ///
    /// - Parameters:
    ///   - newest: the ordinal of the revision that was just replayed.
    ///   - branch: the branch that is at the newest revision.
    ///   - rivals: the concurrent revisions.
    /// - Complexity: O(1) if no conflict is possible, because no revision on either side has found
    ///   edits, deletes the note or renames it. O(unseen) if all only insert whole lines. Otherwise
    ///   O(unseen), and for each edit the runs up
    ///   to the nearest text that everybody kept. Each of these runs costs O(unseen / 64), and the
    ///   first run of each writer O(unseen).
    mutating func pair(_ newest: Int, branch: Int, concurrent rivals: Rivals, in graph: RevisionGraph) {
        let unseen = rivals.ordinals
        guard withdrawals.isEmpty else { return pairWithNamed(newest, branch: branch, unseen: unseen, in: graph) }
        guard !unseen.isEmpty else { return }
        let fact = facts[newest]
        var editors = BitSet()
        var found = BitSet()
        for other in fact.isPlain ? marked[marked.partitioningIndex { $0 >= unseen[0] }...] : unseen[...] {
            guard let number = rivals.number(of: other) else { continue }
            pairWhole(newest, other)
            guard fact.isFound || facts[other].isFound, !footprints(of: other).isEmpty,
                !(fact.insertsOnlyLines && facts[other].insertsOnlyLines)
            else { continue }
            editors.insert(number)
            if facts[other].isFound { found.insert(number) }
        }
        pairEdits(OverlapSearch(newest: newest, reader: .branch(branch), editors: editors, found: found, rivals: rivals))
    }

    /// Adds the pairs of two revisions that disagree about the note's deletion or name.
    mutating func pairWhole(_ newest: Int, _ other: Int) {
        let (fact, beside) = (facts[newest], facts[other])
        let members = (ConflictIndex.Member(ordinal: newest, index: 0), ConflictIndex.Member(ordinal: other, index: 0))
        if fact.isTombstone != beside.isTombstone { conflictIndex.add(.deletion, members.0, members.1) }
        if fact.name != .none, beside.name != .none, fact.name != beside.name { conflictIndex.add(.name, members.0, members.1) }
    }

    /// Adds the pairs of edits that a search finds.
    mutating func pairEdits(_ search: OverlapSearch) {
        guard !search.editors.isEmpty else { return }
        for footprint in footprints(of: search.newest) {
            for candidate in touching(footprint, search).candidates.sorted(by: { $0.footprint < $1.footprint }) {
                add(footprint, of: search.newest, candidate, isOver: search.over.contains(candidate.number), search)
            }
        }
    }

    /// Adds one pair of touching edits, unless it is excepted.
    ///
    /// - Parameter isOver: whether the candidate was shown to the writer of the newest revision, so that
    ///   they are in conflict only where it is withdrawn.
    private mutating func add(_ footprint: Int, of newest: Int, _ candidate: Candidate, isOver: Bool, _ search: OverlapSearch) {
        let (own, other) = (footprints[footprint], footprints[candidate.footprint])
        let member = ConflictIndex.Member(ordinal: newest, index: own.edit)
        let beside = ConflictIndex.Member(ordinal: candidate.ordinal, index: other.edit)
        guard isOver else {
            guard !(own.insertsLines && other.insertsLines) else { return }
            let areEqual = own.inserted == other.inserted && removedParts[own.removed] == removedParts[other.removed]
            if !areEqual { conflictIndex.add(.text, member, beside) }
            return
        }
        guard areInConflict(withdrawn: other, of: candidate.ordinal, own, of: newest) else { return }
        conflictIndex.add(withdrawn: beside, with: SparseSet([conflictIndex.textRole(of: member)]))
    }

    /// Whether touching edits, of which one was shown to the writer of the other, are in conflict where the
    /// former is withdrawn.
    func areInConflict(withdrawn: EditFootprint, of ordinal: Int, _ writer: EditFootprint, of later: Int) -> Bool {
        guard !(withdrawn.insertsLines && writer.insertsLines) else { return false }
        return facts[ordinal].isFound || facts[later].isFound || isInside(writer, withdrawn)
    }

    /// Whether an edit lies strictly inside what another one inserted.
    private func isInside(_ inner: EditFootprint, _ outer: EditFootprint) -> Bool {
        guard let hunk = outer.inserted else { return false }
        let end = Item(hunk: hunk, offset: hunks[hunk].length - 1)
        return position(of: Item(hunk: hunk, offset: 0)) < position(of: first(of: inner))
            && position(of: last(of: inner)) < position(of: end)
    }

    /// The concurrent edits that touch one edit of the newest revision: those that own a run within
    /// the edit's own runs, and those that the searches to both sides meet.
    func touching(_ footprint: Int, _ search: OverlapSearch) -> TouchingEdits {
        var overlapping = TouchingEdits(from: search.rivals.ordinals.first.map { footprints(of: $0).lowerBound } ?? 0)
        var gap = sequence.position(of: run(holding: first(of: footprints[footprint])))
        let end = run(holding: last(of: footprints[footprint]))
        while let run = sequence.run(at: &gap) {
            for candidate in candidates(at: run, gap, search) where search.editors.contains(candidate.number) {
                overlapping.insert(candidate)
            }
            if run == end { break }
            gap.index += 1
        }
        searchRight(of: footprint, search, &overlapping)
        searchLeft(of: footprint, search, &overlapping)
        return overlapping
    }

    /// Searches from the end of an edit to the right, until every concurrent revision is separated
    /// from it.
    ///
    /// A stated edit that is not of whole lines counts as the lines that contain it (it is
    /// *widened*). This delays separation in two places:
    ///
    /// - The span of the newest revision's own edit, if it is widened, extends through the next LF
    ///   that its writer saw. Until then nothing separates.
    /// - The span of a concurrent widened edit begins just after the nearest LF that *its* writer
    ///   saw, which may be to the left of the separating item. So a separating item removes a
    ///   revision with found edits from the search, but only bars one with stated edits. The barred
    ///   revision stays active until the search has passed an LF that its writer saw, and until
    ///   then a widened edit of it still touches.
    ///
    /// Worked example: on `one\ntwo three\n` the newest revision saved ONE for the first line, and
    /// a concurrent writer stated a replacement of `three`. The search passes `two `, which both
    /// kept, so the writer is barred. But no LF has been passed: the widened edit at `three` begins
    /// at the start of its line, and touches. On `one\nx\ntwo three\n`, the LF after `x` removes
    /// the writer from the search.
    private func searchRight(of footprint: Int, _ search: OverlapSearch, _ overlapping: inout TouchingEdits) {
        var active = ActiveRivals(search.editors)
        // Whether the edit's own span has ended. A widened span ends at the first LF that its
        // writer saw, which may be the last byte that the edit removes.
        var hasEnded = !footprints[footprint].isWidened || removesLineEnd(footprints[footprint])
        var gap = sequence.position(after: run(holding: last(of: footprints[footprint])))
        while !active.isEmpty, let run = sequence.run(at: &gap) {
            for candidate in candidates(at: run, gap, search)
            where active.all.contains(candidate.number) && !overlapping.contains(candidate) {
                if active.barred.contains(candidate.number), !footprints[candidate.footprint].isWidened {
                    active.remove(barred: candidate.number)
                } else {
                    overlapping.insert(candidate)
                }
            }
            gap.index += 1
            let keeps = keeps(run, search)
            guard keeps || active.hasBarred || !hasEnded else { continue }
            var rest = content(of: run)
            if !hasEnded {
                guard let feed = rest.firstIndex(of: lineFeed), wasShown(run, search) else { continue }
                hasEnded = true
                rest = rest[(feed + 1)...]
            }
            if keeps, !rest.isEmpty {
                active.bar(keepers(of: run, search), found: search.found)
            }
            // The span of a widened edit begins just after an LF that its writer saw.
            if active.hasBarred, rest.contains(lineFeed) {
                active.remove(active.barred.intersection(readers(of: run, search.rivals)))
            }
        }
    }

    /// Searches from the start of an edit to the left; the mirror image of `searchRight`.
    ///
    /// The two differ because a line includes its LF at the end. The span of the newest revision's
    /// widened edit begins just after an LF, so that LF is outside the span and can separate. The
    /// span of a concurrent widened edit extends through the nearest LF at or after its last item.
    /// So the edit is separated only if there is an item that separates to the right of such an LF.
    /// An edit whose last item is a removed LF ends there, and needs no further LF.
    ///
    /// Worked example: on `one two\nx\nthree\n` a concurrent writer stated a replacement of `one`,
    /// and the newest revision saved 3 for the last line. The search meets ` two\nx\n`, which both
    /// kept. It contains an LF with kept bytes to its right, so the writer drops out before the
    /// search reaches `one`. On `one two\nthree\n` the run is ` two\n`, whose LF is the end of the
    /// edit's span: the writer is only barred, and the edit touches.
    private func searchLeft(of footprint: Int, _ search: OverlapSearch, _ overlapping: inout TouchingEdits) {
        var active = ActiveRivals(search.editors)
        var hasEnded = !footprints[footprint].isWidened
        var gap = sequence.position(of: run(holding: first(of: footprints[footprint])))
        while !active.isEmpty, let run = sequence.run(before: &gap) {
            for candidate in candidates(at: run, gap, search)
            where active.all.contains(candidate.number) && !overlapping.contains(candidate) {
                let other = footprints[candidate.footprint]
                if active.barred.contains(candidate.number), !other.isWidened || removesLineEnd(other) {
                    active.remove(barred: candidate.number)
                } else {
                    overlapping.insert(candidate)
                }
            }
            let keeps = keeps(run, search)
            guard keeps || active.hasBarred || !hasEnded else { continue }
            var rest = content(of: run)
            if !hasEnded {
                guard let feed = rest.lastIndex(of: lineFeed), wasShown(run, search) else { continue }
                hasEnded = true
                rest = rest[...feed]
            }
            if active.hasBarred, rest.contains(lineFeed) {
                active.remove(active.barred.intersection(readers(of: run, search.rivals)))
            }
            if keeps {
                let keepers = keepers(of: run, search)
                active.bar(keepers, found: search.found)
                // Within the run itself, only an LF that has kept bytes to its right counts.
                if rest.dropLast().contains(lineFeed) { active.remove(keepers) }
            }
        }
    }

    /// Whether the last item that the edit removed is an LF.
    private func removesLineEnd(_ footprint: EditFootprint) -> Bool {
        !footprint.removed.isEmpty && byte(of: last(of: footprint)) == lineFeed
    }

    /// Whether the writer of the newest revision had a run in the text that it edited. A branch is
    /// already at the newest revision, so a copy that only the newest revision removed counts.
    private func wasShown(_ run: Int, _ search: OverlapSearch) -> Bool {
        hasCopy(of: run) { copy in
            guard copies[copy].inserter != search.newest else { return false }
            guard case .branch(let branch) = search.reader else {
                return isShown(copy, in: run, to: search.reader) { $0 == search.newest }
            }
            let state = branches[branch].states[copy]
            guard state != Copy.notYet else { return false }
            guard state > Copy.inserted else { return true }
            return state == Copy.inserted + 1 && copies[copy].lastRemoval.map { removals[$0].remover } == search.newest
        }
    }

    /// Whether the newest revision's writer had a run in the text, and the revision did not remove
    /// it.
    private func keeps(_ run: Int, _ search: OverlapSearch) -> Bool {
        if let keeps = search.table?.keeps(run, of: search.newest, to: search.reader) { return keeps }
        return hasCopy(of: run) { copy in
            guard copies[copy].inserter != search.newest else { return false }
            guard case .branch(let branch) = search.reader else { return isShown(copy, in: run, to: search.reader) }
            return branches[branch].states[copy] == Copy.inserted
        }
    }

    /// Whether a version has a copy and no removal of it counts there.
    private func isShown(_ copy: Int, in run: Int, to reader: Reader, inSpiteOf isIgnored: (Int) -> Bool = { _ in false }) -> Bool
    {
        guard reader.counts(copies[copy].inserter) else { return false }
        return !removers(of: copy).contains { remover in
            reader.counts(remover) && !isIgnored(remover)
                && !keepers(of: copy, in: run, against: remover).contains { reader.counts($0) }
        }
    }

    /// The concurrent revisions whose writers had a run in the text and that did not remove it, by
    /// number.
    private func keepers(of run: Int, _ search: OverlapSearch) -> BitSet {
        readers(of: run, search.rivals, butRemovers: true)
    }

    /// Whether any copy of a run meets a condition.
    private func hasCopy(of run: Int, where condition: (Int) -> Bool) -> Bool {
        var next: Int? = runs[run].firstCopy
        while let copy = next {
            if condition(copy) { return true }
            next = copies[copy].next
        }
        return false
    }
}
