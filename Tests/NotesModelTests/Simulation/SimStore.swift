import Causality
import NotesModel
import TestKit
import TextMerge

/// One replica of a simulation: its revisions in commit order, the waiting revisions, and the
/// replica that writes.
struct SimStore {
    private(set) var rows: [NoteID: [Accepted]] = [:]
    private(set) var heads: [NoteID: Head] = [:]
    private(set) var order: [LinkedRevision] = []
    private(set) var waiting: [LinkedRevision] = []
    /// Committed and waiting revisions.
    private(set) var known = DotSet()
    private var committed: [Dot: LinkedRevision] = [:]
    private var hashes: [Dot: RevisionHash] = [:]
    private(set) var run: ReplicaID
    private var counter: UInt64 = 0
    let fault: SimFault?
    /// Violations that the store detected.
    private(set) var problem: String?

    init(run: ReplicaID, fault: SimFault?) {
        self.run = run
        self.fault = fault
    }

    mutating func start(as run: ReplicaID) {
        self.run = run
        counter = 0
    }

    var committedDots: Dictionary<Dot, LinkedRevision>.Keys { committed.keys }

    mutating func apply(_ command: Command, time: Int) -> WorkingCopy.Step {
        var copy = WorkingCopy(limits: ModelLimits())
        if known.contains(Dot(run, counter + 1)) {
            problem = "\(run) would mint \(counter + 1) again"
            return .refused(.noteNotFound)
        }
        let write = WriteContext(dot: Dot(run, counter + 1), author: ada, time: Timestamp(milliseconds: Int64(time)))
        let step = copy.apply(command, as: write, heads: heads) { note($0, downTo: $1) }
        if case .accepted(let accepted) = step {
            counter += 1
            commit(accepted)
        }
        return step
    }

    private mutating func commit(_ accepted: Accepted) {
        let revision = accepted.revision
        rows[revision.note, default: []].append(accepted)
        heads[revision.note] = accepted.after
        let linked = LinkedRevision(revision, parentHashes: revision.parents.dots.compactMap { hashes[$0] })
        order.append(linked)
        committed[revision.dot] = linked
        hashes[revision.dot] = RevisionHash(of: linked)
        known.insert(revision.dot)
    }

    // MARK: Exchange

    /// The revisions that the other store lacks, in commit order.
    func missingRevisions(by other: DotSet, limit: Int) -> [LinkedRevision] {
        Array(order.lazy.filter { !other.contains($0.dot) }.prefix(limit))
    }

    /// Adopts what another store sent, in any order and any number of times, with the daemon's
    /// planner (`Adoption`).
    mutating func take(_ revisions: [LinkedRevision]) {
        let offered = fault == .adoptsOntoNewest ? revisions.map(ontoNewest) : revisions
        var adoption = Adoption(of: offered, limits: ModelLimits(), replica: run)
        while let need = adoption.run() {
            switch need {
            case .held(let dot): adoption.supply(held(dot), for: dot)
            case .waiting(on: let dot):
                adoption.supply(waiting: waiting.filter { $0.content.parents.dots.contains(dot) }, on: dot)
            case .note(let id, let depth): adoption.supply(loaded: note(id, downTo: depth), for: id, downTo: depth)
            }
        }
        for accepted in adoption.accepted { commit(accepted) }
        for revision in adoption.waiting { known.insert(revision.dot) }
        waiting = (waiting + adoption.waiting).filter { committed[$0.dot] == nil }
        if let unfit = adoption.quarantined.first { problem = "\(unfit.revision.dot) was not taken in: \(unfit.reason)" }
        if fault == .dropsWaiting { waiting = [] }
    }

    private func held(_ dot: Dot) -> Adoption.Held {
        if let revision = committed[dot] { return .committed(revision) }
        return waiting.first { $0.dot == dot }.map { .waiting($0) } ?? .nothing
    }

    /// Rewrites a revision as if its writer had been sent everything in this store.
    private func ontoNewest(_ linked: LinkedRevision) -> LinkedRevision {
        let sent = linked.content
        guard committed[sent.dot] == nil, let note = note(sent.note), note.knows(sent.parents),
            !sent.edits.contains(where: { $0.end > note.text.count })
        else { return linked }
        let moved = Revision(
            note: sent.note, dot: sent.dot, parents: note.version, edits: sent.edits, origin: sent.origin, name: sent.name,
            isTombstone: sent.isTombstone, resolves: sent.resolves, author: sent.author, time: sent.time)
        return LinkedRevision(moved, parentHashes: note.version.dots.compactMap { hashes[$0] })
    }

    // MARK: Loading

    func note(_ id: NoteID, downTo depth: LoadDepth = .newest) -> Note? {
        guard let rows = rows[id], let head = heads[id] else { return nil }
        return Note(NoteRecord(rows, head: head, downTo: depth))
    }
}
