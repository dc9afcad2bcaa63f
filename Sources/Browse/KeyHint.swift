import Console
import NoteTasks
import NotesModel
import NotesWire

/// A key that works now, as the last line of the screen shows it.
struct KeyHint: Hashable {
    let key: String
    let does: String
    /// The shorter word for a screen on which not all hints fit.
    private let short: String
    /// How important the key is, 0 most.
    private let rank: Int

    /// Columns between two hints.
    static let gap = 2

    private init(_ key: String, _ does: String, short: String? = nil, _ rank: Int) {
        self.key = key
        self.does = does
        self.short = short ?? does
        self.rank = rank
    }

    private var columns: Int { DisplayWidth.of(key) + 1 + DisplayWidth.of(does) }

    private static func width(_ hints: [KeyHint]) -> Int { hints.reduce(0) { $0 + $1.columns + gap } - gap }

    /// The hints that fit some columns, in their order; the less important ones are left out.
    static func fitting(_ hints: [KeyHint], columns: Int) -> [KeyHint] {
        if width(hints) <= columns { return hints }
        let hints = hints.map { KeyHint($0.key, $0.short, $0.rank) }
        var chosen: Set<Int> = []
        for index in hints.indices.sorted(by: { (hints[$0].rank, $0) < (hints[$1].rank, $1) }) {
            let wider = chosen.union([index])
            if width(wider.map { hints[$0] }) <= columns { chosen = wider }
        }
        return chosen.sorted().map { hints[$0] }
    }

    /// All keys that work now.
    static func all(_ browser: Browser) -> [KeyHint] {
        let quit = KeyHint("^C", "quit", 0)
        if case .nothingOpened = browser.prompt?.subject { return [KeyHint("Esc", "back", 0), quit] }
        if browser.prompt != nil { return [KeyHint("Enter", "accept", 0), KeyHint("Esc", "cancel", 0), quit] }
        if browser.helpTop != nil { return [KeyHint("Esc", "back", 0), KeyHint("↑↓", "scroll", 1), quit] }
        if browser.place != .search {
            if browser.history != nil {
                return [
                    KeyHint("Esc", "back", 0), KeyHint("↑↓", "choose", 1), KeyHint("PgDn PgUp", "scroll", 2),
                    KeyHint("?", "all keys", 3), quit,
                ]
            }
            if let view = browser.view { return inView(view) + [quit] }
        }
        switch browser.place {
        case .search:
            return [
                KeyHint("↑↓", "choose", 2), KeyHint("Enter", "open", 1), quit, KeyHint("Tab", "list", 1),
                KeyHint("Esc", "clear", 3), KeyHint("^Z", "suspend", 4),
            ]
        case .list: return inList(browser)
        case .note: return inNote(browser)
        }
    }

    private static func inView(_ view: BrowserView) -> [KeyHint] {
        switch view {
        case .choice:
            return [
                KeyHint("Esc", "back", 0), KeyHint("↑↓", "choose", 1), KeyHint("Enter", "go", 1),
                KeyHint("Backspace", "previous", 2),
            ]
        case .conflicts(let pane):
            let sides = (pane.conflict?.sides.indices.map { "\($0 + 1)" } ?? []).joined(separator: " ")
            let next = pane.note.conflicts.count > 1 ? [KeyHint("n p", "next", 3)] : []
            return [
                KeyHint("Esc", "back", 0), KeyHint(sides, "take", 1), KeyHint("b", "both", 1), KeyHint("e", "edit", 4),
                KeyHint("Enter", "type there", short: "go there", 3),
            ] + next + [KeyHint("u", "undo", 2), KeyHint("↑↓", "scroll", 5)]
        }
    }

    /// Conflicts and the undo of a change come first where they are needed.
    private static func inList(_ browser: Browser) -> [KeyHint] {
        let isInConflict = browser.pane?.note.conflicts.isEmpty == false
        return [
            KeyHint("Enter", "open", 1), KeyHint("c", "conflict", isInConflict ? 1 : 10), KeyHint("n", "new", 3),
            KeyHint("r", "rename", 4), KeyHint("d", "delete", short: "del", 5),
            KeyHint("u", "undo", browser.mayUndo ? 1 : 6), KeyHint("h", "history", 7), KeyHint("l", "links", 8),
            KeyHint("/", "search", 9), KeyHint("e", "edit", 11), KeyHint("t", "tags", 12),
            KeyHint("f", browser.listing.kind == .text ? "files" : "texts", 13),
            KeyHint("?", "all keys", short: "keys", 2), KeyHint("q", "quit", 0),
        ]
    }

    private static func inNote(_ browser: Browser) -> [KeyHint] {
        let isInConflict = browser.pane?.note.conflicts.isEmpty == false
        return [
            KeyHint("Esc", "back", 0), KeyHint("^Z", "undo", 1), KeyHint("^Y", "redo", 4),
            KeyHint("^K", "conflict", isInConflict ? 2 : 8), KeyHint("^G", "follow", 3), KeyHint("^O", "go back", 7),
            KeyHint("^L", "links", 5), KeyHint("^E", "editor", 6), KeyHint("^S", "saved?", 9), KeyHint("Tab", "search", 10),
            KeyHint("^C", "quit", 0),
        ]
    }
}
