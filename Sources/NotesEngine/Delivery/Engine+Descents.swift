import Dependents
import NotesModel
import NotesStore

/// Searches through the commits of a long history, which lines and pages of watches need for two things:
/// to count the commits that a line covers, and to read a note as of an old commit. The engine continues
/// a search between turns, and the journal remembers its result (`Journal.descend`).
extension Engine {
    /// Whether the lines of a step have to wait for the commits of their notes.
    func waitsForCommits(_ step: Step, of dependent: DependentID) throws(JournalError) -> Bool {
        guard let descent = try descent(for: step) else { return false }
        hold(step, of: dependent)
        begin(descent, for: dependent)
        return true
    }

    /// Whether a page of a watch has to wait until a note can be read as of a commit.
    func waits(_ dependent: DependentID, forCommitsOf note: NoteID, downTo commit: UInt64) throws(JournalError) -> Bool {
        guard let descent = try longDescent(of: note, downTo: commit) else { return false }
        outgoing.unsynced.remove(dependent)
        begin(descent, for: dependent)
        return true
    }

    /// Whether a line reads the store for more than the current note.
    func readsHistory(_ line: ChangedLine) -> Bool {
        line.uncountedAfter != nil || noteCache.commitToReach(of: line).map { $0 < line.to } ?? false
    }

    /// The first long search that the lines of a step need.
    private func descent(for step: Step) throws(JournalError) -> CommitDescent? {
        switch step {
        case .line(.changed(let line)): return try descent(for: line)
        case .changeBatch(let lines):
            let key = RenderedChangesKey(changeBatch: lines.changeBatch, include: lines.include)
            guard outgoing.renderedChanges.value(key) == nil else { return nil }
            for line in lines.changeBatch.lines(showing: lines.include) {
                if let descent = try descent(for: line) { return descent }
            }
            return nil
        case .line, .presence, .passed, .read, .nothing: return nil
        }
    }

    private func descent(for line: ChangedLine) throws(JournalError) -> CommitDescent? {
        let commits = [line.uncountedAfter, noteCache.commitToReach(of: line)].compactMap { $0 }
        guard let commit = commits.min() else { return nil }
        return try longDescent(of: line.note, downTo: commit)
    }

    /// A search that has read as many links as a turn may read for one note; nil if it is complete.
    private func longDescent(of note: NoteID, downTo commit: UInt64) throws(JournalError) -> CommitDescent? {
        // Reading the note shows which row is damaged, and what can be shown without it.
        guard longReads.failedDescent != SharedDescent(note: note, commit: commit) else { return nil }
        var descent = CommitDescent(note, downTo: commit)
        try noteCache.journal.descend(&descent, rowsMax: configuration.shortDescentRowsMax)
        return descent.isComplete ? nil : descent
    }

    /// Lets a watch wait for a search, which those that need the same commits share.
    private func begin(_ descent: CommitDescent, for dependent: DependentID) {
        let shared = SharedDescent(note: descent.id, commit: descent.target)
        let item = LongReads.Item.commits(shared)
        // The client of a stopped daemon resumes from its cursor.
        guard !isEnding else { return }
        guard longReads.reads(item) || longReads.hasRoom(for: item) else { return longReads.crowdOut(dependent) }
        longReads.descend(shared, for: dependent)
        if !longReads.reads(item) { put(item, for: .commits(descent)) }
    }

    /// Begins a search whose turn it is, if a watch still waits for it.
    func start(_ descent: SharedDescent) throws(JournalError) {
        guard longReads.needs(descent) else { return }
        start(.commits(CommitDescent(descent.note, downTo: descent.commit)), for: .commits(descent))
    }

    /// Reads some of the links of a search.
    func readRows(of descent: CommitDescent, for running: LongReads.Running) throws(JournalError) {
        var descent = descent
        let shared = SharedDescent(note: descent.id, commit: descent.target)
        var hasFailed = false
        do throws(JournalError) {
            try noteCache.journal.descend(&descent, rowsMax: configuration.walkRowsMax)
            guard descent.isComplete else { return longReads.setAside(.commits(descent)) }
        } catch {
            if case .fatal = error { throw error }
            hasFailed = true
        }
        longReads.end()
        for dependent in longReads.takeDescending(shared, hasFailed: hasFailed) { retry(dependent) }
    }
}
