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
/// even if both are stated (`docs/decisions/conflicts.md#0012`).
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
    /// The removed lines that somebody keeps, in the order in which they were found.
    fileprivate(set) var lines: [Line] = []
    /// The lines that each revision keeps, by ordinal.
    var keptBy: [Int: [Int]] = [:]
    /// The links of the chains that `Copy.lastKeep` starts.
    fileprivate(set) var links: [Link] = []
    /// The pairs of stated edits that are in conflict, by their footprints: a line edit, and one that keeps.
    fileprivate var conflicts: Set<[Int]> = []
    /// The runs, and the runs of the lines, with copies whose states have to be counted anew.
    var unsettled: [Int] = []
    var unsettledLines: Set<Int> = []

    /// A line that a line edit removed, as its writer saw it.
    ///
    /// A writer who types a word without having seen the removal keeps the line with every letter, so the
    /// copies of the line share one list of keepers.
    struct Line: Sendable {
        /// The ordinal of the revision that removed it.
        let remover: Int
        /// The footprint of the line edit; nil if a write that restored the note removed the line.
        let footprint: Int?
        let parts: [HunkPart]
        /// The ordinals of the revisions that keep it.
        var keepers: [Int] = []
        /// The copies whose removal a keeper does not make void: those that it did not know, of bytes that it
        /// knew by a twin.
        var exceptions: Set<Exception> = []
    }

    struct Exception: Hashable, Sendable {
        let keeper: Int
        let hunk: Int
        let inserter: Int
    }

    /// A link in the chain of the kept lines of which a copy was removed.
    struct Link: Sendable {
        let line: Int
        /// The link before this one.
        let before: Int?
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
    /// The kept line with which one revision removed a copy; nil if there is none.
    ///
    /// - Complexity: O(kept lines that the copy is in).
    func keptLine(of copy: Int, removedBy remover: Int) -> Int? {
        var next = copies[copy].lastKeep
        while let link = next {
            if keptLines.lines[keptLines.links[link].line].remover == remover { return keptLines.links[link].line }
            next = keptLines.links[link].before
        }
        return nil
    }

    /// The ordinals of the revisions that make one revision's removal of a copy void.
    func keepers(of copy: Int, in run: Int, against remover: Int) -> [Int] {
        guard let line = keptLine(of: copy, removedBy: remover) else { return [] }
        let (keepers, exceptions) = (keptLines.lines[line].keepers, keptLines.lines[line].exceptions)
        guard !exceptions.isEmpty else { return keepers }
        let (hunk, inserter) = (runs[run].hunk, copies[copy].inserter)
        return keepers.filter { !exceptions.contains(KeptLines.Exception(keeper: $0, hunk: hunk, inserter: inserter)) }
    }

    /// The items that other revisions removed from the lines that some edits keep; called before the edits
    /// are replayed.
    ///
    /// - Parameters:
    ///   - edits: the stated edits of the next revision.
    ///   - branch: the branch that is at the version that their writer saw.
    /// - Complexity: O(1) if every line edit was shown to the writer; otherwise O(blocks) and the runs of
    ///   the lines for each edit.
    func removedLines(metBy edits: [Edit], in branch: Int) -> Set<KeptItem> {
        var met: Set<KeptItem> = []
        var seen: Set<[Int]> = []
        guard mayBeAbsent(keptLines.removers, in: branch) else { return met }
        for (index, edit) in edits.enumerated() where !edit.isOfLines({ byte(atVisible: $0, in: branch) }) {
            visitLines(touchedBy: edit, in: branch) { run, offset in
                var next: Int? = runs[run].firstCopy
                while let copy = next {
                    next = copies[copy].next
                    guard branches[branch].states[copy] == Copy.inserted else { continue }
                    for remover in removers(of: copy) where removesLines(remover) && isAbsent(remover, in: branch) {
                        // One item of a line that is kept already is enough.
                        if let line = keptLine(of: copy, removedBy: remover), !seen.insert([index, line]).inserted { continue }
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
    ///   - met: the items that `removedLines` found for the newest revision.
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
        guard let line = keptLine(of: kept) ?? addLine(kept) else { return }
        let (parts, footprint) = (keptLines.lines[line].parts, keptLines.lines[line].footprint)
        if let footprint { pairStated(footprint, of: kept.remover, parts, placeStarts[keeper] + kept.edit, of: keeper) }
        guard keptLines.keptBy[keeper]?.contains(line) != true else { return }
        keptLines.keptBy[keeper, default: []].append(line)
        // What is void already stays so.
        let isVoid = keptLines.lines[line].keepers.contains { !withdrawnNow.isWithdrawn($0) }
        keptLines.lines[line].keepers.append(keeper)
        if hasTwins { noteExceptions(in: line, of: keeper, knows: knows) }
        if !isVoid || !keptLines.lines[line].exceptions.isEmpty { keptLines.unsettledLines.insert(line) }
    }

    /// The kept line of an item; nil if nobody keeps its line yet.
    private func keptLine(of kept: KeptItem) -> Int? {
        var next: Int? = runs[run(holding: kept.item)].firstCopy
        while let copy = next {
            if let line = keptLine(of: copy, removedBy: kept.remover) { return line }
            next = copies[copy].next
        }
        return nil
    }

    /// Adds a line that somebody keeps; nil if an edit within lines removed the item.
    private mutating func addLine(_ kept: KeptItem) -> Int? {
        let (parts, footprint) = removedLine(kept)
        guard !parts.isEmpty else { return nil }
        let line = keptLines.lines.count
        keptLines.lines.append(KeptLines.Line(remover: kept.remover, footprint: footprint, parts: parts))
        for part in parts {
            divide(at: Item(hunk: part.hunk, offset: part.range.lowerBound))
            divide(at: Item(hunk: part.hunk, offset: part.range.upperBound))
            forEachRun(of: part) { walk, run in
                var next: Int? = walk.runs[run].firstCopy
                while let copy = next {
                    next = walk.copies[copy].next
                    guard walk.removers(of: copy).contains(kept.remover) else { continue }
                    walk.keptLines.links.append(KeptLines.Link(line: line, before: walk.copies[copy].lastKeep))
                    walk.copies[copy].lastKeep = walk.keptLines.links.count - 1
                }
            }
        }
        return line
    }

    /// Notes the copies of a line that a keeper did not know, of bytes that it knew by a twin.
    private mutating func noteExceptions(in line: Int, of keeper: Int, knows: (_ walk: Walk, _ copy: Int) -> Bool) {
        for part in keptLines.lines[line].parts {
            forEachRun(of: part) { walk, run in
                guard walk.copies[walk.runs[run].firstCopy].next != nil else { return }
                var all: [Int] = []
                var next: Int? = walk.runs[run].firstCopy
                while let copy = next {
                    all.append(copy)
                    next = walk.copies[copy].next
                }
                let unknown = all.filter { !knows(walk, $0) }
                guard unknown.count < all.count else { return }
                for copy in unknown {
                    walk.keptLines.lines[line].exceptions.insert(
                        KeptLines.Exception(keeper: keeper, hunk: walk.runs[run].hunk, inserter: walk.copies[copy].inserter))
                }
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
}
