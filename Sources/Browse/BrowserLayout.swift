/// Where the parts of `notesctl browse` are on a screen of some size.
struct BrowserLayout: Hashable {
    /// The inside of a pane; its first row is row 1 of the screen.
    struct Pane: Hashable {
        let column: Int
        let width: Int
        let height: Int
    }

    let columns: Int
    let rows: Int
    /// Whether the list and the note are side by side; otherwise the screen shows one of them.
    let hasTwoPanes: Bool
    let list: Pane
    let note: Pane
    /// The rows of the panes.
    let bodyHeight: Int
    /// The row of messages.
    let messageRow: Int

    /// Fewest columns for two panes.
    static let twoPanesMin = 60
    /// Most columns of the list next to a note.
    private static let listMax = 60
    /// Fewest rows for a row of messages of its own.
    private static let messageRowsMin = 6
    /// Fewest columns and rows for anything but a sentence.
    private static let sidesMin = (columns: 12, rows: 3)

    var isTooSmall: Bool { columns < Self.sidesMin.columns || rows < Self.sidesMin.rows }

    init(columns: Int, rows: Int) {
        self.columns = min(max(0, columns), Grid.sideMax)
        self.rows = min(max(0, rows), Grid.sideMax)
        let hasMessageRow = rows >= Self.messageRowsMin
        bodyHeight = max(0, self.rows - (hasMessageRow ? 3 : 2))
        messageRow = hasMessageRow ? self.rows - 2 : 0
        hasTwoPanes = self.columns >= Self.twoPanesMin && hasMessageRow
        if hasTwoPanes {
            // Two borders and the line between the panes.
            let inside = self.columns - 3
            let width = min(Self.listMax, inside * 2 / 5)
            list = Pane(column: 1, width: width, height: bodyHeight)
            note = Pane(column: width + 2, width: inside - width, height: bodyHeight)
        } else {
            list = Pane(column: 0, width: self.columns, height: bodyHeight)
            note = list
        }
    }
}
