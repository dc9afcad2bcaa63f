import Algorithms
import NoteText
import NotesModel
import NotesStore

/// The limits on files.
package struct FileLimits: Hashable, Sendable {
    /// Maximum number of bytes of a file.
    package var bytesMax: Int
    /// Maximum number of bytes of a file that another store brings; nil for `bytesMax`. The store declines larger ones.
    package var fetchBytesMax: Int?
    /// Free space that files leave on the disk, in bytes.
    package var freeBytesMin: Int
    /// Maximum number of bytes of all files.
    package var totalBytesMax: Int
    /// Unfinished uploads of one user, and of all.
    package var uploadsOfUserMax = 16
    package var uploadsMax = 64
    /// Bytes of the unfinished uploads of one user.
    package var uploadBytesOfUserMax = 2 << 30
    /// Seconds for which an upload without a byte, and a file that nothing names, are kept.
    package var keptSeconds = 24 * 3_600

    package init(
        bytesMax: Int = 100 << 20, fetchBytesMax: Int? = nil, freeBytesMin: Int = 1 << 30, totalBytesMax: Int = .max
    ) {
        self.bytesMax = bytesMax
        self.fetchBytesMax = fetchBytesMax
        self.freeBytesMin = freeBytesMin
        self.totalBytesMax = totalBytesMax
    }
}

/// What the engine knows of the bytes of files. Only its thread decides what is *there*: in the folder, under a durable
/// name, and not to be removed.
struct Files {
    /// The thread that reads and writes them; nil for a store without a folder.
    let worker: FileWorker?
    /// The sizes of the files that are there.
    private(set) var sizes: [FileHash: Int]
    /// The sum of the sizes.
    private(set) var bytes: Int
    /// The files that the worker is about to remove. An upload of one of them that ends meanwhile is not there.
    private(set) var leaving: Set<FileHash> = []
    /// The time until which a file is kept although nothing names it, in seconds of the ticks.
    private var keptUntil: [FileHash: UInt64] = [:]
    /// The same for all files that were there at the start.
    private var allKeptUntil: UInt64?
    /// The time of the last tick, in seconds.
    private(set) var now: UInt64 = 0
    /// The files that the running round of `unneeded` has not examined.
    private var unexamined: [FileHash] = []
    /// The size in bytes above which the store takes no file from another store.
    var fetchBytesMax: Int
    /// The files that were here and are lost or damaged. The store takes them from others at any size.
    private(set) var lost: Set<FileHash> = []
    /// Responses whose connections wait for them, to be sent after the turn.
    var ended: [(dependent: DependentID, requestNumber: UInt64, response: Response)] = []

    /// - Parameter folder: the folder of the store, just opened; nil for none.
    init(_ folder: sending FileFolder?, _ limits: FileLimits) {
        fetchBytesMax = limits.fetchBytesMax ?? limits.bytesMax
        sizes = folder?.listed ?? [:]
        lost = folder?.damaged.subtracting(sizes.keys) ?? []
        bytes = sizes.values.reduce(0, +)
        if let folder { worker = FileWorker(folder) } else { worker = nil }
    }

    /// Whether the bytes of a content are there. Those of an empty file always are.
    func isThere(_ content: FileContent) -> Bool {
        content.bytes == 0 ? content.hash == .ofNothing : sizes[content.hash] == content.bytes
    }

    /// Whether the store leaves a content that is not there to other stores.
    func isDeclined(_ content: FileContent) -> Bool { content.bytes > fetchBytesMax && !lost.contains(content.hash) }

    /// The size of a file that is there.
    func size(of hash: FileHash) -> Int? { hash == .ofNothing ? 0 : sizes[hash] }

    /// The bytes of a file are in the folder.
    mutating func arrived(_ content: FileContent) {
        guard content.bytes > 0 else { return }
        bytes += content.bytes - (sizes[content.hash] ?? 0)
        sizes[content.hash] = content.bytes
        lost.remove(content.hash)
    }

    /// The bytes of a file are lost.
    mutating func lose(_ hash: FileHash) {
        left(hash)
        lost.insert(hash)
    }

    /// Keeps a file for a time although nothing names it, since a response said that it is there.
    mutating func keep(_ hash: FileHash, for limits: FileLimits) {
        keptUntil[hash] = now + UInt64(limits.keptSeconds)
    }

    /// A file is not there any more: the worker removes it, or its bytes were lost.
    mutating func left(_ hash: FileHash) {
        bytes -= sizes.removeValue(forKey: hash) ?? 0
        keptUntil[hash] = nil
    }

    /// A purge erased files, which the worker removes later.
    mutating func remove(fromNowOn hashes: [FileHash]) {
        for hash in hashes where !leaving.contains(hash) { left(hash) }
        lost.subtract(hashes)
    }

    /// The worker gets the job to remove files.
    mutating func remove(_ hashes: [FileHash]) {
        for hash in hashes {
            left(hash)
            leaving.insert(hash)
        }
    }

    /// The worker removed files.
    mutating func removed(_ hashes: [FileHash]) {
        leaving.subtract(hashes)
    }

    /// Notes the time of a tick.
    mutating func tick(at seconds: UInt64, limits: FileLimits) {
        now = seconds
        if allKeptUntil == nil { allKeptUntil = seconds + UInt64(limits.keptSeconds) }
        keptUntil = keptUntil.filter { $0.value > seconds }
    }

    /// The files that nothing needs, of the next few: no client was promised them, and nothing names them.
    ///
    /// - Parameter isNamed: whether a kept revision names a file.
    mutating func unneeded(
        isNamed: (FileHash) throws(JournalError) -> Bool
    ) throws(JournalError) -> [FileHash] {
        guard let allKeptUntil, allKeptUntil <= now else { return [] }
        if unexamined.isEmpty { unexamined = Array(sizes.keys) }
        var unneeded: [FileHash] = []
        for _ in 0..<min(Self.examinedMax, unexamined.count) {
            let hash = unexamined.removeLast()
            guard sizes[hash] != nil, keptUntil[hash] == nil, try !isNamed(hash) else { continue }
            unneeded.append(hash)
        }
        return unneeded
    }

    /// The next files after one, by their hashes.
    ///
    /// - Complexity: O(files · log `limit`).
    func next(after hash: FileHash?, limit: Int) -> [FileContent] {
        sizes.lazy.filter { file in hash.map { $0 < file.key } ?? true }.min(count: limit) { $0.key < $1.key }
            .map { FileContent(hash: $0.key, bytes: $0.value) }
    }

    /// Files that a tick examines.
    private static let examinedMax = 64
}
