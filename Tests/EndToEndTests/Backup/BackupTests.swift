import Causality
import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesWire
import StrictJSON
import Synchronization
import TestKit
import Testing

extension EndToEnd {
    /// Tests of backups of a store that is being served.
    @Suite struct BackupTests {
        /// An acknowledged write.
        private struct Written: Sendable {
            let note: NoteID
            let version: Version
            let text: [UInt8]
        }

        /// All acknowledged writes, in the order of their responses.
        private final class Ledger: Sendable {
            private let written = Mutex<[Written]>([])
            private let over = Mutex(false)

            var all: [Written] { written.withLock { $0 } }
            var count: Int { written.withLock { $0.count } }
            var isOver: Bool { over.withLock { $0 } }

            func add(_ one: Written) {
                written.withLock { $0.append(one) }
            }

            func end() {
                over.withLock { $0 = true }
            }
        }

        @Test func backupUnderLoad_hasAllEarlierAcknowledgedWrites() async throws {
            try await DaemonProcess.run { daemon in
                let ledger = Ledger()
                let backups = try await withThrowingTaskGroup(of: Void.self) { group in
                    for writer in 0..<UInt64(4) {
                        group.addTask { try await self.write(by: writer, daemon, ledger) }
                    }
                    let client = try await daemon.client("keeper")
                    var backups: [(path: String, written: Int)] = []
                    for number in 0..<3 {
                        // Some writes between two backups.
                        while ledger.count < 20 * (number + 1) { await Task.yield() }
                        let count = ledger.count
                        let path = daemon.scratch.file("backup-\(number).db")
                        let result = try await client.backUp(to: ByteString(path))
                        #expect("\(result.path)" == path)
                        #expect(try Files.read(path).count == result.bytes)
                        #expect(try Files.mode(path) == 0o600)
                        backups.append((path, count))
                    }
                    ledger.end()
                    try await group.waitForAll()
                    await client.close()
                    return backups
                }
                var replicas: Set<ReplicaID> = []
                for (number, backup) in backups.enumerated() {
                    let all = Array(ledger.all.prefix(backup.written))
                    let (store, replica) = try await checkRestored(
                        backup.path, to: daemon.scratch.file("restored-\(number)"), all)
                    let client = try await daemon.client("judge")
                    #expect(try await client.status().identity.store == store, "a copy is of the same store")
                    replicas.insert(replica)
                    replicas.insert(try await client.status().identity.replica)
                    await client.close()
                }
                #expect(replicas.count == backups.count + 1, "each run has a replica id of its own")
                #expect(try BackupSupport.drafts(in: daemon.scratch.path) == [])
            }
        }

        @Test func backupsInOneSecond_haveDistinctNames() async throws {
            try await DaemonProcess.run { daemon in
                let client = try await daemon.client("keeper")
                var paths: [String] = []
                for _ in 0..<5 { paths.append("\(try await client.backUp(to: nil).path)") }
                await client.close()
                #expect(Set(paths).count == paths.count, "\(paths)")
                for path in paths { #expect(try path.hasSuffix(".db") && !Files.read(path).isEmpty) }
            }
        }

        private func write(by writer: UInt64, _ daemon: DaemonProcess, _ ledger: Ledger) async throws {
            let client = try await daemon.client(ByteString("writer \(writer)"))
            let id = noteID(writer + 1)
            var text = bytes("writer \(writer)\n")
            var version = try await client.create(text: text, id: id).note.head.version
            ledger.add(Written(note: id, version: version, text: text))
            var count = 0
            while !ledger.isOver {
                count += 1
                text += bytes("line \(count)\n")
                version = try await client.save(id, base: version, text: text).version
                ledger.add(Written(note: id, version: version, text: text))
            }
            await client.close()
        }

        /// Restores a backup, verifies it, and reads every write again.
        private func checkRestored(
            _ path: String, to data: String, _ written: [Written]
        ) async throws -> (store: ReplicaID, replica: ReplicaID) {
            let restored = try await BackupSupport.notesd("restore", path, "--data", data)
            #expect(restored.end == .exited(0), "\(restored.errors)")
            #expect(restored.lines.last == "start it: notesd --data \(data)")
            let verified = try await BackupSupport.notesd("audit", "--data", data)
            #expect(verified.end == .exited(0), "\(verified.errors)")
            let identity = Mutex<StoreIdentity?>(nil)
            try await DaemonProcess.run(data: data) { copy in
                let client = try await copy.client("judge")
                for one in written {
                    #expect(try await client.note(.id(one.note), at: one.version).text == one.text)
                }
                #expect(try await client.audit().isOK)
                let found = try await client.status().identity
                identity.withLock { $0 = found }
                await client.close()
            }
            let found = try #require(identity.withLock { $0 })
            return (found.store, found.replica)
        }

        @Test func invalidBackupPaths_areRefused_andLeaveNoFile() async throws {
            try await DaemonProcess.run { daemon in
                let client = try await daemon.client("keeper")
                let folder = try daemon.scratch.directory("folder")
                try Files.write(bytes("mine\n"), to: folder + "/file")
                try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: folder + "/file")
                try FileManager.default.createSymbolicLink(atPath: folder + "/dangling", withDestinationPath: folder + "/none")
                let refused: [(String, ErrorKind)] = [
                    ("relative/path", .invalidParams), ("./name", .invalidParams), ("", .invalidParams),
                    (".hidden", .invalidParams),
                    ("..", .invalidParams), (folder + "/file", .invalidParams), (folder + "/link", .invalidParams),
                    (folder + "/dangling", .invalidParams), (folder + "/none/file", .invalidParams),
                    (folder + "/file/below", .invalidParams), (daemon.data + "/notes.sqlite3-journal", .invalidParams),
                    (folder + "/" + String(repeating: "x", count: 300), .invalidParams),
                ]
                for (path, kind) in refused {
                    do {
                        let result = try await client.backUp(to: ByteString(path))
                        Issue.record("\(path) was taken: \(result)")
                    } catch ClientError.refused(let error) {
                        #expect(error.kind == kind, "\(path): \(error.message)")
                        #expect(error.path == "params.path", "\(path)")
                    }
                }
                #expect(try BackupSupport.names(in: folder) == ["dangling", "file", "link"])
                #expect(try Files.read(folder + "/file") == bytes("mine\n"))
                #expect(try BackupSupport.drafts(in: daemon.data) == [])

                let named = try await client.backUp(to: "mine.db")
                #expect("\(named.path)" == daemon.data + "/backups/mine.db")
                #expect(try Files.mode(daemon.data + "/backups") == 0o700)
                let byTime = try await client.backUp()
                #expect("\(byTime.path)".hasPrefix(daemon.data + "/backups/notesd-2"))
                let below = try await client.backUp(to: ByteString(folder))
                #expect("\(below.path)".hasPrefix(folder + "/notesd-2") && "\(below.path)".hasSuffix("Z.db"))
                await client.close()
            }
        }

        @Test(.enabled(if: Volume.mayMount, "needs root and permission to mount"))
        func fullDisk_isReported_andLeavesNoBackup() async throws {
            let volume = try Volume(megabytes: 4)
            defer { volume.unmount() }
            try await DaemonProcess.run { daemon in
                try await BackupSupport.fill(daemon, megabytes: 6)
                let client = try await daemon.client("keeper")
                do {
                    _ = try await client.backUp(to: ByteString(volume.path + "/backup.db"))
                    Issue.record("six megabytes fitted into two")
                } catch ClientError.refused(let error) {
                    #expect(error.kind == .storageFull && error.isRetryable, "\(error.message)")
                }
                #expect(try BackupSupport.names(in: volume.path) == ["ballast"])
                #expect(try await client.status().state == .ok, "the store has room")
                await client.close()
            }
        }

        /// The daemon is killed at a random point; every file with the name of a backup must be a
        /// complete one.
        @Test func killedDaemon_leavesCompleteBackupOrNone() async throws {
            let daemon = try DaemonProcess()
            try await daemon.start()
            try await BackupSupport.fill(daemon, megabytes: 12)
            let folder = try daemon.scratch.directory("folder")
            for round in 0..<4 {
                let connection = try await RawConnection.registered(daemon.socket)
                let path = "\(folder)/backup-\(round).db"
                try await connection.send(BackupSupport.backup(path))
                _ = try await connection.line()
                try await daemon.restart(after: SIGKILL)
                if try BackupSupport.names(in: folder).contains("backup-\(round).db") {
                    let restored = try await BackupSupport.notesd(
                        "restore", path, "--data", daemon.scratch.file("restored-\(round)"), "--quick")
                    #expect(restored.end == .exited(0), "\(restored.errors)")
                }
            }
            let client = try await daemon.client("keeper")
            let result = try await client.backUp(to: ByteString(folder + "/last.db"))
            #expect(try Files.read("\(result.path)").count == result.bytes)
            #expect(try BackupSupport.drafts(in: folder) == [], "the files of killed backups are gone")
            await client.close()
            try await daemon.end(SIGKILL)
        }

        @Test func backups_runOneAtATime_andEndWithTheirClient() async throws {
            try await DaemonProcess.run { daemon in
                try await BackupSupport.fill(daemon, megabytes: 12)
                let folder = try daemon.scratch.directory("folder")
                let judge = try await daemon.client("judge")
                // Whether two backups overlap depends on timing, so retry until they do.
                var (refused, round) = (0, 0)
                while refused == 0, round < 100 {
                    round += 1
                    let (first, second) = (
                        try await RawConnection.registered(daemon.socket), try await RawConnection.registered(daemon.socket)
                    )
                    try await first.send(BackupSupport.backup("\(folder)/first-\(round).db"))
                    try await second.send(BackupSupport.backup("\(folder)/second-\(round).db"))
                    for answer in [try await first.answer(), try await second.answer()] {
                        guard case .failure(_, let error) = answer else { continue }
                        refused += 1
                        #expect(error.kind == .overloaded && error.isRetryable, "\(error.message)")
                    }
                    for name in try BackupSupport.names(in: folder) { unlink("\(folder)/\(name)") }
                }
                #expect(refused > 0)

                round = 0
                let cancelled = #"notesd_backups_total{result="cancelled"}"#
                while try await BackupSupport.metric(cancelled, of: judge) == 0, round < 100 {
                    round += 1
                    try await askAndLeave(daemon, "\(folder)/left-\(round).db")
                    // The next backup is accepted once the one before has ended.
                    while try await isUnderWay(judge, "\(folder)/next-\(round).db") { await Task.yield() }
                }
                #expect(try await BackupSupport.metric(cancelled, of: judge) > 0)
                #expect(try BackupSupport.drafts(in: folder) == [])
                await judge.close()
            }
        }

        /// Requests a backup, and disconnects as soon as it has begun.
        private func askAndLeave(_ daemon: DaemonProcess, _ path: String) async throws {
            let connection = try await RawConnection.registered(daemon.socket)
            try await connection.send(BackupSupport.backup(path))
            _ = try await connection.line()
        }

        private func isUnderWay(_ client: NotesClient, _ path: String) async throws -> Bool {
            do {
                _ = try await client.backUp(to: ByteString(path))
                return false
            } catch ClientError.refused(let error) where error.kind == .overloaded {
                return true
            }
        }

        @Test func notesctlBackup_writesToTheGivenPath() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "one\n")
                let named = try await daemon.notesctl("backup", "mine.db")
                #expect(
                    named.text.hasPrefix(daemon.data + "/backups/mine.db  ") && named.text.hasSuffix(" bytes\n"),
                    "\(named.errors)")
                let again = try await daemon.notesctl("backup", "mine.db")
                #expect(again.end == .exited(1) && again.errors.contains("never overwrites a file"), "\(again.errors)")
                let path = daemon.scratch.file("there.db")
                let json = try await daemon.notesctl("backup", path, "--json")
                let document = try JSONDocument(parsing: Array(json.output.dropLast()), depthMax: 3).root
                let result = try BackupResult(reading: document)
                #expect("\(result.path)" == path && result.bytes > 0)
            }
        }
    }
}
