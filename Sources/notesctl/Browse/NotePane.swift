import NotesModel
import NotesWire

/// The note that is shown: its text in lines that fit the pane, and the scroll position.
struct NotePane {
    private(set) var note: NoteObject
    private(set) var top = 0
    /// The lines for `width`.
    private(set) var lines: [Line] = []
    private var width: Int?

    /// One line on the screen.
    struct Line: Hashable {
        var glyphs: [Glyph] = []
        var style = CellStyle.plain
    }

    /// Bytes of a text that are shown; the editor shows all.
    static let textBytesMax = 256 * 1_024
    private static let tabColumns = 8

    init(_ note: NoteObject) { self.note = note }

    /// Takes the note's new state. The scroll position stays.
    mutating func update(_ note: NoteObject) {
        var note = note
        // The report of a deletion has no text and no name; the last ones stay.
        if note.head.isDeleted, self.note.head.id == note.head.id {
            note.body = self.note.body
            note.head.name = self.note.head.name
            note.head.title = self.note.head.title
        }
        if note.text != self.note.text { width = nil }
        self.note = note
    }

    /// Wraps the text for a pane, if it is not wrapped for that width, and keeps the scroll position
    /// inside the text.
    ///
    /// - Complexity: O(text), at most `textBytesMax`.
    mutating func fit(width: Int, height: Int) {
        if self.width != width {
            self.width = width
            lines = Self.lines(of: note.text ?? [], width: max(1, width))
        }
        top = max(0, min(top, lines.count - height))
    }

    mutating func scroll(by count: Int, height: Int) {
        top = max(0, min(top + min(max(count, -lines.count), lines.count), lines.count - height))
    }

    static func lines(of text: [UInt8], width: Int) -> [Line] {
        let shown = text.prefix(textBytesMax)
        var lines: [Line] = []
        for line in shown.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let style = line.first == UInt8(ascii: "#") ? CellStyle.bold : .plain
            lines += wrapped(glyphs(String(decoding: line, as: UTF8.self)), width: width).map { Line(glyphs: $0, style: style) }
        }
        // The last line feed ends a line and begins none.
        if shown.last == UInt8(ascii: "\n") || shown.isEmpty { lines.removeLast() }
        if text.count > shown.count {
            let rest = "… \(ByteCount.text(text.count - shown.count)) more; e shows the whole text in your editor"
            lines += wrapped(glyphs(rest), width: width).map { Line(glyphs: $0, style: .dim) }
        }
        return lines
    }

    /// The glyphs of one line. Tabs become spaces up to the next tab stop.
    static func glyphs(_ text: String) -> [Glyph] {
        var glyphs: [Glyph] = []
        var column = 0
        for (number, part) in text.split(separator: "\t", omittingEmptySubsequences: false).enumerated() {
            if number > 0 {
                let spaces = tabColumns - column % tabColumns
                glyphs += Array(repeating: Glyph(" "), count: spaces)
                column += spaces
            }
            let added = Glyph.line(String(part))
            column += added.reduce(0) { $0 + $1.width }
            glyphs += added
        }
        return glyphs
    }

    /// Breaks a line after spaces, and inside a word only if it is wider than the pane.
    private static func wrapped(_ glyphs: [Glyph], width: Int) -> [[Glyph]] {
        var lines: [[Glyph]] = []
        var (start, place, columns) = (0, 0, 0)
        // The place after the last space of the line.
        var afterSpace: Int?
        while place < glyphs.count {
            let glyph = glyphs[place]
            if columns + glyph.width > width, place > start, glyph.text != " " {
                let end = afterSpace ?? place
                lines.append(Array(glyphs[start..<end]))
                (start, columns, afterSpace) = (end, glyphs[end..<place].reduce(0) { $0 + $1.width }, nil)
            }
            columns += glyph.width
            place += 1
            if glyph.text == " " { afterSpace = place }
        }
        lines.append(Array(glyphs[start...]))
        return lines
    }
}
