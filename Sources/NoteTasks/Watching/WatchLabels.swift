package import NotesClient
import NotesModel
package import NotesWire

/// The last known labels of a watch's notes, for deleted notes, which have lost their name and
/// title.
package struct WatchLabels {
    private var labels: [NoteID: String] = [:]
    /// Most labels kept. When the table is full it is cleared, and a deleted note is then labelled
    /// with its id.
    private let countMax: Int

    package init(countMax: Int = 100_000) {
        self.countMax = countMax
    }

    /// The last label of a note; nil if it is not in the table.
    func label(of note: NoteID) -> String? { labels[note] }

    /// The label of a changed note, as below. If it was deleted before the watch showed it, its last
    /// name and title are fetched; if that fails, as when the connection is lost, the label is its id.
    package mutating func label(of subject: NoteChanged.Subject, _ client: any NotesAPI) async -> String {
        if case .shown(let note) = subject, note.head.isDeleted, labels[note.head.id] == nil,
            let named = try? await DeletedNotes.named(note.head, client)
        {
            record(named)
        }
        return label(of: subject)
    }

    /// The label of a changed note. Records it, or removes it if the note was deleted or left the
    /// watch.
    mutating func label(of subject: NoteChanged.Subject) -> String {
        let id = subject.id
        guard case .shown(let note) = subject, !note.head.isDeleted else { return labels.removeValue(forKey: id) ?? "\(id)" }
        return record(note.head)
    }

    /// Records the label of a note, and returns it.
    @discardableResult
    mutating func record(_ head: Head) -> String {
        let label = NoteLabel.of(head)
        if labels.count >= countMax { labels = [:] }
        labels[head.id] = label
        return label
    }
}
