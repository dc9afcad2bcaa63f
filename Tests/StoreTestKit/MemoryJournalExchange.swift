package import Causality
package import NotesModel
package import NotesStore

/// Reads for the exchange of revisions with other stores.
extension MemoryJournal {
    /// - Complexity: O(commits + waiting revisions).
    package func knownDots() throws(JournalError) -> DotSet {
        try demandReading()
        return DotSet(commits.map(\.revision.dot)).union(DotSet(waitingRevisions.map(\.revision.dot)))
    }

    /// - Complexity: O(commits).
    package func dots(after sequence: UInt64, rangesMax: Int) throws(JournalError) -> (dots: DotSet, through: UInt64) {
        try demandReading()
        return (DotSet(commits.filter { $0.sequence > sequence }.map(\.revision.dot)), lastSequence)
    }

    /// - Complexity: O(quarantined revisions).
    package func quarantinedDots() throws(JournalError) -> DotSet {
        try demandReading()
        return erasedFromHolding.union(
            DotSet(quarantinedRevisions.filter { $0.quarantined.reason != .marked }.map(\.dot)))
    }

    /// The dots of the waiting and quarantined revisions of a note.
    func heldDots(of note: NoteID) -> DotSet {
        let held = waitingRevisions.map(\.revision) + quarantinedRevisions.map(\.quarantined.revision)
        return DotSet(held.filter { $0.note == note }.map(\.dot))
    }

    /// Links a revision to its parents, which are committed.
    func linked(_ revision: Revision) -> LinkedRevision {
        LinkedRevision(revision, parentHashes: revision.parents.dots.compactMap { hashes[$0] })
    }

    /// - Complexity: O(1).
    package func committed(_ dot: Dot) throws(JournalError) -> CommittedRevision? {
        try demandReading()
        guard let sequence = commitOfDot[dot] else { return nil }
        return compactedRevisions[sequence].map { .compacted($0) } ?? .whole(linked(commit(sequence).revision))
    }

    /// - Complexity: O(commits of the note).
    package func dots(of note: NoteID) throws(JournalError) -> DotSet {
        try demandReading()
        return DotSet((commitsOfNote[note] ?? []).map { commit($0).revision.dot })
    }

    package func digests(of dots: DotSet) throws(JournalError) -> [RevisionDigest] {
        try demandReading()
        return dots.prefix(RevisionDigest.countMax).compactMap { dot in
            guard let sequence = commitOfDot[dot] else { return nil }
            let isErased = compactedRevisions[sequence]?.isErased == true
            return RevisionDigest(dot: dot, note: commit(sequence).revision.note, hash: isErased ? nil : hashes[dot])
        }
    }

    /// None: no text comes back.
    package func compactedPast(of note: NoteID) throws(JournalError) -> CompactedPast? { nil }

    package func heldNotes(of dots: DotSet) throws(JournalError) -> [NoteID] {
        let held = waitingRevisions.map(\.revision) + quarantinedRevisions.map(\.quarantined.revision)
        return held.filter { dots.contains($0.dot) }.map(\.note)
    }

    /// The note at its compaction floor; nil if it has none that can be sent.
    private func beginning(of note: NoteID) -> NoteBeginning? {
        guard let sequence = compactionFloors[note], let first = commitsOfNote[note]?.first else { return nil }
        let floor = commit(sequence)
        let below = DotSet((commitsOfNote[note] ?? []).filter { $0 < sequence }.map { commit($0).revision.dot })
        guard !below.isEmpty, below.count <= NoteBeginning.belowMax, floor.conflicts.isEmpty else { return nil }
        let erased = (erasedDots[note] ?? DotSet())
        return NoteBeginning(
            floor: linked(floor.revision), below: below, erased: erased.subtracting(erased.subtracting(below)),
            text: floor.isDeleted ? [] : floor.text,
            name: floor.isDeleted ? nil : floor.name, lastLine: floor.lastLine, isDeleted: floor.isDeleted,
            created: commit(first).head.created)
    }

    /// - Complexity: O(commits), and O(commits of the note) for each beginning.
    package func missingRevisions(
        by known: DotSet, after sequence: UInt64, limit: PageLimit
    ) throws(JournalError) -> RevisionPage {
        try demandReading()
        var revisions: [LinkedRevision] = []
        var gone: [Dot] = []
        var bytes = 0
        var (beginnings, begun): ([NoteBeginning], DotSet) = ([], DotSet())
        for commit in commits
        where commit.sequence > sequence && !known.contains(commit.revision.dot) && !begun.contains(commit.revision.dot) {
            var size = EditCodec.bytes(of: commit.revision.edits).count + PageLimit.revisionOverheadBytes
            var beginning: NoteBeginning?
            if compactedRevisions[commit.sequence] != nil || commit.isPurge {
                beginning = self.beginning(of: commit.revision.note)
                if let found = beginning { size = found.byteCount }
            }
            let count = beginnings.count + revisions.count + gone.count
            guard count < limit.revisionsMax, count == 0 || bytes + size <= limit.bytesMax else {
                return RevisionPage(
                    beginnings: beginnings, revisions: revisions, gone: gone, through: commit.sequence - 1, isLast: false)
            }
            if let beginning, beginning.dots.contains(commit.revision.dot) {
                beginnings.append(beginning)
                begun.formUnion(beginning.dots)
            } else if compactedRevisions[commit.sequence] == nil {
                revisions.append(linked(commit.revision))
            } else {
                gone.append(commit.revision.dot)
            }
            bytes += size
        }
        return RevisionPage(
            beginnings: beginnings, revisions: revisions, gone: gone, through: lastSequence, isLast: true)
    }

    /// Runs the body; memory has no corruption to tolerate.
    package func toleratingCorruption<Value>(_ body: () throws(JournalError) -> Value) throws(JournalError) -> Value {
        try body()
    }

    /// Runs the body; memory is never corrupt.
    package func nilIfCorrupt<Value>(_ body: () throws(JournalError) -> Value) throws(JournalError) -> Value? {
        try body()
    }

    /// - Complexity: O(waiting revisions).
    package func waiting(_ dot: Dot) throws(JournalError) -> LinkedRevision? {
        try demandReading()
        return waitingRevisions.first { $0.revision.dot == dot }?.revision
    }

    /// - Complexity: O(waiting revisions).
    package func waiting(on parent: Dot) throws(JournalError) -> [LinkedRevision] {
        try demandReading()
        return waitingRevisions.map(\.revision).filter { $0.content.parents.dots.contains(parent) }
    }

    /// - Complexity: O(waiting revisions).
    package func waiting(after number: UInt64, limit: Int) throws(JournalError) -> [StoredWaiting] {
        try demandReading()
        return Array(waitingRevisions.filter { $0.number > number }.prefix(max(0, limit)))
    }

    /// - Complexity: O(quarantined revisions).
    package func quarantined(after number: UInt64, limit: Int) throws(JournalError) -> [StoredQuarantined] {
        try demandReading()
        return Array(quarantinedRevisions.filter { $0.number > number }.prefix(max(0, limit)))
    }

    /// - Complexity: O(waiting and quarantined revisions).
    package var heldAmounts: HoldingAmounts {
        var amounts = HoldingAmounts()
        amounts.waiting = waitingRevisions.reduce(HoldingAmount()) { $0 + .of($1.revision) }
        amounts.quarantined = quarantinedRevisions.reduce(HoldingAmount()) { $0 + .of($1.quarantined.revision) }
        return amounts
    }

    /// The rows of a holding area; all of them are readable.
    package func held(
        in area: HoldingArea, of dot: Dot?, after number: UInt64, limit: Int
    ) throws(JournalError) -> [HeldRow] {
        let rows =
            switch area {
            case .waiting:
                try waiting(after: number, limit: .max).map {
                    HeldRow(number: $0.number, dot: $0.revision.dot, content: .waiting($0.revision))
                }
            case .quarantine:
                try quarantined(after: number, limit: .max).map {
                    HeldRow(number: $0.number, dot: $0.dot, content: .quarantined($0.quarantined))
                }
            }
        return Array(rows.filter { dot == nil || $0.dot == dot }.prefix(max(0, limit)))
    }

    /// - Complexity: O(1).
    package func dot(ofCommit sequence: UInt64) throws(JournalError) -> Dot? {
        try demandReading()
        return sequence >= 1 && sequence <= lastSequence ? commit(sequence).revision.dot : nil
    }
}

/// Reads for compaction.
extension MemoryJournal {
    package func plannable(
        of id: NoteID, before sequence: UInt64?, limit: Int
    ) throws(JournalError) -> [CompactionPlan.Row] {
        try demandReading()
        return (commitsOfNote[id] ?? []).filter { $0 < sequence ?? .max }.suffix(max(0, limit)).reversed().map { number in
            let commit = commit(number)
            let parents = commit.revision.parents.dots.compactMap { commitOfDot[$0] }
            let named = commit.revision.withdraws.compactMap { commitOfDot[$0] }.map { $0 - 1 }
            return CompactionPlan.Row(
                sequence: number, dot: commit.revision.dot, oldestParent: (parents + named).min(), coversAll: commit.coversAll,
                isResolved: commit.conflicts.isEmpty, isDeleted: commit.isDeleted,
                isWithdrawal: commit.revision.isWithdrawal, isCompactionFloor: allCompactionFloors.contains(number),
                isCompacted: compactedRevisions[number] != nil, time: commit.revision.time, bytes: bytes(commit))
        }
    }
}
