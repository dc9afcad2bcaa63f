import Causality
import Console
import NoteTasks
import NotesModel
import NotesWire

/// The revisions of a note in the view of the history: what each did, who wrote it, and when. The rows
/// fit a pane of 47 columns, the one of a terminal with 80.
struct HistoryRows {
    let history: NoteHistory
    let now: Timestamp
    let local: (Timestamp) -> CalendarTime

    /// Columns of an author at least, if there is room.
    private static let authorColumnsMin = 10
    private static let gap = "  "

    init(_ history: NoteHistory, now: Timestamp, local: @escaping (Timestamp) -> CalendarTime) {
        self.history = history
        self.now = now
        self.local = local
    }

    /// One line for each revision, newest first. A graph before them shows which were written side by
    /// side.
    ///
    /// - Complexity: O(revisions).
    func lines(columns: Int) -> [String] {
        let revisions = history.revisions
        let words = ChangeWords(revisions + history.hidden)
        let graph = HistoryGraph(revisions)
        let authors = revisions.map { SafeText.line($0.author.forPeople) }
        let ages = revisions.map { RelativeTime.relative($0.time, now: now, local: local($0.time)) }
        let age = ages.map(\.count).max() ?? 0
        let author = min(authors.map(DisplayWidth.of).max() ?? 0, max(Self.authorColumnsMin, columns / 4))
        return revisions.indices.map { index in
            let revision = revisions[index]
            let lanes = graph.rows[index].isEmpty ? "" : graph.rows[index] + Self.gap
            let rest = max(0, columns - DisplayWidth.of(lanes) - author - age - 2 * Self.gap.count)
            let what = DisplayWidth.fit(
                words.verbs(revision, isInConflict: history.sides.contains(revision.dot)), columns: rest)
            let when = String(repeating: " ", count: age - ages[index].count) + ages[index]
            let who = DisplayWidth.fitMiddle(authors[index], columns: author)
            return DisplayWidth.fit([lanes + what, who, when].joined(separator: Self.gap), columns: columns)
        }
    }

    /// The revision's time, author, size and dot.
    func detail(_ revision: RevisionSummary) -> String {
        let time = local(revision.time)
        let dot = ShortDots([revision.dot]).text(revision.dot)
        let author = SafeText.line(revision.author.forPeople)
        return "\(time.day) \(time.clock)  \(author)  \(ByteCount.text(revision.bytes))  \(dot)"
    }
}
