/// The bytes that turn one screen into another.
enum GridDifference {
    /// Begins and ends an update that the terminal shows at once; terminals without it ignore it.
    private static let synchronised = (begin: "\u{1B}[?2026h", end: "\u{1B}[?2026l")

    /// The escape sequences and texts that draw `new` on a terminal that shows `old`; empty if both
    /// are equal. All positions are absolute, so that a glyph that the terminal draws narrower or
    /// wider than expected displaces nothing after it.
    ///
    /// - Parameter old: nil if the contents of the terminal are unknown.
    /// - Complexity: O(cells).
    static func bytes(from old: Grid?, to new: Grid) -> [UInt8] {
        guard old != new else { return [] }
        // After a change of the size, terminals disagree on what they show.
        let old = old.flatMap { $0.columns == new.columns && $0.rows == new.rows ? $0 : nil }
        var output = synchronised.begin + "\u{1B}[?25l"
        var style: CellStyle?
        if old == nil { output += "\u{1B}[0m\u{1B}[2J" }
        let blank = old ?? Grid(columns: new.columns, rows: new.rows)
        for row in 0..<new.rows { draw(row, from: blank, to: new, &style, &output) }
        if style != nil, style != .plain { output += "\u{1B}[0m" }
        if let cursor = new.cursor, (0..<new.rows).contains(cursor.row), (0..<new.columns).contains(cursor.column) {
            output += position(cursor.row, cursor.column) + "\u{1B}[?25h"
        }
        return Array((output + synchronised.end).utf8)
    }

    private static func draw(_ row: Int, from old: Grid, to new: Grid, _ style: inout CellStyle?, _ output: inout String) {
        let columns = 0..<new.columns
        guard columns.contains(where: { old[row, $0] != new[row, $0] }) else { return }
        // A glyph of uncertain width may have drawn over its neighbours, so its row is drawn whole.
        let isWhole = columns.contains { old[row, $0].glyph?.isUncertain == true || new[row, $0].glyph?.isUncertain == true }
        // Whether the terminal's cursor is where the next cell is.
        var isInPlace = false
        if isWhole {
            set(.plain, &style, &output)
            output += position(row, 0) + "\u{1B}[2K"
        }
        for column in columns {
            let cell = new[row, column]
            let isSame = !isWhole && cell == old[row, column]
            guard !isSame, let glyph = cell.glyph else {
                // A covered column is drawn with its glyph.
                if isSame { isInPlace = false }
                continue
            }
            set(cell.style, &style, &output)
            if glyph.isUncertain {
                output += position(row, column) + String(repeating: " ", count: glyph.width)
                isInPlace = false
            }
            if !isInPlace { output += position(row, column) }
            output += glyph.text
            isInPlace = !glyph.isUncertain && column + glyph.width < new.columns
        }
    }

    private static func set(_ wanted: CellStyle, _ style: inout CellStyle?, _ output: inout String) {
        guard style != wanted else { return }
        style = wanted
        output += "\u{1B}[\(wanted.parameters)m"
    }

    private static func position(_ row: Int, _ column: Int) -> String { "\u{1B}[\(row + 1);\(column + 1)H" }
}
