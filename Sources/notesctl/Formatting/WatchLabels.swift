import NotesModel
import NotesWire

/// The last known labels of a watch's notes, for deleted notes, which have lost their name and
/// title.
struct WatchLabels {
    private var labels: [NoteID: String] = [:]
    /// Most labels kept. When the table is full it is cleared, and a deleted note is then labelled
    /// with its id.
    private let countMax: Int

    init(countMax: Int = 100_000) {
        self.countMax = countMax
    }

    /// The last label of a note; nil if it is not in the table.
    func label(of note: NoteID) -> String? { labels[note] }

    /// The label of a changed note. Records it, or removes it if the note was deleted or left the
    /// watch.
    mutating func label(of subject: NoteChanged.Subject) -> String {
        let id = subject.id
        guard case .shown(let note) = subject, !note.head.isDeleted else { return labels.removeValue(forKey: id) ?? "\(id)" }
        let label = NoteLabel.of(note.head)
        if labels.count >= countMax { labels = [:] }
        labels[id] = label
        return label
    }
}
