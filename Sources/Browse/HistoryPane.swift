import Causality
import NoteTasks
import NotesModel
import NotesWire

/// A note's revisions, and the difference that the chosen one made.
struct HistoryPane {
    let history: NoteHistory
    /// The index of the chosen revision.
    private(set) var cursor = 0
    private(set) var top = 0
    /// The difference of the chosen revision; nil until it is read.
    private(set) var difference: [UnifiedDiff.Line]?
    private(set) var differenceTop = 0

    init(_ history: NoteHistory) { self.history = history }

    /// The chosen revision; nil if there is none.
    var chosen: RevisionSummary? { history.revisions.isEmpty ? nil : history.revisions[cursor] }

    /// Moves the cursor. Returns whether another revision is chosen then.
    mutating func move(by count: Int) -> Bool {
        let last = max(0, history.revisions.count - 1)
        let target = min(max(0, cursor + min(max(count, -last), last)), last)
        guard target != cursor else { return false }
        cursor = target
        (difference, differenceTop) = (nil, 0)
        return true
    }

    /// Takes a difference, unless another revision has been chosen since.
    mutating func receive(_ lines: [UnifiedDiff.Line], of dot: Dot) {
        if chosen?.dot == dot { difference = lines }
    }

    mutating func scrollDifference(by count: Int) {
        let lines = difference?.count ?? 0
        differenceTop = min(max(0, differenceTop + min(max(count, -lines), lines)), max(0, lines - 1))
    }

    /// Rows for the revisions in a pane of some rows; the difference gets the rest.
    func tableHeight(of height: Int) -> Int { min(history.revisions.count, max(1, height / 3)) }

    mutating func fit(height: Int) {
        let rows = max(1, tableHeight(of: height))
        top = min(max(top, cursor - rows + 1), cursor)
        top = max(0, min(top, history.revisions.count - rows))
    }
}
