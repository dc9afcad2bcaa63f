import Causality
import Foundation
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Tests of stores left by programs of each schema version, kept as files. The program of
    /// version 3 was killed.
    @Suite struct MigrationTests {
        /// The description of a store by the program that made it.
        private struct Account: Decodable {
            struct Note: Decodable {
                let id: String
                let name: String?
                let deleted: Bool
                let version: String
                let text: String
                /// The texts of all revisions, by version.
                let past: [String: String]
            }

            let store: String
            let revisions: Int
            let notes: [Note]
        }

        private func account(_ schema: Int) throws -> Account {
            let file = try Files.read(Fixture.path("stores/store-\(schema).json"))
            return try JSONDecoder().decode(Account.self, from: Data(file))
        }

        private func unpack(_ schema: Int, to directory: String) async throws {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let archive = try Fixture.path("stores/store-\(schema).tar.gz")
            let command = try await Command.run("/bin/tar", ["-xzf", archive, "--no-same-owner", "-C", directory])
            #expect(command.end == .exited(0), "\(command.errors)")
        }

        @Test(arguments: 1...5)
        func storeOfEachVersion_isMigrated_withEveryText(schema: Int) async throws {
            let account = try account(schema)
            #expect(account.notes.count == 12)
            let daemon = try DaemonProcess()
            try await unpack(schema, to: daemon.data)
            let before = try await BackupSupport.notesd("audit", "--data", daemon.data)
            #expect(before.end == .exited(0), "\(before.errors)")
            #expect(before.text.contains("upgraded the store") == (schema < 5), "\(before.text)")

            try await daemon.start()
            let client = try await daemon.client("judge")
            #expect(try await client.status().identity.store.description == account.store)
            #expect(try await client.status().store.revisions == account.revisions)
            for note in account.notes { try await check(note, client) }
            let audit = try await client.audit()
            #expect(audit.report.revisions == account.revisions)
            let findings = audit.report.findings.filter { schema > 1 || !Self.unmarked.contains($0.what) }
            #expect(findings.isEmpty, "\(findings)")

            let first = try #require(NoteID(parsing: account.notes[0].id.utf8))
            let shown = try await client.note(.id(first))
            _ = try await client.save(first, base: shown.head.version, text: bytes("written since\n"))
            let backup = daemon.scratch.file("backup.db")
            _ = try await client.backUp(to: ByteString(backup))
            await client.close()
            #expect(try await daemon.end(SIGTERM) == .exited(0))
            let after = try await BackupSupport.notesd("audit", "--data", daemon.data)
            #expect(after.text.hasPrefix("no faults in ") == (schema > 1), "\(after.text)\(after.errors)")
            let restored = daemon.scratch.file("restored")
            let looked = try await BackupSupport.notesd("restore", backup, "--data", restored)
            #expect(looked.end == .exited(schema > 1 ? 0 : 65), "\(looked.errors)")
            guard schema == 1 else { return }
            let quick = try await BackupSupport.notesd("restore", backup, "--data", restored, "--quick")
            #expect(quick.end == .exited(0), "\(quick.errors)")
        }

        /// Programs of schema version 1 did not mark conflicts, and the audit finds them missing.
        private static let unmarked = [
            "the list of its open conflicts is not what its revisions produce",
            "the stored open conflicts are not those that its past produces",
        ]

        private func check(_ note: Account.Note, _ client: NotesClient) async throws {
            let id = try #require(NoteID(parsing: note.id.utf8))
            let shown = try await client.note(.id(id))
            #expect(shown.head.version.description == note.version)
            #expect(shown.head.name.map { "\($0)" } == note.name)
            #expect(shown.head.isDeleted == note.deleted)
            #expect(shown.text == bytes(note.text))
            for (version, text) in note.past {
                let version = try #require(Version(parsing: version.utf8))
                #expect(try await client.note(.id(id), at: version).text == bytes(text), "\(note.id) at \(version)")
            }
        }

        @Test func storeOfNewerVersion_isRefusedAndUnchanged() async throws {
            let scratch = try Scratch()
            let data = scratch.file("data")
            try await unpack(5, to: data)
            let file = data + "/notes.sqlite3"
            var contents = try Files.read(file)
            contents[63] += 1
            try Files.write(contents, to: file)
            chmod(file, 0o600)
            let started = try await BackupSupport.notesd(
                "--socket", scratch.file("s"), "--data", data, "--config", try scratch.write("", to: "notesd.toml"))
            let verified = try await BackupSupport.notesd("audit", "--data", data)
            let restored = try await BackupSupport.notesd("restore", file, "--data", scratch.file("new"))
            for result in [started, verified, restored] {
                #expect(result.end == .exited(65), "\(result.errors)")
                #expect(
                    result.errors.contains("newer notesd (schema version 6; this one supports 5); run that notesd"),
                    "\(result.errors)")
            }
            #expect(try Files.read(file) == contents)
        }
    }
}
