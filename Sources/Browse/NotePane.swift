import Console
import NoteText
import NotesModel
import NotesSearch
import NotesWire
import TextMerge

/// The note that is shown: its text in lines that fit the pane, and the scroll position.
struct NotePane {
    private(set) var note: NoteObject
    private(set) var top = 0
    /// The lines for `width`.
    private(set) var lines: [Line] = []
    private var width: Int?
    /// The lines of the text that `lines` show, and the number of screen lines before each.
    private var source = Lines([])
    private var firsts: [Int] = [0]
    private var wrappedLines: [[Line]] = []
    /// The places of the searched words in the text that is shown, ascending.
    private(set) var found: [Range<Int>] = []
    /// The query whose words are marked; nil if none are.
    private(set) var markedQuery: SearchQuery?
    /// Whether the text has changed since its words were marked.
    private var isMarkingDue = false
    /// The query for which the pane, or the caret, was moved to the first place.
    private var (scrolledFor, enteredFor): (SearchQuery?, SearchQuery?)

    /// One line on the screen.
    struct Line: Hashable {
        var glyphs: [Glyph] = []
        var style = CellStyle.plain
        /// For each glyph, the offset of its character in the line of the text.
        var offsets: [Int] = []
    }

    /// Bytes of a text that are shown; the editor shows all.
    static let textBytesMax = 256 * 1_024
    private static let tabColumns = 8

    init(_ note: NoteObject) { self.note = note }

    /// Whether the pane shows the whole text.
    var isWhole: Bool { (note.text?.count ?? 0) <= Self.textBytesMax && note.head.kind == .text }

    /// Takes the note's new state. The scroll position stays.
    mutating func update(_ note: NoteObject) {
        var note = note
        // The report of a deletion has no text and no name; the last ones stay.
        if note.head.isDeleted, self.note.head.id == note.head.id {
            note.head.name = self.note.head.name
            note.head.title = self.note.head.title
            note.body = self.note.body
        }
        // A line of the watch with edits changes the text of the session, which hands it to the pane.
        if note.text == nil { note.body = self.note.body }
        if note.text != self.note.text { (width, isMarkingDue) = (nil, true) }
        self.note = note
    }

    /// Takes a text that the user or somebody else changed.
    mutating func update(text: [UInt8]) {
        guard note.text?.isSame(as: text) != true else { return }
        note.body = .text(text)
        (width, isMarkingDue) = (nil, true)
    }

    /// Wraps the text for a pane, if it is not wrapped for that width, and keeps the scroll position
    /// inside the text.
    ///
    /// - Complexity: O(text) for the comparison, at most `textBytesMax`, and O(changed lines).
    mutating func fit(width: Int, height: Int) {
        if self.width != width {
            wrap(width: max(1, width), keepsLines: lines.isEmpty || wrappedWidth == width)
            (self.width, wrappedWidth) = (width, width)
        }
        top = max(0, min(top, lines.count - height))
    }

    private var wrappedWidth: Int?

    /// Wraps the lines of the text that differ from those wrapped before.
    private mutating func wrap(width: Int, keepsLines: Bool) {
        let text = note.head.kind == .file ? fileWords : note.text ?? []
        let new = Lines(Array(text.prefix(Self.textBytesMax)))
        let prefix = keepsLines ? source.commonLines(atStartOf: new) : 0
        let suffix = keepsLines ? source.commonLines(atEndOf: new, below: prefix) : 0
        let changed = (prefix..<new.count - suffix).map { Self.lines(ofLine: new[$0], width: width) }
        wrappedLines.replaceSubrange(prefix..<wrappedLines.count - suffix, with: changed)
        source = new
        lines = Array(wrappedLines.joined())
        firsts = wrappedLines.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        guard text.count > Self.textBytesMax else { return }
        let rest = "… \(ByteCount.text(text.count - Self.textBytesMax)) more; e shows the whole text in your editor"
        lines += Self.wrapped(Self.glyphs(rest), width: width).map { Line(glyphs: $0.map(\.glyph), style: .dim) }
    }

    /// Lines for a file, which has no text to show: type and size of each content, then the description.
    private var fileWords: [UInt8] {
        let text = note.text ?? []
        let type = FileType.of(note.head.name)
        var words = FileContent.all(of: text).map { "\(type), \(ByteCount.text($0.bytes))" }
        if words.count > 1 { words.append("\(words.count) contents at once; `notesctl file put` settles it") }
        words += ["", "Enter opens a copy; `notesctl file view` shows a picture."]
        return Array((words.joined(separator: "\n") + "\n\n").utf8) + FileContent.description(of: text)
    }

    mutating func scroll(by count: Int, height: Int) {
        top = max(0, min(top + min(max(count, -lines.count), lines.count), lines.count - height))
    }

    /// Scrolls as little as necessary to show a screen line.
    mutating func scroll(to row: Int, height: Int) {
        top = max(0, min(max(top, row - max(1, height) + 1), row))
    }

    // MARK: Searched words

    /// Finds the words of a query in the text that is shown, unless they are known.
    mutating func mark(_ query: SearchQuery?, _ marks: SearchMarks?) {
        guard query != markedQuery || isMarkingDue else { return }
        (markedQuery, isMarkingDue) = (query, false)
        guard let query, let marks, let text = note.text, note.head.kind == .text else {
            found = []
            return
        }
        do { found = try marks.ranges(of: query, in: Array(text.prefix(Self.textBytesMax))) } catch { found = [] }
    }

    /// Scrolls to the first place of the searched words, once for each search, and shows some lines before it.
    mutating func scrollToFound(height: Int) {
        guard scrolledFor != markedQuery else { return }
        scrolledFor = markedQuery
        guard let first = found.first else { return }
        let row = place(of: first.lowerBound).row
        guard row < top || row >= top + height else { return }
        top = max(0, min(row - height / 3, lines.count - height))
    }

    /// The first place of the searched words, when the user goes into the note for the first time
    /// since the search found it.
    mutating func enter() -> Int? {
        guard enteredFor != markedQuery else { return nil }
        enteredFor = markedQuery
        return found.first?.lowerBound
    }

    private static func lines(ofLine line: ArraySlice<UInt8>, width: Int) -> [Line] {
        let line = line.last == UInt8(ascii: "\n") ? line.dropLast() : line
        let style = line.first == UInt8(ascii: "#") ? CellStyle.bold : .plain
        return wrapped(glyphs(String(decoding: line, as: UTF8.self)), width: width).map {
            Line(glyphs: $0.map(\.glyph), style: style, offsets: $0.map(\.offset))
        }
    }

    /// The lines of a text without line ends for a pane of some width.
    static func lines(of text: String, width: Int, style: CellStyle) -> [Line] {
        wrapped(glyphs(text), width: width).map { Line(glyphs: $0.map(\.glyph), style: style) }
    }

    // MARK: Places

    /// The screen line and column of an offset in the text.
    ///
    /// - Complexity: O(log lines + glyphs of the line).
    func place(of offset: Int) -> (row: Int, column: Int) {
        let line = line(of: offset)
        guard line < source.count else { return (firsts[source.count], 0) }
        guard offset >= source.bounds[line] else { return (firsts[line], 0) }
        let inside = offset - source.bounds[line]
        let rows = wrappedLines[line]
        let index = rows.lastIndex { ($0.offsets.first ?? 0) <= inside } ?? 0
        let row = rows[index]
        let column = zip(row.glyphs, row.offsets).reduce(0) { $1.1 < inside ? $0 + $1.0.width : $0 }
        return (firsts[line] + index, column)
    }

    /// The offset in the text that is nearest to a column of a screen line.
    func offset(row: Int, column: Int) -> Int {
        let row = min(max(0, row), firsts[source.count])
        var (low, high) = (0, source.count)
        while low < high {
            let middle = (low + high) / 2
            if firsts[middle + 1] <= row { low = middle + 1 } else { high = middle }
        }
        guard low < source.count else { return source.text.count }
        let rows = wrappedLines[low]
        let line = rows[row - firsts[low]]
        var columns = 0
        for (glyph, offset) in zip(line.glyphs, line.offsets) {
            if columns + glyph.width > column { return source.bounds[low] + offset }
            columns += glyph.width
        }
        // The end of a screen line that goes on below is before its last character.
        if row - firsts[low] + 1 < rows.count, let last = line.offsets.last { return source.bounds[low] + last }
        return end(of: low)
    }

    /// The index of the line that contains an offset. After the last LF, a line begins that has no bytes.
    private func line(of offset: Int) -> Int {
        var (low, high) = (0, source.count)
        while low < high {
            let middle = (low + high) / 2
            if source.bounds[middle + 1] <= offset { low = middle + 1 } else { high = middle }
        }
        return low == source.count && low > 0 && source.endsUnterminated ? low - 1 : low
    }

    private func end(of line: Int) -> Int {
        let end = source.bounds[line + 1]
        return source.text[end - 1] == UInt8(ascii: "\n") ? end - 1 : end
    }

    // MARK: Glyphs

    /// The glyphs of one line. Tabs become spaces up to the next tab stop.
    static func glyphs(_ text: String) -> [(glyph: Glyph, offset: Int)] {
        var glyphs: [(glyph: Glyph, offset: Int)] = []
        var (column, offset) = (0, 0)
        for character in text {
            let added =
                character == "\t"
                ? Array(repeating: Glyph(" "), count: tabColumns - column % tabColumns) : Glyph.line(String(character))
            column += added.reduce(0) { $0 + $1.width }
            glyphs += added.map { ($0, offset) }
            offset += character.utf8.count
        }
        return glyphs
    }

    /// Breaks a line after spaces, and inside a word only if it is wider than the pane.
    private static func wrapped(_ glyphs: [(glyph: Glyph, offset: Int)], width: Int) -> [[(glyph: Glyph, offset: Int)]] {
        var lines: [[(glyph: Glyph, offset: Int)]] = []
        var (start, place, columns) = (0, 0, 0)
        // The place after the last space of the line.
        var afterSpace: Int?
        while place < glyphs.count {
            let glyph = glyphs[place].glyph
            if columns + glyph.width > width, place > start, glyph.text != " " {
                let end = afterSpace ?? place
                lines.append(Array(glyphs[start..<end]))
                (start, columns, afterSpace) = (end, glyphs[end..<place].reduce(0) { $0 + $1.glyph.width }, nil)
            }
            columns += glyph.width
            place += 1
            if glyph.text == " " { afterSpace = place }
        }
        lines.append(Array(glyphs[start...]))
        return lines
    }
}
