package import Causality
package import NoteText
package import NotesModel
package import NotesStore
import TextMerge

/// A journal in memory, for tests of the layers above.
///
/// Tests can inject faults (`appendFaults`, `readFault`), such as a full disk or a failed sync.
package final class MemoryJournal: Journal {
    /// Ids of the store and of this run; `restart` changes the latter.
    package private(set) var identity: StoreIdentity
    /// Results of the next appends. Each append removes the first: nil lets it proceed; an error is
    /// thrown and nothing changes. After `fatal`, every call throws.
    package var appendFaults: [JournalError?] = []
    /// If set, thrown by every read after `readsBeforeFault` further reads.
    package var readFault: JournalError?
    /// Number of reads that still succeed while `readFault` is set.
    package var readsBeforeFault = 0
    /// Number of appends that succeeded.
    package private(set) var appends = 0
    /// The rows that each step of a walk has read.
    package var readSteps: [Int] = []
    /// The commit down to which a search has passed each note's commits.
    var descended: [NoteID: UInt64] = [:]

    /// All commits, in order.
    package internal(set) var commits: [Commit] = []
    /// Sequences of each note's commits, ascending.
    var commitsOfNote: [NoteID: [UInt64]] = [:]
    var commitOfDot: [Dot: UInt64] = [:]
    /// The hashes of committed revisions, as they were before compaction.
    var hashes: [Dot: RevisionHash] = [:]
    /// The first commit of each run that made one.
    var runs: [(first: UInt64, replica: ReplicaID)] = []
    var waitingRevisions: [StoredWaiting] = []
    var quarantinedRevisions: [StoredQuarantined] = []
    package var erasedFromHolding = DotSet()
    private var lastWaiting: UInt64 = 0
    var operations: [OperationKey: OperationRecord] = [:]
    /// Each user's keys, oldest first.
    private var operationOrder: [UInt32: [OperationKey]] = [:]
    private let operationsKeptMax: Int
    private var failure: JournalError?
    /// The set of dots that each registered peer reported last.
    package private(set) var peers: [PeerName: DotSet] = [:]
    /// Each note's compaction floor.
    var compactionFloors: [NoteID: UInt64] = [:]
    /// All commits that ever were a compaction floor.
    var allCompactionFloors: Set<UInt64> = []
    /// What remains of compacted revisions, by commit.
    var compactedRevisions: [UInt64: CompactedRevision] = [:]
    /// The revisions of each note that a purge has erased.
    var erasedDots: [NoteID: DotSet] = [:]
    /// Sizes in bytes of the texts of compacted revisions.
    var bytesOfCompacted: [UInt64: Int] = [:]
    /// Hashes of what remains of compacted revisions, and of the texts of compaction floors.
    var kept: [UInt64: RevisionHash] = [:]

    /// The files that commits name.
    var fileNames: [UInt64: [FileContent]] = [:]
    /// The hashes that erased revisions named, with the commit of the purge, until the append ends.
    var erasedNames: [(purge: UInt64, hashes: Set<FileHash>)] = []
    package internal(set) var fileErasures: [FileErasure] = []
    var erasedFiles: Set<FileHash> = []

    package var compactedThrough: UInt64 { allCompactionFloors.max() ?? 0 }

    /// An empty journal that keeps this many operation records for each user.
    package init(identity: StoreIdentity, operationsKeptMax: Int = OperationKey.keptMax) {
        self.identity = identity
        self.operationsKeptMax = operationsKeptMax
    }

    package var lastSequence: UInt64 { UInt64(commits.count) }

    /// Checks the contract, then applies the entries, unless `appendFaults` supplies an error.
    package func append(_ entries: [JournalEntry]) throws(JournalError) {
        try checkUsable()
        if !appendFaults.isEmpty, let fault = appendFaults.removeFirst() {
            if case .fatal = fault { failure = fault }
            throw fault
        }
        try check(entries)
        erasedNames = []
        for entry in entries {
            switch entry {
            case .operation(let record): keep(record)
            case .commit(let commit, let record):
                commits.append(commit)
                commitsOfNote[commit.revision.note, default: []].append(commit.sequence)
                commitOfDot[commit.revision.dot] = commit.sequence
                hashes[commit.revision.dot] = RevisionHash(of: linked(commit.revision))
                if runs.last?.replica != identity.replica { runs.append((commit.sequence, identity.replica)) }
                waitingRevisions.removeAll { $0.revision.dot == commit.revision.dot }
                let accepted = linked(commit.revision)
                quarantinedRevisions.removeAll { $0.quarantined.revision == accepted }
                name(commit, isFloor: commit.isPurge)
                if commit.isPurge { erase(below: commit) }
                if let record { keep(record) }
            case .waiting(let revision):
                lastWaiting += 1
                waitingRevisions.append(StoredWaiting(number: lastWaiting, revision: revision))
            case .quarantined(let quarantined): keep(quarantined)
            case .heard(let peer, let known): peers[peer] = known
            case .forgotten(let peer): peers[peer] = nil
            case .dropped(let dot):
                waitingRevisions.removeAll { $0.revision.dot == dot }
                quarantinedRevisions.removeAll { $0.dot == dot }
            case .compacted(let compaction): compact(compaction)
            case .reopened: preconditionFailure("a journal in memory has no compacted past to reopen")
            case .began(let skeletons, let commit, let erased): begin(skeletons, commit, erased)
            }
        }
        settleErasures()
        appends += 1
    }

    /// Starts a new run on the same content, as if a store were opened again.
    ///
    /// - Precondition: The replica has made no commit.
    package func restart(as replica: ReplicaID) {
        precondition(!runs.contains { $0.replica == replica }, "a replica's id cannot be reused")
        identity = StoreIdentity(store: identity.store, replica: replica)
    }

    /// True: there is nothing to flush or checkpoint.
    package var isMaintained: Bool { true }

    package func maintain() throws(JournalError) -> Bool {
        try checkUsable()
        return false
    }

    /// Makes every later call throw `failed`.
    package func close() throws(JournalError) {
        failure = .failed("the journal is closed")
    }

    /// Checks the contract of `append`. Throws `failed` if the entries break it, before anything
    /// changes.
    private func check(_ entries: [JournalEntry]) throws(JournalError) {
        var last = lastSequence
        var newest: [NoteID: UInt64] = [:]
        var dots: [Dot: NoteID] = [:]
        var keys: Set<OperationKey> = []
        var waiting: Set<Dot> = []
        for entry in entries {
            let record: OperationRecord?
            switch entry {
            case .operation(let only): record = only
            case .waiting(let revision):
                let dot = revision.dot
                let waits = waitingRevisions.contains { $0.revision.dot == dot } || !waiting.insert(dot).inserted
                guard commitOfDot[dot] == nil, dots[dot] == nil, !waits, revision.content.edits.fault(forLength: .max) == nil
                else {
                    throw .failed("the dot \(dot) is already in use, or its edits overlap")
                }
                continue
            case .heard(let peer, _):
                guard peers[peer] != nil || peers.count < PeerName.countMax else { throw .failed("too many peers") }
                continue
            case .forgotten, .dropped: continue
            case .compacted(let compaction):
                try check(compaction)
                continue
            case .reopened: throw .failed("a journal in memory has no compacted past to reopen")
            case .began(let skeletons, let commit, _):
                let former = commitsOfNote[commit.revision.note]?.last
                guard entries.count == 1, commit.sequence == last + UInt64(skeletons.count) + 1,
                    commit.previous == (skeletons.isEmpty ? former ?? 0 : commit.sequence - 1),
                    (skeletons.map(\.revision.dot) + [commit.revision.dot]).allSatisfy({ commitOfDot[$0] == nil })
                else { throw .failed("commit \(commit.sequence) cannot begin a note") }
                continue
            case .quarantined(let quarantined):
                guard quarantined.revision.content.edits.fault(forLength: .max) == nil else {
                    throw .failed("the edits of \(quarantined.revision.dot) overlap")
                }
                continue
            case .commit(let commit, let with):
                record = with
                let note = commit.revision.note
                let previous = newest[note] ?? commitsOfNote[note]?.last ?? 0
                guard commit.sequence == last + 1, commit.previous == previous, commit.head.id == note else {
                    throw .failed("commit \(commit.sequence) cannot follow commit \(last), or its note's commit \(previous)")
                }
                for parent in commit.revision.parents.dots {
                    let isCompacted = commitOfDot[parent].map { compactedRevisions[$0] != nil } ?? false
                    guard dots[parent] == note || isOf(note, parent), !isCompacted else {
                        throw .failed("the parent \(parent) belongs to another note")
                    }
                }
                guard commitOfDot[commit.revision.dot] == nil, dots.updateValue(note, forKey: commit.revision.dot) == nil else {
                    throw .failed("the dot \(commit.revision.dot) is already in use")
                }
                last = commit.sequence
                newest[note] = commit.sequence
            }
            guard let record else { continue }
            guard operations[record.key] == nil, keys.insert(record.key).inserted else {
                throw .failed("the operation \(record.key.name) is already recorded")
            }
        }
    }

    func bytes(_ commit: Commit) -> Int { bytesOfCompacted[commit.sequence] ?? commit.text.count }

    private func keep(_ quarantined: Quarantined) {
        waitingRevisions.removeAll { $0.revision == quarantined.revision }
        guard !quarantinedRevisions.contains(where: { $0.quarantined.revision == quarantined.revision }) else { return }
        quarantinedRevisions.append(
            StoredQuarantined(number: (quarantinedRevisions.last?.number ?? 0) + 1, quarantined: quarantined))
    }

    private func keep(_ record: OperationRecord) {
        operations[record.key] = record
        operationOrder[record.key.user, default: []].append(record.key)
        guard let order = operationOrder[record.key.user], order.count > operationsKeptMax else { return }
        operations[order[0]] = nil
        operationOrder[record.key.user]?.removeFirst()
    }

    private func checkUsable() throws(JournalError) {
        if let failure { throw failure }
    }
}

// MARK: - Reading

extension MemoryJournal {
    /// Reads a note from a critical version up, in one step.
    func record(_ id: NoteID, downTo depth: LoadDepth, asOf sequence: UInt64?) -> NoteRecord? {
        let known = (commitsOfNote[id] ?? []).map(commit)
        let compactionFloor = compactionFloors[id] ?? 0
        let rows = known.filter { $0.sequence <= sequence ?? .max && $0.sequence >= compactionFloor }
        guard let first = known.first, let last = rows.last, let newest = known.last else { return nil }
        let floor = rows.indices.last { isFloor($0, of: rows, depth) } ?? (compactionFloor > 0 ? 0 : nil)
        let endsAtCompactionFloor = floor.map { rows[$0].sequence == compactionFloor } ?? false
        var gone: [Dot] = []
        if endsAtCompactionFloor {
            gone = depth.dots.filter { isOf(id, $0) && commitOfDot[$0] ?? 0 < compactionFloor }
        }
        return NoteRecord(
            id: id, created: first.head.created, vector: newest.head.vector, sequence: last.sequence,
            floor: floor.map { self.floor(rows[$0]) }, tail: rows[(floor.map { $0 + 1 } ?? 0)...].map(\.revision),
            endsAtCompactionFloor: endsAtCompactionFloor, gone: Version(gone))
    }

    package func past(_ id: NoteID, asOf sequence: UInt64, withText: Bool) throws(JournalError) -> PastNote? {
        try demandReading()
        countLinks(of: id, after: sequence)
        guard let record = record(id, downTo: .newest, asOf: sequence) else { return nil }
        let commit = commit(record.sequence)
        guard !commit.coversAll, let shown = commit.shown else { return .record(record) }
        var head = commit.head
        head.vector = record.vector
        return .shown(sequence: commit.sequence, head: head, text: withText ? shown.text : nil)
    }

    package func countCommits(of id: NoteID, after: UInt64, through: UInt64) throws(JournalError) -> Int {
        try demandReading()
        countLinks(of: id, after: after)
        return (commitsOfNote[id] ?? []).filter { $0 > after && $0 <= through }.count
    }

    package func head(of id: NoteID) throws(JournalError) -> StoredHead? {
        try demandReading()
        return newestHead(of: id)
    }

    package func existingNotes(named name: NoteName) throws(JournalError) -> [NoteID] {
        try demandReading()
        return allHeads.filter { $0.head.name == name && !$0.head.isDeleted }.map(\.head.id).sorted()
    }

    package func operation(_ key: OperationKey) throws(JournalError) -> OperationRecord? {
        try demandReading()
        return operations[key]
    }

    package func replica(ofCommit sequence: UInt64) throws(JournalError) -> ReplicaID? {
        try demandReading()
        guard sequence >= 1, sequence <= lastSequence else { return nil }
        return runs.last { $0.first <= sequence }?.replica
    }

    package func contains(_ dot: Dot, of id: NoteID) throws(JournalError) -> Bool {
        try demandReading()
        return isOf(id, dot)
    }

    package func revision(_ dot: Dot, of id: NoteID) throws(JournalError) -> Revision? {
        try demandReading()
        guard isOf(id, dot), let sequence = commitOfDot[dot], compactedRevisions[sequence] == nil else { return nil }
        return commit(sequence).revision
    }

    package func stored(of id: NoteID, before sequence: UInt64?, limit: Int) throws(JournalError) -> StoredPage {
        try demandReading()
        let all = (commitsOfNote[id] ?? []).filter { $0 < sequence ?? .max }
        let page = all.suffix(limit).reversed().map { number in
            let commit = commit(number)
            return StoredRevision(
                revision: commit.revision, parentHashes: linked(commit.revision).parentHashes,
                hash: compactedRevisions[number]?.hash ?? RevisionHash(of: linked(commit.revision)), bytes: bytes(commit),
                text: compactedRevisions[number] == nil ? commit.text : nil, name: commit.name,
                coversAll: commit.coversAll, conflicts: commit.conflicts, lastLine: commit.lastLine,
                isDeleted: commit.isDeleted, isCompacted: compactedRevisions[number] != nil,
                isCompactionFloor: allCompactionFloors.contains(number), kept: kept[number], shown: storedMergedText(commit))
        }
        return StoredPage(
            revisions: Array(page), commits: all.suffix(limit).reversed(), next: all.count > limit ? all[all.count - limit] : nil)
    }

    private func storedMergedText(_ commit: Commit) -> StoredRevision.Merged? {
        guard !commit.coversAll, let shown = commit.shown else { return nil }
        var head = commit.head
        head.vector = VersionVector()
        return StoredRevision.Merged(head: head, text: .edits(shown.edits))
    }

    /// - Complexity: O(notes).
    package func statistics() throws(JournalError) -> StoreStatistics {
        try demandReading()
        let tombstones = allHeads.filter(\.head.isDeleted).count
        return StoreStatistics(
            notes: commitsOfNote.count - tombstones, tombstones: tombstones, revisions: commits.count, commits: lastSequence,
            lastCommit: commits.last?.revision.time, storeBytes: 0, walBytes: 0,
            conflicted: allHeads.filter { !$0.head.conflicts.isEmpty }.count)
    }

    func demandReading() throws(JournalError) {
        try checkUsable()
        guard let readFault else { return }
        guard readsBeforeFault > 0 else { throw readFault }
        readsBeforeFault -= 1
    }

    func commit(_ sequence: UInt64) -> Commit { commits[Int(sequence) - 1] }

    func isOf(_ note: NoteID, _ dot: Dot) -> Bool {
        commitOfDot[dot].map { commit($0).revision.note == note } ?? false
    }

    private func newestHead(of id: NoteID) -> StoredHead? {
        commitsOfNote[id]?.last.map { StoredHead(head: commit($0).head, sequence: $0) }
    }

    var allHeads: [StoredHead] { commitsOfNote.keys.compactMap(newestHead) }

    /// Whether a commit can be the floor of a record: it covers all before it; the note is not deleted
    /// at it; every later commit
    /// has parents, none below it, and withdraws nothing at or below it; no dot asked for is below
    /// it, or at it if it is to be withdrawn; and no conflict is unresolved at it if revisions are
    /// withdrawn later.
    private func isFloor(_ index: Int, of rows: [Commit], _ depth: LoadDepth) -> Bool {
        let row = rows[index]
        guard row.coversAll, !row.isDeleted else { return false }
        switch depth {
        case .start: return false
        case .newest: break
        case .dots, .below:
            let wanted = depth.dots.filter { isOf(row.revision.note, $0) }.compactMap { commitOfDot[$0] }
            guard wanted.allSatisfy({ $0 >= row.sequence || $0 > rows[rows.count - 1].sequence }) else { return false }
        }
        var isWithdrawn = rows[(index + 1)...].contains { $0.revision.isWithdrawal }
        if case .below(let under, _) = depth {
            if under.contains(row.revision.dot) { return false }
            isWithdrawn = true
        }
        guard !isWithdrawn || row.conflicts.isEmpty || row.sequence == compactionFloors[row.revision.note] else { return false }
        return rows[(index + 1)...].allSatisfy { later in
            let parents = later.revision.parents.dots.compactMap { commitOfDot[$0] }
            let named = later.revision.withdraws.compactMap { commitOfDot[$0] }
            return !parents.isEmpty && parents.allSatisfy { $0 >= row.sequence } && named.allSatisfy { $0 > row.sequence }
        }
    }

    private func floor(_ commit: Commit) -> NoteRecord.Floor {
        NoteRecord.Floor(
            dot: commit.revision.dot,
            ViewFloor(
                text: commit.text, lastLine: commit.lastLine, isDeleted: commit.isDeleted, conflicts: commit.conflicts),
            name: commit.name, author: commit.revision.author, time: commit.revision.time,
            modified: commit.revision.modified, isPurge: commit.revision.mark?.kind == .purge)
    }
}
