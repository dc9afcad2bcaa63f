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

    /// Takes in what another store sent, in whatever order and however often.
    mutating func take(_ revisions: [Revision]) {
        for revision in revisions {
            if let held = committed[revision.dot] ?? waiting.first(where: { $0.dot == revision.dot }) {
                if held != revision { problem = "\(revision.dot) names two contents" }
            } else if known.insert(revision.dot) {
                waiting.append(revision)
            }
        }
        while let index = waiting.firstIndex(where: hasParents) {
            adopt(waiting.remove(at: index))
        }
        if fault == .dropsWaiting { waiting = [] }
    }

    private func hasParents(_ revision: Revision) -> Bool {
        revision.parents.dots.allSatisfy { committed[$0] != nil }
    }

    private mutating func adopt(_ sent: Revision) {
        var revision = sent
        guard var note = note(revision.note, reaching: Reach(base: revision.parents)) else {
            let note = Note(first: revision)
            return commit(row(revision, coversAll: true, note), head: note.head)
        }
        if fault == .adoptsOntoNewest, !revision.edits.contains(where: { $0.end > note.text.count }) {
            revision = Revision(
                note: sent.note, dot: sent.dot, parents: note.version, edits: sent.edits, origin: sent.origin, name: sent.name,
                isTombstone: sent.isTombstone, resolves: sent.resolves, author: sent.author, time: sent.time)
        }
        if note.reduced(revision.parents) != revision.parents { problem = "the parents of \(revision.dot) are not reduced" }
        let length = note.text(at: note.reduced(revision.parents)).count
        if revision.edits.fault(forLength: length) != nil {
            problem = "\(revision.dot) does not fit what its parents show"
            return
        }
        let coversAll = revision.parents == note.version
        note.append(revision)
        commit(row(revision, coversAll: coversAll, note), head: note.head)
    }

    private func row(_ revision: Revision, coversAll: Bool, _ note: Note) -> Row {
        var note = note
        let version = Version(revision.dot)
        return Row(
            revision: revision, coversAll: coversAll, text: note.text(at: version), name: note.name(at: version),
            conflicts: coversAll ? note.keptConflicts : [])
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
