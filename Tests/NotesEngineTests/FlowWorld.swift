import Causality
import NoteText
import NotesMethods
import NotesModel
import NotesWire
import Replication
import Synchronization
import TestKit
import TextMerge

/// Two stores at the ends of a `RevisionFlow`: one sends pages of revisions, the other one answers offers as a seed
/// decides. Revisions are numbers here, in the order of the source's commits.
final class FlowWorld: Sendable {
    struct Cut: Error {}

    struct Script {
        /// The parents of each revision.
        var parents: [[Int]] = []
        /// The revisions that the destination holds at the start.
        var held: Set<Int> = []
        /// Revisions that the source cannot send.
        var gone: Set<Int> = []
        /// Revisions that the source sends as beginnings of notes.
        var begun: Set<Int> = []
        /// Revisions with a text of 1 MiB.
        var large: Set<Int> = []
        /// Revisions that the destination quarantines.
        var unfit: Set<Int> = []
        /// Revisions for which the destination refuses the whole request.
        var poison: Set<Int> = []
        /// The number of revisions that may wait for a parent.
        var waitingMax = 0
        var laterChance = 0.0
        /// Number of the offer at which the destination asks for a restart.
        var restartAt: Int?
        /// Number of the offer from which on the destination takes nothing.
        var fullAt: Int?
        /// The operation that cuts a connection.
        var cutAt: Int?
        var once = true
        /// The first revision that the source commits after the start.
        var backlog = 0
    }

    struct Destination {
        var held: Set<Int>
        var waiting: Set<Int> = []
        var quarantined: Set<Int> = []
        /// How often it committed a revision.
        var taken = 0
        var offers = 0
        var offersUnderWay = 0
        var latersInSequence = 0
        var isFull = false
        var isCut = false
        /// The revisions that it was offered since its last answer to `known`.
        var seen: Set<Int> = []
        /// The number of the page of the newest of them.
        var lastPage: UInt64 = 0
    }

    struct Source {
        var isCut = false
        var watch: UInt64 = 0
        var window = FeedWindow()
        var queue: [RevisionsPage] = []
        var unacknowledged: [RevisionsPage] = []
        var pages: AsyncThrowingStream<RevisionsPage, any Error>.Continuation?
    }

    /// How often the seeds led to what the test is about.
    struct Coverage {
        var pairs = 0, refusedBeforeTheirParents = 0, restartsInPairs = 0, laters = 0, cuts = 0, fulls = 0, oneByOne = 0
    }

    struct State {
        var script: Script
        var random: SeededGenerator
        var operations = 0
        var destination: Destination
        var source = Source()
        var coverage = Coverage()
        /// Violated laws.
        var faults: [String] = []
    }

    let state: Mutex<State>

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let script = Script(&random)
        state = Mutex(State(script: script, random: random, destination: Destination(held: script.held)))
    }

    /// Connects the stores again and frees space at the destination, so that the next flow carries the rest.
    func repair() {
        state.withLock { state in
            (state.script.cutAt, state.script.fullAt, state.script.once) = (nil, nil, true)
            state.script.backlog = state.script.parents.count
            (state.destination.isCut, state.destination.isFull, state.source.isCut) = (false, false, false)
        }
    }

    /// Lets other tasks go first, `most` times at most.
    func pause(_ most: Int) async {
        for _ in 0..<state.withLock({ $0.random.below(most + 1) }) { await Task.yield() }
    }
}

extension FlowWorld.Script {
    init(_ random: inout SeededGenerator) {
        let count = random.below(24)
        once = random.chance(0.7)
        backlog = once ? count : random.below(count + 1)
        let chances = (0..<5).map { _ in random.chance(0.4) ? 0.1 : 0 }
        for number in 0..<count {
            if random.chance(chances[0]) { gone.insert(number) }
            if random.chance(chances[1]) { begun.insert(number) }
            if random.chance(chances[2] / 4) { large.insert(number) }
            if random.chance(chances[3]) { unfit.insert(number) }
            if random.chance(chances[4]) { poison.insert(number) }
            let parents = (0..<random.below(3)).map { _ in max(0, number - 1 - random.below(6)) }
            self.parents.append(begun.contains(number) || number == 0 ? [] : Set(parents).sorted())
        }
        for number in 0..<backlog where random.chance(0.2) {
            if accepts(number), held.isSuperset(of: self.parents[number]) { held.insert(number) }
        }
        waitingMax = random.below(4)
        laterChance = random.pick([0, 0, 0.2, 0.5])
        restartAt = random.chance(0.3) ? random.below(8) : nil
        fullAt = once && random.chance(0.05) ? random.below(8) : nil
        cutAt = random.chance(0.3) ? random.below(24) : nil
    }

    func accepts(_ number: Int) -> Bool { !gone.contains(number) && !unfit.contains(number) && !poison.contains(number) }

    /// The revisions that the destination holds at the end.
    var accepted: Set<Int> {
        parents.indices.reduce(into: held) { held, number in
            if accepts(number), held.isSuperset(of: parents[number]) { held.insert(number) }
        }
    }
}

extension FlowWorld {
    private static let wires: [WireRevision] = (0..<24).map { number in
        RevisionCodec.wireForm(
            of: LinkedRevision(
                Revision(
                    note: noteID(1), dot: dot(number), parents: Version([]), edits: [], origin: .stated, author: ada,
                    time: Timestamp(milliseconds: 7)), parentHashes: []))
    }
    private static let largeText = [UInt8](repeating: 0x78, count: FeedWindow.unacknowledgedBytesMax)

    static func dot(_ number: Int) -> Dot { Dot(ReplicaID(bits: 1), UInt64(number + 1)) }
    static func number(of dot: Dot) -> Int { Int(dot.counter) - 1 }
    static func number(of wire: WireRevision) -> Int { RevisionCodec.dot(ofHead: wire.head).map(number) ?? -1 }
    static func numbers(in page: RevisionsPage) -> [Int] {
        page.beginnings.map { number(of: $0.revision) } + page.revisions.map(number)
    }

    static func add(_ number: Int, to page: inout RevisionsPage, _ script: Script) {
        let wire = WireRevision(head: wires[number].head, text: script.large.contains(number) ? largeText : [])
        if script.gone.contains(number) {
            page.gone.append(dot(number))
        } else if script.begun.contains(number) {
            page.beginnings.append(
                WireBeginning(
                    revision: wire, below: DotSet(), erased: DotSet(), text: "", name: nil, isDeleted: false,
                    lastLine: .shown, created: Timestamp(milliseconds: 7)))
        } else {
            page.revisions.append(wire)
        }
    }
}
