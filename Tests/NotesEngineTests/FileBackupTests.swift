import Causality
import Foundation
import NoteText
import NotesMethods
import NotesModel
import TestKit
import Testing

@testable import NotesEngine
@testable import NotesStore

/// Backups of stores with files, and stores that are restored from them.
@Suite struct FileBackupTests {
    private struct Failed: Error { let what: String }

    private static func site(_ name: Character, in folder: TemporaryDirectory) async throws -> Site {
        var configuration = EngineConfiguration()
        configuration.files = FileLimits(freeBytesMin: 0)
        return try await Site(folder, as: replica(name), configuration: configuration, hasFiles: true)
    }

    private static func add(_ data: [UInt8], as number: UInt64, to site: inout Site) async throws -> FileContent {
        let content = FileContent(hash: try #require(FileHash(bytes: SHA256.hash(of: data))), bytes: data.count)
        _ = await site.harness.ask(one, .file(.put(PutFile(content: content, offset: 0, data: data))))
        let create = CreateNote(id: noteID(number), isIDChosen: true, name: nil, text: [], file: content)
        guard case .created = await site.write(.createNote(create)) else { throw Failed(what: "create") }
        return content
    }

    private static func backUp(_ site: inout Site, to path: String) async throws -> Backup {
        switch await site.harness.ask(one, .backup(to: ByteString(path))) {
        case .backedUp(let backup): return backup
        case let response: throw Failed(what: "\(response as Any)")
        }
    }

    private static func names(in folder: String) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder)).subtracting(["damaged", "part"])
    }

    @Test func backup_hasTheBytes_andARestoredStore_too() async throws {
        let (folder, backups) = (try TemporaryDirectory(), try TemporaryDirectory())
        var site = try await Self.site("A", in: folder)
        let kept = try await Self.add([1, 2, 3], as: 1, to: &site)
        let lost = try await Self.add([4, 5], as: 2, to: &site)
        let empty = try await Self.add([], as: 3, to: &site)
        try FileManager.default.removeItem(atPath: folder.path + "/files/\(lost.hash)")
        let backup = try await Self.backUp(&site, to: backups.path + "/one.db")
        #expect(backup.files == 1 && backup.missingFiles == 1)
        #expect(try Self.names(in: backups.path + "/files") == ["\(kept.hash)"])
        await site.stop()

        let restored = try TemporaryDirectory()
        let result = try Store.restore(backup.path, into: restored.path) { _ in [] }
        #expect(result.files == 1 && result.missingFiles == 1)
        var other = try await Self.site("B", in: restored)
        guard case .filePart([1, 2, 3], _, _) = await other.harness.ask(one, .file(.get(GetFile(hash: kept.hash)))) else {
            throw Failed(what: "get")
        }
        if case .files(let files, _) = await other.harness.ask(one, .file(.list(ListFiles(.missing)))) {
            #expect(files.map(\.content) == [lost])
        } else {
            #expect(Bool(false))
        }
        #expect(empty.bytes == 0)
        await other.stop()
    }

    /// A damaged file of the pool is not restored.
    @Test func restore_comparesHashes() async throws {
        let (folder, backups, restored) = (try TemporaryDirectory(), try TemporaryDirectory(), try TemporaryDirectory())
        var site = try await Self.site("A", in: folder)
        let content = try await Self.add([1, 2, 3], as: 1, to: &site)
        let backup = try await Self.backUp(&site, to: backups.path + "/one.db")
        await site.stop()
        let path = backups.path + "/files/\(content.hash)"
        try FileManager.default.removeItem(atPath: path)
        #expect(FileManager.default.createFile(atPath: path, contents: Data([3, 2, 1])))
        let result = try Store.restore(backup.path, into: restored.path) { _ in [] }
        #expect(result.files == 0 && result.missingFiles == 1)
        #expect(try Self.names(in: restored.path + "/files").isEmpty)
    }

    /// Damage reaches the pool through the second name. Bytes that came again reach it with the next backup.
    @Test func backup_takesBytesThatCameAgain() async throws {
        let (folder, backups) = (try TemporaryDirectory(), try TemporaryDirectory())
        var site = try await Self.site("A", in: folder)
        let content = try await Self.add([1, 2, 3], as: 1, to: &site)
        _ = try await Self.backUp(&site, to: backups.path + "/one.db")
        let path = backups.path + "/files/\(content.hash)"
        chmod(path, 0o600)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.write(contentsOf: Data([3, 2, 1]))
        try handle.close()
        guard case .fileChecked(isThere: false) = await site.harness.ask(one, .file(.check(content.hash))) else {
            throw Failed(what: "the damage is not found")
        }
        _ = await site.harness.ask(one, .file(.put(PutFile(content: content, offset: 0, data: [1, 2, 3]))))
        _ = try await Self.backUp(&site, to: backups.path + "/two.db")
        #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3]))
        #expect(try Self.names(in: backups.path + "/files") == ["\(content.hash)"])
        await site.stop()
    }

    /// What was purged leaves the pool once no backup names it, at the next backup.
    @Test func pool_keepsWhatItsBackupsName() async throws {
        let (folder, backups) = (try TemporaryDirectory(), try TemporaryDirectory())
        var site = try await Self.site("A", in: folder)
        let gone = try await Self.add([1, 2, 3], as: 1, to: &site)
        let kept = try await Self.add([4, 5, 6], as: 2, to: &site)
        _ = try await Self.backUp(&site, to: backups.path + "/one.db")
        let shown = try #require(await site.note(noteID(1)))
        guard case .wrote(let deleted, _, _) = await site.write(.deleteNote(DeleteNote(id: noteID(1), base: shown.head.version))),
            case .purged = await site.write(.purgeNote(PurgeNote(id: noteID(1), base: deleted.version)))
        else { throw Failed(what: "purge") }
        _ = try await Self.backUp(&site, to: backups.path + "/two.db")
        #expect(try Self.names(in: backups.path + "/files") == ["\(gone.hash)", "\(kept.hash)"])
        try FileManager.default.removeItem(atPath: backups.path + "/one.db")
        _ = try await Self.backUp(&site, to: backups.path + "/three.db")
        #expect(try Self.names(in: backups.path + "/files") == ["\(kept.hash)"])
        // A backup may have any name, and what is none may be one that somebody has compressed.
        try FileManager.default.moveItem(atPath: backups.path + "/two.db", toPath: backups.path + "/before the move")
        try FileManager.default.removeItem(atPath: backups.path + "/three.db")
        let later = try #require(await site.note(noteID(2)))
        guard case .wrote(let removed, _, _) = await site.write(.deleteNote(DeleteNote(id: noteID(2), base: later.head.version))),
            case .purged = await site.write(.purgeNote(PurgeNote(id: noteID(2), base: removed.version)))
        else { throw Failed(what: "purge") }
        _ = try await Self.backUp(&site, to: backups.path + "/named.db")
        #expect(try Self.names(in: backups.path + "/files") == ["\(kept.hash)"])
        try FileManager.default.removeItem(atPath: backups.path + "/before the move")
        try Data("no store".utf8).write(to: URL(fileURLWithPath: backups.path + "/one.db.gz"))
        let more = try await Self.add([7], as: 3, to: &site)
        _ = try await Self.backUp(&site, to: backups.path + "/four.db")
        #expect(try Self.names(in: backups.path + "/files") == ["\(kept.hash)", "\(more.hash)"])
        await site.stop()
    }
}
