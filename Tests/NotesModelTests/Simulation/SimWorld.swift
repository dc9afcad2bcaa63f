import Causality
import NotesModel
import TestKit
import TextMerge

/// Stores, clients and a network in one thread. Equal seeds and steps have equal results.
struct SimWorld {
    struct Message {
        let to: Int
        var revisions: [LinkedRevision]
    }

    struct Copy {
        let of: Int
        let store: SimStore
        let held: Set<Dot>
    }

    static let storesMax = 6
    let seed: UInt64
    let fault: SimFault?
    let notes: [NoteID]
    var stores: [SimStore] = []
    var clients: [SimClient] = []
    var flight: [Message] = []
    var copies: [Copy] = []
    var judge = SimChecker()
    var failure: String?
    private var runs: UInt64 = 0
    private var tokens = 0
    var time = 0

    init(seed: UInt64, fault: SimFault?) {
        self.seed = seed
        self.fault = fault
        var random = SeededGenerator(seed: ~seed)
        let count = 1 + random.below(2)
        notes = (1...count).map { noteID(UInt64($0)) }
        for _ in 0..<3 + random.below(3) {
            stores.append(SimStore(run: newRun(), fault: fault))
            judge.addStore()
        }
        for _ in 0..<2 + random.below(4) {
            clients.append(SimClient(store: random.below(stores.count), notes: count))
        }
    }

    mutating func newRun() -> ReplicaID {
        runs += 1
        var random = SeededGenerator(seed: seed &* 0x1_0001 &+ runs)
        return ReplicaID(bits: random.next())
    }

    mutating func newToken() -> Int {
        tokens += 1
        return tokens
    }

    /// Runs the steps in order, then delivers everything.
    static func failure(of steps: [SimStep], seed: UInt64, fault: SimFault? = nil) -> String? {
        var world = SimWorld(seed: seed, fault: fault)
        for (index, step) in steps.enumerated() {
            world.time = index
            world.perform(step)
            if let place = world.stores.firstIndex(where: { $0.problem != nil }), let problem = world.stores[place].problem {
                world.failure = "store \(place): \(problem)"
            }
            if let failure = world.failure { return "step \(index), \(step): \(failure)" }
        }
        world.settle()
        return world.failure.map { "at the end: \($0)" }
    }

    mutating func perform(_ step: SimStep) {
        var random = SeededGenerator(seed: step.salt)
        switch step.kind {
        case .read, .create, .save, .edit, .delete, .rename, .resolve, .undo, .resend, .goBack, .roam:
            act(step.kind, &random)
        case .send, .deliver, .lose, .double, .cut, .reverse:
            network(step.kind, &random)
        case .restart: stores[random.below(stores.count)].start(as: newRun())
        case .copy:
            let store = random.below(stores.count)
            copies.append(Copy(of: store, store: stores[store], held: judge.held[store]))
        case .restore, .clone: bringBack(step.kind, &random)
        case .check: check(random.below(stores.count))
        }
    }

    /// A copy starts to run: in place of the store it was made from, or beside it.
    private mutating func bringBack(_ kind: SimStep.Kind, _ random: inout SeededGenerator) {
        guard !copies.isEmpty else { return }
        let copy = random.pick(copies)
        var store = copy.store
        if fault != .keepsRunID { store.start(as: newRun()) }
        if kind == .restore {
            stores[copy.of] = store
            judge.restore(copy.of, holding: copy.held)
        } else if stores.count < Self.storesMax {
            stores.append(store)
            judge.addStore(holding: copy.held)
        }
    }

    private mutating func network(_ kind: SimStep.Kind, _ random: inout SeededGenerator) {
        if kind == .send {
            let (from, to) = (random.below(stores.count), random.below(stores.count))
            let page = stores[from].missingRevisions(by: stores[to].known, limit: 1 + random.below(12))
            if from != to, !page.isEmpty { flight.append(Message(to: to, revisions: page)) }
            return
        }
        guard !flight.isEmpty else { return }
        let index = random.below(flight.count)
        switch kind {
        case .lose: flight.remove(at: index)
        case .double: flight.append(flight[index])
        case .reverse: flight[index].revisions.reverse()
        case .cut:
            let at = random.below(flight[index].revisions.count)
            flight.append(Message(to: flight[index].to, revisions: Array(flight[index].revisions[at...])))
            flight[index].revisions.removeSubrange(at...)
        default: deliver(flight.remove(at: index))
        }
    }

    private mutating func deliver(_ message: Message) {
        stores[message.to].take(message.revisions)
        judge.delivered(message.revisions, to: message.to)
        if let problem = stores[message.to].problem { failure = "store \(message.to): \(problem)" }
    }

    // MARK: Judging

    /// Compares a store's notes with the checker's record and with the same notes loaded from their
    /// first revision.
    mutating func check(_ store: Int) {
        let waiting = Set(stores[store].waiting.map(\.dot))
        for id in notes {
            guard let note = stores[store].note(id), let whole = stores[store].note(id, downTo: .start) else { continue }
            let text = note.text
            if note.head != whole.head || text != whole.text {
                failure = "store \(store): \(id) is another when it is loaded whole: \(note.head) \(whole.head)"
            } else if let fault = judge.fault(
                in: text, isDeleted: note.isDeleted, of: id, holding: judge.held[store].subtracting(waiting))
            {
                failure = "store \(store): \(id) \(fault)"
            }
        }
    }

    /// Delivers everything in flight and exchanges until nothing is new.
    private mutating func settle() {
        while !flight.isEmpty, failure == nil { deliver(flight.removeLast()) }
        exchangeAll()
        guard failure == nil else { return }
        checkWaiting()
        for store in stores.indices where failure == nil { check(store) }
        for id in notes {
            guard failure == nil else { return }
            checkAgreement(on: id)
        }
    }

    mutating func exchangeAll() {
        var isNew = true
        while isNew, failure == nil {
            isNew = false
            for from in stores.indices {
                for to in stores.indices where to != from && failure == nil {
                    let page = stores[from].missingRevisions(by: stores[to].known, limit: .max)
                    guard !page.isEmpty else { continue }
                    isNew = true
                    deliver(Message(to: to, revisions: page))
                }
            }
        }
    }

    /// A revision that still waits must wait for one that never arrived at any store, or that was
    /// lost with its copy.
    private mutating func checkWaiting() {
        let kept = judge.held.reduce(into: Set<Dot>()) { $0.formUnion($1) }
        let stuck = Set(stores.flatMap { $0.waiting.map(\.dot) })
        for (index, store) in stores.enumerated() {
            for revision in store.waiting {
                let missing = revision.content.parents.dots.filter { !store.committedDots.contains($0) }
                if missing.allSatisfy({ kept.contains($0) && !stuck.contains($0) }) {
                    failure = "store \(index): \(revision.dot) waits for \(missing), which is kept"
                }
            }
        }
    }

    private mutating func checkAgreement(on id: NoteID) {
        guard let first = stores[0].note(id) else {
            if stores.contains(where: { $0.heads[id] != nil }) { failure = "store 0 has no \(id)" }
            return
        }
        for (index, store) in stores.enumerated().dropFirst() {
            guard let other = store.note(id) else {
                failure = "store \(index) has no \(id)"
                return
            }
            // Stores may differ in the last time and author, because each reports them in its own
            // commit order.
            var head = other.head
            (head.created, head.modified, head.author) = (first.head.created, first.head.modified, first.head.author)
            if head != first.head || other.text != first.text {
                failure = "stores 0 and \(index) show different notes: \(first.head) \(head)"
            }
        }
    }
}
