import BitCollections

/// The search for older revisions that keep lines which the newest revision removed.
///
/// It passes over the removed runs and what is beside them, once to the right and once to the left. On the
/// way it holds the keepers that had something of a removed line in their text, until an LF that they had
/// ends their line. A keeper whose edit the search meets meanwhile typed in that line.
///
/// Worked example: the text is `ab`, LF. One writer typed X between the letters, and the newest revision
/// removes the line: the sequence is `a X b`, LF. To the right, `a` holds the writer, and X is its edit.
/// To the left, LF and `b` hold it, and X is its edit again.
struct KeeperSearch {
    /// The parts of hunks that one edit removed, in the order of the sequence.
    let parts: [HunkPart]
    /// The ordinal of the newest revision.
    let newest: Int
    /// The keepers, by number.
    let keepers: BitSet
    let rivals: Rivals
    private var open: [Held] = []
    private var found: [(item: Item, keeper: Candidate)] = []

    /// The keepers that had something of one line, as long as the search has not left their line.
    private struct Held {
        /// The line, by the number of LFs removed before it.
        let line: Int
        /// An item of the line.
        let item: Item
        var keepers: BitSet
        /// The footprint that does not count, because it removes the item itself.
        let except: Int?
    }

    init(parts: [HunkPart], by newest: Int, keepers: BitSet, rivals: Rivals) {
        (self.parts, self.newest, self.keepers, self.rivals) = (parts, newest, keepers, rivals)
    }

    /// The edits of keepers, each with an item of a line that it keeps; some more than once.
    consuming func keepers(in walk: Walk) -> [(item: Item, keeper: Candidate)] {
        search(toTheRight: true, in: walk)
        search(toTheRight: false, in: walk)
        return found
    }

    private mutating func search(toTheRight: Bool, in walk: Walk) {
        guard let first = parts.first, let last = parts.last else { return }
        let runs = (
            walk.run(holding: Item(hunk: first.hunk, offset: first.range.lowerBound)),
            walk.run(holding: Item(hunk: last.hunk, offset: last.range.upperBound - 1))
        )
        var gap = toTheRight ? walk.sequence.position(of: runs.0) : walk.sequence.position(after: runs.1)
        var (line, isInside) = (0, true)
        open = []
        while isInside || !open.isEmpty, let run = toTheRight ? walk.sequence.run(at: &gap) : walk.sequence.run(before: &gap) {
            meetEdits(at: run, gap, in: walk)
            let content = walk.content(of: run)
            let hasLineFeed = content.contains(lineFeed)
            if hasLineFeed, !open.isEmpty { close(walk.readers(of: run, rivals)) }
            if isInside {
                let isTail = toTheRight && content.last == lineFeed
                if hasLineFeed { line += 1 }
                if !isTail { hold(run, offset: toTheRight ? content.count - 1 : 0, line, gap, in: walk) }
            }
            if run == (toTheRight ? runs.1 : runs.0) { isInside = false }
            if toTheRight { gap.index += 1 }
        }
    }

    /// Notes the keepers whose edits enclose a run and whose line the search is in.
    private mutating func meetEdits(at run: Int, _ gap: RunSequence.Position, in walk: Walk) {
        guard !open.isEmpty else { return }
        for candidate in walk.candidates(at: run, gap, rivals, isEditor: { keepers.contains($0) })
        where walk.footprints[candidate.footprint].keepsLines {
            for held in open where held.except != candidate.footprint && held.keepers.contains(candidate.number) {
                found.append((held.item, candidate))
            }
        }
    }

    /// Lets go of the keepers whose lines end.
    private mutating func close(_ readers: BitSet) {
        for index in open.indices { open[index].keepers.subtract(readers) }
        open.removeAll { $0.keepers.isEmpty }
    }

    /// Holds the keepers that had a removed run in their text.
    private mutating func hold(_ run: Int, offset: Int, _ line: Int, _ gap: RunSequence.Position, in walk: Walk) {
        let item = Item(hunk: walk.runs[run].hunk, offset: walk.runs[run].offset + offset)
        var next: Int? = walk.runs[run].firstCopy
        while let copy = next {
            next = walk.copies[copy].next
            guard walk.removers(of: copy).first(where: { _ in true }) == newest else { continue }
            let readers = walk.readers(of: copy, in: run, rivals).intersection(keepers)
            var removing = BitSet()
            for remover in walk.removers(of: copy) {
                guard let number = rivals.number(of: remover), readers.contains(number) else { continue }
                removing.insert(number)
                // A write that restored the note kept nothing of the old text.
                guard walk.keptLines.restored[remover] == nil else { continue }
                hold(Held(line: line, item: item, keepers: [number], except: walk.footprint(of: remover, around: gap)))
            }
            hold(Held(line: line, item: item, keepers: readers.subtracting(removing), except: nil))
        }
    }

    private mutating func hold(_ held: Held) {
        guard !held.keepers.isEmpty else { return }
        if let index = open.indices.reversed().first(where: { open[$0].line == held.line && open[$0].except == held.except }) {
            open[index].keepers.formUnion(held.keepers)
        } else {
            open.append(held)
        }
    }
}
