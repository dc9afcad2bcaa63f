import Causality
import Hub
import NoteText
import NotesMethods
import NotesModel
import NotesWire
import TestKit
import Testing
import TextMerge

/// Files in a space: what revisions name, and nothing else, in whole and with the right hash.
@Suite struct HubFilesTests {
    private static func begin(_ content: FileContent) -> Call { .file(.begin(BeginFile(content, isForPeer: true))) }

    private static func put(_ content: FileContent, _ offset: Int, _ data: ArraySlice<UInt8>) -> Call {
        .file(.put(PutFile(content: content, offset: offset, data: Array(data), isForPeer: true)))
    }

    private static func desk(naming contents: [FileContent]) throws -> Desk {
        var desk = Desk()
        desk.hello()
        let revisions = contents.enumerated().map { index, content in
            revision(Dot(ReplicaID(bits: 5), UInt64(index) + 1), text: String(decoding: content.line, as: UTF8.self))
        }
        let _: AdoptResult = try desk.taken(.adopt(AdoptParams(revisions: revisions.map(RevisionCodec.wireForm))))
        return desk
    }

    /// Clients that send any parts of any file, wrong ones too, leave only files with their hash; and a client that follows
    /// the answers ends with the file there.
    @Test func uploadsInAnyParts_leaveWholeFiles() throws {
        for seed in seeds(60) {
            var random = SeededGenerator(seed: seed)
            let files = (0..<3).map { _ in (0..<random.pick([1, 2, 40])).map { _ in UInt8(random.below(256)) } }
            let contents = files.map { FileContent(of: $0) }
            var desk = try Self.desk(naming: contents)
            for _ in 0..<40 {
                let number = random.below(3)
                var data = files[number][...]
                let from = random.below(data.count + 1)
                data = data[from..<random.pick([from, data.count, min(data.count, from + 5)])]
                if random.chance(0.1), !data.isEmpty { data[from] ^= 1 }
                let result: UploadResult? = desk.result(Self.put(contents[number], from, data))
                #expect(result?.isThere != true || result?.offset == contents[number].bytes, "seed \(seed)")
            }
            for (content, bytes) in zip(contents, files) {
                var offset = 0
                for _ in 0..<4 where offset < bytes.count {
                    if let state: UploadResult = desk.result(Self.begin(content)) { offset = state.offset }
                    let _: UploadResult? = desk.result(Self.put(content, offset, bytes[offset...]))
                }
                let got: FilePartResult = try desk.taken(.file(.get(GetFile(hash: content.hash))))
                #expect(got.data == bytes && got.bytes == bytes.count, "seed \(seed)")
            }
            let left: ListFilesResult = try desk.taken(.file(.list(ListFiles(.missing))))
            #expect(left.files.isEmpty && desk.end == nil, "seed \(seed)")
        }
    }

    @Test func missingFiles_areListedPageByPage_untilTheyAreThere() throws {
        let files = (0..<7).map { [UInt8($0), 1] }
        let contents = files.map { FileContent(of: $0) }.sorted { $0.hash < $1.hash }
        var desk = try Self.desk(naming: contents + [FileContent(of: [])])
        var (listed, after): ([FileContent], FileHash?) = ([], nil)
        repeat {
            let page: ListFilesResult = try desk.taken(.file(.list(ListFiles(.missing, limit: 3, after: after))))
            listed += page.files.map(\.content)
            after = page.next
        } while after != nil
        #expect(listed == contents)
        for bytes in files.prefix(3) { let _: UploadResult = try desk.taken(Self.put(FileContent(of: bytes), 0, bytes[...])) }
        let asked = files.map { FileContent(of: $0).hash } + [.ofNothing]
        let have: HaveFilesResult = try desk.taken(.file(.have(asked)))
        #expect(have.lacks == [3, 4, 5, 6])
    }

    /// Zero bytes are always there, as in a daemon.
    @Test func noBytes_areThere() throws {
        var desk = try Self.desk(naming: [])
        let nothing = FileContent(of: [])
        let begun: UploadResult = try desk.taken(Self.begin(nothing))
        let got: FilePartResult = try desk.taken(.file(.get(GetFile(hash: .ofNothing))))
        let checked: FileCheckResult = try desk.taken(.file(.check(.ofNothing)))
        #expect(begun.isThere && got.bytes == 0 && checked.isThere)
        #expect(desk.refusal(Self.begin(FileContent(hash: FileContent(of: [1]).hash, bytes: 0))) == .fileDiffers)
    }

    @Test func refusals_nameTheReason_andTheSessionGoesOn() throws {
        let (bytes, other): ([UInt8], [UInt8]) = ([1, 2, 3], [4])
        let content = FileContent(of: bytes)
        var desk = try Self.desk(naming: [content])
        let unwanted: UploadResult = try desk.taken(Self.begin(FileContent(of: other)))
        #expect(!unwanted.isWanted)
        #expect(desk.refusal(Self.put(content, 0, [1, 2, 4])) == .fileDiffers)
        #expect(desk.refusal(Self.put(content, 2, [3, 4])) == .invalidParams)
        #expect(desk.refusal(.file(.get(GetFile(hash: content.hash)))) == .fileMissing)
        #expect(desk.refusal(.file(.list(ListFiles(.unnamed)))) == .invalidParams)
        desk.log.files.bytesMax = 2
        #expect(desk.refusal(Self.begin(content)) == .fileTooLarge)
        desk.log.files.fault = .full("no room")
        #expect(desk.refusal(Self.put(content, 0, bytes[...])) == .storageFull)
        desk.log.files.fault = .failed("the server ended a statement")
        #expect(desk.refusal(.file(.have([content.hash]))) == .storageFailed)
        (desk.log.files.fault, desk.log.files.bytesMax) = (nil, 3)
        let put: UploadResult = try desk.taken(Self.put(content, 0, bytes[...]))
        #expect(put.isThere && desk.end == nil)
    }

    @Test func readOnlyRole_getsFiles_andSendsNone() throws {
        var desk = Desk()
        desk.log.mayWrite = false
        let content = FileContent(of: [1])
        desk.log.files.name([content])
        desk.hello()
        #expect(desk.refusal(Self.begin(content)) == .permissionDenied)
        #expect(desk.refusal(Self.put(content, 0, [1])) == .permissionDenied)
        let have: HaveFilesResult = try desk.taken(.file(.have([content.hash])))
        #expect(have.lacks == [0])
    }

    @Test func spaceWithoutFiles_hasNoSuchMethods() throws {
        var desk = Desk()
        desk.log.hasFiles = false
        guard
            case .result(_, let value) = desk.send(.hello(HelloParams(client: ClientInfo(name: "test")))),
            let hello = try? HelloResult(reading: value)
        else {
            Issue.record("no hello")
            return
        }
        #expect(!hello.capabilities.contains("files"))
        #expect(desk.refusal(.file(.list(ListFiles(.missing)))) == .methodNotFound)
    }

    /// A space waits for bytes only if a revision gives them to a file; a text may quote a pointer line.
    @Test func quotedPointerLine_namesNothing() {
        let line = String(decoding: FileContent(of: [1]).line, as: UTF8.self)
        func named(_ edits: [Edit], withdraws: [Dot] = []) -> [FileContent] {
            let content = Revision(
                note: noteID(1), dot: dot("A2"), parents: version("A1"), edits: edits, origin: .stated, withdraws: withdraws,
                author: ada, time: Timestamp(milliseconds: 0))
            return HubCheck.files(named: LinkedRevision(content, parentHashes: [RevisionHash(bits: 0)]))
        }
        func edit(_ start: Int, _ text: String) -> Edit { Edit(start: start, end: start, replacement: Array(text.utf8)) }
        #expect(named([edit(0, line)]) == [FileContent(of: [1])])
        #expect(named([edit(0, line + "\n\nA caption")]) == [FileContent(of: [1])])
        #expect(named([edit(0, "As in:\n\n" + line)]).isEmpty)
        #expect(named([edit(9, line + "\n")]).isEmpty)
        #expect(named([edit(0, line)], withdraws: [dot("A1")]).isEmpty)
    }
}
