import Causality

/// Replaying one revision: its edits become hunks and removals at the places that its writer saw.
extension Walk {
    /// Replays a revision on top of those that were replayed before.
    ///
    /// A revision's offsets refer to the text that its writer saw. That text may lack concurrent
    /// insertions and still have bytes that concurrent revisions removed. So a branch is first
    /// brought to the parents' version, the edits are applied by that branch's visible bytes, and
    /// what they did is recorded by items, which mean the same in every version.
    ///
    /// Worked example: the text is `ab`. A1 inserts X at 1 and is replayed: the sequence is `a X
    /// b`. The concurrent B1 inserts Y at 2, the end of `ab`. In the merged text `aXb`, offset 2 is
    /// before b, which B's writer did not mean. On the branch without X, offset 2 is after b: the
    /// sequence becomes `a X b Y`.
    ///
    /// - Parameters:
    ///   - ordinal: the revision's ordinal in the graph, which is the next.
    ///   - restores: whether its writer saw an empty text only because the note was deleted. Such a
    ///     revision first removes all the text that tombstones hide in its version.
    ///   - hidesLast: whether the text at its parents lacks the last LF of the kept sequence.
    /// - Returns: what the revision sets `hidesLast` to; nil if it leaves it.
    /// - Precondition: its parents were replayed, and its edits are well-formed for the text that
    ///   they show.
    /// - Complexity: that of `prepare` and of `pair`; and O(blocks + `limits.blockRuns` + branches)
    ///   for each edit and each run that it removes, with O(text) for updating the merged text.
    mutating func replay(
        _ event: Event, ordinal: Int, restores: Bool, hidesLast: Bool, in graph: RevisionGraph, naming: ConflictNaming
    ) -> Bool? {
        precondition(ordinal == logStarts.count, "revisions are replayed in the order of the graph")
        let branch = prepare(event.parents, in: graph)
        resolve(event, ordinal: ordinal, restores: restores, hidesLast: hidesLast, branch: branch, in: graph, naming: naming)
        logStarts.append(log.count)
        placeStarts.append(footprints.count)
        facts.append(RevisionFacts(event))
        if !facts[ordinal].isPlain { marked.append(ordinal) }
        let restored = restores ? remove(branches[branch].visibleBytes, at: 0, ordinal: ordinal, in: branch) : []
        let length = branches[branch].visibleBytes
        // Only an edit at the end, or a hidden LF, makes the last byte matter.
        let endsWithLineFeed = (hidesLast || event.edits.last?.end == length) && self.endsWithLineFeed(branch)
        let base = KeptEdits.Base(length: length, endsWithLineFeed: endsWithLineFeed, hidesLast: hidesLast)
        precondition(event.edits.fault(forLength: base.shownLength) == nil, "the edits fit the text that the writer saw")
        let kept = KeptEdits(event, on: base) { byte(atVisible: $0, in: branch) }
        if !restored.isEmpty { keptLines.restored[ordinal] = restored }
        let met = event.origin == .stated ? removedLines(metBy: kept.edits, in: branch) : []
        var growth = 0
        for (index, edit) in kept.edits.enumerated() {
            let before = run(endingAfter: edit.start + growth, in: branch).flatMap { content(of: $0).last } ?? lineFeed
            var footprint = EditFootprint(edit: index, removedStart: removedParts.count)
            for part in remove(edit.end - edit.start, at: edit.start + growth, ordinal: ordinal, in: branch) {
                record(part, from: footprint.removedStart)
            }
            footprint.removedEnd = removedParts.count
            classify(&footprint, edit, isFound: event.origin == .found, startsLine: before == lineFeed)
            if !edit.replacement.isEmpty {
                let removed = footprint.removed.first.map { removedParts[$0] } ?? restored.first
                footprint.inserted = insert(
                    edit.replacement,
                    at: place(edit.start + growth, startsLine: before == lineFeed, before: removed, in: branch), of: event,
                    edit: index, isLines: !footprint.isWidened, ordinal: ordinal, in: branch)
            }
            footprints.append(footprint)
            growth += edit.growth
        }
        facts[ordinal].insertsOnlyLines = footprints(of: ordinal).allSatisfy { footprints[$0].insertsLines }
        if let text = branches[branch].text {
            let written = kept.edits.applied(to: restores ? [] : text)
            branches[branch].text = written.count <= limits.branchText ? written : nil
        }
        let rivals = Rivals(concurrent: branches[branch].unseen, with: ordinal, of: graph)
        keepLines(met: met, by: ordinal, branch: branch, concurrent: rivals, in: graph)
        finish(event, ordinal: ordinal, branch: branch)
        pair(ordinal, branch: branch, concurrent: rivals, in: graph)
        return kept.hidesLast
    }

    /// Replays a withdrawal on top of the revisions that were replayed before.
    ///
    /// - Precondition: its parents and the revisions that it names were replayed.
    /// - Complexity: that of `prepare`, and the runs that the named revisions touched. If it names
    ///   revisions that no earlier withdrawal names, in addition that of finding their rivals.
    mutating func replay(withdrawal event: Event, ordinal: Int, in graph: RevisionGraph) {
        precondition(ordinal == logStarts.count, "revisions are replayed in the order of the graph")
        let branch = prepare(event.parents, in: graph)
        logStarts.append(log.count)
        placeStarts.append(footprints.count)
        facts.append(RevisionFacts(event))
        let names = event.withdraws.compactMap { graph.ordinal(of: $0) }.sorted()
        precondition(names.count == event.withdraws.count, "a withdrawal names revisions above the floor")
        if withdrawals.isEmpty { conflictIndex.allowWithdrawals() }
        let new = withdrawals.record(ordinal, naming: names)
        moveWithdrawal(ordinal, by: 1, in: branch)
        settle(branch)
        withdrawShown(ordinal)
        branches[branch].text = nil
        finish(event, ordinal: ordinal, branch: branch)
        pair(withdrawn: new, in: graph)
    }

    /// Ends a replay on a branch, which is then at the revision's own version.
    private mutating func finish(_ event: Event, ordinal: Int, branch: Int) {
        branches[branch].version = Version(event.dot)
        for other in branches.indices where other != branch { branches[other].unseen.append(ordinal) }
        finishShown()
    }

    /// Records what the rules about lines need to know of an edit.
    ///
    /// - Parameter startsLine: whether the edit starts at the start of a line of the text that its
    ///   writer saw.
    private func classify(_ footprint: inout EditFootprint, _ edit: Edit, isFound: Bool, startsLine: Bool) {
        let last = edit.replacement.last
        let removesPart = !footprint.removed.isEmpty && byte(of: self.last(of: footprint)) != lineFeed
        footprint.isWidened = !isFound && (!startsLine || removesPart || (last ?? lineFeed) != lineFeed)
        footprint.keepsLines = footprint.isWidened && (last != nil || footprint.removed.contains { removesLineFeed($0) })
        guard footprint.removed.isEmpty else { return }
        footprint.insertsLines = startsLine && last == lineFeed
    }

    /// Whether a removed part contains an LF.
    private func removesLineFeed(_ part: Int) -> Bool { bytes(of: removedParts[part]).contains(lineFeed) }

    /// Records a part that an edit removed, joined to the part before it if it continues that.
    private mutating func record(_ part: HunkPart, from start: Int) {
        if removedParts.count > start, removedParts[removedParts.count - 1].joins(part) {
            removedParts[removedParts.count - 1].range =
                removedParts[removedParts.count - 1].range.lowerBound..<part.range.upperBound
        } else {
            removedParts.append(part)
        }
    }

    /// Removes visible bytes of a branch, which means every copy of them that is visible there.
    ///
    /// - Returns: the parts of hunks that it removed, in the order of the sequence.
    private mutating func remove(_ length: Int, at start: Int, ordinal: Int, in branch: Int) -> [HunkPart] {
        guard length > 0 else { return [] }
        var parts: [HunkPart] = []
        var rest = length
        // Finding this run may divide it, so the sequence must be read afterwards, not in the same
        // expression.
        let left = run(endingAfter: start, in: branch)
        var gap = sequence.position(after: left)
        while rest > 0, let run = firstRun(from: &gap, in: branch, visible: true) {
            if runs[run].length > rest {
                divide(run, at: rest)
                gap = sequence.position(of: run)
            }
            rest -= runs[run].length
            remove(run, ordinal: ordinal, in: branch)
            parts.append(HunkPart(hunk: runs[run].hunk, range: runs[run].offset..<runs[run].offset + runs[run].length))
            gap.index += 1
        }
        return parts
    }

    /// Removes every visible copy of a run, and takes the run out of the merged text if no copy is
    /// left.
    private mutating func remove(_ run: Int, ordinal: Int, in branch: Int) {
        let wasShown = isShown(run)
        let range = runs[run].offset..<runs[run].offset + runs[run].length
        var next: Int? = runs[run].firstCopy
        while let copy = next {
            next = copies[copy].next
            guard branches[branch].states[copy] == Copy.inserted else { continue }
            set(copy, of: run, to: Copy.inserted + 1, in: branch)
            removals.append(Removal(remover: ordinal, before: copies[copy].lastRemoval))
            copies[copy].lastRemoval = removals.count - 1
            copies[copy].hides += 1
            log.append(LogEntry(hunk: runs[run].hunk, range: range, inserter: copies[copy].inserter))
        }
        updateShown(run, wasShown: wasShown)
    }

    /// The place of an insertion: the runs next to it that its writer knew.
    private struct Place {
        /// The last run before it; nil at the start of the sequence.
        let left: Int?
        /// The first run after it; nil at the end.
        let right: Int?
        /// Whether it is at the start of a line that the writer saw.
        let startsLine: Bool
    }

    /// The place of an insertion after `start` visible bytes of a branch.
    ///
    /// At the start of a line, it is directly before the first byte that the writer saw after it. Bytes
    /// that the writer knew but did not see stay before it, so an undo of a replacement shows the old
    /// lines before those that were added below it. All insertions at the start of a line are on the
    /// same side of such bytes, because a walk that starts above their removal does not have them:
    /// their number and their order must not change the place of anything else. Within a line, the
    /// place is directly after the byte that the writer saw before it, so that what two people type is
    /// not mixed.
    ///
    /// Worked example: A saves `two` for the line `2`, and then appends the line `3`. The sequence is
    /// `two 2 3`, with 2 hidden, and without A's first write it shows `2 3`.
    ///
    /// - Parameter removed: the first part that the insertion replaces.
    private mutating func place(_ start: Int, startsLine: Bool, before removed: HunkPart?, in branch: Int) -> Place {
        let shown = run(endingAfter: start, in: branch)
        var right = startsLine ? removed.map { run(holding: Item(hunk: $0.hunk, offset: $0.range.lowerBound)) } : nil
        if right == nil {
            var gap = sequence.position(after: shown)
            right = firstRun(from: &gap, in: branch, visible: startsLine)
        }
        return Place(
            left: startsLine ? lastKnownRun(before: right, in: branch) : shown, right: right, startsLine: startsLine)
    }

    /// Inserts bytes at a place, which belongs to a branch: as a new hunk, or as a twin of an
    /// existing one.
    ///
    /// - Parameter isLines: whether the edit is one of whole lines.
    /// - Returns: the number of the hunk.
    private mutating func insert(
        _ replacement: [UInt8], at place: Place, of event: Event, edit: Int, isLines: Bool, ordinal: Int, in branch: Int
    ) -> Int {
        let left = place.left.map { Item(hunk: runs[$0].hunk, offset: runs[$0].offset + runs[$0].length - 1) }
        let isFound = event.origin == .found
        let point = isFound ? InsertionPoint(left: left, right: place.right, replacement: replacement) : nil
        if let point, let twin = foundHunks[point] {
            join(twin, ordinal: ordinal, in: branch)
            return twin
        }
        let hunk = hunks.count
        let run = runs.count
        hunks.append(
            Hunk(
                writer: event.dot, edit: edit, isFound: isFound, isLines: isLines, startsLine: place.startsLine,
                start: bytes.count, length: replacement.count, left: left, right: place.right, firstRun: run))
        bytes += replacement
        if let point { foundHunks[point] = hunk }
        let previous = predecessor(of: hunk, after: place.left, in: branch)
        copies.append(Copy(inserter: ordinal, next: nil))
        for other in branches.indices { branches[other].states.append(other == branch ? Copy.inserted : Copy.notYet) }
        runs.append(Run(hunk: hunk, offset: 0, length: replacement.count, firstCopy: copies.count - 1))
        self.place(run, after: previous)
        spliceIn(run)
        log.append(LogEntry(hunk: hunk, range: 0..<replacement.count, inserter: ordinal))
        return hunk
    }

    /// Adds a twin: gives every run of a hunk a copy by one more inserter. The copy is visible even
    /// where other inserters' copies were removed, because the removers had not seen it.
    private mutating func join(_ hunk: Int, ordinal: Int, in branch: Int) {
        hasTwins = true
        var index = 0
        while let run = fragment(index, of: hunk) {
            index += 1
            let wasShown = isShown(run)
            let copy = copies.count
            copies.append(Copy(inserter: ordinal, next: nil))
            for other in branches.indices { branches[other].states.append(Copy.notYet) }
            var last = runs[run].firstCopy
            while let next = copies[last].next { last = next }
            copies[last].next = copy
            set(copy, of: run, to: Copy.inserted, in: branch)
            updateShown(run, wasShown: wasShown)
        }
        log.append(LogEntry(hunk: hunk, range: 0..<hunks[hunk].length, inserter: ordinal))
    }

    /// The run after which a new hunk goes, among the concurrent hunks between its origins.
    ///
    /// All runs between the new hunk's left origin and the first run that its writer knew are
    /// concurrent with it. The place among them must be the same in whichever order the hunks are
    /// replayed, and must not interleave hunks. Four rules decide, in the order of the sequence:
    ///
    /// - What is inserted within a line is bound to what precedes it, and what is inserted at the start of
    ///   a line to what follows it. So the former goes first, as it does where hidden text is between
    ///   the two, unless the latter is bound to a run of a third concurrent hunk.
    /// - A hunk with a left origin farther left encloses the gap that the writer meant, so the new
    ///   hunk goes before it.
    /// - Of hunks with the same left origin, the one whose right origin is farther right goes
    ///   first. So the new hunk goes before one whose right origin is nearer, unless a hunk that
    ///   must precede the new one follows; `isPassing` holds the place meanwhile.
    /// - Hunks with the same two origins follow `precedes`.
    ///
    /// A run that continues its hunk, or whose left origin is inside the gap, follows a hunk that
    /// was passed before, and is passed with it.
    ///
    /// Worked example: three writers each insert a stated letter between a and b; their dots ascend
    /// from X to Z. X is replayed first: `a X b`. For Z, X has the same origins, and Z does not
    /// precede it: `a X Z b`. For Y, X is passed, and Y precedes Z: `a X Y Z b`. Every other order
    /// of replay gives the same.
    private func predecessor(of hunk: Int, after left: Int?, in branch: Int) -> Int? {
        let new = hunks[hunk]
        let leftPosition = left.map { sequence.position(of: $0) }
        let rightPosition = new.right.map { sequence.position(of: $0) }
        var gap = sequence.position(after: left)
        var result = left
        var isPassing = false
        while let run = sequence.run(at: &gap), run != new.right, !isKnown(run, in: branch) {
            let other = hunks[runs[run].hunk]
            // The left origin of a later run of a hunk is the byte before it, which is inside the
            // gap.
            if runs[run].offset == 0 {
                if new.startsLine, !other.startsLine, other.left == new.left || isBefore(other.left, leftPosition) {
                    isPassing = false
                } else if !new.startsLine, other.startsLine, !isBefore(other.right, rightPosition) {
                    break
                } else if other.left == new.left {
                    if other.right == new.right, precedes(new, other) { break }
                    isPassing = isBefore(other.right, rightPosition)
                } else if isBefore(other.left, leftPosition) {
                    break
                }
            }
            if !isPassing { result = run }
            gap.index += 1
        }
        return result
    }

    /// Whether a left origin is before a place; nil, in either argument, is the start of the text.
    private func isBefore(_ item: Item?, _ position: RunSequence.Position?) -> Bool {
        guard let position else { return false }
        guard let item else { return true }
        return sequence.position(of: run(holding: item)) < position
    }

    /// Whether a right origin is before a place; nil, in either argument, is the end of the text.
    private func isBefore(_ run: Int?, _ position: RunSequence.Position?) -> Bool {
        guard let run else { return false }
        guard let position else { return true }
        return sequence.position(of: run) < position
    }

    /// The order of hunks with the same origins: found ones, by their bytes; then stated ones of whole
    /// lines, then the others, each by dot. Two found hunks with the same origins and the same bytes
    /// would be twins, so this is a strict order.
    ///
    /// Text that is typed at the start of a line belongs to that line, so lines that another writer
    /// saves or inserts there go before it.
    private func precedes(_ hunk: Hunk, _ other: Hunk) -> Bool {
        if hunk.isFound != other.isFound { return hunk.isFound }
        if hunk.isFound {
            let left = bytes[hunk.start..<hunk.start + hunk.length]
            let right = bytes[other.start..<other.start + other.length]
            return left.lexicographicallyPrecedes(right)
        }
        if hunk.isLines != other.isLines { return hunk.isLines }
        guard let writer = hunk.writer, let otherWriter = other.writer else { return other.writer != nil }
        return writer < otherWriter
    }
}
