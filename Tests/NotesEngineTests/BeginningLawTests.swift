import Causality
import NotesEngine
import NotesModel
import StoreTestKit
import TestKit
import Testing
import TextMerge

/// Stores that write, purge and compact at random times, and exchange parts of what they have in any
/// order. Stores with the same revisions of a note show the same, and a store that holds a purge has no
/// byte that the purge erased.
@Suite struct BeginningLawTests {
    @Test(arguments: [false, true])
    func storesAgree_andNothingErasedComesBack(isOnDisk: Bool) async throws {
        var (begun, equal, purges) = (0, 0, 0)
        for seed in seeds(8) {
            var random = SeededGenerator(seed: seed)
            var world = try await World(isOnDisk: isOnDisk, seed: seed)
            for _ in 0..<150 { try await world.step(&random) }
            try await world.judge()
            try await world.stop()
            (begun, equal, purges) = (begun + world.begun, equal + world.equal, purges + world.purges.count)
        }
        #expect(begun > 0 && equal > 0 && purges > 0, "the law was not put to the test")
    }
}

private struct World {
    private var sites: [Site] = []
    private let notes = [noteID(1), noteID(2), noteID(3)]
    private let place: String
    private var (days, runs) = (0, 0)
    private var words = 0
    /// The words of each revision.
    private var written: [Dot: [String]] = [:]
    /// Each purge, and the words that it erased.
    private(set) var purges: [(dot: Dot, note: NoteID, erased: [String])] = []
    /// The number of beginnings that were taken in, and that of notes compared.
    private(set) var (begun, equal) = (0, 0)

    init(isOnDisk: Bool, seed: UInt64) async throws {
        place = "seed \(seed), on disk \(isOnDisk)"
        for name in ["A", "B", "C"] {
            sites.append(
                try await Site(
                    isOnDisk ? TemporaryDirectory() : nil, as: replica(Character(name)),
                    configuration: EngineConfiguration(history: .keepDays(0))))
        }
    }

    mutating func step(_ random: inout SeededGenerator) async throws {
        let index = random.below(sites.count)
        if random.chance(0.02), sites[index].folder != nil {
            runs += 1
            try await sites[index].restart(as: ReplicaID(bits: 0xA00 + UInt64(runs)), EngineConfiguration(history: .keepDays(0)))
        }
        switch random.below(60) {
        case 0..<18: await write(index, &random)
        case 18..<21: await purge(index, random.pick(notes))
        case 21..<23:
            days += 1
            sites[index].engine.submit([.tick(seconds: days * 86_400)])
            while try await sites[index].engine.isCompacting() {}
        default: try await exchange(index, (index + 1 + random.below(2)) % 3, &random)
        }
    }

    private mutating func write(_ index: Int, _ random: inout SeededGenerator) async {
        let id = random.pick(notes)
        words += 1
        let word = "word\(words)x"
        guard let note = await sites[index].note(id) else {
            // One store makes each note: the rest get it.
            guard notes.firstIndex(of: id) == index else { return }
            note(await sites[index].write(create(id, word + "\n", name: ByteString("name\(words % 7)"))), word)
            return
        }
        var lines = String(decoding: note.text, as: UTF8.self).split(separator: "\n").map(String.init)
        switch random.below(10) {
        case 0:
            _ = await sites[index].write(.deleteNote(DeleteNote(id: id, base: note.head.version)))
            return
        case 1:
            guard
                case .history(let revisions, _) = await sites[index].harness.ask(
                    one, .history(ReadHistory(id: id, limit: 5, before: nil)))
            else { return }
            _ = await sites[index].write(
                .undoNote(UndoNote(id: id, base: note.head.version, revisions: [random.pick(revisions).dot])))
            return
        default: break
        }
        lines.insert(word, at: random.below(lines.count + 1))
        if random.chance(0.5) { lines.remove(at: random.below(lines.count)) }
        let text = lines.map { $0 + "\n" }.joined()
        self.note(await sites[index].write(save(id, text, on: note.head.version)), word)
    }

    /// Takes note of the word that a write inserted.
    private mutating func note(_ response: Response?, _ word: String) {
        if let dot = response?.outcome?.dot { written[dot, default: []].append(word) }
        if case .created(let head, _)? = response { written[head.version.dots[0], default: []].append(word) }
    }

    private mutating func purge(_ index: Int, _ id: NoteID) async {
        guard let note = await sites[index].note(id), let dots = await dots(index, of: id) else { return }
        guard
            case .purged(let dot, _, _)? = await sites[index].write(
                .purgeNote(PurgeNote(id: id, base: note.head.version)))
        else { return }
        let shown = String(decoding: note.text, as: UTF8.self)
        let erased = dots.flatMap { written[$0] ?? [] }.filter { !shown.contains($0) }
        purges.append((dot, id, erased))
    }

    /// The revisions of a note that a site can still show.
    private func dots(_ index: Int, of id: NoteID) async -> [Dot]? {
        var site = sites[index]
        guard
            case .history(let revisions, _) = await site.harness.ask(
                one, .history(ReadHistory(id: id, limit: 1_000, before: nil)))
        else { return nil }
        return revisions.map(\.dot)
    }

    private mutating func exchange(_ index: Int, _ other: Int, _ random: inout SeededGenerator) async throws {
        let known = random.chance(0.2) ? DotSet() : try await sites[other].knownDots()
        let limit = PageLimit(revisionsMax: 1 + random.below(12), bytesMax: 1 + random.below(2_000))
        let missing = try await sites[index].missing(by: known)
        for page in missing.parts(revisionsMax: limit.revisionsMax, bytesMax: limit.bytesMax) {
            #expect(page.gone.isEmpty, "\(place)")
            var revisions = page.revisions
            if random.chance(0.3) { revisions.shuffle(using: &random) }
            if random.chance(0.1) { revisions = Array(revisions.dropFirst()) }
            let report = try await sites[other].adopt(
                revisions, beginnings: page.beginnings, mayPurge: random.chance(0.8))
            begun += page.beginnings.count { beginning in report.committed.contains(beginning.dot) }
            if random.chance(0.1) { return }
        }
    }

    mutating func judge() async throws {
        for _ in 0..<3 {
            for (index, other) in [(0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (0, 2)] {
                try await sites[index].sendAll(to: sites[other])
            }
        }
        var held: [[NoteID: (version: Version?, facts: [String])]] = []
        for index in sites.indices {
            var facts: [NoteID: (version: Version?, facts: [String])] = [:]
            for id in notes { facts[id] = (await sites[index].note(id)?.head.version, await sites[index].facts(id)) }
            held.append(facts)
            guard case .audited(let audited) = await sites[index].harness.ask(one, .audit) else {
                Issue.record("\(place): a store cannot be audited")
                continue
            }
            #expect(audited.findings.isEmpty, "\(place)")
        }
        for index in 1..<sites.count {
            for id in notes where held[index][id]?.version == held[0][id]?.version {
                #expect(held[index][id]?.facts == held[0][id]?.facts, "\(place)")
                equal += 1
            }
        }
    }

    func stop() async throws {
        var committed: [DotSet] = []
        for site in sites {
            committed.append(try await site.knownDots())
            await site.stop()
        }
        for (site, dots) in zip(sites, committed) {
            guard let folder = site.folder else { continue }
            for purge in purges where dots.contains(purge.dot) {
                for word in purge.erased { #expect(try folder.files(having: word) == [], "\(place): \(word), \(purge.dot)") }
            }
        }
    }
}
