package import Console
import NoteText
import NotesModel
package import NotesWire

/// The output of `watch`: one line per change.
package struct WatchLine {
    let style: Style

    package init(style: Style) {
        self.style = style
    }

    /// - Parameter time: when the note was modified, in the user's time zone; nil if unknown.
    package func text(_ change: NoteChanged, label: String, time: CalendarTime?) -> String {
        let word = paint(change.change)(DisplayWidth.fit(change.change.rawValue, columns: Self.wordColumns))
        var parts = [style.dim(time?.clock ?? "        "), word, style.bold(SafeText.line(label))]
        if case .shown(let note) = change.note {
            if !note.head.isDeleted { parts.append(ByteCount.text(note.head.bytes)) }
            parts.append(style.dim(by(note.head, change.origin)))
        }
        if change.changes > 1 { parts.append(style.dim("(\(change.changes) changes)")) }
        return parts.joined(separator: "  ")
    }

    private func by(_ head: Head, _ origin: Origin?) -> String {
        SafeText.line("by " + (origin?.label ?? head.author.label ?? head.author.user).description)
    }

    func painted(_ text: String, as word: ChangeWord) -> String { paint(word)(text) }

    private func paint(_ change: ChangeWord) -> (String) -> String {
        switch change {
        case .created, .restored, .resolved: style.green
        case .deleted, .left, .conflicted: style.red
        case .edited: style.yellow
        case .snapshot: style.dim
        }
    }

    /// The width of the longest change word.
    static let wordColumns = 10
}
