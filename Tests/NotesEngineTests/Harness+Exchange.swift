import Causality
import Dependents
import NotesMethods
import NotesModel
import NotesStore
import NotesWire
import Replication
import Synchronization
import TextMerge

@testable import NotesEngine

/// The revisions that a store sends to a peer, and the beginnings of notes below them.
struct MissingRevisions {
    var beginnings: [NoteBeginning] = []
    var revisions: [LinkedRevision] = []
    var gone: [Dot] = []

    /// Divides the revisions. The first part has the beginnings; each has at least one revision, if there is any.
    func parts(revisionsMax: Int, bytesMax: Int = .max) -> [MissingRevisions] {
        var parts = [MissingRevisions(beginnings: beginnings, gone: gone)]
        var bytes = 0
        for revision in revisions {
            let size = revision.content.edits.reduce(0) { $0 + $1.replacement.count }
            let count = parts[parts.count - 1].revisions.count
            if count > 0, count == revisionsMax || bytes + size > bytesMax {
                parts.append(MissingRevisions())
                bytes = 0
            }
            parts[parts.count - 1].revisions.append(revision)
            bytes += size
        }
        return parts
    }
}

/// The steps of an exchange, each on a connection of its own, by the requests of a replicator.
extension Harness {
    private static let connections = Atomic<UInt64>(1 << 32)

    private func exchanging<Result>(_ body: (EngineLink) async throws -> Result) async throws -> Result {
        let number = Self.connections.add(1, ordering: .relaxed).newValue
        let nobody = StoreIdentity(store: ReplicaID(bits: number), replica: ReplicaID(bits: number))
        let link = try await EngineLink(self, nobody, number)
        defer { link.end() }
        return try await body(link)
    }

    /// Offers revisions, and waits until those that they release are committed, too.
    ///
    /// - Throws: `RequestFailure` as the response of the engine.
    func adopt(
        _ revisions: [LinkedRevision], beginnings: [NoteBeginning] = [], mayPurge: Bool = true
    ) async throws -> AdoptionReport {
        let report = try await exchanging { link -> AdoptionReport in
            let offer = OfferedRevisions(
                revisions: revisions, unreadable: [], beginnings: beginnings, mayPurge: mayPurge)
            switch try await link.ask(body: .adopt(offer)) {
            case .adopted(let report, unreadable: _): return report
            case .failed(let failure): throw failure
            default: throw EngineLink.Cut()
            }
        }
        try await released()
        return report
    }

    func knownDots() async throws -> DotSet {
        try await exchanging { try await $0.known().known }
    }

    /// The committed revisions whose compacted texts the store asks for.
    func neededTexts() async -> DotSet {
        (try? await engine.runOnEngine { $0.exchange.reopenings.lacks }) ?? DotSet()
    }

    /// The committed revisions of a note.
    func dots(of note: NoteID) async throws -> DotSet {
        try await engine.runOnEngine { engine throws(JournalError) in try engine.noteCache.journal.dots(of: note) }
    }

    /// Whether the store took a note without its past.
    func lacksPast(of note: NoteID) async throws -> Bool {
        try await engine.runOnEngine { engine throws(JournalError) in
            try engine.noteCache.journal.compactedPast(of: note)?.rows.contains(where: \.isErased) ?? false
        }
    }

    /// Returns once no waiting revision has all its parents. The engine commits such revisions in later turns.
    func released() async throws {
        while try await engine.runOnEngine({ !$0.exchange.releasing.isDone && !$0.exchange.releasing.isStuck }) {}
    }

    func missing(by known: DotSet) async throws -> MissingRevisions {
        try await exchanging { link in
            var missing = MissingRevisions()
            let feed = try await link.watch(
                WatchRevisions(peer: RevisionPeer(store: link.store, replica: link.replica), known: known), isRecorded: false)
            if feed.start.lacks == 0 { return missing }
            for try await page in feed.pages {
                missing.beginnings += page.beginnings.compactMap(\.beginning)
                missing.revisions += page.revisions.compactMap(RevisionCodec.revision(from:))
                missing.gone += page.gone
                if page.left == 0 { break }
                try await link.proceed(ProceedParams(watch: WatchID(page.watch), seq: page.seq, lacking: []))
            }
            return missing
        }
    }

    /// A peer connects that holds some revisions, and goes.
    func connect(peer: ReplicaID, knowing known: DotSet) async throws {
        try await exchanging { link in
            let start = WatchRevisions(
                peer: RevisionPeer(store: peer, replica: link.replica), known: known, refuses: DotSet(), isRecorded: true)
            guard case .feeding = try await link.ask(.watchRevisions(start)) else { throw EngineLink.Cut() }
        }
    }

    func forget(peer: ReplicaID) async throws {
        try await exchanging { link in
            guard case .peerForgotten = try await link.ask(.forgetPeer(peer)) else { throw EngineLink.Cut() }
        }
    }
}

extension Site {
    func adopt(
        _ revisions: [LinkedRevision], beginnings: [NoteBeginning] = [], mayPurge: Bool = true
    ) async throws -> AdoptionReport {
        try await harness.adopt(revisions, beginnings: beginnings, mayPurge: mayPurge)
    }

    func knownDots() async throws -> DotSet { try await harness.knownDots() }

    func missing(by known: DotSet) async throws -> MissingRevisions { try await harness.missing(by: known) }
}
