import Causality
import NotesModel
import NotesStore

/// One pass over the store that removes the texts that the policy does not keep. It executes one
/// bounded step at a time, between turns.
///
///     notes with revisions that wait for parents ─► spared
///     each other note:  its rows, page by page ─► plan ─► floor and first part ─► further parts
///
/// Each part is a separate commit of the store. The pass may end after any part, and the next pass
/// continues from there. If the note changes between the plan and the part that moves the
/// compaction floor, it is planned again.
struct CompactionPass {
    /// Where the pass is.
    private enum Stage {
        case waiting(after: UInt64)
        case between
        case planning(StoredHead, CompactionPlan, before: UInt64?)
        case removing(StoredHead, CompactionPlan.Result, from: Int, peers: [DotSet])
        case done
    }

    /// The limits of one step: rows read or removed, and notes read; and how often a note that
    /// changes meanwhile is planned.
    static let rowsMax = 256
    private static let notesMax = 64
    private static let plansMax = 3

    /// Revisions with this time or an earlier one may be compacted.
    private let until: Timestamp
    private var stage = Stage.waiting(after: 0)
    /// Notes with revisions that wait for parents, which may be among those that would be
    /// compacted.
    private var spared: Set<NoteID> = []
    private var through: UInt64 = 0
    private var seen: Set<NoteID> = []
    private var queue: [NoteID] = []
    private var plans = 0
    /// The number of notes of which the pass removed text.
    private(set) var compactedNotes = 0
    /// The number of revisions whose text the pass removed.
    private(set) var compactedRevisions = 0

    /// - Parameter until: revisions with this time or an earlier one may be compacted.
    init(until: Timestamp) {
        self.until = until
    }

    /// Whether the pass has reached every note.
    var isDone: Bool {
        if case .done = stage { true } else { false }
    }

    /// Excludes a note, since a revision of it waits for its parents.
    mutating func spare(_ note: NoteID) {
        spared.insert(note)
    }

    /// Executes one step. The caller makes the returned compaction durable before the next step.
    ///
    /// - Parameter bound: the newest commit that may become a compaction floor.
    mutating func next(_ journal: any Journal, bound: UInt64) throws(JournalError) -> Compaction? {
        switch stage {
        case .waiting(let after): try readWaiting(after, journal)
        case .between: try takeNext(journal)
        case .planning(let head, let plan, let before): try read(head, plan, before, journal, bound)
        case .removing(let head, let result, let from, let peers):
            return try part(of: result, from: from, peers, head, journal, bound)
        case .done: break
        }
        return nil
    }

    private mutating func readWaiting(_ after: UInt64, _ journal: any Journal) throws(JournalError) {
        let rows = try journal.held(in: .waiting, after: after, limit: Self.notesMax)
        for row in rows {
            if case .waiting(let revision) = row.content { spare(revision.note) }
        }
        stage = rows.last.map { .waiting(after: $0.number) } ?? .between
    }

    private mutating func takeNext(_ journal: any Journal) throws(JournalError) {
        if queue.isEmpty {
            let changed = try journal.changed(after: through, through: journal.lastSequence, limit: Self.notesMax)
            guard let last = changed.last else {
                stage = .done
                return
            }
            through = last.sequence
            queue = changed.map(\.head.id).filter { !seen.contains($0) }.reversed()
        }
        guard let id = queue.popLast(), seen.insert(id).inserted else { return }
        plans = 0
        try plan(id, journal)
    }

    private mutating func plan(_ id: NoteID, _ journal: any Journal) throws(JournalError) {
        plans += 1
        stage = .between
        guard plans <= Self.plansMax, let head = try journal.head(of: id) else { return }
        stage = .planning(head, CompactionPlan(), before: nil)
    }

    private mutating func read(
        _ head: StoredHead, _ plan: CompactionPlan, _ before: UInt64?, _ journal: any Journal, _ bound: UInt64
    ) throws(JournalError) {
        var plan = plan
        let rows = try journal.plannable(of: head.head.id, before: before, limit: Self.rowsMax)
        for row in rows { plan.add(row) }
        if let last = rows.last, rows.count == Self.rowsMax, plan.wantsMore {
            stage = .planning(head, plan, before: last.sequence)
            return
        }
        let peers = Array(journal.peers.values)
        if let result = plan.result(within: CompactionPlan.Bounds(until: until, through: bound, peers: peers)) {
            stage = .removing(head, result, from: 0, peers: peers)
        } else {
            stage = .between
        }
    }

    private mutating func part(
        of result: CompactionPlan.Result, from: Int, _ peers: [DotSet], _ head: StoredHead, _ journal: any Journal,
        _ bound: UInt64
    ) throws(JournalError) -> Compaction? {
        let id = head.head.id
        guard !spared.contains(id) else {
            stage = .between
            return nil
        }
        // Once the floor is committed, no write can build on what is below it.
        let isFirst = from == 0
        let now = isFirst ? try journal.head(of: id)?.sequence : head.sequence
        let isStale = now != head.sequence || (isFirst && result.isNew && result.compactionFloor > bound)
        let isHeard = peers.allSatisfy { Set(journal.peers.values).contains($0) } && peers.count == journal.peers.count
        guard !isStale, isHeard else {
            try plan(id, journal)
            return nil
        }
        let end = min(from + Self.rowsMax, result.removed.count)
        stage = end < result.removed.count ? .removing(head, result, from: end, peers: peers) : .between
        if isFirst { compactedNotes += 1 }
        compactedRevisions += end - from
        return Compaction(
            note: id, compactionFloor: result.compactionFloor, floorBytes: result.isNew && isFirst ? result.floorBytes : 0,
            removed: Array(result.removed[from..<end]))
    }
}
