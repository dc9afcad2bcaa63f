import Console
import EditSession
import NoteTasks
import NoteText
import NotesModel
import NotesWire

/// Draws a `Browser`.
struct BrowserScreen {
    let browser: Browser
    let now: Timestamp
    let local: (Timestamp) -> CalendarTime
    let hasColours: Bool
    var grid: Grid

    var layout: BrowserLayout { browser.layout }

    /// The whole screen.
    ///
    /// - Parameters:
    ///   - local: a time in the user's time zone.
    ///   - hasColours: whether the screen uses colours; other styles remain.
    /// - Complexity: O(cells).
    static func grid(
        _ browser: Browser, now: Timestamp, local: @escaping (Timestamp) -> CalendarTime, hasColours: Bool
    ) -> Grid {
        var screen = BrowserScreen(
            browser: browser, now: now, local: local, hasColours: hasColours,
            grid: Grid(columns: browser.layout.columns, rows: browser.layout.rows))
        screen.draw()
        return screen.grid
    }

    private mutating func draw() {
        guard !layout.isTooSmall else {
            for row in 0..<grid.rows { put(row == 0 ? "too small; ^C quits" : "", row, 0) }
            return
        }
        drawFrame()
        if let top = browser.helpTop {
            drawHelp(top)
        } else if layout.hasTwoPanes {
            drawList()
            drawNote()
        } else if showsNote {
            drawNote()
        } else {
            drawList()
        }
        if let prompt = browser.prompt {
            draw(prompt)
        } else if let message = browser.message {
            draw(message: message)
        }
        drawKeys()
    }

    /// Most rows of a message.
    private static let messageRowsMax = 4

    /// Draws a message in its row, and a long one also in the rows above, so that nothing is cut.
    private mutating func draw(message: String) {
        let start = layout.hasTwoPanes ? 1 : 0
        let width = max(1, layout.columns - 2 * start - 2)
        let lines = NotePane.lines(of: message, width: width, style: .plain)
            .prefix(layout.messageRow > 0 ? min(Self.messageRowsMax, layout.messageRow) : 1)
        for (offset, line) in lines.enumerated() {
            let row = layout.messageRow - lines.count + 1 + offset
            if !layout.hasTwoPanes || offset < lines.count - 1 {
                put(String(repeating: " ", count: layout.columns - 2 * start), row, start)
            }
            let end = put(" ", row, start)
            grid.put(line.glyphs, row: row, column: end, limit: layout.columns - 1, style: colour(.yellow))
            put(" ", row, end + line.glyphs.reduce(0) { $0 + $1.width }, limit: layout.columns - 1)
        }
    }

    private mutating func draw(_ prompt: BrowserPrompt) {
        guard !prompt.asksOnly else { return draw(message: prompt.label) }
        let (row, end) = (layout.messageRow, layout.columns - 1)
        put(String(repeating: " ", count: layout.columns), row, 0)
        var column = put(" \(prompt.label)", row, 0, limit: end, colour(.yellow))
        column = min(column, max(0, end - 20))
        let before = prompt.line.characters[..<prompt.line.caret].map(String.init).joined()
        let width = DisplayWidth.of(SafeText.line(before))
        let glyphs = Glyph.line(prompt.line.text)
        put(String(repeating: " ", count: max(0, end - column)), row, column, limit: end)
        grid.put(glyphs, row: row, column: column, limit: end, style: .bold)
        grid.cursor = Grid.Place(row: row, column: min(column + width, end - 1))
    }

    /// Whether a screen with one pane shows the note.
    private var showsNote: Bool { browser.place == .note || browser.hasView }

    func colour(_ colour: CellStyle.Colour) -> CellStyle { hasColours ? CellStyle(colour: colour) : .plain }

    @discardableResult
    mutating func put(_ text: String, _ row: Int, _ column: Int, limit: Int = .max, _ style: CellStyle = .plain) -> Int {
        grid.put(text, row: row, column: column, limit: limit, style: style)
    }

    // MARK: The frame and the top line

    private mutating func drawFrame() {
        let bottom = layout.messageRow
        if layout.hasTwoPanes {
            let (left, right) = (layout.list.width, layout.note.width)
            func border(_ start: String, _ middle: String, _ end: String) -> String {
                start + String(repeating: "─", count: left) + middle + String(repeating: "─", count: right) + end
            }
            put(border("┌", "┬", "┐"), 0, 0, .dim)
            for row in 1..<bottom {
                for column in [0, left + 1, layout.columns - 1] { put("│", row, column, .dim) }
            }
            put(border("└", "┴", "┘"), bottom, 0, .dim)
            drawSearch(layout.list)
            drawTitle(layout.note)
        } else {
            put(String(repeating: "─", count: layout.columns), 0, 0, .dim)
            if bottom > 0 { put(String(repeating: "─", count: layout.columns), bottom, 0, .dim) }
            if showsNote { drawTitle(layout.note) } else { drawSearch(layout.list) }
        }
    }

    /// The state of the list: offline, the number of hits, or the number of notes.
    private var count: (text: String, style: CellStyle) {
        guard browser.isOnline else {
            return (layout.list.width < 36 ? " offline " : " offline, reconnecting ", colour(.red))
        }
        guard browser.listing.kind == .text || browser.isFiltered else { return (" files ", .dim) }
        guard let count = browser.noteCount else { return ("", .dim) }
        let all = Self.grouped(count)
        guard browser.isFiltered else { return (" \(all) \(count == 1 ? "note" : "notes") ", .dim) }
        let hits = Self.grouped(browser.rows.rows.count { !$0.isGone })
        return (" \(hits)\(browser.listing.next == nil ? "" : "+") of \(all) ", .dim)
    }

    /// The digits of a number in groups of three.
    private static func grouped(_ number: Int) -> String {
        let digits = Array(String(number))
        return String(
            digits.enumerated().flatMap { place, digit in
                place > 0 && (digits.count - place).isMultiple(of: 3) ? [",", digit] : [digit]
            })
    }

    private mutating func drawSearch(_ pane: BrowserLayout.Pane) {
        let (count, countStyle) = count
        let end = pane.column + pane.width
        let hasCount = pane.width >= count.count + 8
        let limit = end - (hasCount ? count.count : 0)
        if hasCount { put(count, 0, limit, limit: end, countStyle) }
        let isFocused = browser.place == .search
        guard !browser.line.isEmpty || isFocused else {
            put(" / searches ", 0, pane.column, limit: limit, .dim)
            return
        }
        // The glyphs around the caret that fit, with a space before and after.
        let glyphs = browser.line.characters.map { Glyph.line(String($0)) }
        var start = browser.line.caret
        var width = 0
        let room = max(1, limit - pane.column - 3)
        while start > 0, width + glyphs[start - 1].reduce(0, { $0 + $1.width }) <= room {
            start -= 1
            width += glyphs[start].reduce(0) { $0 + $1.width }
        }
        var column = put(" ", 0, pane.column, limit: limit)
        let caret = column + width
        if browser.line.isEmpty {
            column = put("type to search", 0, column, limit: limit, .dim)
        } else {
            column = grid.put(glyphs[start...].joined(), row: 0, column: column, limit: limit, style: isFocused ? .bold : .plain)
        }
        put(" ", 0, column, limit: limit)
        if isFocused, browser.helpTop == nil { grid.cursor = Grid.Place(row: 0, column: min(caret, limit - 1)) }
    }

    private mutating func drawTitle(_ pane: BrowserLayout.Pane) {
        guard let head = browser.pane?.note.head else { return }
        let conflicts = browser.pane?.note.conflicts.count ?? 0
        let others = browser.others(in: head.id)
        let parts = [
            browser.history == nil ? browser.view?.title ?? "" : "history", head.isDeleted ? "deleted" : "",
            browser.isOnline || layout.hasTwoPanes ? "" : "offline",
            browser.session.map { $0.isSaved ? browser.place == .note ? "saved" : "" : "not saved yet" } ?? "",
            others > 0 ? "\(others + 1) here" : "",
            conflicts > 0 ? counted(conflicts, "conflict") : "",
        ].filter { !$0.isEmpty }
        let state = parts.isEmpty ? "" : " \(parts.joined(separator: " · ")) "
        let end = pane.column + pane.width
        let hasState = pane.width >= state.count + 8
        let limit = end - (hasState ? state.count : 0)
        if hasState { put(state, 0, limit, limit: end, conflicts > 0 || head.isDeleted ? colour(.red) : .plain) }
        let label = DisplayWidth.fitMiddle(SafeText.line(NoteLabel.of(head)), columns: max(0, limit - pane.column - 2))
        let trimmed = String(label.reversed().drop { $0 == " " }.reversed())
        put(" \(trimmed) ", 0, pane.column, limit: limit, browser.place == .note ? .bold : .plain)
    }

    // MARK: The list

    /// Columns of a note's age, such as `2026-11-12`.
    private static let ageColumns = 10
    /// Fewest columns of a list with ages, and of one with titles.
    private static let (agesMin, titlesMin) = (28, 50)

    private mutating func drawList() {
        let pane = layout.list
        let rows = browser.rows
        for (offset, row) in rows.rows.dropFirst(rows.top).prefix(pane.height).enumerated() {
            draw(row, at: 1 + offset, isChosen: rows.top + offset == rows.cursor)
        }
        guard rows.rows.isEmpty else { return }
        let sentence =
            browser.isFiltered
            ? "no note matches" : browser.listing.kind == .file ? "no files yet" : browser.noteCount == 0 ? "no notes yet" : ""
        put(sentence, 1, pane.column + 1, limit: pane.column + pane.width, .dim)
    }

    private mutating func draw(_ row: NoteRows.Row, at line: Int, isChosen: Bool) {
        let pane = layout.list
        let end = pane.column + pane.width
        let isReversed = isChosen && browser.place != .note
        var plain = CellStyle(isReversed: isReversed)
        if isReversed { put(String(repeating: " ", count: pane.width), line, pane.column, limit: end, plain) }
        put(isChosen ? "▸" : " ", line, pane.column, limit: end, plain)
        var limit = end
        if pane.width >= Self.agesMin {
            let modified = row.head.modified
            let age = row.isGone ? "gone" : RelativeTime.relative(modified, now: now, local: local(modified))
            plain.isDim = true
            put(age, line, end - min(age.count, Self.ageColumns), limit: end, plain)
            limit = end - Self.ageColumns - 1
        }
        let rest = limit - pane.column - 1
        let nameWidth = pane.width >= Self.titlesMin && row.head.name != nil ? rest / 2 : rest
        let name = DisplayWidth.fitMiddle(SafeText.line(NoteLabel.of(row.head)), columns: max(0, nameWidth))
        let style = CellStyle(isBold: row.head.name != nil && !row.isGone, isDim: row.isGone, isReversed: isReversed)
        put(name, line, pane.column + 1, limit: limit, style)
        guard nameWidth < rest else { return }
        let title = DisplayWidth.fit(
            SafeText.line(Self.title(of: row.head)), columns: max(0, rest - nameWidth - 1), fills: false)
        put(title, line, pane.column + 2 + nameWidth, limit: limit, CellStyle(isReversed: isReversed))
    }

    /// The title of a note; type and size of a file.
    private static func title(of head: Head) -> String {
        head.file.map { "\(FileType.of(head.name)), \(ByteCount.text($0.bytes))" } ?? head.title.description
    }

    // MARK: The note

    private mutating func drawNote() {
        if let history = browser.history { return draw(history) }
        switch browser.view {
        case .choice(let pane): return draw(pane)
        case .conflicts(let pane): return draw(pane)
        case nil: break
        }
        guard let note = browser.pane else { return }
        let conflicts = browser.session?.conflicts ?? []
        for (offset, line) in note.lines.dropFirst(note.top).prefix(layout.note.height).enumerated() {
            let row = note.top + offset
            let isInConflict = conflicts.contains { conflict in
                note.place(of: conflict.lowerBound).row <= row
                    && row <= note.place(of: max(conflict.lowerBound, conflict.upperBound - 1)).row
            }
            draw(line.glyphs, at: 1 + offset, isInConflict ? colour(.red) : line.style)
        }
        drawFound(in: note)
        if browser.place == .note, browser.prompt == nil, browser.helpTop == nil, note.isWhole, let caret = browser.session?.caret
        {
            let place = note.place(of: caret)
            let column = layout.note.column + min(place.column, layout.note.width - 1)
            if place.row - note.top < layout.note.height {
                grid.cursor = Grid.Place(row: 1 + place.row - note.top, column: column)
            }
        }
        for caret in browser.othersCarets { drawCaret(caret, in: note) }
        if note.lines.isEmpty { put("(empty)", 1, layout.note.column, limit: layout.note.column + layout.note.width, .dim) }
    }

    mutating func draw(_ glyphs: some Sequence<Glyph>, at row: Int, _ style: CellStyle) {
        let pane = layout.note
        grid.put(glyphs, row: row, column: pane.column, limit: pane.column + pane.width, style: style)
    }

    // MARK: Keys

    private mutating func drawHelp(_ top: Int) {
        for row in 0..<layout.bodyHeight {
            let line = BrowserHelp.lines.dropFirst(top + row).first ?? ""
            let start = layout.hasTwoPanes ? 1 : 0
            let width = layout.columns - 2 * start
            put(DisplayWidth.fit(line, columns: width), 1 + row, start, line.hasPrefix(" ") ? .plain : .bold)
        }
    }

    /// Draws the most important keys, as many as fit whole.
    private mutating func drawKeys() {
        var column = 1
        for hint in KeyHint.fitting(KeyHint.all(browser), columns: layout.columns - column) {
            column = put(hint.key, layout.rows - 1, column, .bold)
            column = put(" \(hint.does)", layout.rows - 1, column) + KeyHint.gap
        }
    }
}
