import Causality
import NoteText
import NotesModel
import TestKit
import Testing

@testable import NoteTasks

/// Tests of the graph beside a note's history.
@Suite struct HistoryGraphTests {
    private let replica = ReplicaID(bits: 1)

    /// - Parameter parents: of each revision, which has the number of its place, from the newest to the
    ///   oldest.
    private func graph(_ parents: [(UInt64, [UInt64])]) -> [String] {
        HistoryGraph(
            parents.map { number, parents in
                RevisionSummary(
                    dot: Dot(replica, number), parents: Version(parents.map { Dot(replica, $0) }),
                    author: Author(user: "ada", label: "vim"), time: Timestamp(milliseconds: 0), bytes: 0, isDeleted: false,
                    name: nil, isStated: true)
            }
        ).rows
    }

    @Test func aLine_needsNoGraph() {
        #expect(graph([(3, [2]), (2, [1]), (1, [])]) == ["", "", ""])
        #expect(graph([]) == [])
    }

    @Test func twoWrites_standSideBySide_untilAMerge() {
        #expect(
            graph([(5, [4]), (4, [2, 3]), (3, [1]), (2, [1]), (1, [])]) == [
                "●  ",
                "●─╮",
                "● │",
                "│ ●",
                "●─╯",
            ])
    }

    @Test func threeHeads_closeAtTheirParent() {
        #expect(
            graph([(4, [1]), (3, [1]), (2, [1]), (1, [])]) == [
                "●    ",
                "│ ●  ",
                "│ │ ●",
                "●─┴─╯",
            ])
    }

    @Test func aLineBehindAnother_isNotJoinedToIt() {
        #expect(
            graph([(6, [3]), (5, [2]), (4, [1, 3]), (3, [1]), (2, []), (1, [])]) == [
                "●      ",
                "│ ●    ",
                "│ │ ●─╮",
                "●─│─╯ │",
                "│ ●   │",
                "●─────╯",
            ])
    }

    @Test func aParentThatIsNotShown_leavesALineToTheEnd() {
        #expect(graph([(4, [2]), (3, [1])]) == ["●  ", "│ ●"])
    }

    @Test func manyLanes_areCut() {
        let rows = graph((1...20).reversed().map { ($0, $0 == 1 ? [] : [1]) })
        #expect(rows.count == 20)
        #expect(rows.allSatisfy { $0.count == HistoryGraph.lanesMax * 2 - 1 })
    }

    /// The lines from each node lead down to all of its parents, and no line ends without a node.
    @Test(arguments: seeds(200))
    func random_linesLeadToAllParents(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let count = 1 + random.below(14)
        var story: [(UInt64, [UInt64])] = []
        for number in 1...UInt64(count) {
            let parents = (0..<random.below(4)).map { _ in Int(number) - 1 - random.below(4) }
            story.append((number, Set(parents.filter { $0 > 0 }).sorted().map(UInt64.init)))
        }
        let rows = graph(story.reversed()).map { Array($0) }
        guard let width = rows.first?.count, width > 0, width < HistoryGraph.lanesMax * 2 - 1 else { return }
        let drawing = Drawing(rows)
        for (row, (number, parents)) in story.reversed().enumerated() {
            let reached = drawing.nodesBelow(row)
            for parent in parents {
                let place = count - Int(parent)
                #expect(reached.contains(place), "seed \(seed): \(number) does not reach \(parent)\n\(drawing.text)")
            }
        }
        #expect(drawing.looseEnds.isEmpty, "seed \(seed): \(drawing.looseEnds)\n\(drawing.text)")
    }
}

/// A reader of drawn lines that knows only the characters.
private struct Drawing {
    private let rows: [[Character]]
    var text: String { rows.map { String($0) }.joined(separator: "\n") }

    init(_ rows: [[Character]]) { self.rows = rows }

    private struct Point: Hashable {
        let row: Int
        let column: Int
    }

    private static let ups: Set<Character> = ["│", "┤", "├", "┼", "┴", "╯", "╰", "●"]
    private static let downs: Set<Character> = ["│", "┤", "├", "┼", "┬", "╮", "╭", "●"]
    private static let lefts: Set<Character> = ["─", "┤", "┼", "┴", "┬", "╯", "╮", "●"]
    private static let rights: Set<Character> = ["─", "├", "┼", "┴", "┬", "╰", "╭", "●"]

    private func character(_ row: Int, _ column: Int) -> Character {
        rows.indices.contains(row) && rows[row].indices.contains(column) ? rows[row][column] : " "
    }

    /// The next place of a horizontal line in some direction, behind the vertical lines that it passes.
    private func beside(_ point: Point, _ step: Int) -> Point? {
        var column = point.column + step
        guard character(point.row, column) == "─" else { return nil }
        while character(point.row, column) == "─" || character(point.row, column) == "│" { column += step }
        return Point(row: point.row, column: column)
    }

    /// The rows of the nodes that lines reach from the node of a row without going up.
    func nodesBelow(_ row: Int) -> Set<Int> {
        guard let column = rows[row].firstIndex(of: "●") else { return [] }
        var (seen, open) = (Set<Point>(), [Point(row: row, column: column)])
        var found: Set<Int> = []
        while let point = open.popLast() {
            guard seen.insert(point).inserted else { continue }
            let character = character(point.row, point.column)
            if character == "●", point.row != row {
                found.insert(point.row)
                continue
            }
            if Self.lefts.contains(character), let next = beside(point, -1) { open.append(next) }
            if Self.rights.contains(character), let next = beside(point, 1) { open.append(next) }
            if Self.downs.contains(character), Self.ups.contains(self.character(point.row + 1, point.column)) {
                open.append(Point(row: point.row + 1, column: point.column))
            }
        }
        return found
    }

    /// Lines that go up or down into nothing. Lines may end below the last row.
    var looseEnds: [String] {
        var ends: [String] = []
        for row in rows.indices {
            for column in rows[row].indices where rows[row][column] != "●" {
                let character = rows[row][column]
                if Self.ups.contains(character), !Self.downs.contains(self.character(row - 1, column)) {
                    ends.append("up from \(row), \(column)")
                }
                if Self.downs.contains(character), row + 1 < rows.count, !Self.ups.contains(self.character(row + 1, column)) {
                    ends.append("down from \(row), \(column)")
                }
            }
        }
        return ends
    }
}
