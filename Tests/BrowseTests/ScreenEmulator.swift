import Console

@testable import Browse

/// A naive terminal: it executes the sequences that `GridDifference` uses, scalar by scalar.
struct ScreenEmulator {
    struct Cell: Hashable {
        var text = " "
        var parameters = "0"
        /// Whether the cell is the right part of the text to its left.
        var isCovered = false
    }

    let columns: Int
    let rows: Int
    private(set) var cells: [Cell]
    private(set) var cursor: (row: Int, column: Int) = (0, 0)
    private(set) var isCursorVisible = false
    private var parameters = "0"
    /// Sequences that the emulator does not know.
    private(set) var faults: [String] = []
    /// The columns that the terminal draws for a grapheme of uncertain width.
    private let uncertainWidth: (Character) -> Int

    init(columns: Int, rows: Int, uncertainWidth: @escaping (Character) -> Int = { DisplayWidth.of(String($0)) }) {
        (self.columns, self.rows, self.uncertainWidth) = (columns, rows, uncertainWidth)
        cells = Array(repeating: Cell(), count: columns * rows)
    }

    mutating func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let first = rest.first {
            if first == 0x1B {
                let parameters = rest.dropFirst(2).prefix { (0x30...0x3F).contains($0) }
                let final = rest.dropFirst(2 + parameters.count).first
                guard rest.dropFirst().first == UInt8(ascii: "["), let final, (0x40...0x7E).contains(final) else {
                    faults.append(String(decoding: rest.prefix(10), as: UTF8.self))
                    return
                }
                execute(String(decoding: parameters, as: UTF8.self), String(Character(Unicode.Scalar(final))))
                rest = rest.dropFirst(3 + parameters.count)
            } else {
                let text = rest.prefix { $0 != 0x1B }
                for character in String(decoding: text, as: UTF8.self) { draw(character) }
                rest = rest.dropFirst(text.count)
            }
        }
    }

    private mutating func execute(_ parameters: String, _ final: String) {
        let numbers = parameters.split(separator: ";").compactMap { Int($0) }
        switch (parameters, final) {
        case (_, "H") where numbers.count == 2: cursor = (numbers[0] - 1, numbers[1] - 1)
        case (_, "m"): self.parameters = parameters
        case ("2", "J"): cells = Array(repeating: Cell(), count: columns * rows)
        case ("2", "K"): for column in 0..<columns { cells[cursor.row * columns + column] = Cell() }
        case ("?25", "h"): isCursorVisible = true
        case ("?25", "l"): isCursorVisible = false
        case ("?2026", _): break
        default: faults.append("\(parameters) \(final)")
        }
        if !(0..<rows).contains(cursor.row) || !(0..<columns).contains(cursor.column) {
            faults.append("the cursor is at \(cursor)")
            cursor = (0, 0)
        }
    }

    private mutating func draw(_ character: Character) {
        let width = Glyph(character).isUncertain ? uncertainWidth(character) : DisplayWidth.of(String(character))
        if character.unicodeScalars.contains(where: { $0.value < 0x20 }) { faults.append("a control character") }
        for covered in 0..<max(1, width) {
            guard cursor.column + covered < columns else { break }
            clear(cursor.row * columns + cursor.column + covered)
            cells[cursor.row * columns + cursor.column + covered] = Cell(
                text: covered == 0 ? String(character) : "", parameters: parameters, isCovered: covered > 0)
        }
        cursor.column = min(cursor.column + max(1, width), columns - 1)
    }

    /// Blanks both parts of a wide text before one of them is overwritten.
    private mutating func clear(_ index: Int) {
        var first = index
        while cells[first].isCovered { first -= 1 }
        var end = index + 1
        while end < cells.count, cells[end].isCovered { end += 1 }
        for cell in first..<end { (cells[cell].text, cells[cell].isCovered) = (" ", false) }
    }

    /// The faults, and the cells in which the terminal shows something else than the grid, outside of
    /// glyphs of uncertain width.
    func mistakes(showing grid: Grid) -> [String] {
        var mistakes = faults
        for row in 0..<grid.rows {
            var isUncertain = false
            for column in 0..<grid.columns {
                let (cell, shown) = (grid[row, column], cells[row * grid.columns + column])
                if let glyph = cell.glyph { isUncertain = glyph.isUncertain }
                if isUncertain { continue }
                if (cell.glyph?.text ?? "") != shown.text || cell.style.parameters != shown.parameters {
                    mistakes.append("\(row),\(column): \(shown) instead of \(cell)")
                }
            }
        }
        return mistakes
    }
}
