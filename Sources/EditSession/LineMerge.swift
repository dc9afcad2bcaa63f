import TextMerge

/// The merge by lines of two changes of one text.
///
/// A line is kept, changed (into a line alike), removed, moved (removed and put elsewhere,
/// unchanged or changed by one step) or new. A change follows its line, and a line that one side changed and the other
/// removed stays. All functions look only at the lines between the first and the last change, with
/// one more on each side.
package enum LineMerge {
    /// The text with both changes.
    ///
    /// - Precondition: the texts are UTF-8.
    /// - Complexity: that of two line diffs between the first and the last changed line.
    package static func merged(base: [UInt8], mine: [UInt8], theirs: [UInt8]) -> [UInt8] {
        let window = Window([base, mine, theirs])
        let merged = window.before + merged(window.cut(0), window.cut(1), window.cut(2)) + window.after
        let endsUnterminated = isOpen(mine) == isOpen(base) ? isOpen(theirs) : isOpen(mine)
        return endsUnterminated && !merged.isEmpty ? merged.dropLast() : merged
    }

    /// The text for a writer whose `mine` met `theirs` in the daemon: `merged`, which the daemon made,
    /// or the merge by lines if `merged` contains a line that nobody wrote, lacks a line or has one too
    /// often. The words of a line in which both wrote may be in any order.
    package static func repaired(base: [UInt8], mine: [UInt8], theirs: [UInt8], merged: [UInt8]) -> [UInt8] {
        let window = Window([base, mine, theirs, merged])
        let wish = Self.lines(Self.merged(window.cut(0), window.cut(1), window.cut(2)))
        let lines = Self.lines(window.cut(3))
        let known = Set((0..<3).flatMap { Self.lines(window.cut($0)) } + wish)
        let words = Set(known.flatMap { Words(Array($0)).visible })
        let (wanted, found) = (Set(wish.map(letters)), Set(lines.map(letters)))
        var counts: [[UInt8]: Int] = [:]
        for line in lines where !isBlank(line) { counts[letters(line), default: 0] += 1 }
        for line in wish where !isBlank(line) { counts[letters(line), default: 0] -= 1 }
        let isGood =
            lines.allSatisfy { line in
                known.contains(line) || wanted.contains(letters(line)) && Words(Array(line)).visible.allSatisfy(words.contains)
            } && counts.values.allSatisfy { $0 <= 0 } && wish.allSatisfy { isBlank($0) || found.contains(letters($0)) }
        return isGood ? merged : Self.merged(base: base, mine: mine, theirs: theirs)
    }

    /// Whether a person has to look, because both sides made something else of one line: the merge by
    /// lines shows a word of the texts more often than any text or both changes together, or both sides
    /// replaced one line differently.
    package static func isClash(base: [UInt8], mine: [UInt8], theirs: [UInt8]) -> Bool {
        let window = Window([base, mine, theirs])
        let texts = (0..<3).map { window.cut($0) }
        let counts = texts.map { Words($0).counts }
        for (word, count) in Words(merged(texts[0], texts[1], texts[2])).counts {
            let (inBase, inMine, inTheirs) = (counts[0][word] ?? 0, counts[1][word] ?? 0, counts[2][word] ?? 0)
            // A word in none of the texts is one in which both typed.
            guard inBase + inMine + inTheirs > 0 else { continue }
            if count > max(inBase, inMine, inTheirs, inMine + inTheirs - inBase) { return true }
        }
        let lines = texts.map(Self.lines)
        let (mine, theirs) = (LinePlan(lines[0], lines[1]), LinePlan(lines[0], lines[2]))
        return lines[0].indices.contains { line in
            guard mine.fates[line] == .gone, theirs.fates[line] == .gone, !isBlank(lines[0][line]),
                let put = mine.put[line], let other = theirs.put[line]
            else { return false }
            return put != other
        }
    }

    // MARK: Parts

    /// Texts without the lines that all of them share at both ends, but one.
    private struct Window {
        private let texts: [Lines]
        private let prefix: Int
        private let suffix: Int

        init(_ texts: [[UInt8]]) {
            self.texts = texts.map { Lines(LineMerge.isOpen($0) ? $0 + [UInt8(ascii: "\n")] : $0) }
            let first = self.texts[0]
            let shortest = self.texts.reduce(Int.max) { min($0, $1.count) }
            let prefix = self.texts.dropFirst().reduce(shortest) { min($0, first.commonLines(atStartOf: $1)) }
            let common = self.texts.dropFirst().reduce(shortest) { min($0, first.commonLines(atEndOf: $1, below: prefix)) }
            suffix = max(0, min(common, shortest - prefix) - 1)
            self.prefix = max(0, prefix - 1)
        }

        var before: [UInt8] { Array(texts[0][0..<prefix]) }
        var after: [UInt8] { Array(texts[0][texts[0].count - suffix..<texts[0].count]) }

        func cut(_ index: Int) -> [UInt8] { Array(texts[index][prefix..<texts[index].count - suffix]) }
    }

    /// Whether a text has a last line without LF.
    private static func isOpen(_ text: [UInt8]) -> Bool { text.last.map { $0 != UInt8(ascii: "\n") } ?? false }

    private static func lines(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
        let lines = Lines(text)
        return (0..<lines.count).map { lines[$0] }
    }

    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool { line.allSatisfy { $0 == 0x20 || 0x09...0x0D ~= $0 } }

    /// The bytes of a line in order, without white space: what it says, however two writers' words
    /// are ordered.
    private static func letters(_ line: ArraySlice<UInt8>) -> [UInt8] {
        line.filter { $0 != 0x20 && !(0x09...0x0D ~= $0) }.sorted()
    }

    /// Both changed the words of one line.
    private static func inline(
        _ base: ArraySlice<UInt8>, _ mine: ArraySlice<UInt8>, _ theirs: ArraySlice<UInt8>
    ) -> ArraySlice<UInt8> {
        if mine == theirs, !beginsWord(base, mine) { return mine }
        let (words, otherWords) = (
            StatedDiff.inside(Array(base), Array(mine)), StatedDiff.inside(Array(base), Array(theirs))
        )
        let edits = letters(of: words, where: otherWords, in: base).filter { !isContinued($0, by: otherWords, in: base) }
        let others = letters(of: otherWords, where: words, in: base).filter { !isContinued($0, by: words, in: base) }
        // An insertion before a word that the other side replaced stays before it.
        let replaced = Set(others.filter { $0.end > $0.start }.map(\.start))
        // So does one that continues a word behind which the other side began another.
        func continues(_ edit: Edit) -> Bool {
            guard edit.start == edit.end, edit.start > 0, let first = edit.replacement.first else { return false }
            return first > 0x20 && base[base.startIndex + edit.start - 1] > 0x20
        }
        let begun = Set(others.filter { $0.start == $0.end && !continues($0) }.map(\.start))
        let isFirst = edits.contains {
            $0.start == $0.end && replaced.contains($0.start) || continues($0) && begun.contains($0.start)
        }
        let placed = edits.transformed(over: others, inserting: isFirst ? .before : .after)
        return placed.applied(to: others.applied(to: Array(base)))[...]
    }

    /// Whether a line has one letter more, behind a space at the end of a word. Two people who both typed it
    /// began two words.
    private static func beginsWord(_ base: ArraySlice<UInt8>, _ line: ArraySlice<UInt8>) -> Bool {
        let edits = StatedDiff.inside(Array(base), Array(line))
        guard edits.count == 1, edits[0].start == edits[0].end, edits[0].replacement.first == 0x20 else { return false }
        let rest = base[(base.startIndex + edits[0].start)...]
        return Words(characters: edits[0].replacement).count == 2 && rest.first.map { $0 <= 0x20 } ?? true
    }

    /// Whether an edit removes a word, or the end of one, that others typed on. The word stays then.
    private static func isContinued(_ edit: Edit, by others: [Edit], in line: ArraySlice<UInt8>) -> Bool {
        guard edit.replacement.isEmpty else { return false }
        return others.contains { other in
            guard other.start == other.end, edit.start < other.start, other.start <= edit.end else { return false }
            return Words.isPartOfWord(line[line.startIndex + other.start - 1]) && Words.isPartOfWord(other.replacement[0])
        }
    }

    /// The edits of a line, by letters where the other side changed the same words.
    private static func letters(of edits: [Edit], where others: [Edit], in line: ArraySlice<UInt8>) -> [Edit] {
        edits.flatMap { edit in
            guard others.contains(where: { $0.start < edit.end && edit.start < $0.end }) else { return [edit] }
            let old = Array(line[line.startIndex + edit.start..<line.startIndex + edit.end])
            return StatedDiff.letters(old, edit.replacement).map { $0.moved(by: edit.start) }
        }
    }

    private static func merged(_ base: [UInt8], _ mine: [UInt8], _ theirs: [UInt8]) -> [UInt8] {
        let lines = lines(base)
        var (plan, other) = (LinePlan(lines, Self.lines(mine)), LinePlan(lines, Self.lines(theirs)))
        var kept = [ArraySlice<UInt8>?](repeating: nil, count: lines.count)
        for (index, line) in lines.enumerated() {
            switch (plan.fates[index], other.fates[index]) {
            case (.kept, .kept): kept[index] = line
            case (.changed(let mine), .changed(let theirs)): kept[index] = inline(line, mine, theirs)
            case (.changed(let mine), .kept), (.changed(let mine), .gone): kept[index] = mine
            case (.kept, .changed(let theirs)), (.gone, .changed(let theirs)): kept[index] = theirs
            case (.changed(let mine), .moved(let place)): other[place] = other[place].map { inline(line, mine, $0) }
            case (.moved(let place), .changed(let theirs)): plan[place] = plan[place].map { inline(line, $0, theirs) }
            case (.moved(let place), .moved(let otherPlace)):
                // Theirs came first.
                if let mine = plan[place] { other[otherPlace] = other[otherPlace].map { inline(line, mine, $0) } }
                plan[place] = nil
            case (.kept, .gone), (.kept, .moved), (.gone, _), (.moved, .kept), (.moved, .gone): break
            }
        }
        var merged: [UInt8] = []
        for gap in 0...lines.count {
            let (mine, theirs) = ((plan.put[gap] ?? []).compactMap { $0 }, (other.put[gap] ?? []).compactMap { $0 })
            merged += (mine == theirs ? theirs : theirs + mine).joined()
            if gap < lines.count, let line = kept[gap] { merged += line }
        }
        return merged
    }
}

/// The fate of each line of a base.
private struct LinePlan {
    enum Fate: Hashable {
        case kept, gone
        /// Into this line.
        case changed(ArraySlice<UInt8>)
        /// To the line `number` of those put before the base's line `gap`.
        case moved(Place)
    }

    struct Place: Hashable {
        let gap: Int
        let number: Int
    }

    /// One for each line of the base.
    private(set) var fates: [Fate]
    /// The lines put before each line of the base; nil for a line that is not wanted.
    private(set) var put: [Int: [ArraySlice<UInt8>?]] = [:]

    /// Where the lines that moved are.
    private var taken: Set<Place> = []

    subscript(place: Place) -> ArraySlice<UInt8>? {
        get { put[place.gap]?[place.number] }
        set { put[place.gap]?[place.number] = newValue }
    }

    init(_ base: [ArraySlice<UInt8>], _ new: [ArraySlice<UInt8>]) {
        fates = Array(repeating: .kept, count: base.count)
        let hunks = StatedDiff.hunks(Lines(Array(base.joined())), Lines(Array(new.joined())))
        for hunk in hunks {
            let pairs = Array(zip(hunk.old, hunk.new))
            if hunk.old.count == hunk.new.count,
                pairs.allSatisfy({ StatedDiff.isAlike(Array(base[$0]), Array(new[$1])) })
            {
                for (line, other) in pairs { fates[line] = .changed(new[other]) }
                continue
            }
            for line in hunk.old { fates[line] = .gone }
            if !hunk.new.isEmpty { put[hunk.old.lowerBound] = hunk.new.map { new[$0] } }
        }
        findEqual(in: base)
        for hunk in hunks where hunk.old.count <= Self.pairsMax / max(1, hunk.new.count) {
            let free = hunk.new.indices.map { Place(gap: hunk.old.lowerBound, number: $0 - hunk.new.lowerBound) }
            findOnly(of: hunk.old.filter { fates[$0] == .gone }, at: free, in: base, StatedDiff.isGrown)
        }
        let free = put.flatMap { gap, lines in lines.indices.map { Place(gap: gap, number: $0) } }
        let gone = fates.indices.filter { fates[$0] == .gone }
        if gone.count <= Self.pairsMax / max(1, free.count) { findOnly(of: gone, at: free, in: base, StatedDiff.mayBeMoved) }
    }

    /// Finds the lines that were put elsewhere unchanged.
    private mutating func findEqual(in base: [ArraySlice<UInt8>]) {
        var places: [ArraySlice<UInt8>: [Place]] = [:]
        for (gap, lines) in put.sorted(by: { $0.key < $1.key }) {
            for (number, line) in lines.enumerated() {
                if let line { places[line, default: []].append(Place(gap: gap, number: number)) }
            }
        }
        for (line, fate) in fates.enumerated() where fate == .gone && base[line].contains(where: { $0 > 0x20 }) {
            guard var free = places[base[line]], !free.isEmpty else { continue }
            move(line, to: free.removeFirst())
            places[base[line]] = free
        }
    }

    /// Finds the lines that became one of the new lines, if no other line may be either of the two.
    private mutating func findOnly(
        of lines: [Int], at places: [Place], in base: [ArraySlice<UInt8>],
        _ became: (StatedDiff.WordLine, StatedDiff.WordLine) -> Bool
    ) {
        guard !lines.isEmpty else { return }
        let new = places.compactMap { place in
            taken.contains(place) ? nil : self[place].map { (place: place, line: StatedDiff.WordLine($0)) }
        }
        guard !new.isEmpty else { return }
        var sources: [Place: [Int]] = [:]
        var targets: [Int: Place] = [:]
        for line in lines {
            let old = StatedDiff.WordLine(base[line])
            let found = new.filter { became(old, $0.line) }
            for other in found { sources[other.place, default: []].append(line) }
            if found.count == 1 { targets[line] = found[0].place }
        }
        for (line, place) in targets where sources[place]?.count == 1 { move(line, to: place) }
    }

    private mutating func move(_ line: Int, to place: Place) {
        fates[line] = .moved(place)
        taken.insert(place)
    }

    /// Most pairs of a removed and a new line that are compared.
    private static let pairsMax = 10_000
}
