import TestKit
import Testing

@testable import Browse

/// Tests of the grid of cells and of the bytes that turn one screen into another.
struct GridTests {
    private static let graphemes =
        ["a", "Z", " ", "é", "e\u{301}", "漢", "👍", "👩‍👩‍👧", "❤\u{FE0F}", "\u{301}", "\u{200D}", "א", "한", "🇩🇪", "\u{1B}", "…"]

    private static let styles = [
        CellStyle.plain, .bold, .dim, CellStyle(colour: .red), CellStyle(isReversed: true),
    ]

    /// Writes random texts at random places, some of them outside.
    private func scribble(_ grid: inout Grid, _ random: inout SeededGenerator) {
        for _ in 0..<random.below(6) {
            let text = (0..<random.below(12)).map { _ in random.pick(Self.graphemes) }.joined()
            grid.put(
                text, row: random.below(grid.rows + 2) - 1, column: random.below(grid.columns + 2) - 1,
                limit: random.chance(0.5) ? .max : random.below(grid.columns + 1), style: random.pick(Self.styles))
        }
        grid.cursor = random.chance(0.5) ? Grid.Place(row: random.below(grid.rows + 1), column: random.below(grid.columns)) : nil
    }

    /// Each glyph is followed by exactly the columns that it covers, and no row is longer than the
    /// grid.
    private func isWhole(_ grid: Grid) -> Bool {
        (0..<grid.rows).allSatisfy { row in
            var column = 0
            while column < grid.columns {
                guard let glyph = grid[row, column].glyph, column + glyph.width <= grid.columns else { return false }
                for covered in 1..<glyph.width where grid[row, column + covered].glyph != nil { return false }
                column += glyph.width
            }
            return column == grid.columns
        }
    }

    @Test(arguments: seeds(200))
    func difference_drawsTheNewGridOnTheOld(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (columns, rows) = (1 + random.below(20), 1 + random.below(4))
        var grid = Grid(columns: columns, rows: rows)
        // The emulator is one terminal: it draws a grapheme of uncertain width in some width of its own.
        let widths = (0..<8).map { _ in 1 + random.below(4) }
        var emulator = ScreenEmulator(columns: columns, rows: rows) { widths[$0.unicodeScalars.count % widths.count] }
        var old: Grid?
        for step in 0..<20 {
            scribble(&grid, &random)
            #expect(isWhole(grid), "seed \(seed), step \(step): \(grid.lines)")
            emulator.write(GridDifference.bytes(from: old, to: grid))
            let found = emulator.mistakes(showing: grid)
            #expect(found.isEmpty, "seed \(seed), step \(step): \(found.prefix(3)) in \(grid.lines)")
            #expect(emulator.isCursorVisible == (grid.cursor.map { $0.row < rows } ?? false), "seed \(seed), step \(step)")
            old = random.chance(0.1) ? nil : grid
        }
    }

    @Test func equalGrids_haveNoDifference() {
        var grid = Grid(columns: 10, rows: 2)
        grid.put("漢字 e\u{301}", row: 0, column: 0)
        #expect(GridDifference.bytes(from: grid, to: grid).isEmpty)
    }

    /// One changed letter costs one position and one letter, not a row.
    @Test func oneLetter_isDrawnAlone() {
        var grid = Grid(columns: 80, rows: 24)
        grid.put("hello", row: 3, column: 10)
        var next = grid
        next.put("a", row: 3, column: 11)
        #expect(
            String(decoding: GridDifference.bytes(from: grid, to: next), as: UTF8.self)
                == "\u{1B}[?2026h\u{1B}[?25l\u{1B}[0m\u{1B}[4;12Ha\u{1B}[?2026l")
    }

    @Test func foreignControlCharacters_areShownAsCodePoints() {
        var grid = Grid(columns: 20, rows: 1)
        grid.put("a\u{1B}[2J\u{202E}b\n", row: 0, column: 0)
        #expect(grid.lines == ["a\\x1B[2J\\u{202E}b\\x0"])
    }

    @Test(arguments: [(0, 0), (1, 1), (0, 5), (-3, 2), (1_000_000, 1_000_000)])
    func anySize_isAGrid(columns: Int, rows: Int) {
        var grid = Grid(columns: columns, rows: rows)
        grid.put("漢字", row: 0, column: 0)
        grid.cursor = Grid.Place(row: 0, column: 0)
        #expect(grid.cells.count <= Grid.sideMax * Grid.sideMax && isWhole(grid))
        if grid.cells.count < 100 { _ = GridDifference.bytes(from: nil, to: grid) }
    }
}
