import Causality
import Foundation
import NoteText
import NotesMethods
import NotesModel
import Replication
import Synchronization
import TestKit
import Testing

@testable import NotesEngine

/// The bytes of files between stores, over connections that break anywhere.
@Suite struct FileExchangeTests {
    private static func site(
        _ name: Character, history: HistoryPolicy = .keepAll, fetchBytesMax: Int? = nil, in folder: TemporaryDirectory? = nil
    ) async throws -> Site {
        var configuration = EngineConfiguration(history: history)
        configuration.files = FileLimits(fetchBytesMax: fetchBytesMax, freeBytesMin: 0)
        return try await Site(
            try folder ?? TemporaryDirectory(), as: replica(name), configuration: configuration, hasFiles: true)
    }

    private static func content(_ data: [UInt8]) throws -> FileContent {
        FileContent(hash: try #require(FileHash(bytes: SHA256.hash(of: data))), bytes: data.count)
    }

    private static func upload(_ data: [UInt8], to site: inout Site) async throws -> FileContent {
        let content = try content(data)
        _ = await site.harness.ask(one, .file(.put(PutFile(content: content, offset: 0, data: data))))
        return content
    }

    private static func add(_ data: [UInt8], as number: UInt64, to site: inout Site) async throws {
        let content = try await upload(data, to: &site)
        let create = CreateNote(id: noteID(number), isIDChosen: true, name: nil, text: [], file: content)
        guard case .created = await site.write(.createNote(create)) else { throw Missing() }
    }

    private struct Missing: Error {}

    private static func bytes(_ content: FileContent, in site: inout Site) async -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < content.bytes {
            let get = GetFile(hash: content.hash, offset: bytes.count)
            guard case .filePart(let part, _, _) = await site.harness.ask(one, .file(.get(get))), !part.isEmpty else {
                return nil
            }
            bytes += part
        }
        return bytes
    }

    private static func missing(in site: inout Site) async -> Int? {
        await listed(.missing, in: &site)?.count
    }

    private static func listed(_ state: ListFiles.State, in site: inout Site) async -> [ListedFile]? {
        guard case .files(let files, _) = await site.harness.ask(one, .file(.list(ListFiles(state)))) else { return nil }
        return files
    }

    /// Adds a file of 90,000 bytes and one of 3,000 to a store.
    private static func addLargeAndSmall(to site: inout Site) async throws -> (large: [UInt8], small: [UInt8]) {
        let (large, small) = (data(11, 90_000), data(12, 3_000))
        try await add(large, as: 1, to: &site)
        try await add(small, as: 2, to: &site)
        return (large, small)
    }

    /// - Returns: the events; nil if a connection broke.
    private static func replicate(
        _ here: Site, _ there: Site, number: UInt64, cutAfter: Int? = nil
    ) async throws -> [FlowEvent]? {
        let events = Mutex<[FlowEvent]>([])
        do {
            let (mine, theirs) = (
                try await EngineLink(here, number), try await EngineLink(there, number, cutAfter: cutAfter)
            )
            defer {
                mine.end()
                theirs.end()
            }
            try await Replicator(here: mine, there: theirs).run(once: true) { _, event in events.withLock { $0.append(event) } }
        } catch is EngineLink.Cut {
            return nil
        }
        return events.withLock { $0 }
    }

    /// Bytes with the same pattern for the same number.
    private static func data(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 251 &+ number) }
    }

    @Test func bytesFollowTheTexts_throughAStoreBetween() async throws {
        var (first, second, third) = (try await Self.site("A"), try await Self.site("B"), try await Self.site("C"))
        let files = [Self.data(1, 300_000), Self.data(2, 1), [], Self.data(3, 65_536)]
        for (index, file) in files.enumerated() { try await Self.add(file, as: UInt64(index + 1), to: &first) }
        #expect(try await Self.replicate(first, second, number: 10) != nil)
        let events = try #require(try await Self.replicate(second, third, number: 11))
        for file in files {
            let content = try Self.content(file)
            #expect(await Self.bytes(content, in: &second) == file)
            #expect(await Self.bytes(content, in: &third) == file)
        }
        #expect(await Self.missing(in: &third) == 0)
        #expect(events.last { if case .files = $0 { true } else { false } } == .files(lacking: 0))
        for site in [first, second, third] { await site.stop() }
    }

    /// A store that keeps no bytes counts as missing all, and one behind it counts what it does not get.
    @Test func storeWithoutFiles_countsAsMissingThem() async throws {
        var (first, last) = (try await Self.site("A"), try await Self.site("C"))
        let between = try await Site(try TemporaryDirectory(), as: replica("B"))
        for (index, file) in [Self.data(1, 5), [], Self.data(2, 1)].enumerated() {
            try await Self.add(file, as: UInt64(index + 1), to: &first)
        }
        let sent = try #require(try await Self.replicate(first, between, number: 10))
        #expect(sent.last { if case .files = $0 { true } else { false } } == .files(lacking: 2))
        let received = try #require(try await Self.replicate(between, last, number: 11))
        #expect(received.contains(.files(lacking: 2)))
        #expect(await Self.missing(in: &last) == 2)
        for site in [first, between, last] { await site.stop() }
    }

    /// Wherever the connection breaks, the next one goes on, and no byte is carried twice.
    @Test func cutConnection_isContinued() async throws {
        let file = Self.data(4, 400_000)
        let content = try Self.content(file)
        for cut in stride(from: 6, to: 22, by: 3) {
            var (here, there) = (try await Self.site("A"), try await Self.site("B"))
            try await Self.add(file, as: 1, to: &here)
            var tries: UInt64 = 0
            while try await Self.replicate(here, there, number: 10 + tries, cutAfter: tries < 3 ? cut : nil) == nil {
                tries += 1
                try #require(tries < 5, "cut after \(cut)")
            }
            #expect(await Self.bytes(content, in: &there) == file, "cut after \(cut)")
            for site in [here, there] { await site.stop() }
        }
    }

    /// A store with damaged bytes spreads them nowhere, and says that it lacks them.
    @Test func damagedBytes_areNotTaken() async throws {
        var (here, there) = (try await Self.site("A"), try await Self.site("B"))
        let (good, bad) = (Self.data(5, 70_000), Self.data(6, 70_000))
        try await Self.add(good, as: 1, to: &here)
        try await Self.add(bad, as: 2, to: &here)
        let content = try Self.content(bad)
        let path = try #require(here.folder?.path) + "/files/\(content.hash)"
        try FileManager.default.removeItem(atPath: path)
        #expect(FileManager.default.createFile(atPath: path, contents: Data(repeating: 0, count: bad.count)))
        let events = try #require(try await Self.replicate(here, there, number: 10))
        #expect(events.contains { if case .file(content.hash, failure: .some) = $0 { true } else { false } })
        #expect(events.last { if case .files = $0 { true } else { false } } == .files(lacking: 1))
        #expect(await Self.bytes(try Self.content(good), in: &there) == good)
        #expect(await Self.bytes(content, in: &there) == nil)
        #expect(await Self.missing(in: &here) == 1, "the store found its own damage")
        #expect(await Self.missing(in: &there) == 1)
        _ = try await Self.upload(bad, to: &there)
        #expect(try await Self.replicate(here, there, number: 11) != nil)
        #expect(await Self.bytes(content, in: &here) == bad, "another copy repairs it")
        for site in [here, there] { await site.stop() }
    }

    /// Wherever the connection breaks, compaction removes no bytes that the peer's revisions name and that it lacks.
    @Test(arguments: [false, true])
    func compaction_keepsWhatThePeerLacks(isPull: Bool) async throws {
        let (old, new) = (Self.data(9, 200_000), Self.data(10, 3_000))
        let (former, present) = (try Self.content(old), try Self.content(new))
        var (spared, incomplete) = (0, 0)
        for cut in stride(from: 5, to: 26, by: 3) {
            var (here, there) = (try await Self.site("A", history: .keepDays(0)), try await Self.site("B"))
            try await Self.add(old, as: 1, to: &here)
            _ = try await Self.upload(new, to: &here)
            let base = try #require(await here.note(noteID(1))).head.version
            guard case .wrote = await here.write(.saveNote(SaveNote(id: noteID(1), base: base, file: present))) else {
                throw Missing()
            }
            if isPull {
                _ = try await Self.replicate(there, here, number: 10, cutAfter: cut)
            } else {
                _ = try await Self.replicate(here, there, number: 10, cutAfter: cut)
            }
            let hasRevisions = await there.note(noteID(1)) != nil
            let hasBytes = await Self.bytes(former, in: &there) != nil
            try await Self.compact(here, day: 1)
            let isLeft = await Self.isKept(base, in: &here)
            #expect(isLeft || hasBytes || !hasRevisions, "cut after \(cut)")
            if hasRevisions, !hasBytes { (spared, incomplete) = (spared + (isLeft ? 1 : 0), incomplete + 1) }
            #expect(try await Self.replicate(here, there, number: 11) != nil)
            if hasRevisions { #expect(await Self.bytes(former, in: &there) == old, "cut after \(cut)") }
            try await Self.compact(here, day: 2)
            #expect(await !Self.isKept(base, in: &here), "cut after \(cut): the peer has all now")
            for site in [here, there] { await site.stop() }
        }
        #expect(incomplete > 0 && spared == incomplete)
    }

    private static func compact(_ site: Site, day: Int) async throws {
        site.engine.submit([.tick(seconds: 86_400 * day)])
        while try await site.engine.isCompacting() {}
    }

    /// Whether the history has the text of a version of note 1, and so names its bytes.
    private static func isKept(_ version: Version, in site: inout Site) async -> Bool {
        let response = await site.harness.ask(one, .get(GetNote(.id(noteID(1)), at: version)))
        if case .revisionGone = response?.rejection { return false }
        return true
    }

    @Test func largeFile_isDeclined_untilTheLimitIsRaised() async throws {
        var (here, there) = (try await Self.site("A"), try await Self.site("B", fetchBytesMax: 3_000))
        let (large, small) = try await Self.addLargeAndSmall(to: &here)
        let content = try Self.content(large)
        let events = try #require(try await Self.replicate(here, there, number: 10))
        #expect(events.last { if case .files = $0 { true } else { false } } == .files(lacking: 0))
        #expect(!events.contains { if case .file(_, failure: .some) = $0 { true } else { false } })
        #expect(await Self.bytes(try Self.content(small), in: &there) == small, "the limit is the largest that is taken")
        #expect(await Self.missing(in: &there) == 0)
        let declined = try #require(await Self.listed(.declined, in: &there))
        #expect(declined.map(\.content) == [content] && declined.first?.notes == [noteID(1)])
        #expect(await Self.listed(.declined, in: &here) == [])
        let begin = await there.harness.ask(one, .file(.begin(BeginFile(content, isForPeer: true))))
        guard case .failed(.file(.declined(bytes: 90_000, limit: 3_000))) = begin else {
            return #expect(Bool(false), "\(begin as Any)")
        }
        guard case .audited(let report) = await there.harness.ask(one, .auditing(files: true)) else {
            return #expect(Bool(false))
        }
        #expect(report.findings.isEmpty)

        await there.engine.fetchFiles(upTo: 90_000)
        #expect(await Self.missing(in: &there) == 1)
        #expect(try await Self.replicate(here, there, number: 11) != nil)
        #expect(await Self.bytes(content, in: &there) == large)
        await there.engine.fetchFiles(upTo: 0)
        #expect(await Self.listed(.declined, in: &there) == [], "what is there stays")
        #expect(await Self.bytes(content, in: &there) == large)
        for site in [here, there] { await site.stop() }
    }

    /// The limit on what people add counts for what they add, though the store declines it from others.
    @Test func declinedFile_isTakenFromAPerson() async throws {
        var (here, there) = (try await Self.site("A"), try await Self.site("B", fetchBytesMax: 3_000))
        let (large, _) = try await Self.addLargeAndSmall(to: &here)
        #expect(try await Self.replicate(here, there, number: 10) != nil)
        let content = try await Self.upload(large, to: &there)
        #expect(await Self.bytes(content, in: &there) == large)
        #expect(await Self.listed(.declined, in: &there) == [])
        for site in [here, there] { await site.stop() }
    }

    /// Large bytes that somebody added here and that were damaged come again from another store, also after a restart.
    @Test(arguments: [false, true])
    func damagedFile_isNotDeclined(isRestarted: Bool) async throws {
        var (here, there) = (try await Self.site("A"), try await Self.site("B", fetchBytesMax: 3_000))
        let (large, _) = try await Self.addLargeAndSmall(to: &here)
        #expect(try await Self.replicate(here, there, number: 10) != nil)
        let content = try await Self.upload(large, to: &there)
        let path = try #require(there.folder?.path) + "/files/\(content.hash)"
        try FileManager.default.removeItem(atPath: path)
        #expect(FileManager.default.createFile(atPath: path, contents: Data(repeating: 0, count: large.count)))
        guard case .fileChecked(isThere: false) = await there.harness.ask(one, .file(.check(content.hash))) else {
            throw Missing()
        }
        if isRestarted {
            await there.stop()
            there = try await Self.site("D", fetchBytesMax: 3_000, in: there.folder)
        }
        #expect(await Self.missing(in: &there) == 1)
        #expect(await Self.listed(.declined, in: &there) == [])
        guard case .lacking([0], lost: [0], _) = await there.harness.ask(one, .file(.have([content.hash]))) else {
            throw Missing()
        }
        #expect(try await Self.replicate(here, there, number: 11) != nil)
        #expect(await Self.bytes(content, in: &there) == large)
        for site in [here, there] { await site.stop() }
    }

    /// A store that declines a file holds the revision that names it, so the other one compacts it.
    @Test func compaction_doesNotWait_forWhatThePeerDeclines() async throws {
        var here = try await Self.site("A", history: .keepDays(0))
        let there = try await Self.site("B", fetchBytesMax: 3_000)
        try await Self.add(Self.data(11, 90_000), as: 1, to: &here)
        let present = try await Self.upload(Self.data(12, 3_000), to: &here)
        let base = try #require(await here.note(noteID(1))).head.version
        guard case .wrote = await here.write(.saveNote(SaveNote(id: noteID(1), base: base, file: present))) else {
            throw Missing()
        }
        #expect(try await Self.replicate(here, there, number: 10) != nil)
        try await Self.compact(here, day: 1)
        #expect(await !Self.isKept(base, in: &here))
        for site in [here, there] { await site.stop() }
    }

    @Test func peer_fillsNoDisk_withBytesThatNothingNames() async throws {
        var site = try await Self.site("A")
        let content = try Self.content([1, 2, 3])
        let begin = await site.harness.ask(one, .file(.begin(BeginFile(content, isForPeer: true))))
        guard case .upload(isThere: false, offset: 0, isWanted: false) = begin else {
            return #expect(Bool(false), "\(begin as Any)")
        }
        let put = PutFile(content: content, offset: 0, data: [1, 2, 3], isForPeer: true)
        guard case .upload(isThere: false, offset: 0, isWanted: false) = await site.harness.ask(one, .file(.put(put))) else {
            return #expect(Bool(false))
        }
        await site.stop()
    }

    /// A purge erases the bytes on every machine, and nobody brings them back.
    @Test func purge_travels() async throws {
        var (here, there) = (try await Self.site("A"), try await Self.site("B"))
        let (gone, kept) = (Self.data(7, 5_000), Self.data(8, 5_000))
        for site in [0, 1] {
            if site == 0 {
                try await Self.add(gone, as: 1, to: &here)
                try await Self.add(kept, as: 2, to: &here)
            }
        }
        #expect(try await Self.replicate(here, there, number: 10) != nil)
        let content = try Self.content(gone)
        #expect(await Self.bytes(content, in: &there) == gone)
        let shown = try #require(await here.note(noteID(1)))
        guard case .wrote(let deletion, _, _) = await here.write(.deleteNote(DeleteNote(id: noteID(1), base: shown.head.version)))
        else { throw Missing() }
        guard case .purged = await here.write(.purgeNote(PurgeNote(id: noteID(1), base: deletion.version))) else {
            throw Missing()
        }
        #expect(await Self.bytes(content, in: &here) == nil, "at once")
        #expect(try await Self.replicate(here, there, number: 11) != nil)
        #expect(try await Self.replicate(here, there, number: 12) != nil)
        #expect(await Self.bytes(content, in: &there) == nil)
        #expect(await Self.bytes(try Self.content(kept), in: &there) == kept)
        for site in [here, there] {
            await site.stop()
            let folder = try #require(site.folder?.path) + "/files"
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            #expect(names == ["\(try Self.content(kept).hash)", "damaged", "part"].sorted())
        }
    }
}
