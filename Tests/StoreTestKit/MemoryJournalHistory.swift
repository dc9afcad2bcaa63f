package import Causality
package import NotesModel
package import NotesStore
import TextMerge

/// The history of a note.
extension MemoryJournal {
    package func history(of id: NoteID, before dot: Dot?, limit: Int) throws(JournalError) -> [RevisionSummary]? {
        try demandReading()
        guard let sequences = commitsOfNote[id] else { return nil }
        var bound = UInt64.max
        if let dot {
            guard isOf(id, dot), let commit = commitOfDot[dot] else { return nil }
            bound = commit
        }
        let withdrawn = withdrawn(in: sequences)
        return sequences.filter { $0 < bound && !isErased($0) }.suffix(max(0, limit)).reversed().map {
            summary(commit($0), withdrawn)
        }
    }

    package func revisions(
        matching filter: RevisionFilter, before sequence: UInt64?, limit: Int
    ) throws(JournalError) -> NoteRevisionPage {
        try demandReading()
        let before = sequence ?? .max
        var matching: [(commit: UInt64, entry: NoteRevision)] = []
        for (id, commits) in commitsOfNote {
            let withdrawn = withdrawn(in: commits)
            for sequence in commits where sequence < before && !isErased(sequence) {
                let revision = summary(commit(sequence), withdrawn)
                guard filter.matches(revision) else { continue }
                matching.append((sequence, NoteRevision(note: id, revision: revision)))
            }
        }
        matching.sort { $0.commit > $1.commit }
        return NoteRevisionPage(
            entries: matching.prefix(limit).map(\.entry), next: matching.count > limit ? matching[limit - 1].commit : nil)
    }

    private func isErased(_ sequence: UInt64) -> Bool { compactedRevisions[sequence]?.isErased ?? false }

    /// The revisions among these that are withdrawn in the newest version.
    private func withdrawn(in commits: [UInt64]) -> Set<Dot> {
        var withdrawn: Set<Dot> = []
        for revision in commits.reversed().map({ commit($0).revision }) where !withdrawn.contains(revision.dot) {
            withdrawn.formUnion(revision.withdraws)
        }
        return withdrawn
    }

    private func summary(_ commit: Commit, _ withdrawn: Set<Dot>) -> RevisionSummary {
        RevisionSummary(
            dot: commit.revision.dot, parents: commit.revision.parents, author: commit.revision.author,
            time: commit.revision.time, bytes: bytes(commit), isDeleted: commit.isDeleted, name: commit.name,
            isStated: commit.revision.origin == .stated, isCompacted: compactedRevisions[commit.sequence] != nil,
            isPurge: commit.revision.mark?.kind == .purge,
            withdraws: commit.revision.withdraws, isWithdrawn: withdrawn.contains(commit.revision.dot),
            resolves: commit.revision.resolves, times: commit.revision.fileTimes)
    }

    /// Checks the contract of a step of compaction.
    func check(_ compaction: Compaction) throws(JournalError) {
        let own = commitsOfNote[compaction.note] ?? []
        guard own.contains(compaction.compactionFloor), compaction.compactionFloor >= compactionFloors[compaction.note] ?? 0,
            commit(compaction.compactionFloor).coversAll,
            compaction.removed.allSatisfy({ $0 < compaction.compactionFloor && own.contains($0) && compactedRevisions[$0] == nil }
            )
        else { throw .failed("commit \(compaction.compactionFloor) cannot be the compaction floor of note \(compaction.note)") }
    }
}
