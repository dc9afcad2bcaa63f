import NoteText
import StoreTestKit
import TestKit
import Testing

@testable import NotesStore

/// The folder of files after kills, power cuts and failed calls.
@Suite struct FileFolderCrashTests {
    private static let bytes = content(10_000, seed: 1)
    private static let upload = FileUpload(user: 7, hash: hash(of: bytes), bytes: bytes.count)

    /// An end of the process, and how often a test tries it: a power cut has many outcomes.
    enum End: CaseIterable {
        case kill, powerCut
        var times: Int { self == .kill ? 1 : 12 }
    }

    /// Runs a body once for each call that it makes, with a process that ends after that call, and once to its end. Then
    /// begins another process, and passes the disk and the number of the call to a judge.
    private func afterEachCall(
        _ order: SimulatedFolder.Order, _ end: End, prepare: (SimulatedFolder) throws -> Void,
        body: (SimulatedFolder) throws -> Void, judge: (SimulatedFolder, String) throws -> Void
    ) throws {
        for time in 0..<end.times {
            var number = 1
            var isEnded = false
            while !isEnded {
                let disk = SimulatedFolder(order)
                try prepare(disk)
                disk.lastCall = disk.calls + number
                try? body(disk)
                isEnded = !disk.isDead
                var random = SeededGenerator(seed: UInt64(number * 100 + time))
                if end == .kill { disk.restart() } else { disk.cutPower(&random) }
                try judge(disk, "\(order), \(end) after call \(number), time \(time)")
                number += 1
            }
            #expect(number > 10)
        }
    }

    /// Uploads the bytes in chunks, and sets `isThere` once they are reported there.
    private func uploadAll(_ disk: SimulatedFolder, _ isThere: inout Bool) throws {
        let folder = try FileFolder(disk, erasing: [], syncedBytesMax: 4_000)
        try put(Self.bytes, Self.upload, in: folder, chunk: 2_500)
        isThere = true
    }

    @Test(arguments: SimulatedFolder.Order.allCases, End.allCases)
    func upload_isThereOrContinues(order: SimulatedFolder.Order, end: End) throws {
        var (reported, seen) = (false, Set<Bool>())
        try afterEachCall(
            order, end, prepare: { _ in reported = false },
            body: { disk in
                try uploadAll(disk, &reported)
            },
            judge: { disk, place in
                let folder = try FileFolder(disk, erasing: [], syncedBytesMax: 4_000)
                let isListed = folder.listed[Self.upload.hash] != nil
                seen.insert(isListed)
                #expect(isListed || !reported, "\(place): reported there, and lost")
                #expect(!isListed || disk.contents(of: .files)["\(Self.upload.hash)"] == Self.bytes, "\(place)")
                // A kill loses no byte that was received.
                if end == .kill, !isListed, let part = disk.contents(of: .parts)[Self.upload.key.name] {
                    #expect(part == Array(Self.bytes[..<part.count]), "\(place)")
                }
                // What a start lists stays, even if the power fails at once.
                var random = SeededGenerator(seed: 1)
                disk.cutPower(&random)
                let again = try FileFolder(disk, erasing: [], syncedBytesMax: 4_000)
                #expect(!isListed || again.listed[Self.upload.hash] != nil, "\(place): listed, and lost")
                try finishAll(in: again, mayDiffer: end == .powerCut, place)
                #expect(disk.contents(of: .files) == ["\(Self.upload.hash)": Self.bytes], "\(place)")
                #expect(disk.contents(of: .damaged).isEmpty, "\(place)")
                #expect(disk.contents(of: .parts).isEmpty && again.uploads.isEmpty, "\(place)")
            })
        #expect(seen == [true, false])
    }

    /// Does what a client does after a restart.
    private func finishAll(in folder: FileFolder, mayDiffer: Bool, _ place: String) throws {
        guard folder.listed[Self.upload.hash] == nil else { return }
        do { try put(Self.bytes, Self.upload, in: folder, chunk: 2_500) } catch {
            #expect(error == .differs && mayDiffer, "\(place): \(error)")
            #expect(try folder.begin(Self.upload, freeBytesMin: 0) == 0, "\(place)")
            try put(Self.bytes, Self.upload, in: folder, chunk: 2_500)
        }
    }

    /// The table's row for the link: the file or its part is there, if names become durable in their order.
    @Test(arguments: End.allCases)
    func wholePart_isNeverLost(end: End) throws {
        try afterEachCall(
            .journal, end,
            prepare: { disk in
                let folder = try FileFolder(disk, erasing: [], syncedBytesMax: 1)
                _ = try folder.append(Self.bytes[...], at: 0, to: Self.upload, freeBytesMin: 0)
            },
            body: { disk in
                let folder = try FileFolder(disk, erasing: [])
                while try !folder.finish(Self.upload, bytesMax: 1_000) {}
                try folder.syncNames()
            },
            judge: { disk, place in
                let folder = try FileFolder(disk, erasing: [])
                let isListed = folder.listed[Self.upload.hash] != nil
                #expect(try isListed || folder.begin(Self.upload, freeBytesMin: 0) == Self.bytes.count, "\(place)")
            })
    }

    /// A part, a file and a damaged copy of the same hash, and another file.
    private func prepareForRemoval(_ disk: SimulatedFolder) throws {
        let folder = try FileFolder(disk, erasing: [])
        try put(Self.bytes, Self.upload, in: folder)
        disk.damage("\(Self.upload.hash)", in: .files, with: [1])
        #expect(try !folder.check(Self.upload.hash))
        try put(Self.bytes, Self.upload, in: folder)
        for user: UInt32 in [8, 9] {
            let upload = FileUpload(user: user, hash: Self.upload.hash, bytes: Self.bytes.count)
            _ = try folder.append(Self.bytes[..<5_000], at: 0, to: upload, freeBytesMin: 0)
        }
        let other = content(10, seed: 2)
        try put(other, FileUpload(user: 7, hash: hash(of: other), bytes: 10), in: folder)
        for folder in Subfolder.allCases { try disk.sync(folder) }
    }

    @Test(arguments: SimulatedFolder.Order.allCases, End.allCases)
    func removal_isCompletedByTheNextStart(order: SimulatedFolder.Order, end: End) throws {
        var isRemoved = false
        func remains(_ disk: SimulatedFolder) -> Int {
            Subfolder.allCases.reduce(0) { $0 + disk.contents(of: $1).keys.count { $0.hasSuffix("\(Self.upload.hash)") } }
        }
        try afterEachCall(
            order, end,
            prepare: { disk in
                try prepareForRemoval(disk)
                #expect(remains(disk) == 4)
                isRemoved = false
            },
            body: { disk in
                try FileFolder(disk, erasing: []).remove([Self.upload.hash])
                isRemoved = true
            },
            judge: { disk, place in
                if isRemoved { #expect(remains(disk) == 0, "\(place)") }
                let folder = try FileFolder(disk, erasing: [Self.upload.hash])
                var random = SeededGenerator(seed: 1)
                disk.cutPower(&random)
                #expect(remains(disk) == 0, "\(place)")
                #expect(folder.listed.count == 1 && disk.contents(of: .files).count == 1, "\(place): the other file is left")
            })
    }

    /// Each call of an upload fails once, and the client then goes on. Whatever is reported survives a power cut.
    @Test(
        arguments: SimulatedFolder.Order.allCases,
        [FolderCallFault.noRoom("No space left on device"), .failed("Input/output error")])
    func failedCall_losesNothingThatIsReported(order: SimulatedFolder.Order, fault: FolderCallFault) throws {
        var (number, isEnded, completed) = (1, false, 0)
        while !isEnded {
            let disk = SimulatedFolder(order)
            let folder = try FileFolder(disk, erasing: [], syncedBytesMax: 4_000)
            disk.forgetsUnsyncedNames = true
            disk.faults[disk.calls + number] = fault
            var isThere = false
            for _ in 0..<3 where !isThere {
                do {
                    try put(Self.bytes, Self.upload, in: folder, chunk: 2_500)
                    isThere = true
                } catch {
                    #expect(error != .missing, "call \(number)")
                }
            }
            isEnded = !disk.faults.isEmpty
            completed += isThere ? 1 : 0
            var random = SeededGenerator(seed: UInt64(number))
            disk.cutPower(&random)
            let again = try FileFolder(disk, erasing: [])
            #expect(!isThere || again.listed[Self.upload.hash] != nil, "call \(number)")
            try finishAll(in: again, mayDiffer: true, "call \(number)")
            #expect(disk.contents(of: .files)["\(Self.upload.hash)"] == Self.bytes, "call \(number)")
            number += 1
        }
        #expect(number > 15 && completed >= number - 3, "only a failed sync of names ends the folder")
    }

    @Test func fullDisk_refusesAtTheBeginningAndEveryFewBytes() throws {
        let disk = SimulatedFolder(.journal)
        disk.roomMax = 12_000
        let folder = try FileFolder(disk, erasing: [], syncedBytesMax: 4_000)
        #expect(isWithoutRoom { _ = try folder.begin(Self.upload, freeBytesMin: 2_001) })
        #expect(disk.contents(of: .parts).isEmpty)
        #expect(try folder.begin(Self.upload, freeBytesMin: 2_000) == 0)
        #expect(try folder.append(Self.bytes[..<3_000], at: 0, to: Self.upload, freeBytesMin: 2_000) == 3_000)
        // Somebody else fills the disk meanwhile.
        disk.roomMax = 5_000
        #expect(isWithoutRoom { _ = try folder.append(Self.bytes[3_000..<7_000], at: 3_000, to: Self.upload, freeBytesMin: 0) })
        #expect(isWithoutRoom { _ = try folder.append(Self.bytes[3_000..<5_500], at: 3_000, to: Self.upload, freeBytesMin: 0) })
        disk.roomMax = 12_000
        #expect(try folder.begin(Self.upload, freeBytesMin: 2_000) == 3_000, "the part is kept")
        try put(Self.bytes, Self.upload, in: folder)
        #expect(try folder.check(Self.upload.hash))
    }

    private func isWithoutRoom(_ body: () throws -> Void) -> Bool {
        do { try body() } catch {
            if case .noRoom? = error as? FileFault { return true }
        }
        return false
    }

    @Test func damagedFile_isMissingAndCanBeUploadedAgain() throws {
        let disk = SimulatedFolder(.journal)
        let folder = try FileFolder(disk, erasing: [])
        let name = "\(Self.upload.hash)"
        for damage in [Array(Self.bytes.dropLast()), Self.bytes + [0], [], Self.bytes.map { $0 ^ 1 }] {
            try put(Self.bytes, Self.upload, in: folder)
            disk.damage(name, in: .files, with: damage)
            var check = FileCheck(Self.upload.hash)
            var result: Bool?
            while result == nil { result = try folder.check(&check, bytesMax: 3_000) }
            #expect(result == false)
            #expect(throws: FileFault.missing) { try folder.read(Self.upload.hash, from: 0, count: 1) }
            #expect(disk.contents(of: .damaged) == [name: damage])
        }
        // A file of another size that nobody has noticed yet.
        try put(Self.bytes, Self.upload, in: folder)
        disk.damage(name, in: .files, with: [1])
        try put(Self.bytes, Self.upload, in: folder)
        #expect(try folder.check(Self.upload.hash))
    }

    /// A part that still has a second name, that of a file, is no upload: bytes appended to it would change the file.
    @Test func partOfAFile_isNotWrittenTo() throws {
        let disk = SimulatedFolder(.journal)
        let folder = try FileFolder(disk, erasing: [])
        try put(Self.bytes, Self.upload, in: folder)
        try disk.link("\(Self.upload.hash)", in: .files, to: Self.upload.key.name, in: .parts)
        disk.restart()
        let again = try FileFolder(disk, erasing: [])
        let longer = FileUpload(user: 7, hash: Self.upload.hash, bytes: 20_000)
        #expect(try again.begin(longer, freeBytesMin: 0) == 0)
        #expect(try again.append([1, 2, 3], at: 0, to: longer, freeBytesMin: 0) == 3)
        #expect(disk.contents(of: .files)["\(Self.upload.hash)"] == Self.bytes)
    }
}
