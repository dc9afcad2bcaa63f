/// The longest common subsequence of two sequences of numbers, by Myers' algorithm in linear space
/// (E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", Algorithmica 1, 1986).
///
/// The output is a function of the input alone, because every tie is broken by a fixed rule:
///
/// - Common elements at the start are matched first, then those at the end.
/// - In the search for a middle point, the forward search goes before the backward search. The
///   forward search visits diagonals from the highest down, the backward search from the lowest up.
/// - If both moves reach the same point of a diagonal, the move that takes an element of the second
///   sequence wins.
/// - The first overlap found is used.
///
/// A cap bounds the work for any input, independently of the machine's speed. One step is one
/// diagonal visited or one element matched along a diagonal. After `stepsMax` steps in all, what is
/// not yet matched stays unmatched.
package struct MyersDiff {
    /// The default cap, about 20 ms of work. Two texts whose lines are of few kinds stay below it
    /// up to about 700 differing lines. Lines that only one text has do not count, because
    /// `LineDiff` removes them first.
    package static let stepsMax = 1_000_000

    private let old: [Int]
    private let new: [Int]
    private var stepsLeft: Int
    /// The matches so far, ascending in both members.
    private var matches: [(Int, Int)] = []
    /// The furthest x reached on each diagonal by the forward search; see `middle`.
    private var forward: [Int]
    /// The least x reached on each diagonal by the backward search; see `middle`.
    private var backward: [Int]

    /// Pairs of positions with equal numbers, ascending in both sequences. Below the cap their
    /// number is the greatest possible.
    ///
    /// - Complexity: O((n + m) d) steps for d differences, at most about `stepsMax`; O(n + m)
    ///   memory.
    package static func matches(_ old: [Int], _ new: [Int], stepsMax: Int = MyersDiff.stepsMax) -> [(Int, Int)] {
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

    /// Matches one box of the edit graph: a range of each sequence.
    ///
    /// A shortest edit script through the box is found by divide and conquer: one point that such a
    /// script passes divides the box in two. Each half has about half of the differences, so calls
    /// nest O(log d) deep and the total work is about twice that of the first division. Unlike the
    /// plain algorithm, this needs no record of every step to trace the script back, so memory
    /// stays linear.
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
    /// At the point (x, y), x elements of the old box and y elements of the new box are consumed. A
    /// move right removes an old element, and a move down takes a new element. A diagonal move
    /// matches two equal elements and is free; a run of such moves is a "snake". Diagonal k holds
    /// the points with x - y = k. `forward[k]` is the greatest x on diagonal k that `depth` paid
    /// moves from the start of the box reach; `backward[k]` is the least x from which `depth` paid
    /// moves reach the end. Both arrays are shifted by m + 1, so that no index is negative.
    ///
    /// The two searches advance in turns. When they overlap on a diagonal, a path from the start
    /// and a path to the end together cross the box. No shorter script exists, because all shorter
    /// pairs of paths were tried before.
    ///
    /// Only one of the two loops has to test for overlap. The length of every script has the parity
    /// of n - m. At a forward step, the forward search is one move ahead of the backward search, so
    /// the sum of their moves is odd. At a backward step the sum is even.
    ///
    /// The caller has removed common ends, and neither range is empty, so every script has at least
    /// two paid moves. Each half therefore contains at least one, the point is at neither corner,
    /// and the recursion ends.
    ///
    /// Worked example: old = ABC, new = BCD. The parity of n - m = 0 is even.
    ///
    ///     depth 0   no free move at either corner (A ≠ B, C ≠ D)
    ///     depth 1   forward, k = 1     remove A, to (1, 0); match B and C, to (3, 2); forward[1] = 3
    ///               forward, k = -1    take B, to (0, 1); forward[-1] = 0
    ///               backward, k = -1   over old C, to (2, 3); 2 <= forward[-1] does not hold
    ///               backward, k = 1    over new D, to (3, 2); match C and B, to (1, 0);
    ///                                  1 <= forward[1] = 3 holds: overlap
    ///
    /// The result is (1, 0). The halves are A with nothing, and BC with BCD, which has only a
    /// common start and one insertion left.
    private mutating func middle(_ oldBox: Range<Int>, _ newBox: Range<Int>) -> (old: Int, new: Int)? {
        let (n, m) = (oldBox.count, newBox.count)
        let delta = n - m
        var depth = 0
        // The loop ends: once both searches have crossed the whole box, they overlap.
        while true {
            // A diagonal past a side of the box holds no further point, so the range is clipped to
            // the box. Its ends keep the parity of `depth`.
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

    /// The value of a forward diagonal that no path has reached; less than every x.
    private static let unreached = Int.min / 2
    /// The value of a backward diagonal that no path has reached; greater than every x.
    private static let unreachedBackward = Int.max / 2

    /// Marks the diagonals just outside those of this depth as unreached, so that the extension of
    /// the outermost ones ignores them. At depth 0 it instead plants the point that each search
    /// starts from.
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

    /// Moves to diagonal k from the better of its two neighbours, follows the matches, and returns
    /// the x reached.
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

    /// The mirror image of `extendForward`.
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
