import TextMerge

/// The diff of two texts in whole lines.
enum LineHunks {
    /// The hunks, ascending, with at least one common line between any two.
    ///
    /// Common lines at the start, then at the end, are matched first. Of the rest, lines that only one
    /// text has are left out, and Myers' algorithm matches the others. Any diff is right here: a
    /// different one only moves the border between lines that are altered and lines that are gone.
    ///
    /// - Complexity: as `MyersDiff.matches`.
    static func between(_ old: [LineMarks.Line], _ new: [LineMarks.Line]) -> [LineHunk] {
        let most = min(old.count, new.count)
        var start = 0
        while start < most, old[start] == new[start] { start += 1 }
        var tail = 0
        while tail < most - start, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
        let (oldEnd, newEnd) = (old.count - tail, new.count - tail)
        return hunks(matches(old, start..<oldEnd, new, start..<newEnd), start, oldEnd, newEnd)
    }

    private static func matches(
        _ old: [LineMarks.Line], _ oldRange: Range<Int>, _ new: [LineMarks.Line], _ newRange: Range<Int>
    ) -> [(Int, Int)] {
        if oldRange.isEmpty || newRange.isEmpty { return [] }
        let common = Set(old[oldRange]).intersection(new[newRange])
        let numbers = Dictionary(uniqueKeysWithValues: zip(common, 0...))
        let oldKept = oldRange.filter { common.contains(old[$0]) }
        let newKept = newRange.filter { common.contains(new[$0]) }
        return MyersDiff.matches(oldKept.map { numbers[old[$0]] ?? 0 }, newKept.map { numbers[new[$0]] ?? 0 })
            .map { (oldKept[$0.0], newKept[$0.1]) }
    }

    /// The runs between matches, from a common start to the ends of the differing parts.
    private static func hunks(_ matches: [(Int, Int)], _ start: Int, _ oldEnd: Int, _ newEnd: Int) -> [LineHunk] {
        var result: [LineHunk] = []
        var (old, new) = (start, start)
        for (oldMatch, newMatch) in matches + [(oldEnd, newEnd)] {
            if old < oldMatch || new < newMatch { result.append(LineHunk(old: old..<oldMatch, new: new..<newMatch)) }
            (old, new) = (oldMatch + 1, newMatch + 1)
        }
        return result
    }
}
