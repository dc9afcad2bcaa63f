@testable import notesctl

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
        var rest = Substring(String(decoding: bytes, as: UTF8.self))
        while let first = rest.unicodeScalars.first {
            if first == "\u{1B}" {
                guard let match = rest.prefixMatch(of: /\u{1B}\[([0-9;?]*)([A-Za-z])/) else {
                    faults.append(String(rest.prefix(10)))
                    return
                }
                execute(String(match.output.1), String(match.output.2))
                rest = rest[match.range.upperBound...]
            } else {
                let end = rest.unicodeScalars.firstIndex(of: "\u{1B}") ?? rest.endIndex
                for character in rest[..<end] { draw(character) }
                rest = rest[end...]
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
}
