/// The longest common subsequence of two sequences of numbers, by Myers' algorithm in linear space (E. W. Myers, "An O(ND)
/// Difference Algorithm and Its Variations", Algorithmica 1, 1986).
///
/// Tie-breaks, so that the same input always gives the same output: common ends are matched first, start before end. In the
/// search for the middle, forward goes before backward, diagonals from the highest down, as git has them; on a diagonal that is
/// reached by both moves equally far, the one that takes an element of the second sequence wins; the first overlap found is taken.
///
/// Cap: one step is one diagonal visited or one element walked along one. After `stepsMax` steps in all, what is not yet
/// matched stays unmatched, so that the work is bounded for any input and the outcome the same on any machine.
struct MyersDiff {
    /// Some 20 ms of work. Two texts whose lines are of few kinds stay under it up to some 700 differing lines; lines that only
    /// one text has do not count.
    static let stepsMax = 1_000_000

    private let old: [Int]
    private let new: [Int]
    private var stepsLeft: Int
    private var matches: [(Int, Int)] = []
    private var forward: [Int]
    private var backward: [Int]

    /// Pairs of positions with equal numbers, ascending in both; as many as there can be where the cap is not met.
    ///
    /// - Complexity: O((n + m) d) steps for d differences, at most `stepsMax`; O(n + m) memory.
    static func matches(_ old: [Int], _ new: [Int], stepsMax: Int = MyersDiff.stepsMax) -> [(Int, Int)] {
        var diff = MyersDiff(old, new, stepsMax)
        diff.match(0..<old.count, 0..<new.count)
        return diff.matches
    }

    private init(_ old: [Int], _ new: [Int], _ stepsMax: Int) {
        self.old = old
        self.new = new
        stepsLeft = stepsMax
        forward = [Int](repeating: 0, count: old.count + new.count + 3)
        backward = forward
    }

    /// Matches one box. Each half of a divided box has about half of its differences, so that calls nest O(log d) deep.
    private mutating func match(_ oldBox: Range<Int>, _ newBox: Range<Int>) {
        var (oldStart, oldEnd) = (oldBox.lowerBound, oldBox.upperBound)
        var (newStart, newEnd) = (newBox.lowerBound, newBox.upperBound)
        while oldStart < oldEnd, newStart < newEnd, old[oldStart] == new[newStart] {
            matches.append((oldStart, newStart))
            (oldStart, newStart) = (oldStart + 1, newStart + 1)
        }
        var tail = 0
        while oldStart < oldEnd, newStart < newEnd, old[oldEnd - 1] == new[newEnd - 1] {
            (oldEnd, newEnd, tail) = (oldEnd - 1, newEnd - 1, tail + 1)
        }
        if oldStart < oldEnd, newStart < newEnd, let middle = middle(oldStart..<oldEnd, newStart..<newEnd) {
            match(oldStart..<middle.old, newStart..<middle.new)
            match(middle.old..<oldEnd, middle.new..<newEnd)
        }
        for step in 0..<tail { matches.append((oldEnd + step, newEnd + step)) }
    }

    /// A point that a shortest edit script passes, off both corners of the box; nil past the cap.
    ///
    /// A diagonal k holds the points with x - y = k, counted from the box's start. `forward[k]` is the furthest x reached on it,
    /// `backward[k]` the least, both shifted so that no index is negative.
    private mutating func middle(_ oldBox: Range<Int>, _ newBox: Range<Int>) -> (old: Int, new: Int)? {
        let (n, m) = (oldBox.count, newBox.count)
        let delta = n - m
        var depth = 0
        // Once all of both was gone through, at the latest, the two ways have met.
        while true {
            // Where a side of the box was reached, its diagonals have nothing further to give.
            let (low, high) = (-depth + 2 * max(0, depth - m), depth - 2 * max(0, depth - n))
            startRow(depth, n, m)
            for k in stride(from: high, through: low, by: -2) {
                let x = extendForward(k, oldBox, newBox)
                if delta % 2 != 0, abs(k - delta) < depth, x >= backward[k + m + 1] {
                    return (oldBox.lowerBound + x, newBox.lowerBound + x - k)
                }
            }
            for k in stride(from: delta - high, through: delta - low, by: 2) {
                let x = extendBackward(k, oldBox, newBox)
                if delta % 2 == 0, abs(k) <= depth, x <= forward[k + m + 1] {
                    return (oldBox.lowerBound + x, newBox.lowerBound + x - k)
                }
            }
            guard stepsLeft > 0 else { return nil }
            depth += 1
        }
    }

    private static let unreached = Int.min / 2
    private static let unreachedBackward = Int.max / 2

    /// Marks the diagonals beside those of this depth as not reached; before the first, a point to start from stands there.
    private mutating func startRow(_ depth: Int, _ n: Int, _ m: Int) {
        let (shift, delta) = (m + 1, n - m)
        if depth <= m {
            forward[-depth - 1 + shift] = Self.unreached
            backward[delta + depth + 1 + shift] = Self.unreachedBackward
        }
        if depth <= n {
            forward[depth + 1 + shift] = depth == 0 ? 0 : Self.unreached
            backward[delta - depth - 1 + shift] = depth == 0 ? n : Self.unreachedBackward
        }
    }

    private mutating func extendForward(_ k: Int, _ oldBox: Range<Int>, _ newBox: Range<Int>) -> Int {
        let (n, m) = (oldBox.count, newBox.count)
        let takingNew = forward[k + 1 + m + 1]
        let takingOld = forward[k - 1 + m + 1] + 1
        var x = Self.unreached
        if takingNew >= 0, takingNew - k <= m { x = takingNew }
        if takingOld > 0, takingOld <= n, takingOld > x { x = takingOld }
        let from = x
        while x >= 0, x < n, x - k < m, old[oldBox.lowerBound + x] == new[newBox.lowerBound + x - k] { x += 1 }
        stepsLeft -= 1 + x - from
        forward[k + m + 1] = x
        return x
    }

    private mutating func extendBackward(_ k: Int, _ oldBox: Range<Int>, _ newBox: Range<Int>) -> Int {
        let (n, m) = (oldBox.count, newBox.count)
        let takingNew = backward[k - 1 + m + 1]
        let takingOld = backward[k + 1 + m + 1] - 1
        var x = Self.unreachedBackward
        if takingNew <= n, takingNew - k >= 0 { x = takingNew }
        if takingOld >= 0, takingOld < n, takingOld < x { x = takingOld }
        let from = x
        while x <= n, x > 0, x - k > 0, old[oldBox.lowerBound + x - 1] == new[newBox.lowerBound + x - 1 - k] { x -= 1 }
        stepsLeft -= 1 + from - x
        backward[k + m + 1] = x
        return x
    }
}
