import NotesModel
import NotesWire

/// What the notes of a watch were last called: a deleted one has lost its name and its title.
struct WatchLabels {
    private var labels: [NoteID: String] = [:]
    /// Beyond it, all are forgotten: a deleted note is called by its id then.
    private let countMax: Int

    init(countMax: Int = 100_000) {
        self.countMax = countMax
    }

    /// What it was last called; nil where it was not told of.
    func label(of note: NoteID) -> String? { labels[note] }

    mutating func label(of subject: NoteChanged.Subject) -> String {
        let id = subject.id
        guard case .shown(let note) = subject, !note.head.isDeleted else { return labels.removeValue(forKey: id) ?? "\(id)" }
        let label = NoteLabel.of(note.head)
        if labels.count >= countMax { labels = [:] }
        labels[id] = label
        return label
    }
}
