import Console
import NoteTasks
import NotesModel
import NotesWire
import TextMerge

/// The output of `conflicts`: one line per note, with the number of conflicts of each kind.
struct ConflictTable {
    let style: Style

    func lines(_ notes: [NoteObject]) -> [String] {
        let idLength = ShortID.length(for: notes.map(\.head.id))
        let labels = notes.map { SafeText.line(NoteLabel.of($0.head)) }
        let width = labels.map(DisplayWidth.of).max() ?? 0
        return zip(notes, labels).map { note, label in
            [
                style.dim(ShortID.text(note.head.id, idLength)), style.bold(DisplayWidth.fit(label, columns: width)),
                style.red(Self.counts(note.conflicts)),
            ].joined(separator: "  ")
        }
    }

    /// The counts by kind, such as `2 text, 1 name`.
    static func counts(_ conflicts: [ConflictObject]) -> String {
        ConflictKind.allCases.compactMap { kind in
            let count = conflicts.count { $0.kind == kind }
            return count == 0 ? nil : "\(count) \(kind.rawValue)"
        }.joined(separator: ", ")
    }
}
