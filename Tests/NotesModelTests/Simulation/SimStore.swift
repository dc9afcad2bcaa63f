import Causality
import NotesModel
import TestKit
import TextMerge

/// One replica of a simulation: revisions in commit order, those that wait for their parents, and the run that writes.
struct SimStore {
    struct Row {
        let revision: Revision
        let coversAll: Bool
        let text: [UInt8]
        let name: NoteName?
        let conflicts: [Conflict]
    }

    private(set) var rows: [NoteID: [Row]] = [:]
    private(set) var heads: [NoteID: Head] = [:]
    private(set) var order: [Revision] = []
    private(set) var waiting: [Revision] = []
    /// Committed, or waiting.
    private(set) var known = DotSet()
    private var committed: [Dot: Revision] = [:]
    private(set) var run: ReplicaID
    private var counter: UInt64 = 0
    let fault: SimFault?
    /// What the store noticed that must not be.
    private(set) var problem: String?

    init(run: ReplicaID, fault: SimFault?) {
        self.run = run
        self.fault = fault
    }

    mutating func start(as run: ReplicaID) {
        self.run = run
        counter = 0
    }

    var committedDots: Dictionary<Dot, Revision>.Keys { committed.keys }

    mutating func apply(_ command: Command, time: Int) -> WorkingCopy.Step {
        var copy = WorkingCopy(limits: ModelLimits())
        if known.contains(Dot(run, counter + 1)) {
            problem = "\(run) would mint \(counter + 1) again"
            return .refused(.noteNotFound)
        }
        let write = Write(dot: Dot(run, counter + 1), author: ada, time: Timestamp(milliseconds: Int64(time)))
        var step = copy.apply(command, as: write)
        while case .needs(let need) = step {
            switch need {
            case .holders(let name):
                let holders = heads.values.filter { $0.name == name && !$0.isDeleted }.map(\.id).sorted()
                copy.supply(holders: holders, of: name)
            case .note(let id, let reach): copy.supply(loaded: note(id, reaching: reach), for: id, reaching: reach)
            }
            step = copy.apply(command, as: write)
        }
        if case .accepted(let accepted) = step {
            counter += 1
            let row = Row(
                revision: accepted.revision, coversAll: accepted.coversAll, text: accepted.text, name: accepted.name,
                conflicts: accepted.conflicts)
            commit(row, head: accepted.after)
        }
        return step
    }

    private mutating func commit(_ row: Row, head: Head) {
        rows[row.revision.note, default: []].append(row)
        heads[row.revision.note] = head
        order.append(row.revision)
        committed[row.revision.dot] = row.revision
        known.insert(row.revision.dot)
    }

    // MARK: Exchange

    /// What the other lacks, in commit order.
    func lacked(by other: DotSet, limit: Int) -> [Revision] {
        Array(order.lazy.filter { !other.contains($0.dot) }.prefix(limit))
    }

    /// Takes in what another store sent, in whatever order and however often, by the planner that the daemon has (`Adoption`).
    mutating func take(_ revisions: [Revision]) {
        let offered = fault == .adoptsOntoNewest ? revisions.map(ontoNewest) : revisions
        var adoption = Adoption(of: offered, limits: ModelLimits(), replica: run)
        while let need = adoption.run() {
            switch need {
            case .held(let dot): adoption.supply(held(dot), for: dot)
            case .waiting(on: let dot): adoption.supply(waiting: waiting.filter { $0.parents.dots.contains(dot) }, on: dot)
            case .note(let id, let reach): adoption.supply(loaded: note(id, reaching: reach), for: id, reaching: reach)
            }
        }
        for accepted in adoption.accepted {
            let row = Row(
                revision: accepted.revision, coversAll: accepted.coversAll, text: accepted.text, name: accepted.name,
                conflicts: accepted.conflicts)
            commit(row, head: accepted.after)
        }
        for revision in adoption.waiting { known.insert(revision.dot) }
        waiting = (waiting + adoption.waiting).filter { committed[$0.dot] == nil }
        if let unfit = adoption.quarantined.first { problem = "\(unfit.revision.dot) was not taken in: \(unfit.reason)" }
        if fault == .dropsWaiting { waiting = [] }
    }

    private func held(_ dot: Dot) -> Adoption.Held {
        if let revision = committed[dot] { return .committed(revision) }
        return waiting.first { $0.dot == dot }.map { .waiting($0) } ?? .nothing
    }

    /// As if its writer had been shown all that is shown here.
    private func ontoNewest(_ sent: Revision) -> Revision {
        guard committed[sent.dot] == nil, let note = note(sent.note), note.knows(sent.parents),
            !sent.edits.contains(where: { $0.end > note.text.count })
        else { return sent }
        return Revision(
            note: sent.note, dot: sent.dot, parents: note.version, edits: sent.edits, origin: sent.origin, name: sent.name,
            isTombstone: sent.isTombstone, resolves: sent.resolves, author: sent.author, time: sent.time)
    }

    // MARK: Loading

    /// The note from the newest critical version that reaches far enough down.
    func note(_ id: NoteID, reaching reach: Reach = .newest) -> Note? {
        guard let rows = rows[id], let first = rows.first, let head = heads[id] else { return nil }
        let root = rootIndex(of: rows, reaching: reach)
        return Note(
            NoteRecord(
                id: id, created: first.revision.time, vector: head.vector, sequence: UInt64(rows.count),
                root: root.map { index in
                    let row = rows[index]
                    return NoteRecord.Root(
                        dot: row.revision.dot, text: row.text, name: row.name, isDeleted: row.revision.isTombstone,
                        author: row.revision.author, time: row.revision.time, conflicts: row.conflicts)
                }, tail: rows[((root ?? -1) + 1)...].map(\.revision)))
    }

    /// The newest row that has all before it in its past, is in the past of all after it, and stands at or below what is asked
    /// for.
    private func rootIndex(of rows: [Row], reaching reach: Reach) -> Int? {
        guard reach != .start else { return nil }
        var places: [Dot: Int] = [:]
        for (index, row) in rows.enumerated() { places[row.revision.dot] = index }
        var lowest = rows.count
        if case .dots(let version) = reach { lowest = version.dots.compactMap { places[$0] }.min() ?? lowest }
        for (index, row) in rows.enumerated().reversed() {
            if row.coversAll, lowest >= index { return index }
            let parents = row.revision.parents.dots.map { places[$0] ?? -1 }
            lowest = min(lowest, parents.min() ?? -1)
        }
        return nil
    }
}
