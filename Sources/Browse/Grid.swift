import Console

/// The style of a cell. Colours are those of a terminal with 16.
struct CellStyle: Hashable {
    enum Colour: String {
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
    }

    var isBold = false
    var isDim = false
    var isReversed = false
    var isUnderlined = false
    var colour: Colour?

    static let plain = CellStyle()
    static let bold = CellStyle(isBold: true)
    static let dim = CellStyle(isDim: true)

    /// The parameters of SGR that set the style from scratch.
    var parameters: String {
        (["0"] + (isBold ? ["1"] : []) + (isDim ? ["2"] : []) + (isUnderlined ? ["4"] : []) + (isReversed ? ["7"] : [])
            + (colour.map { [$0.rawValue] } ?? [])).joined(separator: ";")
    }

    /// The style without its colour.
    var colourless: CellStyle {
        CellStyle(isBold: isBold, isDim: isDim, isReversed: isReversed, isUnderlined: isUnderlined)
    }
}

/// A grapheme as a terminal shows it.
struct Glyph: Hashable {
    let text: String
    /// Columns that it gets. A terminal may draw fewer, or more.
    let width: Int
    /// Whether terminals disagree on the width.
    let isUncertain: Bool

    /// - Parameter character: neither a control character nor a line break.
    init(_ character: Character) {
        let width = DisplayWidth.of(String(character))
        let scalars = character.unicodeScalars
        // A mark without a letter gets the circle with which Unicode shows such marks.
        text = width == 0 ? "\u{25CC}\(character)" : String(character)
        // An emoji selector makes a narrow character wide on some terminals.
        self.width = max(scalars.contains("\u{FE0F}") ? 2 : 1, width)
        isUncertain = scalars.count > 1 || width == 0 || scalars.contains { (0x1F1E6...0x1F1FF).contains($0.value) }
    }

    /// The glyphs of one line of foreign text; control characters are shown as code points.
    static func line(_ text: String) -> [Glyph] { SafeText.line(text).map(Glyph.init) }
}

/// The contents of a screen: rows of cells.
struct Grid: Hashable {
    struct Cell: Hashable {
        /// The glyph that begins in this column; nil for a column that a glyph to the left covers.
        var glyph: Glyph?
        var style: CellStyle

        static let space = Cell(glyph: Glyph(" "), style: .plain)
    }

    let columns: Int
    let rows: Int
    private(set) var cells: [Cell]
    /// The place of the terminal's cursor; nil hides it.
    var cursor: Place?

    struct Place: Hashable {
        var row: Int
        var column: Int
    }

    /// Greatest numbers of columns and rows that are drawn; a terminal can claim any size.
    static let sideMax = 2_000

    /// An empty grid. Sizes outside 0 and `sideMax` are clamped.
    init(columns: Int, rows: Int) {
        self.columns = min(max(0, columns), Self.sideMax)
        self.rows = min(max(0, rows), Self.sideMax)
        cells = Array(repeating: .space, count: self.columns * self.rows)
    }

    subscript(row: Int, column: Int) -> Cell { cells[row * columns + column] }

    /// Writes glyphs into a row, and cuts them at `limit` and at the edges of the grid. A glyph that
    /// does not fit becomes spaces.
    ///
    /// - Returns: the column after the last glyph.
    @discardableResult
    mutating func put(
        _ glyphs: some Sequence<Glyph>, row: Int, column: Int, limit: Int = .max, style: CellStyle = .plain
    ) -> Int {
        let limit = min(limit, columns)
        var column = column
        guard (0..<rows).contains(row), column >= 0 else { return column }
        for glyph in glyphs {
            guard column < limit else { break }
            guard glyph.width <= limit - column else {
                while column < limit {
                    place(Glyph(" "), row * columns, column, style)
                    column += 1
                }
                break
            }
            place(glyph, row * columns, column, style)
            column += glyph.width
        }
        return column
    }

    /// Writes text of the program itself.
    @discardableResult
    mutating func put(_ text: String, row: Int, column: Int, limit: Int = .max, style: CellStyle = .plain) -> Int {
        put(Glyph.line(text), row: row, column: column, limit: limit, style: style)
    }

    /// Places a glyph that fits. Other glyphs that it cuts in two become spaces.
    ///
    /// - Parameter start: the index of the row's first cell.
    private mutating func place(_ glyph: Glyph, _ start: Int, _ column: Int, _ style: CellStyle) {
        clearGlyph(over: column, in: start)
        cells[start + column] = Cell(glyph: glyph, style: style)
        for covered in 1..<glyph.width { cells[start + column + covered] = Cell(glyph: nil, style: style) }
        var next = column + glyph.width
        while next < columns, cells[start + next].glyph == nil {
            cells[start + next].glyph = Glyph(" ")
            next += 1
        }
    }

    /// Replaces with spaces the glyph to the left that covers a column, and what it covers.
    private mutating func clearGlyph(over column: Int, in start: Int) {
        guard cells[start + column].glyph == nil else { return }
        var first = column
        while first > 0, cells[start + first].glyph == nil { first -= 1 }
        for covered in first..<column { cells[start + covered].glyph = Glyph(" ") }
    }

    /// Changes the style of some cells of a row.
    mutating func restyle(row: Int, columns: Range<Int>, _ change: (inout CellStyle) -> Void) {
        guard (0..<rows).contains(row) else { return }
        for column in columns.clamped(to: 0..<self.columns) { change(&cells[row * self.columns + column].style) }
    }

    /// The text of each row without its trailing spaces, for tests and messages.
    var lines: [String] {
        (0..<rows).map { row in
            let text = (0..<columns).compactMap { self[row, $0].glyph?.text }.joined()
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
    }
}
