import Causality
import NoteText
import NotesEngine
import NotesMethods
import NotesModel
import TestKit
import Testing
import TextMerge

/// A store that is compacted at random times is compared with one that keeps everything. Both get
/// the same writes. One of the two notes is written with every kind of undo.
@Suite struct CompactionLawTests {
    @Test(arguments: [false, true], seeds(6))
    func compaction_changesOnlyCompactedTexts(isOnDisk: Bool, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var pair = try await Pair(isOnDisk: isOnDisk, seed: seed)
        for number in 0..<120 {
            try await pair.write(number, &random)
            if random.chance(0.06) { try await pair.compact() }
            if random.chance(0.03) { try await pair.restart() }
            if random.chance(0.05) { try await pair.compare() }
        }
        try await pair.compact()
        try await pair.compare()
        #expect(pair.goneCount > 0 || !isUsual(seed, of: 10), "seed \(seed): nothing was thinned out")
        try await pair.audit()
        await pair.stop()
    }
}

private struct Pair {
    var compacted: Site
    var whole: Site
    let place: String
    private let isOnDisk: Bool
    private var runs = 0
    private var seconds: UInt64 = 0
    private var dots: [NoteID: [Dot]] = [:]
    private let notes = [noteID(1), noteID(2)]
    /// What is written to the second note.
    private var history: UndoneHistory
    /// The number of versions that could not be read at the last comparison.
    private(set) var goneCount = 0

    /// Every walk is long, and its rows are read in many steps.
    private static let configuration = EngineConfiguration(
        shortWalkRevisionsMax: -1, walkRowsMax: 2, history: .keepDays(0))

    init(isOnDisk: Bool, seed: UInt64) async throws {
        self.isOnDisk = isOnDisk
        place = "seed \(seed), on disk \(isOnDisk)"
        history = UndoneHistory(seed: seed, of: notes[1])
        let own = ReplicaID(bits: 0xA0)
        compacted = try await Site(isOnDisk ? TemporaryDirectory() : nil, as: own, configuration: Self.configuration)
        whole = try await Site(isOnDisk ? TemporaryDirectory() : nil, as: own)
    }

    mutating func compact() async throws {
        seconds += 86_400
        compacted.engine.submit([.tick(seconds: Int(seconds))])
        while try await compacted.engine.isCompacting() {}
    }

    mutating func restart() async throws {
        guard isOnDisk, let first = compacted.folder, let second = whole.folder else { return }
        await stop()
        runs += 1
        let own = ReplicaID(bits: 0xA0 + UInt64(runs))
        compacted = try await Site(first, as: own, configuration: Self.configuration)
        whole = try await Site(second, as: own)
    }

    func stop() async {
        await compacted.stop()
        await whole.stop()
    }

    // MARK: Writes

    mutating func write(_ number: Int, _ random: inout SeededGenerator) async throws {
        let id = random.pick(notes)
        guard id == notes[0] else { return try await writeWithUndo() }
        guard let made = dots[id] else {
            let text = (1...20).map { "line \($0)\n" }.joined()
            return await both(create(id, text, name: random.chance(0.5) ? ByteString("n\(number)") : nil))
        }
        var base = Version(random.pick(made))
        if random.chance(0.8), let note = await whole.note(id) { base = note.siblings }
        guard case .note(let shown) = await whole.harness.ask(one, .get(GetNote(.id(id), at: base))) else { return }
        await both(Self.command(on: shown, id, base, number, &random))
    }

    private mutating func writeWithUndo() async throws {
        let id = notes[1]
        let made = dots[id] ?? []
        guard let now = await whole.note(id) else {
            return await both(history.next(now: nil, own: nil, conflicts: [], made: []))
        }
        var own: UndoneHistory.Read?
        if let newest = made.last,
            case .note(let note) = await whole.harness.ask(one, .get(GetNote(.id(id), at: Version(newest))))
        {
            own = UndoneHistory.Read(Version(newest), note.text)
        }
        await both(
            history.next(
                now: UndoneHistory.Read(now.siblings, now.text), own: own, conflicts: now.head.conflicts.map(\.id), made: made))
    }

    private static func command(
        on shown: NoteResponse, _ id: NoteID, _ base: Version, _ number: Int, _ random: inout SeededGenerator
    ) -> Command {
        switch random.below(12) {
        case 0: return .deleteNote(DeleteNote(id: id, base: base))
        case 1: return .saveNote(SaveNote(id: id, base: base, text: nil, name: .set(ByteString("n\(number)"))))
        case 2...7:
            var lines = shown.text.split(separator: UInt8(ascii: "\n")).map { Array($0) + [UInt8(ascii: "\n")] }
            let at = random.below(lines.count + 1)
            if at < lines.count, random.chance(0.4) { lines.remove(at: at) }
            lines.insert(bytes("\(number) é\n"), at: min(at, lines.count))
            let resolves = random.chance(0.5) ? shown.head.conflicts.map(\.id) : []
            return .saveNote(SaveNote(id: id, base: base, text: Array(lines.joined()), resolves: resolves))
        default:
            let length = String(decoding: shown.text, as: UTF8.self).unicodeScalars.count
            let start = random.below(length + 1)
            let edit = PositionedEdit(
                start: start, end: min(length, start + random.below(3)), text: bytes(random.pick(["", "x", "ÿ\n"])))
            return .editNote(EditNote(id: id, base: base, edits: [edit], encoding: .utf32))
        }
    }

    /// Sends both stores the same write, unless it builds on a compacted version.
    private mutating func both(_ command: Command) async {
        let response = await compacted.write(command)
        if case .revisionGone(let version, let oldest) = response?.rejection {
            #expect(oldest != nil && !version.isNothing, "\(place)")
            return
        }
        let other = await whole.write(command)
        #expect(response?.rejection == other?.rejection && response?.outcome == other?.outcome, "\(place): \(command)")
        #expect(response?.isCreated == other?.isCreated, "\(place)")
        if let dot = other?.outcome?.dot { dots[command.note, default: []].append(dot) }
        if case .created(let head, _) = other, let dot = head.version.single { dots[command.note, default: []].append(dot) }
    }

    // MARK: Comparison

    mutating func compare() async throws {
        goneCount = 0
        for id in notes {
            guard let theirs = await whole.note(id) else { continue }
            guard let mine = await compacted.note(id) else {
                Issue.record("\(place): note \(id) cannot be read")
                continue
            }
            expectSame(mine, theirs, "now")
            let needed = Set(mine.siblings.dots + mine.head.conflicts.flatMap(\.sides))
            for dot in dots[id] ?? [] {
                let get = Call.get(GetNote(.id(id), at: Version(dot)))
                guard case .note(let other) = await whole.harness.ask(one, get) else {
                    Issue.record("\(place): \(dot) cannot be read")
                    continue
                }
                switch await compacted.harness.ask(one, get) {
                case .note(let own): expectSame(own, other, "at \(dot)")
                case .refused(.revisionGone(let version, let oldest)):
                    goneCount += 1
                    #expect(version == Version(dot) && oldest != nil && !needed.contains(dot), "\(place), \(dot)")
                    // Joined with the current siblings, it names the current text.
                    let joined = GetNote(.id(id), at: Version(dot).union(mine.siblings))
                    #expect(await compacted.harness.ask(one, .get(joined))?.text == mine.text, "\(place), \(dot)")
                case let response: Issue.record("\(place): at \(dot) \(String(describing: response))")
                }
            }
            try await compareHistories(id)
        }
    }

    private func expectSame(_ mine: NoteResponse, _ theirs: NoteResponse, _ what: String) {
        #expect(mine.head == theirs.head && mine.text == theirs.text, "\(place), \(what)")
        #expect(mine.siblings == theirs.siblings && mine.conflicts == theirs.conflicts, "\(place), \(what)")
    }

    private mutating func compareHistories(_ id: NoteID) async throws {
        let read = Call.history(ReadHistory(id: id, limit: 1_000, before: nil))
        guard case .history(let mine, _) = await compacted.harness.ask(one, read),
            case .history(let theirs, _) = await whole.harness.ask(one, read)
        else {
            Issue.record("\(place): no history")
            return
        }
        #expect(mine.map(\.dot) == theirs.map(\.dot) && mine.map(\.parents) == theirs.map(\.parents), "\(place)")
        #expect(mine.map(\.bytes) == theirs.map(\.bytes) && mine.map(\.name) == theirs.map(\.name), "\(place)")
        #expect(mine.map(\.author) == theirs.map(\.author) && mine.map(\.time) == theirs.map(\.time), "\(place)")
        #expect(theirs.allSatisfy { !$0.isCompacted }, "\(place)")
    }

    mutating func audit() async throws {
        guard case .audited(let mine) = await compacted.harness.ask(one, .audit),
            case .audited(let theirs) = await whole.harness.ask(one, .audit)
        else {
            Issue.record("\(place): no report")
            return
        }
        #expect(mine.findings.isEmpty && theirs.findings.isEmpty, "\(place): \(mine.findings) \(theirs.findings)")
        #expect(mine.revisions == theirs.revisions && mine.notes == theirs.notes, "\(place)")
        #expect(mine.compacted == goneCount && theirs.compacted == 0, "\(place)")
    }
}
