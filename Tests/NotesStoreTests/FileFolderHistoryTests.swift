import NoteText
import NotesModel
import StoreTestKit
import TestKit
import Testing

@testable import NotesStore

/// Random histories of the folder of files, against what a naive store in memory knows.
@Suite struct FileFolderHistoryTests {
    @Test(arguments: seeds(40))
    func simulatedDisk_keepsWhatWasReported(seed: UInt64) throws {
        let disk = SimulatedFolder(seed % 2 == 0 ? .journal : .none)
        var history = try History(seed: seed) { erasing throws(FileFault) in
            try FileFolder(disk, erasing: erasing, syncedBytesMax: 300)
        }
        for _ in 0..<300 {
            if history.random.chance(0.04) {
                // The process dies in one of the next calls, or in the restart that follows.
                disk.lastCall = disk.calls + history.random.below(12)
            }
            if history.random.chance(0.04) {
                let fault = history.random.pick([
                    FolderCallFault.noRoom("No space left on device"), .failed("Input/output error"),
                ])
                history.isFailing = true
                disk.faults[disk.calls + 1 + history.random.below(8)] = fault
            }
            try history.step()
            if disk.isDead || history.random.chance(0.03) {
                let isCut = history.random.chance(0.5)
                if isCut { disk.cutPower(&history.random) } else { disk.restart() }
                try history.reopen(isCut: isCut)
            }
        }
        disk.restart()
        try history.reopen(isCut: false)
        #expect(history.reported > 10 || !isUsual(seed, of: 40))
    }

    @Test(arguments: seeds(6))
    func realDisk_keepsWhatWasReported(seed: UInt64) throws {
        let directory = try TemporaryDirectory()
        var history = try History(seed: seed) { erasing throws(FileFault) in
            try FileFolder(PosixFolderCalls(in: directory.path), erasing: erasing, syncedBytesMax: 300)
        }
        for _ in 0..<200 {
            try history.step()
            if history.random.chance(0.03) { try history.reopen(isCut: false) }
        }
        #expect(history.reported > 10 || !isUsual(seed, of: 6))
    }
}

/// A folder, and what its users know of it.
private struct History {
    var random: SeededGenerator
    private let open: ([FileHash]) throws(FileFault) -> FileFolder
    private var folder: FileFolder
    private let contents: [[UInt8]]
    /// The files that were reported there, and those whose names are not durable yet.
    private var there: Set<FileHash> = []
    private var linked: Set<FileHash> = []
    /// What a purge has recorded, until the removal returned.
    private var erasing: Set<FileHash> = []
    /// Whether a call of this process may fail: a file that cannot be read is lost.
    var isFailing = false
    /// Number of files that were reported there.
    private(set) var reported = 0

    init(seed: UInt64, _ open: @escaping ([FileHash]) throws(FileFault) -> FileFolder) throws {
        random = SeededGenerator(seed: seed)
        self.open = open
        folder = try open([])
        contents = (0..<5).map { content([0, 1, 250, 700, 1_500][$0], seed: seed * 10 + UInt64($0)) }
    }

    private mutating func pick() -> (bytes: [UInt8], upload: FileUpload) {
        let bytes = random.pick(contents)
        return (bytes, FileUpload(user: UInt32(random.below(2)), hash: hash(of: bytes), bytes: bytes.count))
    }

    mutating func step() throws {
        do throws(FileFault) {
            switch random.below(12) {
            case 0..<6: try send()
            case 6: try report()
            case 7: try remove()
            case 8: try look()
            case 9:
                let (_, upload) = pick()
                if there.contains(upload.hash), try !folder.check(upload.hash) {
                    #expect(isFailing, "\(upload.hash) has other bytes")
                    there.remove(upload.hash)
                }
            case 10: folder.discard(pick().upload.key)
            default:
                let (_, upload) = pick()
                _ = try folder.append(content(9, seed: 5)[...], at: random.below(2_000), to: upload, freeBytesMin: 0)
            }
        } catch {
            // `differs` follows from the wrong bytes that the last case sends.
        }
    }

    /// Continues an upload, and ends it if it is whole.
    private mutating func send() throws(FileFault) {
        let (bytes, upload) = pick()
        guard !erasing.contains(upload.hash) else { return }
        var offset = try folder.begin(upload, freeBytesMin: 0)
        for _ in 0..<4 where offset < bytes.count {
            let end = min(bytes.count, offset + 1 + random.below(600))
            offset = try folder.append(bytes[offset..<end], at: offset, to: upload, freeBytesMin: 0)
        }
        guard offset == bytes.count else { return }
        while try !folder.finish(upload, bytesMax: 400) {}
        linked.insert(upload.hash)
    }

    private mutating func report() throws(FileFault) {
        try folder.syncNames()
        reported += linked.count
        there.formUnion(linked)
        linked = []
    }

    private mutating func remove() throws(FileFault) {
        erasing.insert(pick().upload.hash)
        there.subtract(erasing)
        linked.subtract(erasing)
        try folder.remove(erasing.sorted())
        for hash in erasing where hash != .ofNothing {
            let size = try folder.size(of: hash)
            #expect(size == nil)
        }
        erasing = []
    }

    /// Reads a range of a file that was reported.
    private mutating func look() throws(FileFault) {
        let (bytes, upload) = pick()
        guard there.contains(upload.hash) else { return }
        let (offset, count) = (random.below(bytes.count + 1), random.below(800))
        let read = try folder.read(upload.hash, from: offset, count: count)
        #expect(read == Array(bytes.dropFirst(offset).prefix(count)))
    }

    mutating func reopen(isCut: Bool) throws {
        folder = try open(erasing.sorted())
        isFailing = false
        let sizes = Dictionary(contents.map { (hash(of: $0), $0.count) }, uniquingKeysWith: { $1 })
        for hash in there where hash != .ofNothing {
            #expect(folder.listed[hash] == sizes[hash], "reported there, and lost")
        }
        for (found, size) in folder.listed {
            #expect(size == sizes[found])
            #expect(!erasing.contains(found))
            #expect(try folder.check(found), "listed with other bytes")
        }
        for upload in folder.uploads { #expect(!erasing.contains(upload.key.hash)) }
        // What a start lists is there.
        (there, linked, erasing) = (Set(folder.listed.keys).union(there), [], [])
    }
}
