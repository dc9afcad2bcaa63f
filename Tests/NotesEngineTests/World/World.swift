import Causality
import Foundation
import NotesEngine
import NotesModel
import Replication
import StoreTestKit
import TestKit
import TextMerge

@testable import NotesStore

/// Daemons without sockets, their clients and what connects them: engines on real stores with indexes,
/// in one process. Its steps mix everything that a store offers. The judge knows what clients were sent
/// and nothing about versions.
struct World {
    /// A backup, and what the store held and showed when it was made.
    struct Copy {
        let path: String
        let of: Int
        let held: Set<Dot>
        let facts: [[String]]
        let files: WorldFiles.OfStore
    }

    /// A violated law.
    struct Failure: Error {
        let text: String

        init(_ text: String) { self.text = text }
    }

    static let storesMax = 4
    let seed: UInt64
    let notes: [NoteID]
    var stores: [WorldStore] = []
    var clients: [SimClient] = []
    var copies: [Copy] = []
    /// Indexes that stores had before a restored backup, or before they lost them.
    var lostIndexes: [TemporaryDirectory] = []
    var judge = SimChecker()
    /// The text that each write stated, which its version shows for ever.
    var stated: [Dot: (note: NoteID, text: [UInt8])] = [:]
    /// The tokens that each purge erased, and the writes that it had seen.
    var purges: [Dot: (note: NoteID, tokens: Set<Int>, seen: Set<Dot>)] = [:]
    /// The tokens that were written to each note.
    var written: [NoteID: Set<Int>] = [:]
    /// Whether a text of the past may be gone somewhere, and whether compaction may have removed one.
    var (isAnyTextGone, isAnyTextCompacted) = (false, false)
    /// The number of forged revisions that were offered.
    var lies: UInt64 = 0
    var files = WorldFiles()
    let backups: TemporaryDirectory
    private var runs: UInt64 = 0
    private var tokens = 0
    private var connections: UInt64 = 1_000

    init(seed: UInt64, hasFiles: Bool = false) async throws {
        self.seed = seed
        backups = try TemporaryDirectory()
        var random = SeededGenerator(seed: ~seed)
        let count = 1 + random.below(2)
        notes = (1...count).map { noteID(UInt64($0)) }
        // Of a source of its own, so that the other choices of a seed stay as they were.
        var lengths = SeededGenerator(seed: ~seed &* 31)
        for _ in 0..<1 + random.below(3) {
            var configuration = EngineConfiguration(history: random.chance(0.4) ? .keepDays(0) : .keepAll)
            configuration.acceptsPurges = random.chance(0.9)
            configuration.shortWalkRevisionsMax = lengths.pick([64, 64, 2, -1])
            configuration.files = FileLimits(freeBytesMin: 0)
            if hasFiles, lengths.chance(0.5) { configuration.history = .keepAll }
            let bytes = hasFiles ? SharedFolder(SimulatedFolder(lengths.pick([.journal, .none]))) : nil
            try await add(
                WorldStore(TemporaryDirectory(), bytes: bytes, as: newRun(), newStore: newRun(), configuration: configuration),
                holding: [])
        }
        for _ in 0..<2 + random.below(3) {
            clients.append(SimClient(store: random.below(stores.count), notes: count))
        }
    }

    mutating func add(_ store: WorldStore, holding dots: Set<Dot>, files: WorldFiles.OfStore = WorldFiles.OfStore()) {
        stores.append(store)
        self.files.stores.append(files)
        judge.addStore(holding: dots)
    }

    mutating func newRun() -> ReplicaID {
        runs += 1
        var random = SeededGenerator(seed: seed &* 0x1_0001 &+ runs)
        return ReplicaID(bits: random.next())
    }

    mutating func newToken(of note: NoteID) -> Int {
        tokens += 1
        written[note, default: []].insert(tokens)
        return tokens
    }

    mutating func newConnection() -> UInt64 {
        connections += 1
        return connections
    }

    /// Runs the steps in order, then lets the stores exchange everything.
    ///
    /// - Returns: what is wrong; nil if nothing is.
    static func failure(of steps: [WorldStep], seed: UInt64, hasFiles: Bool = false) async throws -> String? {
        var world = try await World(seed: seed, hasFiles: hasFiles)
        var place = "at the start"
        do {
            for (index, step) in steps.enumerated() {
                place = "step \(index), \(step)"
                try await world.perform(step)
            }
            place = "at the end"
            try await world.settle()
        } catch let failure as Failure {
            await world.stop()
            return "\(place): \(failure.text)"
        }
        await world.stop()
        return nil
    }

    private func stop() async { for store in stores { await store.stop() } }

    /// Takes a step, which a failing disk may cut short.
    private mutating func perform(_ step: WorldStep) async throws {
        do { try await take(step) } catch is DiskError {} catch {
            let isOfDisk =
                switch error {
                case let failure as RequestFailure: failure.isOfDisk
                case is EngineLink.Cut, ReplicationFault.takesNothing: true
                default: false
                }
            guard isOfDisk, stores.contains(where: \.disk.isFailing) else { throw error }
        }
        for index in stores.indices where stores[index].isFolderDead { try await reopenFolder(index) }
        for index in stores.indices where await stores[index].hasEnded {
            try await runAgain(index)
            for id in notes { try await check(index, id) }
        }
    }

    private mutating func take(_ step: WorldStep) async throws {
        var random = SeededGenerator(seed: step.salt)
        switch step.kind {
        case .read, .create, .save, .edit, .delete, .rename, .resolve, .undo, .resend, .goBack, .roam, .purge:
            try await act(step.kind, &random)
        case .send: try await send(&random)
        case .sync: try await syncSomewhere(&random)
        case .lie: try await lie(&random)
        case .restart, .kill, .backUp, .restore, .clone, .reidentify, .compact, .loseIndex, .scrub, .dropHeld:
            try await maintain(step.kind, &random)
        case .saveFile, .uploadFile, .undoFile, .deleteFile, .purgeFile, .rotFile, .endFolder, .failFolder, .passDay:
            try await actOnFiles(step.kind, &random)
        case .failDisk: failDisk(of: random.below(stores.count), &random)
        case .freeDisk: try await freeDisk(of: random.below(stores.count))
        case .audit: try await audit(random.below(stores.count))
        case .search: try await search(random.below(stores.count), &random)
        case .list: try await list(random.below(stores.count))
        case .watch: try await watch(random.below(stores.count), staying: random.chance(0.5))
        }
    }
}
