import Causality
package import NotesModel

/// The drawing of a note's revisions beside a table: a node for each, and lines to its parents, so that
/// writes made without knowledge of each other stand side by side.
///
///     ●─╮  merged the two below
///     ● │  written on the last
///     │ ●  written on the last, too
///     ●─╯
package struct HistoryGraph {
    /// One row for each revision, all of the same width; empty rows if no two stand side by side.
    package let rows: [String]

    /// Most lanes that are drawn. What is to the right of them is cut off.
    static let lanesMax = 8

    /// - Parameter revisions: each before its parents. Lines to parents that are missing go on to the end.
    /// - Complexity: O(revisions × (lanes + parents)), where the lanes are the lines side by side.
    package init(_ revisions: [RevisionSummary]) {
        var lanes: [Dot?] = []
        let places = Dictionary(revisions.enumerated().map { ($1.dot, $0) }) { first, _ in first }
        var drawn: [[Cell]] = []
        for revision in revisions {
            let children = lanes.indices.filter { lanes[$0] == revision.dot }
            let node = children.first ?? Self.free(in: &lanes)
            let before = lanes
            for lane in children { lanes[lane] = nil }
            var ends = Set(children.dropFirst())
            // The newest parent continues the line of the node.
            let parents = revision.parents.dots.sorted { places[$0] ?? .max < places[$1] ?? .max }
            if let first = parents.first { lanes[node] = first }
            for parent in parents.dropFirst() {
                let lane = lanes.indices.first { $0 != node && lanes[$0] == parent } ?? Self.free(in: &lanes, not: ends)
                lanes[lane] = parent
                ends.insert(lane)
            }
            drawn.append(Self.row(node, ends, above: before, below: lanes))
            while case .some(nil) = lanes.last { lanes.removeLast() }
        }
        let width = min(Self.lanesMax, drawn.map(\.count).max() ?? 0)
        rows = drawn.map { cells in width > 1 ? Self.text(cells, lanes: width) : "" }
    }

    /// One lane of a row.
    private struct Cell: Sendable {
        var isNode = false
        var (up, down, left, right) = (false, false, false, false)
        /// Whether a horizontal line passes behind a vertical one.
        var isCrossed = false

        static let empty = Cell()
    }

    /// The first lane that is free, which may be a new one. A lane that ends in the same row is not free,
    /// because its line would seem to go on.
    private static func free(in lanes: inout [Dot?], not ends: Set<Int> = []) -> Int {
        if let lane = lanes.indices.first(where: { lanes[$0] == nil && !ends.contains($0) }) { return lane }
        lanes.append(nil)
        return lanes.count - 1
    }

    /// A row with a node, and horizontal lines from it to other lanes.
    private static func row(_ node: Int, _ ends: Set<Int>, above: [Dot?], below: [Dot?]) -> [Cell] {
        let (low, high) = (min(node, ends.min() ?? node), max(node, ends.max() ?? node))
        return (0..<max(above.count, below.count)).map { lane in
            var cell = Cell.empty
            cell.isNode = lane == node
            cell.up = lane < above.count && above[lane] != nil
            cell.down = lane < below.count && below[lane] != nil
            cell.left = lane > low && lane <= high
            cell.right = lane >= low && lane < high
            cell.isCrossed = lane != node && !ends.contains(lane) && (cell.up || cell.down)
            return cell
        }
    }

    private static func text(_ cells: [Cell], lanes: Int) -> String {
        var text = ""
        for lane in 0..<lanes {
            let cell = lane < cells.count ? cells[lane] : Cell.empty
            text += character(cell)
            if lane < lanes - 1 { text += cell.right ? "─" : " " }
        }
        return text
    }

    private static func character(_ cell: Cell) -> String {
        if cell.isNode { return "●" }
        if cell.isCrossed { return "│" }
        return switch (cell.up, cell.down, cell.left, cell.right) {
        case (false, false, false, false): " "
        case (true, true, true, true): "┼"
        case (true, true, true, false): "┤"
        case (true, true, false, true): "├"
        case (true, false, true, true): "┴"
        case (false, true, true, true): "┬"
        case (true, false, true, false): "╯"
        case (true, false, false, true): "╰"
        case (false, true, true, false): "╮"
        case (false, true, false, true): "╭"
        case (false, false, _, _): "─"
        case (_, _, false, false): "│"
        }
    }
}
