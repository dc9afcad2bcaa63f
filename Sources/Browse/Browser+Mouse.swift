import EditSession

/// The mouse.
extension Browser {
    /// Lines that one step of the wheel moves by.
    private static let wheelLines = 3

    /// Handles a click or a step of the wheel. The part of the screen under the mouse receives it.
    mutating func pressMouse(_ key: Key, _ now: Duration) {
        guard prompt == nil, helpTop == nil, !opensResult, waiting.isEmpty else { return }
        switch key {
        case .wheel(let isUp, _, let column): turn(by: isUp ? -Self.wheelLines : Self.wheelLines, isInNote(column), now)
        case .click(let row, let column): click(row, column, now)
        default: break
        }
    }

    /// Whether a column is in the note or the view in its place.
    private func isInNote(_ column: Int) -> Bool {
        layout.hasTwoPanes ? column >= layout.note.column : place == .note || hasView
    }

    private mutating func turn(by count: Int, _ isInNote: Bool, _ now: Duration) {
        guard isInNote else {
            guard place != .note else { return }
            let before = rows.cursor
            rows.move(by: count)
            if rows.cursor != before { listing.hasChosen = true }
            return
        }
        if history != nil {
            history?.scrollDifference(by: count)
        } else if let view {
            for _ in 0..<abs(count) { pressInView(count < 0 ? .up : .down, view, now) }
        } else if place == .note, pane?.isWhole == true {
            // The pane follows the caret.
            for _ in 0..<abs(count) { pressInNote(count < 0 ? .up : .down, now) }
        } else {
            pane?.scroll(by: count, height: layout.note.height)
        }
    }

    private mutating func click(_ row: Int, _ column: Int, _ now: Duration) {
        guard row <= layout.bodyHeight else { return }
        if isInNote(column) {
            if row > 0 { clickInNote(row - 1, column - layout.note.column, now) }
            return
        }
        if place == .note { pressInNote(.escape, now) }
        (view, history) = (nil, nil)
        guard row > 0 else {
            place = .search
            return
        }
        place = .list
        let index = rows.top + row - 1
        guard rows.rows.indices.contains(index) else { return }
        rows.move(to: index)
        listing.hasChosen = true
    }

    private mutating func clickInNote(_ row: Int, _ column: Int, _ now: Duration) {
        if case .choice(var pane) = view {
            let index = pane.top + row
            guard pane.items.indices.contains(index) else { return }
            if index == pane.cursor { return pressInView(.enter, .choice(pane), now) }
            pane.move(by: index - pane.cursor)
            view = .choice(pane)
            return
        }
        guard !hasView, isNoteShown, let pane, let session else { return }
        if place != .note { open(now) }
        guard place == .note, pane.isWhole else { return }
        (goalColumn, typed) = (nil, nil)
        edit(.moved(caret: pane.offset(row: pane.top + row, column: max(0, column))), in: session.note, now)
    }
}
