/// The order of the runs: a list of numbers, each once, in blocks, so that an insertion anywhere, the place of a member and
/// which of two stands first cost about the square root of the length.
///
/// A run is a number from 0 up without gaps, in the order of insertion. Blocks have numbers of their own that stay while
/// they move, so that whoever holds sums by block need not renumber them.
struct RunSequence: Sendable {
    /// More runs than these, and a block is divided.
    let blockRunsMax: Int

    /// The runs of each block, in order, by the block's number.
    private(set) var blocks: [[Int]] = [[]]
    /// The blocks' numbers, in order.
    private(set) var order: [Int] = [0]
    /// Where in `order` a block stands, by its number.
    private(set) var ranks: [Int] = [0]
    private var blockOfRun: [Int] = []

    init(blockRunsMax: Int) {
        self.blockRunsMax = blockRunsMax
    }

    /// A gap between runs, named by the run after it: the index in a block. At the end the index is one too high.
    struct Position: Comparable {
        var rank: Int
        var index: Int

        static func < (left: Position, right: Position) -> Bool {
            left.rank == right.rank ? left.index < right.index : left.rank < right.rank
        }
    }

    func block(of run: Int) -> Int { blockOfRun[run] }

    /// - Complexity: O(`blockRunsMax`).
    func position(of run: Int) -> Position {
        let block = blockOfRun[run]
        guard let index = blocks[block].firstIndex(of: run) else { preconditionFailure("a run stands in its block") }
        return Position(rank: ranks[block], index: index)
    }

    /// The gap after a run; nil is the one before all.
    func position(after run: Int?) -> Position {
        guard let run else { return Position(rank: 0, index: 0) }
        var position = position(of: run)
        position.index += 1
        return position
    }

    /// The run after the gap, which is moved to the block where that run stands; nil at the end.
    func run(at position: inout Position) -> Int? {
        while position.index >= blocks[order[position.rank]].count {
            guard position.rank + 1 < order.count else { return nil }
            position = Position(rank: position.rank + 1, index: 0)
        }
        return blocks[order[position.rank]][position.index]
    }

    /// The run before the gap, which is moved before it; nil at the start.
    func run(before position: inout Position) -> Int? {
        while position.index == 0 {
            guard position.rank > 0 else { return nil }
            position.rank -= 1
            position.index = blocks[order[position.rank]].count
        }
        position.index -= 1
        return blocks[order[position.rank]][position.index]
    }

    /// Puts the next run after another, or before all.
    ///
    /// - Returns: the blocks whose members changed otherwise than by this run: the two of a block that was divided.
    /// - Complexity: O(`blockRunsMax`), and O(blocks) for one in `blockRunsMax / 2` insertions.
    mutating func insert(_ run: Int, after previous: Int?) -> (from: Int, to: Int)? {
        precondition(run == blockOfRun.count, "runs are numbered in the order of insertion")
        let position = position(after: previous)
        let block = order[position.rank]
        blocks[block].insert(run, at: position.index)
        blockOfRun.append(block)
        guard blocks[block].count > blockRunsMax else { return nil }
        let half = blocks[block].count / 2
        let moved = Array(blocks[block][half...])
        blocks[block].removeLast(moved.count)
        let new = blocks.count
        blocks.append(moved)
        for run in moved { blockOfRun[run] = new }
        order.insert(new, at: position.rank + 1)
        ranks.append(0)
        for rank in position.rank + 1..<order.count { ranks[order[rank]] = rank }
        return (block, new)
    }
}
