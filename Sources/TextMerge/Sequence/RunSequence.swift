/// The order of the runs: a list of numbers, each once, divided into blocks, so that inserting a
/// member anywhere, finding its position and comparing two positions take about the square root of
/// the length.
///
/// A run is a number; runs are numbered from 0 without gaps, in the order of insertion. A block has
/// a number too, which it keeps when its rank changes, so that sums by block need no renumbering.
struct RunSequence: Sendable {
    /// The number of runs above which a block is divided.
    let blockRunsMax: Int

    /// The runs of each block, in order, by the block's number.
    private(set) var blocks: [[Int]] = [[]]
    /// The numbers of the blocks, in order.
    private(set) var order: [Int] = [0]
    /// The index of each block in `order`, by the block's number.
    private(set) var ranks: [Int] = [0]
    /// The block of each run.
    private var blockOfRun: [Int] = []

    init(blockRunsMax: Int) {
        self.blockRunsMax = blockRunsMax
    }

    /// A gap between runs, identified by the run after it: its index in a block. At the end of a
    /// block the index is one past the last run.
    struct Position: Comparable {
        var rank: Int
        var index: Int

        static func < (left: Position, right: Position) -> Bool {
            left.rank == right.rank ? left.index < right.index : left.rank < right.rank
        }
    }

    /// The number of the block that holds a run.
    func block(of run: Int) -> Int { blockOfRun[run] }

    /// The gap before a run.
    ///
    /// - Complexity: O(`blockRunsMax`).
    func position(of run: Int) -> Position {
        let block = blockOfRun[run]
        guard let index = blocks[block].firstIndex(of: run) else { preconditionFailure("a run is in its block") }
        return Position(rank: ranks[block], index: index)
    }

    /// The gap after a run; nil means the gap before all runs.
    func position(after run: Int?) -> Position {
        guard let run else { return Position(rank: 0, index: 0) }
        var position = position(of: run)
        position.index += 1
        return position
    }

    /// The gap after all runs.
    var end: Position { Position(rank: order.count - 1, index: blocks[order[order.count - 1]].count) }

    /// The run after a gap, which is moved to the block of that run; nil at the end.
    func run(at position: inout Position) -> Int? {
        while position.index >= blocks[order[position.rank]].count {
            guard position.rank + 1 < order.count else { return nil }
            position = Position(rank: position.rank + 1, index: 0)
        }
        return blocks[order[position.rank]][position.index]
    }

    /// The run before a gap, which is moved to before that run; nil at the start.
    func run(before position: inout Position) -> Int? {
        while position.index == 0 {
            guard position.rank > 0 else { return nil }
            position.rank -= 1
            position.index = blocks[order[position.rank]].count
        }
        position.index -= 1
        return blocks[order[position.rank]][position.index]
    }

    /// Inserts the next run after another one, or before all.
    ///
    /// - Precondition: `run` is the number of runs inserted before.
    /// - Returns: the two blocks that a divided block became; nil if no block was divided. All
    ///   other blocks keep their members, apart from the new run.
    /// - Complexity: O(`blockRunsMax`), and O(blocks) once in `blockRunsMax / 2` insertions.
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
