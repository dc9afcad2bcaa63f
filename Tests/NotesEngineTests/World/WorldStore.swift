import Causality
import Dependents
import Foundation
import Logging
import NoteText
import NotesEngine
import NotesMethods
import NotesModel
import NotesSearch
import NotesWire
import StoreTestKit
import TestKit

@testable import NotesStore

/// A running store of a world: an engine with an index on a directory, and what it needs to run again.
struct WorldStore {
    /// A client that watches all notes: the versions that it received, and the cursor of the last line.
    struct Reader {
        var cursor: Cursor?
        var versions: [NoteID: Version] = [:]
    }

    let folder: TemporaryDirectory
    let disk: FailingDisk
    /// The folder of files; nil for a store without one.
    let bytes: SharedFolder?
    let configuration: EngineConfiguration
    var harness: Harness
    let identity: StoreIdentity
    var reader = Reader()
    /// The connection on which the reader's watch has stayed, and the number of its lines that were read.
    private var watching: (dependent: DependentID, lines: Int)?
    /// Days for which the engine's clock has run.
    var days = 0
    private var nextDependent: UInt64 = 100

    init(
        _ folder: TemporaryDirectory, on disk: FailingDisk? = nil, bytes: SharedFolder? = nil, as run: ReplicaID,
        newStore: ReplicaID, configuration: EngineConfiguration
    ) async throws {
        (self.folder, self.bytes, self.configuration) = (folder, bytes, configuration)
        self.disk = disk ?? FailingDisk(of: folder)
        let logger = Logger(label: "world") { _ in SwiftLogNoOpLogHandler() }
        var limits = JournalLimits()
        // Heads are flushed while the world runs.
        (limits.unflushedRowsMax, limits.unflushedRowsKept, limits.flushRowsPerStep) = (20, 4, 4)
        let journal = try Store.open(
            directory: folder.path, replica: run, newStore: newStore, now: Timestamp(milliseconds: 0), limits: limits,
            logger: logger)
        identity = journal.identity
        let index = try SearchIndex(directory: folder.path, store: journal.identity.store, logger: logger)
        if let bytes {
            let files = try Store.openFiles(of: journal, on: bytes, syncedBytesMax: 300)
            harness = Harness(journal: journal, index: index, files: files, configuration: configuration)
            _ = await harness.register(2, user: 1001)
        } else {
            harness = Harness(journal: journal, index: index, configuration: configuration)
        }
        _ = await harness.register(1)
    }

    /// - Returns: whether the store was closed.
    @discardableResult
    func stop() async -> Bool {
        var harness = harness
        _ = await harness.finish()
        return harness.failure == nil
    }

    // MARK: Requests

    /// - Throws: `DiskError` if the failing disk refused the request or ended the engine.
    mutating func ask(_ body: Call) async throws -> Response? {
        let response = await harness.ask(one, body)
        guard disk.isFailing else { return response }
        guard let response else { throw DiskError.ended }
        guard case .failed(let failure) = response, failure.isOfDisk else { return response }
        switch body {
        case .write, .backup, .dropHeld, .search: throw DiskError.refused(failure)
        default: throw World.Failure("a read is refused while the disk fails: \(body): \(failure)")
        }
    }

    /// Whether the failing disk has ended the engine.
    var hasEnded: Bool {
        get async {
            guard disk.isFailing else { return false }
            return await harness.engine.heartbeat() == nil
        }
    }

    mutating func note(_ id: NoteID, at version: Version? = nil) async throws -> NoteResponse? {
        guard case .note(let note)? = try await ask(.get(GetNote(.id(id), at: version))) else { return nil }
        return note
    }

    /// All notes, from pages of a few.
    mutating func list(_ filter: Filter = Filter()) async throws -> [Head] {
        var (heads, list) = ([Head](), ListNotes(filter: filter, limit: 2))
        while case .notes(let page, let next)? = try await ask(.list(list)) {
            heads += page
            guard let next else { break }
            list.place = next
        }
        return heads
    }

    mutating func revisions(of id: NoteID) async throws -> [RevisionSummary] {
        guard case .history(let revisions, _)? = try await ask(.history(ReadHistory(id: id, limit: 1_000, before: nil))) else {
            return []
        }
        return revisions
    }

    /// The dots that the store holds: committed, not accepted, and waiting.
    mutating func holdings() async throws -> (committed: Set<Dot>, quarantined: Set<Dot>, waiting: Set<Dot>) {
        guard case .knownRevisions(let known)? = try await ask(.knownRevisions()) else { return ([], [], []) }
        // Purged ones are only in this set, and not in the list.
        var (quarantined, waiting, list) = (known.quarantined.all, Set<Dot>(), ListHeld(limit: 3))
        while case .held(let page)? = try await ask(.listHeld(list)) {
            for revision in page.revisions {
                if revision.reason == nil { waiting.insert(revision.dot) } else { quarantined.insert(revision.dot) }
            }
            guard let next = page.next else { break }
            list.after = next
        }
        // Revisions whose texts the store needs again are committed, too.
        return (known.dots.all.union(await harness.neededTexts().all), quarantined, waiting)
    }

    /// The committed revision with a dot, from a page of the exchange.
    func revision(_ dot: Dot) async throws -> LinkedRevision? {
        try await harness.missing(by: try await harness.knownDots().subtracting(DotSet([dot]))).revisions.first
    }

    /// The number of revisions of this store that a peer lacks, as `peers.list` counts them.
    mutating func lacks(_ peer: ReplicaID) async throws -> Int {
        guard case .peers(let peers)? = try await ask(.listPeers) else { return 0 }
        return peers.first { $0.store == peer }?.lacks ?? 0
    }

    /// The files of the store and of its index that contain a text.
    func files(having text: String) throws -> [String] { try files(having: Array(text.utf8)) }

    func files(having bytes: [UInt8]) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().filter { name in
            FileManager.default.contents(atPath: "\(folder.path)/\(name)")?.range(of: Data(bytes)) != nil
        }
    }

    /// Everything that is the same in all stores with the same revisions.
    mutating func facts(_ id: NoteID) async throws -> [String] {
        guard let note = try await note(id) else { return [] }
        let head = note.head
        return [
            "\(note.siblings)", String(decoding: note.text, as: UTF8.self), "\(head.version)",
            "\(head.name.map(\.description) ?? "none")", "\(head.title) \(head.tags) \(head.bytes) \(head.isDeleted)",
            "\(head.conflicts)",
        ]
    }

    /// Reads the changes since the reader's cursor until they are all there, on the connection that has stayed or
    /// on a new one.
    ///
    /// - Parameters:
    ///   - listed: the versions that the reader holds afterwards.
    ///   - staying: whether the connection stays.
    mutating func readChanges(until listed: [NoteID: Version], staying: Bool) async {
        if watching == nil { await resumeWatch() }
        for _ in 0..<1_000 {
            readLines()
            guard reader.versions != listed, await harness.ask(one, .status) != nil else { break }
        }
        guard !staying, let dependent = watching?.dependent else { return }
        _ = harness.engine.submit([.released(dependent)])
        watching = nil
    }

    private mutating func resumeWatch() async {
        nextDependent += 1
        let dependent = DependentID(nextDependent)
        _ = await harness.register(nextDependent)
        let watch = WatchNotes(filter: Filter(), include: .meta, since: reader.cursor, snapshot: true, echo: true)
        guard case .watching(_, _, let isReset) = await harness.ask(dependent, .watch(watch)) else { return }
        _ = await harness.notification(dependent) { if case .synced = $0.event { true } else { false } }
        if isReset { reader.versions = [:] }
        watching = (dependent, 0)
    }

    private mutating func readLines() {
        guard let (dependent, lines) = watching else { return }
        let received = harness.notifications[dependent, default: []]
        watching = (dependent, received.count)
        for notification in received[lines...] {
            if case .changed(let line) = notification.event {
                let isShown = line.kind != .left && line.kind != .deleted
                reader.versions[line.state.head.id] = isShown ? line.state.head.version : nil
            }
            reader.cursor = notification.cursor
        }
    }
}

/// What a request on a failing disk comes to.
enum DiskError: Error {
    case refused(RequestFailure)
    /// The engine has ended. Whether a write reached the disk is unknown.
    case ended
}

extension RequestFailure {
    /// Whether it can be due to a failing disk.
    var isOfDisk: Bool {
        switch self {
        case .storageFull, .storageFailed, .readOnly, .backup, .shuttingDown: true
        default: false
        }
    }
}

extension DotSet {
    var all: Set<Dot> {
        Set(replicas.flatMap { replica in ranges(of: replica).joined().map { Dot(replica, $0) } })
    }
}
