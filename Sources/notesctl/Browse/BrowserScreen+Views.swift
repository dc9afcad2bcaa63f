import NotesModel
import NotesWire

/// The views that take the note's place, and the carets of others.
extension BrowserScreen {
    // MARK: The history

    mutating func draw(_ pane: HistoryPane) {
        let (width, height) = (layout.note.width, layout.note.height)
        let table = HistoryTable(
            local: local, columns: width, style: Style(isOn: false), hidden: pane.history.hidden, sides: pane.history.sides)
        let lines = table.lines(pane.history.revisions)
        let tableHeight = pane.tableHeight(of: height)
        for (offset, line) in lines.dropFirst(pane.top).prefix(tableHeight).enumerated() {
            let isChosen = pane.top + offset == pane.cursor
            let fitted = DisplayWidth.fit(line, columns: width)
            draw(Glyph.line(fitted), at: 1 + offset, CellStyle(isReversed: isChosen))
        }
        draw(Glyph.line(String(repeating: "─", count: width)), at: 1 + tableHeight, .dim)
        let first = 2 + tableHeight
        guard let difference = pane.difference else { return }
        if difference.isEmpty { draw(Glyph.line("this revision left the text as it was"), at: first, .dim) }
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
