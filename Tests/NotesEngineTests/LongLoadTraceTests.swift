import Causality
import Dependents
import Dispatch
import NoteText
import NotesMethods
import NotesModel
import NotesStore
import StoreTestKit
import TestKit
import Testing

@testable import NotesEngine

/// Random requests of several connections, many of which wait for loads, and the lines of two watchers,
/// compared with an engine in which no request ever waits.
@Suite struct LongLoadTraceTests {
    /// A request, and the number of its response.
    private struct Sent {
        let connection: DependentID
        let body: Call
        let number: UInt64
    }

    /// What a note shows at a version.
    private struct Shown: Equatable {
        let text: [UInt8]
        let conflicts: [ConflictDetail]
        let isDeleted: Bool

        init(_ note: NoteResponse) {
            (text, conflicts, isDeleted) = (note.text, note.conflicts, note.head.isDeleted)
        }

        init(_ state: NoteState) {
            (text, conflicts, isDeleted) = (state.text ?? [], state.conflicts, state.head.isDeleted)
        }

        init(_ merged: Outcome.Merged, _ details: [ConflictDetail]) {
            (text, conflicts, isDeleted) = (merged.text, details, merged.isDeleted)
        }
    }

    private struct Place: Hashable {
        let note: NoteID
        let version: Version
    }

    /// With seed 107, a write terminates the last line of the sides of an open conflict.
    @Test(arguments: seeds(30) + [107])
    func requestsThatWait_areAnsweredAsIfNoneWaited(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        // A tiny cache forgets a note as soon as another is used.
        let configuration = EngineConfiguration(
            cacheBytesMax: random.pick([0, 8 << 10, 64 << 20]), turnWeightMax: random.pick([2, 256]),
            shortWalkRevisionsMax: random.pick([-1, 0, 2]))
        var harness = Harness(journal: Harness.memoryJournal(), configuration: configuration)
        var clients = Clients(seed: seed)
        for connection in clients.connections { _ = await harness.register(connection.number) }
        for (watcher, include) in Self.watchers {
            _ = await harness.register(watcher.number)
            _ = await harness.ask(watcher, .watch(WatchNotes(include: include, snapshot: false)))
        }
        var sent: [Sent] = []
        for _ in 0..<12 {
            let isHeld = random.chance(0.7)
            if isHeld { harness.engine.walkWorker.queue.suspend() }
            var round: [Sent] = []
            for _ in 0..<random.pick([1, 2, 4]) {
                let requests = clients.requests()
                let numbers = harness.send(requests)
                round += zip(requests, numbers).map { Sent(connection: $0.0, body: $0.1, number: $1) }
                if isHeld, random.chance(0.5) {
                    _ = try await harness.engine.runOnEngine { $0.longReads.waiting.count }
                }
            }
            if random.chance(0.1) { try await failOnce(harness) }
            if isHeld { harness.engine.walkWorker.queue.resume() }
            var responses: [UInt64: Response] = [:]
            for connection in clients.connections { _ = await harness.ask(connection, .status) }
            for request in round { responses[request.number] = harness.response(to: request.number) }
            for request in round { clients.receive(responses[request.number], to: request.body) }
            sent += round
        }
        try await waitForWatchers(&harness)
        let order = harness.answered
        let responses = await harness.finish()
        for connection in clients.connections {
            let numbers = sent.filter { $0.connection == connection }.map(\.number)
            #expect(order.filter(numbers.contains) == numbers, "seed \(seed), connection \(connection.number)")
        }
        let (shown, newest) = try await compare(sent, responses, seed: seed)
        for (watcher, _) in Self.watchers { check(harness.notifications[watcher] ?? [], shown, newest, seed: seed) }
    }

    private static let watchers: [(DependentID, WatchDetail)] = [(DependentID(8), .text), (DependentID(9), .edits)]

    /// Creates a last note, and reads until each watcher has its line.
    private func waitForWatchers(_ harness: inout Harness) async throws {
        // A failure that no request met is met by the first attempt.
        for _ in 0..<2 {
            if await harness.ask(one, .write(create(Self.last, "end\n")))?.isCreated == true { break }
        }
        for (watcher, _) in Self.watchers {
            let line = await harness.notification(watcher) { $0.change?.state.head.id == Self.last }
            _ = try #require(line)
        }
    }

    private static let last = noteID(9)

    /// The lines of a watcher are numbered without a gap, each shows a state that the note had, and the last
    /// one of each note its last state.
    private func check(
        _ lines: [WatchNotification], _ shown: [Place: Shown], _ newest: [NoteID: Head], seed: UInt64
    ) {
        #expect(lines.map(\.number) == Array(1...UInt64(lines.count)), "seed \(seed)")
        var commit: UInt64 = 0
        var last: [NoteID: Head] = [:]
        for case let change? in lines.map(\.change) where change.state.head.id != Self.last {
            let head = change.state.head
            let place: Comment = "seed \(seed), commit \(change.state.sequence)"
            #expect(change.state.sequence > commit, place)
            commit = change.state.sequence
            #expect(shown[Place(note: head.id, version: head.version)] == Shown(change.state), place)
            last[head.id] = head
        }
        for (note, head) in newest {
            // Changes of a deleted note that leave it deleted have no line.
            let isCurrent = last[note]?.version == head.version || head.isDeleted && last[note]?.isDeleted != false
            #expect(isCurrent, "seed \(seed): note \(note) at \(head.version)")
        }
    }

    /// The next commit fails and changes nothing, or the next read does.
    private func failOnce(_ harness: Harness) async throws {
        try await harness.engine.runOnEngine { engine throws(JournalError) in
            (engine.noteCache.journal as? MemoryJournal)?.appendFaults = [.failed("a passing error")]
        }
    }

    /// Executes the accepted writes in the order of their dots, which is that of the commits, and
    /// compares their responses. A response that waited may show a later state. A read has to return
    /// what the note showed at some moment, with all writes that its connection had sent before.
    ///
    /// - Returns: what the notes showed at each version, and their newest heads.
    private func compare(
        _ sent: [Sent], _ responses: [UInt64: Response], seed: UInt64
    ) async throws -> (shown: [Place: Shown], newest: [NoteID: Head]) {
        var plain = Harness(
            journal: Harness.memoryJournal(), configuration: EngineConfiguration(shortWalkRevisionsMax: .max))
        for connection in Set(sent.map(\.connection)) { _ = await plain.register(connection.number) }
        var writes: [(dot: Dot, request: Sent)] = []
        for request in sent {
            guard let response = responses[request.number] else {
                Issue.record("seed \(seed): request \(request.number) has no response")
                continue
            }
            if let dot = response.dot, !response.isReplay { writes.append((dot, request)) }
        }
        writes.sort { $0.dot.counter < $1.dot.counter }
        #expect(writes.map(\.dot.counter) == Array(1..<UInt64(writes.count + 1)), "seed \(seed)")
        var shown: [Place: Shown] = [:]
        var newest: [NoteID: Head] = [:]
        var later: [(dot: Dot, note: NoteID, response: Response, expected: Response)] = []
        for (dot, request) in writes {
            guard case .write(let command) = request.body else { continue }
            let expected = await plain.ask(request.connection, request.body)
            let response = responses[request.number]
            let place: Comment = "seed \(seed), \(dot)"
            #expect(expected?.dot == dot, place)
            if let response, let expected, response.outcome != expected.outcome || response.details != expected.details {
                later.append((dot, command.note, response, expected))
            }
            guard case .note(let now) = await plain.ask(one, .get(GetNote(.id(command.note)))) else { continue }
            shown[Place(note: command.note, version: now.siblings)] = Shown(now)
            newest[command.note] = now.head
        }
        for (dot, note, response, expected) in later {
            let place: Comment = "seed \(seed), \(dot)"
            let (outcome, same) = (response.outcome, expected.outcome)
            #expect(outcome?.kind == same?.kind && outcome?.dot == same?.dot && outcome?.version == same?.version, place)
            #expect(outcome?.shown?.sent == same?.shown?.sent, place)
            let merged = try #require(outcome?.shown, place)
            #expect(shown[Place(note: note, version: merged.version)] == Shown(merged, response.details), place)
        }
        var written: [DependentID: [(note: NoteID, dot: Dot)]] = [:]
        var reads = 0
        for request in sent {
            let response = responses[request.number]
            let place: Comment = "seed \(seed), request \(request.number)"
            if case .write(let command) = request.body, let dot = response?.dot {
                written[request.connection, default: []].append((command.note, dot))
            } else if case .get(let get) = request.body, get.at == nil, case .note(let note) = response {
                reads += 1
                #expect(shown[Place(note: note.head.id, version: note.siblings)] == Shown(note), place)
                let own = (written[request.connection] ?? []).filter { $0.note == note.head.id }
                #expect(own.allSatisfy { (note.head.vector.counters[$0.dot.replica] ?? 0) >= $0.dot.counter }, place)
            }
        }
        #expect(reads > 0, "seed \(seed): reads are compared")
        _ = await plain.finish()
        return (shown, newest)
    }
}

extension WatchNotification {
    /// The change that the line reports.
    fileprivate var change: ChangeNotification? {
        if case .changed(let change) = event { change } else { nil }
    }
}

extension Response {
    /// The revision of a write; nil if it made none.
    fileprivate var dot: Dot? {
        if case .created(let head, let original) = self { original ?? head.version.dots.first } else { outcome?.dot }
    }

    /// The sides of the conflicts in the response to a write.
    fileprivate var details: [ConflictDetail] {
        if case .wrote(_, let conflicts, _) = self { conflicts } else { [] }
    }
}

/// Three clients of two notes that send several requests at once, on versions that they have read.
private struct Clients {
    let connections = [DependentID(1), DependentID(2), DependentID(3)]
    private let notes = [noteID(1), noteID(2)]
    private var random: SeededGenerator
    private var histories: [NoteID: UndoneHistory] = [:]
    private var seen: [NoteID: NoteResponse] = [:]
    private var made: [NoteID: [Dot]] = [:]
    private var named: [(Command, ByteString)] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed &+ 1_000)
        for (index, note) in notes.enumerated() { histories[note] = UndoneHistory(seed: seed &+ UInt64(index) &* 77, of: note) }
    }

    /// The next requests, which arrive together.
    mutating func requests() -> [(DependentID, Call)] {
        (0..<random.pick([1, 3, 8])).map { _ in (random.pick(connections), request()) }
    }

    private mutating func request() -> Call {
        let note = random.pick(notes)
        switch random.below(10) {
        case 0..<3: return .get(GetNote(.id(note)))
        case 3:
            guard let dot = made[note]?.randomElement(using: &random) else { return .status }
            return .get(GetNote(.id(note), at: random.chance(0.5) ? Version(dot) : nil, from: Version(dot)))
        case 4:
            guard let dot = made[note]?.randomElement(using: &random) else { return .listDependents }
            let place = SetPresence.Position(note: note, version: Version(dot), selection: Selection(start: 0, end: 0))
            return .setPresence(SetPresence(place, isQuiet: random.chance(0.5)))
        case 5 where !named.isEmpty:
            let (command, operation) = random.pick(named)
            return .write(command, operation: operation)
        default:
            let now = seen[note].map { UndoneHistory.Read($0.siblings, $0.text) }
            let command = histories[note]?.next(
                now: now, own: nil, conflicts: seen[note]?.head.conflicts.map(\.id) ?? [], made: made[note] ?? [])
            guard let command else { return .status }
            guard random.chance(0.3) else { return .write(command) }
            let operation = ByteString("op \(named.count)")
            named.append((command, operation))
            return .write(command, operation: operation)
        }
    }

    /// Takes in a response.
    mutating func receive(_ response: Response?, to request: Call) {
        if case .note(let note) = response, case .get(let get) = request, get.at == nil { seen[note.head.id] = note }
        if case .write(let command) = request, let dot = response?.dot, response?.isReplay == false {
            made[command.note, default: []].append(dot)
        }
    }
}
