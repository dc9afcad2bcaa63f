import Causality
import NotesModel
package import NotesStore

extension MemoryJournal {
    /// Counts rows like a journal that reads a history from its newest revision back, and computes the
    /// result in the last step.
    package func read(_ reading: inout RecordRead, rowsMax: Int) throws(JournalError) {
        try demandReading()
        readSteps.append(0)
        guard let commits = commitsOfNote[reading.id], let newest = commits.last else {
            return reading.complete(with: .record(nil))
        }
        let sequence = reading.sequence ?? end(of: reading, commits) ?? newest
        reading.sequence = sequence
        let result: RecordRead.Result
        let rows: Int
        if let after = reading.after {
            let revisions = commits.filter { $0 > after && $0 <= sequence }.map { commit($0).revision }
            (result, rows) = (.newer(revisions, sequence: sequence), revisions.count)
        } else {
            let record = record(reading.id, downTo: reading.depth, asOf: sequence)
            (result, rows) = (.record(record), record?.tail.count ?? 0)
        }
        let read = min(rowsMax, rows - reading.rows)
        reading.count(read)
        readSteps[readSteps.count - 1] = read
        // Another step reads the floor.
        if reading.rows == rows, read < rowsMax { reading.complete(with: result) }
    }

    /// Counts the links that a journal without jumps has to read.
    package func descend(_ descent: inout CommitDescent, rowsMax: Int) throws(JournalError) {
        try demandReading()
        let missing = links(of: descent.id, after: descent.target)
        let read = missing.suffix(rowsMax)
        if let oldest = read.first { descended[descent.id] = oldest }
        descent.count(read.count)
        readSteps.append(read.count)
        if read.count == missing.count { descent.complete() }
    }

    /// Counts the links that a read as of a commit follows.
    func countLinks(of id: NoteID, after commit: UInt64) {
        readSteps.append(links(of: id, after: commit).count)
    }

    /// The note's commits after one that no search has passed.
    private func links(of id: NoteID, after commit: UInt64) -> [UInt64] {
        (commitsOfNote[id] ?? []).filter { $0 > commit && $0 < descended[id] ?? .max }
    }

    /// The newest commit of a reading's record; nil for the note's newest.
    private func end(of reading: RecordRead, _ commits: [UInt64]) -> UInt64? {
        switch reading.end {
        case .newest: return nil
        case .commit(let commit): return commit
        case .dots(let version):
            let newest = version.dots.filter { isOf(reading.id, $0) }.compactMap { commitOfDot[$0] }.max()
            return newest.map { max($0, compactionFloors[reading.id] ?? 0) }
        }
    }
}
