import Causality
import Dependents
import Foundation
import NoteText
import NotesMethods
import NotesModel
import NotesStore
import StoreTestKit
import TestKit
import Testing

@testable import NotesEngine

/// Files: their uploads, the notes that name them, and how long their bytes stay.
@Suite struct FilesTests {
    private static func content(_ data: [UInt8]) throws -> FileContent {
        FileContent(hash: try #require(FileHash(bytes: SHA256.hash(of: data))), bytes: data.count)
    }

    private static let ada = DependentID(1)
    private static let bob = DependentID(2)

    private static func harness(
        in folder: TemporaryDirectory, erasing: [FileHash] = [], limits: FileLimits = FileLimits(freeBytesMin: 0)
    ) async throws -> Harness {
        var configuration = EngineConfiguration()
        configuration.files = limits
        var harness = Harness(
            journal: Harness.memoryJournal(), files: try FileFolder(in: folder.path, erasing: erasing),
            configuration: configuration)
        _ = await harness.register(1)
        _ = await harness.register(2, user: 1001)
        return harness
    }

    private static func upload(_ data: [UInt8], offset: Int = 0) throws -> Call {
        .file(.put(PutFile(content: try content(data), offset: offset, data: Array(data[offset...]))))
    }

    private static func create(_ number: Int, _ content: FileContent, name: ByteString? = nil) -> Call {
        .write(.createNote(CreateNote(id: noteID(UInt64(number)), isIDChosen: true, name: name, text: [], file: content)))
    }

    private func data(_ response: Response?) -> [UInt8]? {
        if case .filePart(let data, _, _) = response { data } else { nil }
    }

    private func upload(_ response: Response?) -> [Int]? {
        if case .upload(let isThere, let offset, _) = response { [isThere ? 1 : 0, offset] } else { nil }
    }

    private func refusal(_ response: Response?) -> FileRefusal? {
        if case .failed(.file(let refusal)) = response { refusal } else { nil }
    }

    /// The requests of one connection are answered in their order, also if the worker has some of them.
    @Test func upload_save_andRead_inOneLine() async throws {
        let folder = try TemporaryDirectory()
        var harness = try await Self.harness(in: folder)
        let bytes = Array("hello\n".utf8)
        let content = try Self.content(bytes)
        let answers = await harness.ask([
            (Self.ada, .file(.begin(BeginFile(content)))), (Self.ada, try Self.upload(bytes)),
            (Self.ada, Self.create(1, content, name: "a.png")),
            (Self.ada, .file(.get(GetFile(hash: content.hash, offset: 1, length: 3)))), (Self.ada, .file(.check(content.hash))),
        ])
        #expect(answers.count == 5)
        #expect(upload(answers[0]) == [0, 0] && upload(answers[1]) == [1, 6])
        guard case .created(let head, _) = answers[2] else { return #expect(Bool(false), "\(answers[2])") }
        #expect(head.file == content)
        #expect(data(answers[3]) == Array("ell".utf8))
        if case .fileChecked(isThere: true) = answers[4] {} else { #expect(Bool(false), "\(answers[4])") }
        _ = await harness.finish()
    }

    @Test func bytesThatAreNotThere_areRefused() async throws {
        let folder = try TemporaryDirectory()
        var harness = try await Self.harness(in: folder)
        let content = try Self.content([1, 2, 3])
        #expect(refusal(await harness.ask(Self.ada, Self.create(1, content))) == .missing(content.hash))
        #expect(refusal(await harness.ask(Self.ada, .file(.get(GetFile(hash: content.hash))))) == .missing(content.hash))
        let wrong = PutFile(content: content, offset: 0, data: [1, 2, 4])
        #expect(refusal(await harness.ask(Self.ada, .file(.put(wrong)))) == .differs(content.hash))
        let ahead = PutFile(content: content, offset: 2, data: [3])
        #expect(upload(await harness.ask(Self.ada, .file(.put(ahead)))) == [0, 0], "the place at which the upload is")
        let first = PutFile(content: content, offset: 0, data: [1, 2])
        #expect(upload(await harness.ask(Self.ada, .file(.put(first)))) == [0, 2])
        #expect(
            upload(await harness.ask(Self.bob, .file(.begin(BeginFile(content))))) == [0, 0], "each user has an upload of his own"
        )
        #expect(upload(await harness.ask(Self.ada, .file(.put(ahead)))) == [1, 3])
        #expect(upload(await harness.ask(Self.bob, .file(.begin(BeginFile(content))))) == [1, 3], "one file for both")
        if case .lacking(let lacks, _, _) = await harness.ask(Self.ada, .file(.have([content.hash, try Self.content([9]).hash])))
        {
            #expect(lacks == [1])
        } else {
            #expect(Bool(false))
        }
        _ = await harness.finish()
    }

    /// Two programs of one user end the same upload at once, and the file stays for both.
    @Test func sameUpload_endsTwice() async throws {
        let folder = try TemporaryDirectory()
        var harness = try await Self.harness(in: folder)
        _ = await harness.register(3)
        for size in [1, 9_000_000] {
            let data = [UInt8](repeating: 7, count: size)
            let answers = await harness.ask([
                (Self.ada, try Self.upload(data)), (DependentID(3), try Self.upload(data, offset: 0)),
                (Self.ada, .file(.begin(BeginFile(try Self.content(data))))),
            ])
            #expect(upload(answers[0]) == [1, size] && upload(answers[1]) == [1, size] && upload(answers[2]) == [1, size])
            let hash = try Self.content(data).hash
            #expect(self.data(await harness.ask(Self.ada, .file(.get(GetFile(hash: hash, length: 1))))) == [7])
        }
        _ = await harness.finish()
    }

    @Test func emptyFile_isAlwaysThere() async throws {
        let folder = try TemporaryDirectory()
        var harness = try await Self.harness(in: folder)
        let content = try Self.content([])
        #expect(upload(await harness.ask(Self.ada, .file(.begin(BeginFile(content))))) == [1, 0])
        guard case .created = await harness.ask(Self.ada, Self.create(1, content)) else { return #expect(Bool(false)) }
        #expect(data(await harness.ask(Self.ada, .file(.get(GetFile(hash: content.hash))))) == [])
        _ = await harness.finish()
    }

    @Test func limits_refuseUploads_andNothingElse() async throws {
        let folder = try TemporaryDirectory()
        var limits = FileLimits(bytesMax: 10, freeBytesMin: 0, totalBytesMax: 15)
        limits.uploadsOfUserMax = 2
        var harness = try await Self.harness(in: folder, limits: limits)
        let large = try Self.content([UInt8](repeating: 1, count: 11))
        #expect(refusal(await harness.ask(Self.ada, .file(.begin(BeginFile(large))))) == .tooLarge(bytes: 11, limit: 10))
        let one = [UInt8](repeating: 1, count: 9)
        #expect(upload(await harness.ask(Self.ada, try Self.upload(one))) == [1, 9])
        let next = try Self.content([UInt8](repeating: 2, count: 9))
        #expect(refusal(await harness.ask(Self.ada, .file(.begin(BeginFile(next))))) == .allTooLarge(limit: 15))
        for number in 0..<2 {
            #expect(
                upload(await harness.ask(Self.ada, .file(.begin(BeginFile(try Self.content([3, UInt8(number)])))))) == [0, 0])
        }
        #expect(refusal(await harness.ask(Self.ada, .file(.begin(BeginFile(try Self.content([4])))))) == .tooManyUploads)
        #expect(upload(await harness.ask(Self.bob, .file(.begin(BeginFile(try Self.content([4])))))) == [0, 0])
        _ = await harness.finish()

        let full = try TemporaryDirectory()
        var other = try await Self.harness(in: full, limits: FileLimits(freeBytesMin: .max / 2))
        guard case .failed(.storageFull) = await other.ask(Self.ada, .file(.begin(BeginFile(next)))) else {
            return #expect(Bool(false))
        }
        let text = CreateNote(id: noteID(5), isIDChosen: true, name: nil, text: bytes("texts find room"))
        guard case .created = await other.ask(Self.ada, .write(.createNote(text))) else { return #expect(Bool(false)) }
        _ = await other.finish()
    }

    /// A file whose bytes were damaged is not there, and another upload brings it back.
    @Test func damagedFile_isMissing_untilItIsUploadedAgain() async throws {
        let folder = try TemporaryDirectory()
        var harness = try await Self.harness(in: folder)
        let bytes = [UInt8](1...100)
        let content = try Self.content(bytes)
        _ = await harness.ask(Self.ada, try Self.upload(bytes))
        guard case .created = await harness.ask(Self.ada, Self.create(1, content)) else { return #expect(Bool(false)) }
        let path = folder.path + "/files/\(content.hash)"
        try FileManager.default.removeItem(atPath: path)
        #expect(FileManager.default.createFile(atPath: path, contents: Data(repeating: 0, count: 100)))
        if case .fileChecked(isThere: false) = await harness.ask(Self.bob, .file(.check(content.hash))) {
        } else {
            #expect(Bool(false))
        }
        #expect(refusal(await harness.ask(Self.bob, .file(.get(GetFile(hash: content.hash))))) == .missing(content.hash))
        #expect(upload(await harness.ask(Self.bob, try Self.upload(bytes))) == [1, 100])
        #expect(data(await harness.ask(Self.ada, .file(.get(GetFile(hash: content.hash))))) == bytes)
        _ = await harness.finish()
    }

    /// An audit finds files that are gone or have another size, with `files` also those with other bytes, and nothing
    /// else is held up or affected.
    @Test(arguments: [false, true]) func audit_namesMissingAndDamagedFiles(isHashed: Bool) async throws {
        let folder = try TemporaryDirectory()
        var harness = try await Self.harness(in: folder)
        var contents: [FileContent] = []
        for number in 0..<90 {
            let data = [UInt8](repeating: UInt8(number), count: number == 0 ? 0 : number == 7 ? 5_000_000 : number)
            contents.append(try Self.content(data))
            for offset in stride(from: 0, to: max(1, data.count), by: 700_000) {
                let part = Array(data[offset..<min(data.count, offset + 700_000)])
                _ = await harness.ask(Self.ada, .file(.put(PutFile(content: contents[number], offset: offset, data: part))))
            }
            guard case .created = await harness.ask(Self.ada, Self.create(number + 1, contents[number])) else {
                return #expect(Bool(false))
            }
        }
        func replace(_ number: Int, with data: Data?) throws {
            let path = folder.path + "/files/\(contents[number].hash)"
            try FileManager.default.removeItem(atPath: path)
            if let data { #expect(FileManager.default.createFile(atPath: path, contents: data)) }
        }
        try replace(3, with: nil)
        try replace(5, with: Data([1]))
        try replace(7, with: Data(repeating: 8, count: 5_000_000))
        try replace(80, with: Data(repeating: 8, count: 80))
        let lost = isHashed ? [3, 5, 7, 80] : [3, 5]
        for attempt in 0..<2 {
            guard case .audited(let report) = await harness.ask(Self.bob, .auditing(files: isHashed)) else {
                return #expect(Bool(false))
            }
            let notes = Set(lost.map { Optional(noteID(UInt64($0 + 1))) })
            #expect(report.affectsFilesOnly && Set(report.findings.map(\.note)) == notes, "\(attempt)")
        }
        guard case .files(let missing, _) = await harness.ask(Self.ada, .file(.list(ListFiles(.missing)))) else {
            return #expect(Bool(false))
        }
        #expect(Set(missing.map(\.content)) == Set(lost.map { contents[$0] }))
        _ = await harness.finish()
    }

    private static func names(in folder: TemporaryDirectory) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/files")).subtracting(["damaged", "part"])
    }

    /// Bytes that no note names go a day after they were uploaded, and those in a note's history stay.
    @Test func bytesStay_asLongAsARevisionNamesThem() async throws {
        let folder = try TemporaryDirectory()
        var harness = try await Self.harness(in: folder)
        harness.engine.submit([.tick(seconds: 5)])
        let (first, second, unnamed): ([UInt8], [UInt8], [UInt8]) = ([1], [2], [3])
        for data in [first, second, unnamed] { #expect(upload(await harness.ask(Self.ada, try Self.upload(data))) == [1, 1]) }
        guard case .created(let head, _) = await harness.ask(Self.ada, Self.create(1, try Self.content(first))) else {
            return #expect(Bool(false))
        }
        let save = SaveNote(id: noteID(1), base: head.version, file: try Self.content(second))
        guard case .wrote = await harness.ask(Self.ada, .write(.saveNote(save))) else { return #expect(Bool(false)) }
        if case .files(let files, next: nil) = await harness.ask(Self.ada, .file(.list(ListFiles(.unnamed)))) {
            #expect(files.map(\.content) == [try Self.content(unnamed)])
        } else {
            #expect(Bool(false))
        }
        let day = 24 * 3_600
        harness.engine.submit([.tick(seconds: day)])
        let hashes = try [first, second, unnamed].map { try Self.content($0).hash }
        if case .lacking([], _, _) = await harness.ask(Self.ada, .file(.have(hashes))) {
        } else {
            #expect(Bool(false), "within a day")
        }
        harness.engine.submit([.tick(seconds: day + 10)])
        if case .lacking([2], _, _) = await harness.ask(Self.ada, .file(.have(hashes))) {
        } else {
            #expect(Bool(false), "after it")
        }
        #expect(upload(await harness.ask(Self.ada, try Self.upload(unnamed))) == [1, 1], "it can come again")
        harness.engine.submit([.tick(seconds: 2 * day + 20)])
        _ = await harness.ask(Self.ada, .file(.have(hashes)))
        _ = await harness.finish()
        #expect(try Self.names(in: folder) == Set(hashes.prefix(2).map { "\($0)" }))
    }

    /// A purge erases the bytes that only erased revisions name, and a killed daemon completes it at its next start.
    @Test func purge_erasesBytes_thatNothingElseNames() async throws {
        let folder = try TemporaryDirectory()
        var harness = try await Self.harness(in: folder)
        let (own, shared): ([UInt8], [UInt8]) = ([1, 1], [2, 2])
        for data in [own, shared] { _ = await harness.ask(Self.ada, try Self.upload(data)) }
        _ = await harness.ask(Self.ada, Self.create(2, try Self.content(shared)))
        guard case .created(let head, _) = await harness.ask(Self.ada, Self.create(1, try Self.content(own))) else {
            return #expect(Bool(false))
        }
        let save = SaveNote(id: noteID(1), base: head.version, file: try Self.content(shared))
        guard case .wrote(let saved, _, _) = await harness.ask(Self.ada, .write(.saveNote(save))),
            case .wrote(let deleted, _, _) = await harness.ask(
                Self.ada, .write(.deleteNote(DeleteNote(id: noteID(1), base: saved.version)))),
            case .purged(_, _, let files, _) = await harness.ask(
                Self.ada, .write(.purgeNote(PurgeNote(id: noteID(1), base: deleted.version))))
        else { return #expect(Bool(false)) }
        #expect(files == PurgedFiles(erased: 1, kept: 1, notes: [noteID(2)]))
        let hashes = try [own, shared].map { try Self.content($0).hash }
        if case .lacking([0], _, _) = await harness.ask(Self.bob, .file(.have(hashes))) {} else { #expect(Bool(false)) }
        #expect(refusal(await harness.ask(Self.ada, Self.create(3, try Self.content(own)))) == .missing(hashes[0]))
        _ = await harness.finish()
        #expect(try Self.names(in: folder) == ["\(hashes[1])"])

        let other = try TemporaryDirectory()
        var killed = try await Self.harness(in: other)
        _ = await killed.ask(Self.ada, try Self.upload(own))
        _ = await killed.finish()
        _ = try FileFolder(in: other.path, erasing: [hashes[0]])
        #expect(try Self.names(in: other).isEmpty)
    }
}
