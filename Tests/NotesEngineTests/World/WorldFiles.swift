import Causality
import NoteText
import NotesModel
import TestKit

/// What a world knows of its files: what its clients were sent, and nothing about the folders of the stores.
struct WorldFiles {
    /// What is known of the files of one store.
    struct OfStore {
        /// The files that a revision of the store has named since they were found there.
        var present: Set<FileHash> = []
        /// The files of which a response said that they are there, and for which no day has passed since.
        var promised: Set<FileHash> = []
        /// The files whose bytes the disk changed.
        var rotten: Set<FileHash> = []
        /// The files that a revision of the store has ever named.
        var everNamed: Set<FileHash> = []
        /// The purges that the store has.
        var purges: Set<Dot> = []
        /// Whether calls on the folder failed since the store was opened, so that files may be lost.
        var isFaulty = false
    }

    /// A purge of a file.
    struct Purge {
        let note: NoteID
        /// The revisions of the note that it erased.
        let erased: Set<Dot>
        /// What the note went on to show.
        let kept: Set<FileHash>
    }

    let notes: [NoteID] = (101...103).map { noteID(UInt64($0)) }
    /// The bytes of all files.
    private(set) var bytes: [FileHash: [UInt8]] = [:]
    private var pool: [FileContent] = []
    /// What each acknowledged write named.
    var writes: [Dot: FileContent] = [:]
    /// Versions that clients were sent.
    var versions: [NoteID: [Version]] = [:]
    var purges: [Dot: Purge] = [:]
    /// The files that no store may have any more, though a note shows them: purged, damaged, or lost with a store.
    var lost: Set<FileHash> = []
    /// The files of which the disk of any store changed bytes.
    var damaged: Set<FileHash> = []
    var stores: [OfStore] = []

    var all: [FileHash] { bytes.keys.sorted() }

    /// Bytes that were used before, or others. Those that were purged do not come back this way.
    mutating func content(_ random: inout SeededGenerator) -> FileContent {
        let purged = purges.values.reduce(into: Set<Dot>()) { $0.formUnion($1.erased) }.compactMap { writes[$0]?.hash }
        let pool = pool.filter { !purged.contains($0.hash) }
        if !pool.isEmpty, random.chance(0.5) { return random.pick(pool) }
        let size = random.pick([0, 1, 40, 700, 1_500])
        let data = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        guard let hash = FileHash(bytes: SHA256.hash(of: data)) else { preconditionFailure("a hash has 32 bytes") }
        bytes[hash] = data
        let content = FileContent(hash: hash, bytes: size)
        if !self.pool.contains(content) { self.pool.append(content) }
        return content
    }

    /// The files that a store with some committed revisions names.
    ///
    /// - Parameters:
    ///   - shown: what its notes show.
    ///   - isSure: whether to leave out those that only a purge may still name.
    func named(by committed: Set<Dot>, showing shown: Set<FileHash>, isSure: Bool) -> Set<FileHash> {
        let done = purges.filter { committed.contains($0.key) }
        let erased = done.values.reduce(into: Set<Dot>()) { $0.formUnion($1.erased) }
        var named = Set(committed.subtracting(erased).compactMap { writes[$0]?.hash }).union(shown)
        guard !isSure else { return named }
        for (dot, purge) in done where !erased.contains(dot) { named.formUnion(purge.kept) }
        return named
    }

    /// What is known of a store that was restored from a backup. A pool may have kept damaged bytes.
    func restored(_ copy: OfStore) -> OfStore {
        OfStore(present: copy.present.subtracting(damaged), everNamed: copy.everNamed)
    }

    /// The files that purges among some committed revisions erased.
    func erased(by committed: Set<Dot>) -> Set<FileHash> {
        Set(purges.filter { committed.contains($0.key) }.values.flatMap(\.erased).compactMap { writes[$0]?.hash })
    }
}
