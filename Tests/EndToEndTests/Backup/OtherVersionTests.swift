import Foundation
import NoteText
import NotesClient
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Stores and backups whose schema this program does not support are refused and not changed.
    @Suite struct OtherVersionTests {
        @Test(arguments: [
            (11, "newer notesd (schema version 11; this one supports 10); run that notesd"),
            (9, "unreleased notesd (schema version 9; this one supports only 10); run that notesd, save its notes with"),
        ])
        func storeOfAnotherVersion_isRefusedAndUnchanged(version: UInt8, says: String) async throws {
            let daemon = try DaemonProcess()
            try await daemon.start()
            let client = try await daemon.client("writer")
            _ = try await client.create(text: bytes("one\n"))
            let backup = daemon.scratch.file("backup.db")
            _ = try await client.backUp(to: ByteString(backup))
            await client.close()
            #expect(try await daemon.end(SIGTERM) == .exited(0))
            let store = daemon.data + "/notes.sqlite3"
            var before: [String: [UInt8]] = [:]
            for file in [store, backup] {
                var contents = try Files.read(file)
                // The last byte of the version in SQLite's header.
                contents[63] = version
                try Files.write(contents, to: file)
                chmod(file, 0o600)
                before[file] = contents
            }
            let scratch = daemon.scratch
            let started = try await BackupSupport.notesd(
                "--socket", scratch.file("s"), "--data", daemon.data, "--config", try scratch.write("", to: "notesd.toml"))
            let audited = try await BackupSupport.notesd("audit", "--data", daemon.data)
            let restored = try await BackupSupport.notesd("restore", backup, "--data", scratch.file("new"))
            for result in [started, audited, restored] {
                #expect(result.end == .exited(65) && result.errors.contains(says), "\(result.errors)")
            }
            for (file, contents) in before { #expect(try Files.read(file) == contents) }
        }
    }
}
