import Causality
import Foundation
import NotesModel
import NotesSQL
import TestKit
import Testing

@testable import NotesStore

@Suite struct StoreOpening {
    @Test func writer_syncsCommits_withoutAutoCheckpoint() throws {
        let directory = try TemporaryDirectory()
        let journal = try openStore(directory.path, replica: ReplicaID(bits: 1))
        try journal.connections.writing { database throws(SQLFault) in
            // 2 is FULL.
            #expect(try pragma("synchronous", database) == "2")
            #expect(try pragma("journal_mode", database) == "wal")
            #expect(try pragma("wal_autocheckpoint", database) == "0")
            #expect(try pragma("mmap_size", database) == "0")
        }
        try journal.connections.reading { database throws(SQLFault) in
            #expect(try pragma("query_only", database) == "1")
            #expect(try pragma("wal_autocheckpoint", database) == "0")
        }
    }

    private func pragma(_ name: String, _ database: Database) throws(SQLFault) -> String? {
        try database.first("PRAGMA \(name)") { String(decoding: $0.blob(0), as: UTF8.self) }
    }

    @Test func reader_cannotWrite() throws {
        let directory = try TemporaryDirectory()
        let journal = try openStore(directory.path, replica: ReplicaID(bits: 1))
        let fault = try #require(throws: SQLFault.self) {
            try journal.connections.reading { database throws(SQLFault) in try database.run("DELETE FROM store") }
        }
        #expect(fault.journalError(at: .writing, path: "p").isReadOnly)
    }

    @Test func tables_areStrict() throws {
        let directory = try TemporaryDirectory()
        let journal = try openStore(directory.path, replica: ReplicaID(bits: 1))
        try journal.connections.reading { database throws(SQLFault) in
            var loose: [String] = []
            try database.each(
                "SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict = 0 AND name NOT LIKE 'sqlite_%'"
            ) { row in
                loose.append(String(decoding: row.blob(0), as: UTF8.self))
                return true
            }
            #expect(loose.isEmpty)
        }
    }

    @Test func files_arePrivateToTheUser() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/a/b"
        let mask = umask(0)
        defer { umask(mask) }
        var generator = HistoryGenerator(seed: 1)
        let journal = try openStore(path, replica: generator.replica)
        try journal.append([.commit(generator.next(), operation: nil)])
        #expect(mode(path) == 0o700 && mode(directory.path + "/a") == 0o700)
        let files = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        #expect(files == ["lock", "notes.sqlite3", "notes.sqlite3-shm", "notes.sqlite3-wal"])
        for file in files { #expect(mode(path + "/" + file) == 0o600, "\(file)") }
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test func secondOpening_isRefusedWhileOpen() throws {
        let directory = try TemporaryDirectory()
        let journal = try openStore(directory.path, replica: ReplicaID(bits: 1))
        let error = try #require(throws: StoreError.self) { try openStoreAtOnce(directory.path, replica: ReplicaID(bits: 2)) }
        #expect(error == .locked(path: directory.path + "/lock", process: getpid()))
        #expect("\(error)".contains("\(getpid())"))
        try journal.close()
        #expect(throws: Never.self) { try openStore(directory.path, replica: ReplicaID(bits: 3)) }
    }

    /// The directory itself is locked too.
    @Test func removedLockFile_isStillHeld() throws {
        let directory = try TemporaryDirectory()
        let journal = try openStore(directory.path, replica: ReplicaID(bits: 1))
        unlink(directory.path + "/lock")
        let error = try #require(throws: StoreError.self) { try openStoreAtOnce(directory.path, replica: ReplicaID(bits: 2)) }
        guard case .locked(let path, _) = error else { throw error }
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(throws: StoreError.self) { try OfflineStore(directory: directory.path) }
        try journal.close()
        #expect(throws: Never.self) { try openStore(directory.path, replica: ReplicaID(bits: 3)) }
    }

    /// Only files without a lock are left over: a backup of another daemon may be running.
    @Test func leftoversOfBackups_areRemoved() throws {
        let directory = try TemporaryDirectory()
        let backups = directory.path + "/backups"
        try FileManager.default.createDirectory(atPath: backups, withIntermediateDirectories: false)
        for name in [".notesd-backup-a", ".notesd-backup-b", "notesd-1.db", ".other"] {
            #expect(FileManager.default.createFile(atPath: backups + "/" + name, contents: Data([1])))
        }
        let running = open(backups + "/.notesd-backup-b", O_RDWR)
        defer { close(running) }
        try #require(flock(running, LOCK_EX | LOCK_NB) == 0)
        _ = try openStore(directory.path, replica: ReplicaID(bits: 1))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: backups).sorted() == [
                ".notesd-backup-b", ".other", "notesd-1.db",
            ])
    }

    @Test func usedReplica_isRefused() throws {
        var generator = HistoryGenerator(seed: 2)
        let directory = try TemporaryDirectory()
        let first = try openStore(directory.path, replica: generator.replica)
        try first.append([.commit(generator.next(), operation: nil)])
        try first.close()
        #expect(throws: StoreError.self) { try openStore(directory.path, replica: generator.replica) }
    }

    @Test func storeID_isThatOfTheFirstOpening() throws {
        let directory = try TemporaryDirectory()
        try openStore(directory.path, replica: ReplicaID(bits: 1)).close()
        let again = try openStore(directory.path, replica: ReplicaID(bits: 2), newStore: ReplicaID(bits: 99))
        #expect(again.identity == StoreIdentity(store: testStore, replica: ReplicaID(bits: 2)))
    }

    @Test(arguments: [1000, 5])
    func storeOfAnotherVersion_isRefusedAndUnchanged(version: Int) throws {
        let directory = try TemporaryDirectory()
        try openStore(directory.path, replica: ReplicaID(bits: 1)).close()
        let path = directory.path + "/notes.sqlite3"
        try Database(path: path).run("PRAGMA user_version = \(version)")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let refusal: StoreError =
            version > Schema.version
            ? .newer(path: path, version: version, known: Schema.version)
            : .older(path: path, version: version, known: Schema.version)
        #expect(throws: refusal) { try openStore(directory.path, replica: ReplicaID(bits: 2)) }
        #expect(throws: refusal) { try OfflineStore(directory: directory.path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }

    @Test func foreignFile_isRefusedAndUnchanged() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/notes.sqlite3"
        try DatabaseFile.make(path)
        try Database(path: path).run("CREATE TABLE theirs (a)")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(throws: StoreError.foreign(path: path)) { try openStore(directory.path, replica: ReplicaID(bits: 2)) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }

    /// A store that vanished is no first start.
    @Test func emptyFileBesideAnIndex_isRefused() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/notes.sqlite3"
        let index = URL(fileURLWithPath: directory.path + "/search.sqlite3")
        try Data("index".utf8).write(to: index)
        #expect(throws: StoreError.vanished(path: path)) { try openStore(directory.path, replica: ReplicaID(bits: 2)) }
        #expect(!FileManager.default.fileExists(atPath: path))
        try DatabaseFile.make(path)
        #expect(throws: StoreError.vanished(path: path)) { try openStore(directory.path, replica: ReplicaID(bits: 2)) }
        try FileManager.default.removeItem(at: index)
        _ = try openStore(directory.path, replica: ReplicaID(bits: 2))
    }

    @Test func nonDatabaseFile_isReportedDamaged() throws {
        let directory = try TemporaryDirectory()
        try Data(repeating: 65, count: 10_000).write(to: URL(fileURLWithPath: directory.path + "/notes.sqlite3"))
        let error = try #require(throws: StoreError.self) { try openStore(directory.path, replica: ReplicaID(bits: 2)) }
        guard case .journal(.fatal(let text)) = error else {
            Issue.record("it is \(error)")
            return
        }
        #expect(text.contains("damaged") && text.contains("notes.sqlite3"))
    }

    @Test func linksAndForeignDirectories_areRefused() throws {
        let directory = try TemporaryDirectory()
        let manager = FileManager.default
        let elsewhere = directory.path + "/elsewhere"
        #expect(manager.createFile(atPath: elsewhere, contents: nil))
        for file in ["notes.sqlite3", "lock"] {
            let store = directory.path + "/with-\(file)"
            try manager.createDirectory(atPath: store, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try manager.createSymbolicLink(atPath: store + "/" + file, withDestinationPath: elsewhere)
            #expect(throws: StoreError.self, "\(file)") { try openStore(store, replica: ReplicaID(bits: 1)) }
        }
        let open = directory.path + "/open"
        try manager.createDirectory(atPath: open, withIntermediateDirectories: true)
        chmod(open, 0o777)
        #expect(throws: StoreError.directory("\(open) is writable by other users; run `chmod 700 \(open)`")) {
            try openStore(open, replica: ReplicaID(bits: 1))
        }
        #expect(throws: StoreError.self) { try openStore(elsewhere, replica: ReplicaID(bits: 1)) }
        // A symbolic link to a directory is how data is moved to another disk.
        let real = directory.path + "/real"
        try manager.createDirectory(atPath: real, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try manager.createSymbolicLink(atPath: directory.path + "/link", withDestinationPath: real)
        #expect(throws: Never.self) { try openStore(directory.path + "/link", replica: ReplicaID(bits: 1)).close() }
    }
}

extension JournalError {
    var isReadOnly: Bool { if case .readOnly = self { true } else { false } }
    var isFull: Bool { if case .full = self { true } else { false } }
    var isFatal: Bool { if case .fatal = self { true } else { false } }
    var isFailed: Bool { if case .failed = self { true } else { false } }
}
