import Console
import NoteTasks
import NotesModel
import NotesWire

/// The views that take the note's place, and the carets of others.
extension BrowserScreen {
    // MARK: The history

    mutating func draw(_ pane: HistoryPane) {
        let (width, height) = (layout.note.width, layout.note.height)
        let rows = HistoryRows(pane.history, now: now, local: local)
        let tableHeight = pane.tableHeight(of: height)
        for (offset, line) in rows.lines(columns: width).dropFirst(pane.top).prefix(tableHeight).enumerated() {
            let isChosen = pane.top + offset == pane.cursor
            draw(Glyph.line(line), at: 1 + offset, CellStyle(isReversed: isChosen))
        }
        draw(Glyph.line(String(repeating: "─", count: width)), at: 1 + tableHeight, .dim)
        if let chosen = pane.chosen {
            let detail = DisplayWidth.fit(" \(rows.detail(chosen)) ", columns: max(0, width - 2), fills: false)
            put(detail, 1 + tableHeight, layout.note.column + 1, limit: layout.note.column + width, .dim)
        }
        let first = 2 + tableHeight
        guard let difference = pane.difference else { return }
        if difference.isEmpty { draw(Glyph.line("the text stayed as it was"), at: first, .dim) }
        let shown = difference.dropFirst(pane.differenceTop).prefix(max(0, height - tableHeight - 1))
        for (offset, line) in shown.enumerated() {
            draw(
                NotePane.glyphs(String(decoding: line.bytes, as: UTF8.self)).map(\.glyph), at: first + offset,
                style(of: line.kind))
        }
    }

    private func style(of kind: UnifiedDiff.Line.Kind) -> CellStyle {
        switch kind {
        case .file: .bold
        case .place: colour(.cyan)
        case .removed: colour(.red)
        case .added: colour(.green)
        case .remark: .dim
        case .same: .plain
        }
    }

    // MARK: Links, tags and conflicts

    mutating func draw(_ pane: ChoicePane) {
        let (column, width) = (layout.note.column, layout.note.width)
        if pane.items.isEmpty { draw(Glyph.line("(none)"), at: 1, .dim) }
        let shown = pane.items.dropFirst(pane.top).prefix(layout.note.height)
        let labelMax = max(1, width * 3 / 5)
        let labelWidth = min(labelMax, shown.map { DisplayWidth.of($0.label) }.max() ?? 0)
        for (offset, item) in shown.enumerated() {
            let isChosen = pane.top + offset == pane.cursor
            let style = CellStyle(isReversed: isChosen)
            let label = DisplayWidth.fit(DisplayWidth.fitMiddle(item.label, columns: labelWidth), columns: labelWidth)
            draw(Glyph.line(DisplayWidth.fit("\(label)  \(item.detail)", columns: width)), at: 1 + offset, style)
            if !isChosen { put(label, 1 + offset, column, limit: column + width, .bold) }
        }
    }

    mutating func draw(_ pane: ConflictPane) {
        for (offset, line) in pane.lines.dropFirst(pane.top).prefix(layout.note.height).enumerated() {
            draw(line.glyphs, at: 1 + offset, hasColours ? line.style : line.style.colourless)
            guard let time = pane.times[pane.top + offset] else { continue }
            let column = layout.note.column + line.glyphs.reduce(0) { $0 + $1.width }
            let age = RelativeTime.ago(time, now: now, local: local(time))
            put(", \(age)", 1 + offset, column, limit: layout.note.column + layout.note.width)
        }
    }

    // MARK: Searched words

    /// The parts of the shown lines that contain searched words.
    private func found(in note: NotePane) -> [(row: Int, columns: Range<Int>)] {
        let first = note.offset(row: note.top, column: 0)
        var parts: [(row: Int, columns: Range<Int>)] = []
        for range in note.found.lazy.drop(while: { $0.upperBound <= first }) {
            let (start, end) = (note.place(of: range.lowerBound), note.place(of: range.upperBound))
            let last = min(end.row, note.top + layout.note.height - 1, note.lines.count - 1)
            if start.row > last { break }
            guard last >= note.top else { continue }
            for row in max(start.row, note.top)...last {
                let low = row == start.row ? start.column : 0
                let high = row == end.row ? end.column : note.lines[row].glyphs.reduce(0) { $0 + $1.width }
                if low < high { parts.append((row - note.top, low..<high)) }
            }
        }
        return parts
    }

    /// Underlines the searched words in the note.
    mutating func drawFound(in note: NotePane) {
        let column = layout.note.column
        for part in found(in: note) {
            let columns = part.columns.clamped(to: 0..<layout.note.width)
            grid.restyle(row: 1 + part.row, columns: column + columns.lowerBound..<column + columns.upperBound) { style in
                (style.isBold, style.isUnderlined) = (true, true)
                if hasColours { style.colour = style.colour ?? .yellow }
            }
        }
    }

    // MARK: The carets of others

    /// Draws the cell at another client's caret in reverse.
    mutating func drawCaret(_ caret: Int, in note: NotePane) {
        let place = note.place(of: caret)
        let row = place.row - note.top
        guard (0..<layout.note.height).contains(row), place.column < layout.note.width else { return }
        var columns = 0
        let glyph =
            note.lines.indices.contains(place.row)
            ? note.lines[place.row].glyphs.first { glyph in
                defer { columns += glyph.width }
                return columns == place.column
            } : nil
        let style = CellStyle(isReversed: true, colour: hasColours ? .cyan : nil)
        let column = layout.note.column
        grid.put(
            [glyph ?? Glyph(" ")], row: 1 + row, column: column + place.column, limit: column + layout.note.width, style: style)
    }
}
