import Causality
import NoteText
import NotesModel
import NotesStore
import TextMerge

/// What removes the texts of revisions: compaction, purges, and the beginnings of notes of other stores.
extension MemoryJournal {
    func begin(_ skeletons: [Skeleton], _ floor: Commit, _ erased: DotSet) {
        let note = floor.revision.note
        let former = commitsOfNote[note] ?? []
        if !erased.isEmpty { eraseRows(former, of: note, by: floor.sequence) }
        for skeleton in skeletons {
            let revision = skeleton.revision
            let sequence = lastSequence + 1
            var name: NoteName?
            if case .set(let own) = revision.name { name = own }
            commits.append(
                Commit(
                    sequence: sequence, previous: commitsOfNote[note]?.last ?? 0, revision: revision,
                    coversAll: skeleton.coversAll, text: [], name: name, head: floor.head))
            commitsOfNote[note, default: []].append(sequence)
            commitOfDot[revision.dot] = sequence
            hashes[revision.dot] = skeleton.hash
            compactedRevisions[sequence] = CompactedRevision(
                note: note, dot: revision.dot, hash: RevisionHash(bits: 0), isErased: true)
            bytesOfCompacted[sequence] = 0
            waitingRevisions.removeAll { $0.revision.dot == revision.dot }
        }
        commits.append(floor)
        name(floor, isFloor: true)
        commitsOfNote[note, default: []].append(floor.sequence)
        commitOfDot[floor.revision.dot] = floor.sequence
        hashes[floor.revision.dot] = RevisionHash(of: linked(floor.revision))
        if runs.last?.replica != identity.replica { runs.append((lastSequence, identity.replica)) }
        waitingRevisions.removeAll { $0.revision.dot == floor.revision.dot }
        compactionFloors[note] = floor.sequence
        allCompactionFloors.insert(floor.sequence)
        kept[floor.sequence] = RevisionHash(ofText: floor.text)
        if !erased.isEmpty { erasedDots[note] = erased }
        guard !erased.isEmpty else {
            let begun = Set(skeletons.map(\.revision.dot))
            quarantinedRevisions.removeAll {
                $0.quarantined.revision.note == note && begun.contains($0.dot)
                    && [.parentIsCompacted, .withdrawsCompacted].contains($0.quarantined.reason)
            }
            return
        }
        guard !former.isEmpty || floor.isPurge else { return }
        waitingRevisions.removeAll { $0.revision.note == note && erased.contains($0.revision.dot) }
        quarantinedRevisions.removeAll { $0.quarantined.revision.note == note && erased.contains($0.dot) }
        eraseFingerprints(of: note)
    }

    func compact(_ compaction: Compaction) {
        compactionFloors[compaction.note] = compaction.compactionFloor
        allCompactionFloors.insert(compaction.compactionFloor)
        kept[compaction.compactionFloor] = RevisionHash(ofText: commit(compaction.compactionFloor).text)
        name(commit(compaction.compactionFloor), isFloor: true)
        for sequence in compaction.removed {
            fileNames[sequence] = nil
            let old = commit(sequence)
            let revision = old.revision
            compactedRevisions[sequence] = CompactedRevision(
                note: revision.note, dot: revision.dot, hash: RevisionHash(of: linked(revision)))
            kept[sequence] = RevisionHash(of: linked(revision.compacted))
            bytesOfCompacted[sequence] = old.text.count
            commits[Int(sequence) - 1] = Commit(
                sequence: sequence, previous: old.previous, revision: revision.compacted, coversAll: old.coversAll, text: [],
                name: old.name, head: old.head, conflicts: old.conflicts, lastLine: old.lastLine, isDeleted: old.isDeleted)
        }
    }

    func erase(below purge: Commit) {
        let note = purge.revision.note
        compactionFloors[note] = purge.sequence
        allCompactionFloors.insert(purge.sequence)
        kept[purge.sequence] = RevisionHash(ofText: purge.text)
        let below = (commitsOfNote[note] ?? []).filter { $0 < purge.sequence }
        eraseRows(below, of: note, by: purge.sequence)
        // Computed from the erased parents, whose hashes are 0.
        hashes[purge.revision.dot] = RevisionHash(of: linked(purge.revision))
        let dots = DotSet(below.map { commit($0).revision.dot })
        erasedDots[note] = dots.union(DotSet([purge.revision.dot]))
        erasedFromHolding.formUnion(heldDots(of: note).subtracting(dots))
        waitingRevisions.removeAll { $0.revision.note == note || dots.contains($0.revision.dot) }
        quarantinedRevisions.removeAll { $0.quarantined.revision.note == note || dots.contains($0.dot) }
        eraseFingerprints(of: note)
    }

    private func eraseRows(_ sequences: [UInt64], of note: NoteID, by purge: UInt64) {
        erasedNames.append((purge, Set(sequences.flatMap { fileNames[$0] ?? [] }.map(\.hash))))
        for sequence in sequences {
            let old = commit(sequence)
            let revision = Revision(
                note: note, dot: old.revision.dot, parents: old.revision.parents, edits: [], origin: .stated,
                author: Author(user: old.revision.author.user, label: nil), time: old.revision.time,
                reserved: old.previous == 0 ? old.revision.fileTimes?.ofCreation?.taggedFields ?? [] : [])
            let left = CompactedRevision(note: note, dot: revision.dot, hash: RevisionHash(bits: 0), isErased: true)
            compactedRevisions[sequence] = left
            hashes[revision.dot] = RevisionHash(bits: 0)
            kept[sequence] = nil
            fileNames[sequence] = nil
            bytesOfCompacted[sequence] = 0
            commits[Int(sequence) - 1] = Commit(
                sequence: sequence, previous: old.previous, revision: revision, coversAll: old.coversAll, text: [],
                name: nil, head: old.head)
        }
    }

    private func eraseFingerprints(of note: NoteID) {
        for (key, record) in operations where record.note == note {
            operations[key] = OperationRecord(key: key, fingerprint: [], note: note, dot: record.dot, version: record.version)
        }
    }
}
