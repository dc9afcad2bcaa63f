import Algorithms
import BitCollections
import Causality

/// The removals of lines that are void because somebody else typed in the line
/// (`docs/causality.md` §3, "A line that somebody typed in stays").
///
/// An *edit within lines* keeps the copies of the lines that it touches, as its writer saw them. A *line
/// edit* of a revision that was not shown to the keeper, and to which the keeper was not shown, may remove
/// such a line. In each version in which both count, the removal is void for the whole line.
///
/// If the line edit puts other lines in the place of the line, or moves it, the two edits are in conflict
/// even if both are stated (`docs/decisions/0012-definition-of-a-conflict.md`).
///
/// Which of the two is replayed first does not matter: `Walk.keepLines` finds the pair when the
/// second one is replayed.
struct KeptLines: Sendable {
    /// The ordinals of the revisions with a line edit that removes something, ascending.
    fileprivate(set) var removers: [Int] = []
    /// The ordinals of the revisions with an edit that keeps lines, ascending.
    fileprivate(set) var keepers: [Int] = []
    /// The parts that a write which restored the deleted note removed of the old text, by ordinal.
    var restored: [Int: [HunkPart]] = [:]
    /// The links of the chains that `Copy.lastKeep` starts.
    fileprivate(set) var links: [Link] = []
    /// The parts of hunks whose removal each revision makes void, by ordinal.
    fileprivate var parts: [Int: [HunkPart]] = [:]
    /// The pairs of a keeper and a removed line that were found.
    fileprivate var found: Set<Pair> = []
    /// The pairs of stated edits that are in conflict, by their footprints: a line edit, and one that keeps.
    fileprivate var conflicts: Set<[Int]> = []
    /// The runs with copies whose states have to be counted anew.
    var unsettled: [Int] = []

    /// A link in the chain of what makes a copy's removals void.
    struct Link: Sendable {
        /// The ordinal of the revision that keeps the line.
        let keeper: Int
        /// The ordinal of the revision whose removal is void.
        let remover: Int
        /// The link before this one.
        let before: Int?
    }

    /// A keeper, and a line by the revision that removed it and its first item.
    fileprivate struct Pair: Hashable {
        let keeper: Int
        let remover: Int
        let first: Item
    }
}

/// An item of a line that one revision removed, and another one may keep.
struct KeptItem: Hashable {
    let item: Item
    /// The ordinal of the revision that removed it.
    let remover: Int
    /// The edit that may keep it, by its index in the list of its revision.
    let edit: Int
}

extension Walk {
    /// The ordinals of the revisions that make one revision's removal of a copy void.
    func keepers(of copy: Int, against remover: Int) -> [Int] {
        var keepers: [Int] = []
        var next = copies[copy].lastKeep
        while let link = next {
            if keptLines.links[link].remover == remover { keepers.append(keptLines.links[link].keeper) }
            next = keptLines.links[link].before
        }
        return keepers
    }

    /// What other revisions removed of the lines that edits keep, before the edits are replayed.
    ///
    /// - Parameters:
    ///   - edits: the stated edits of the next revision.
    ///   - branch: the branch that is at the version that their writer saw.
    /// - Complexity: O(1) if every line edit was shown to the writer; otherwise O(blocks) and the runs of
    ///   the lines for each edit.
    func removedLines(metBy edits: [Edit], in branch: Int) -> Set<KeptItem> {
        var met: Set<KeptItem> = []
        guard mayBeAbsent(keptLines.removers, in: branch) else { return met }
        for (index, edit) in edits.enumerated() where !edit.isOfLines({ byte(atVisible: $0, in: branch) }) {
            visitLines(touchedBy: edit, in: branch) { run, offset in
                var next: Int? = runs[run].firstCopy
                while let copy = next {
                    next = copies[copy].next
                    guard branches[branch].states[copy] == Copy.inserted else { continue }
                    for remover in removers(of: copy) where isAbsent(remover, in: branch) {
                        met.insert(KeptItem(item: Item(hunk: runs[run].hunk, offset: offset), remover: remover, edit: index))
                    }
                }
            }
        }
        return met
    }

    /// Visits what an edit keeps of the lines that it touches, if it keeps them: runs, each with the offset
    /// in its hunk of the first byte that is kept there.
    private func visitLines(touchedBy edit: Edit, in branch: Int, _ body: (_ run: Int, _ offset: Int) -> Void) {
        let start = lineStart(before: edit.start, in: branch)
        guard start < branches[branch].visibleBytes else { return }
        let first = position(ofVisible: start, in: branch)
        var (gap, offset) = (first.run, start - first.offset)
        var keeps = !edit.replacement.isEmpty
        var parts: [(run: Int, offset: Int)] = []
        while let run = firstRun(from: &gap, in: branch, visible: true) {
            let content = content(of: run)
            let part = { (visible: Int) in (run: run, offset: runs[run].offset + visible - offset) }
            let (before, after) = (max(start, offset), max(edit.end, offset))
            if before < min(edit.start, offset + content.count) { parts.append(part(before)) }
            let removed = content.dropFirst(max(edit.start, offset) - offset).prefix(max(0, edit.end - max(edit.start, offset)))
            keeps = keeps || removed.contains(lineFeed)
            if after < offset + content.count {
                parts.append(part(after))
                if content.dropFirst(after - offset).contains(lineFeed) { break }
            }
            offset += content.count
            gap.index += 1
        }
        if keeps { for part in parts { body(part.run, part.offset) } }
    }

    /// Lets the removals of lines be void that the newest revision, or an older one, keeps.
    ///
    /// - Parameters:
    ///   - met: what the newest revision keeps of lines that others removed (`removedLines`).
    ///   - branch: the branch with the newest revision's edits.
    ///   - rivals: the concurrent revisions.
    /// - Complexity: O(1) if the newest revision meets no removed line, and every edit within lines was
    ///   shown to its writer or it removes no line. Otherwise for each of its line edits the runs up to the
    ///   next LF that all have, and O(keepers / 64) for each run.
    mutating func keepLines(
        met: Set<KeptItem>, by newest: Int, branch: Int, concurrent rivals: Rivals, in graph: RevisionGraph
    ) {
        let own = footprints[footprints(of: newest)]
        if own.contains(where: \.keepsLines) { keptLines.keepers.append(newest) }
        for item in met where item.remover != newest {
            keep(item, by: newest) { $0.branches[branch].states[$1] != Copy.notYet }
        }
        var removed = own.filter { !$0.isWidened && !$0.removed.isEmpty }.map { Array(removedParts[$0.removed]) }
        if let restored = keptLines.restored[newest] { removed.append(restored) }
        guard !removed.isEmpty else { return settleShown() }
        defer { settleShown() }
        keptLines.removers.append(newest)
        guard mayBeAbsent(keptLines.keepers, in: branch) else { return }
        let oldest = withdrawals.isEmpty ? branches[branch].unseen.first ?? newest : 0
        let absent = keptLines.keepers[keptLines.keepers.partitioningIndex { $0 >= oldest }...].filter {
            $0 != newest && isAbsent($0, in: branch)
        }
        guard !absent.isEmpty else { return }
        let rivals = withdrawals.isEmpty ? rivals : Rivals(absent, of: graph, withdrawals)
        let keepers = BitSet(absent.compactMap { rivals.number(of: $0) })
        for parts in removed {
            for (item, keeper) in KeeperSearch(parts: parts, by: newest, keepers: keepers, rivals: rivals).keepers(in: self) {
                let kept = KeptItem(item: item, remover: newest, edit: footprints[keeper.footprint].edit)
                keep(kept, by: keeper.ordinal) { walk, copy in
                    rivals.having(walk.copies[copy].inserter).contains(keeper.number)
                }
            }
        }
    }

    /// Makes the removal of a line void where a keeper counts: that of the copies which the keeper
    /// knew, and of all copies of bytes which it did not know at all.
    ///
    /// - Parameters:
    ///   - kept: an item of the line, and the keeper's edit.
    ///   - knows: whether the keeper's writer knew a copy.
    private mutating func keep(_ kept: KeptItem, by keeper: Int, knows: (_ walk: Walk, _ copy: Int) -> Bool) {
        let (line, footprint) = removedLine(kept)
        guard let first = line.first else { return }
        if let footprint { pairStated(footprint, of: kept.remover, line, placeStarts[keeper] + kept.edit, of: keeper) }
        let pair = KeptLines.Pair(
            keeper: keeper, remover: kept.remover, first: Item(hunk: first.hunk, offset: first.range.lowerBound))
        guard keptLines.found.insert(pair).inserted else { return }
        for part in line {
            divide(at: Item(hunk: part.hunk, offset: part.range.lowerBound))
            divide(at: Item(hunk: part.hunk, offset: part.range.upperBound))
            keptLines.parts[keeper, default: []].append(part)
            forEachRun(of: part) { walk, run in
                var all: [Int] = []
                var next: Int? = walk.runs[run].firstCopy
                while let copy = next {
                    all.append(copy)
                    next = walk.copies[copy].next
                }
                let known = all.filter { knows(walk, $0) }
                for copy in known.isEmpty ? all : known where walk.removers(of: copy).contains(kept.remover) {
                    walk.keptLines.links.append(
                        KeptLines.Link(keeper: keeper, remover: kept.remover, before: walk.copies[copy].lastKeep))
                    walk.copies[copy].lastKeep = walk.keptLines.links.count - 1
                }
                walk.keptLines.unsettled.append(run)
            }
        }
    }

    /// Adds the conflict of a stated line edit and a stated edit that keeps a line of it, if the former
    /// replaces or moves the line. A line that is only removed comes back without a mark.
    private mutating func pairStated(_ removing: Int, of remover: Int, _ line: [HunkPart], _ keeping: Int, of keeper: Int) {
        guard !facts[remover].isFound, footprints[removing].inserted != nil || inserts(line, by: remover),
            keptLines.conflicts.insert([removing, keeping]).inserted
        else { return }
        conflictIndex.add(
            .text, ConflictIndex.Member(ordinal: remover, index: footprints[removing].edit),
            ConflictIndex.Member(ordinal: keeper, index: footprints[keeping].edit))
    }

    /// Whether an edit of a revision inserts a line with the bytes of another one.
    private func inserts(_ line: [HunkPart], by ordinal: Int) -> Bool {
        let wanted = line.flatMap { bytes(of: $0) }
        return footprints[footprints(of: ordinal)].contains { footprint in
            guard let hunk = footprint.inserted else { return false }
            let lines = Lines(Array(bytes(of: HunkPart(hunk: hunk, range: 0..<hunks[hunk].length))))
            return (0..<lines.count).contains { lines[$0].elementsEqual(wanted) }
        }
    }

    /// Divides a run before an item, unless one starts there or the hunk ends there.
    private mutating func divide(at item: Item) {
        guard item.offset < hunks[item.hunk].length else { return }
        let run = run(holding: item)
        if runs[run].offset < item.offset { divide(run, at: item.offset - runs[run].offset) }
    }

    /// The line that a line edit removed an item with, as the edit's writer saw it, and the edit's
    /// footprint. The line is empty if an edit within lines removed the item; the footprint is nil if a
    /// write that restored the note did.
    private func removedLine(_ kept: KeptItem) -> (line: [HunkPart], footprint: Int?) {
        func holdsItem(_ part: HunkPart) -> Bool { part.hunk == kept.item.hunk && part.range.contains(kept.item.offset) }
        let around = footprint(of: kept.remover, around: sequence.position(of: run(holding: kept.item)))
        if let around, removedParts[footprints[around].removed].contains(where: holdsItem) {
            guard !footprints[around].isWidened else { return ([], nil) }
            return (line(of: kept.item, in: Array(removedParts[footprints[around].removed])), around)
        }
        return (line(of: kept.item, in: keptLines.restored[kept.remover, default: []]), nil)
    }

    /// The part of a removed text that is one line.
    ///
    /// - Parameters:
    ///   - item: an item of the line.
    ///   - parts: the removed text, in the order of the sequence.
    private func line(of item: Item, in parts: [HunkPart]) -> [HunkPart] {
        guard let index = parts.firstIndex(where: { $0.hunk == item.hunk && $0.range.contains(item.offset) }) else { return [] }
        let split = item.offset - parts[index].range.lowerBound
        var line: [HunkPart] = []
        var before = parts[...index].reversed()[...]
        var rest = bytes(of: parts[index]).prefix(split)
        while let part = before.popFirst() {
            let start = rest.lastIndex(of: lineFeed).map { $0 - rest.startIndex + 1 } ?? 0
            let lower = part.range.lowerBound
            if start < rest.count { line.append(HunkPart(hunk: part.hunk, range: lower + start..<lower + rest.count)) }
            if start > 0 { break }
            rest = before.first.map { bytes(of: $0) } ?? []
        }
        line.reverse()
        var after = parts[index...]
        rest = bytes(of: parts[index]).dropFirst(split)
        while let part = after.popFirst() {
            let end = rest.firstIndex(of: lineFeed).map { $0 - rest.startIndex + 1 } ?? rest.count
            let lower = part.range.upperBound - rest.count
            line.append(HunkPart(hunk: part.hunk, range: lower..<lower + end))
            if rest.dropFirst(end - 1).first == lineFeed { break }
            rest = after.first.map { bytes(of: $0) } ?? []
        }
        return line
    }

    // MARK: States

    /// Whether a revision does not count in a branch's version.
    private func isAbsent(_ ordinal: Int, in branch: Int) -> Bool {
        branches[branch].withdrawn.isWithdrawn(ordinal) || isUnseen(ordinal, in: branch)
    }

    private func isUnseen(_ ordinal: Int, in branch: Int) -> Bool {
        let unseen = branches[branch].unseen
        let index = unseen.partitioningIndex { $0 >= ordinal }
        return index < unseen.count && unseen[index] == ordinal
    }

    /// Whether some of the revisions may not count in a branch's version: a cheap test.
    private func mayBeAbsent(_ ordinals: [Int], in branch: Int) -> Bool {
        guard let newest = ordinals.last else { return false }
        return !withdrawals.isEmpty || branches[branch].unseen.first.map { $0 <= newest } ?? false
    }

    /// Notes that the copies whose removal a revision makes void have to be counted anew.
    mutating func unsettle(keptBy keeper: Int) {
        guard let parts = keptLines.parts[keeper] else { return }
        for part in parts { forEachRun(of: part) { $0.keptLines.unsettled.append($1) } }
    }

    /// Counts the copies anew whose states in a branch a move left undecided.
    ///
    /// - Precondition: `unseen` and `withdrawn` of the branch are those of its version.
    mutating func settle(_ branch: Int) {
        guard !keptLines.unsettled.isEmpty else { return }
        for run in Set(keptLines.unsettled) {
            var next: Int? = runs[run].firstCopy
            while let copy = next {
                next = copies[copy].next
                guard copies[copy].lastKeep != nil else { continue }
                set(copy, of: run, to: state(of: copy, in: branch), in: branch)
            }
        }
        keptLines.unsettled = []
    }

    /// The state of a copy in a branch's version, from the revisions that count there.
    func state(of copy: Int, in branch: Int) -> UInt32 {
        let inserter = copies[copy].inserter
        guard inserter == Copy.start || !isUnseen(inserter, in: branch) else { return Copy.notYet }
        let isWithdrawn = inserter != Copy.start && branches[branch].withdrawn.isWithdrawn(inserter)
        return Copy.inserted + (isWithdrawn ? 1 : 0) + UInt32(removals(of: copy) { !isAbsent($0, in: branch) })
    }

    /// Counts the copies anew whose states in the merged text were left undecided.
    mutating func settleShown() {
        guard !keptLines.unsettled.isEmpty else { return }
        for run in Set(keptLines.unsettled) {
            let wasShown = isShown(run)
            var next: Int? = runs[run].firstCopy
            while let copy = next {
                next = copies[copy].next
                if copies[copy].lastKeep != nil { copies[copy].hides = hides(of: copy) }
            }
            updateShown(run, wasShown: wasShown)
        }
        keptLines.unsettled = []
    }

    /// The number of what hides a copy in the merged text, from the revisions that count there.
    func hides(of copy: Int) -> Int {
        let inserter = copies[copy].inserter
        let isWithdrawn = inserter != Copy.start && withdrawnNow.isWithdrawn(inserter)
        return (isWithdrawn ? 1 : 0) + removals(of: copy) { !withdrawnNow.isWithdrawn($0) }
    }

    /// The number of a copy's removals that count in a version and are not void there.
    private func removals(of copy: Int, counts: (Int) -> Bool) -> Int {
        removers(of: copy).count { remover in
            counts(remover) && !keepers(of: copy, against: remover).contains(where: counts)
        }
    }
}
