import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Tests of `notesd restore` and `notesd audit`.
    @Suite struct RestoreTests {
        @Test func restore_refusesInvalidInput_andLeavesNothing() async throws {
            try await DaemonProcess.run { daemon in
                let client = try await daemon.client("keeper")
                _ = try await client.create(text: bytes("one\n"), id: noteID(1))
                let backup = daemon.scratch.file("backup.db")
                _ = try await client.backUp(to: ByteString(backup))
                await client.close()

                let running = try await BackupSupport.notesd("restore", backup, "--data", daemon.data)
                #expect(running.end == .exited(75) && running.errors.contains("another notesd"), "\(running.errors)")
                let verified = try await BackupSupport.notesd("audit", "--data", daemon.data)
                #expect(verified.end == .exited(75), "\(verified.errors)")

                let full = try daemon.scratch.directory("full")
                try Files.write(bytes("mine\n"), to: full + "/file")
                chmod(full, 0o700)
                let refused = try await BackupSupport.notesd("restore", backup, "--data", full)
                #expect(refused.end == .exited(73) && refused.errors.contains("it contains file"), "\(refused.errors)")
                #expect(try Files.read(full + "/file") == bytes("mine\n"))

                let whole = try Files.read(backup)
                var newer = whole
                newer[63] = 99
                var foreign = whole
                foreign[68] = 0
                var torn = whole
                // A page of the tables: half of the way, there is one of the schema, without which nothing can be listed.
                let page = whole.count / 4_096 * 3 / 4 * 4_096
                for index in page..<page + 4_096 { torn[index] = 0xA5 }
                let wrong: [(String, [UInt8], String)] = [
                    ("newer", newer, "newer notesd"), ("foreign", foreign, "not a backup"), ("torn", torn, "fault"),
                    ("short", Array(whole.prefix(whole.count / 2)), "damaged"), ("empty", [], "not a backup"),
                    ("text", bytes("# Hello\n"), "not a backup"),
                ]
                for (name, contents, reason) in wrong {
                    let file = daemon.scratch.file("\(name).db")
                    try Files.write(contents, to: file)
                    let data = daemon.scratch.file("from-\(name)")
                    let result = try await BackupSupport.notesd("restore", file, "--data", data)
                    #expect(
                        result.end == .exited(65) && result.errors.contains(reason), "\(name): \(result.end) \(result.errors)")
                    let left = (try? BackupSupport.names(in: data)) ?? []
                    #expect(left == [] || left == ["lock"], "\(name)")
                    #expect(try Files.read(file) == contents)
                }
                let missing = try await BackupSupport.notesd(
                    "restore", daemon.scratch.file("none"), "--data", daemon.scratch.file("x"))
                #expect(missing.end == .exited(65) && missing.errors.contains("No such file"), "\(missing.errors)")
            }
        }

        @Test func storeWithLog_isNoBackup() async throws {
            try await DaemonProcess.run { daemon in
                let client = try await daemon.client("writer")
                _ = try await client.create(text: bytes("one\n"), id: noteID(1))
                try await daemon.end(SIGKILL)
                let data = daemon.scratch.file("new")
                let result = try await BackupSupport.notesd("restore", daemon.data + "/notes.sqlite3", "--data", data)
                #expect(result.end == .exited(65), "\(result.errors)")
                #expect((try? BackupSupport.names(in: data)) == nil)
                // Nor through a link to the file, beside which there is no log.
                let link = daemon.scratch.file("link.db")
                try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: daemon.data + "/notes.sqlite3")
                let linked = try await BackupSupport.notesd("restore", link, "--data", data)
                #expect(linked.end == .exited(65), "\(linked.errors)")
                #expect((try? BackupSupport.names(in: data)) == nil)
            }
        }

        /// The write-ahead log left by a killed daemon contains commits that the database file
        /// lacks.
        @Test func audit_readsTheLog_andChangesNothing() async throws {
            try await DaemonProcess.run { daemon in
                let client = try await daemon.client("writer")
                var version = try await client.create(text: bytes("one\n"), id: noteID(1)).note.head.version
                for count in 0..<20 {
                    version = try await client.save(noteID(1), base: version, text: bytes("one\n\(count)\n")).version
                }
                try await daemon.end(SIGKILL)
                unlink(daemon.data + "/notes.sqlite3-shm")
                let before = try BackupSupport.contents(of: daemon.data)
                #expect(before["notes.sqlite3-wal"]?.isEmpty == false)
                for arguments in [["audit", "--data", daemon.data], ["audit", "--data", daemon.data, "--quick"]] {
                    let result = try await Command.run(Binaries.notesd, arguments)
                    #expect(result.end == .exited(0), "\(result.errors)")
                    if arguments.count == 3 {
                        #expect(result.text == "no faults in \(daemon.data): 1 notes, 21 revisions\n")
                    }
                    #expect(try BackupSupport.contents(of: daemon.data) == before)
                }
                try await daemon.start()
                let judge = try await daemon.client("judge")
                #expect(try await judge.note(.id(noteID(1))).text == bytes("one\n19\n"))
                await judge.close()
            }
        }

        /// A restored store has the same undone revisions: the texts, the history and the conflicts are
        /// equal, and a redo there does what it would have done here.
        @Test func undos_areInABackup() async throws {
            try await DaemonProcess.run { daemon in
                let client = try await daemon.client("writer")
                let first = try await client.create(text: bytes("milk\n"), id: noteID(1)).note.head.version
                let oat = try await client.save(noteID(1), base: first, text: bytes("oat\n"))
                let soy = try await client.save(noteID(1), base: first, text: bytes("soy\n"))
                let both = try #require(soy.note?.version)
                let undone = try await client.undo(
                    UndoNote(id: noteID(1), base: both, revisions: [try #require(oat.dot)]))
                #expect(undone.note?.conflicts == [])
                let last = try await client.save(noteID(1), base: try #require(undone.note?.version), text: bytes("soy\ntea"))
                let deleted = try await client.delete(noteID(1), base: last.version)
                let restored = try await client.undo(
                    UndoNote(id: noteID(1), base: deleted.version, revisions: [try #require(deleted.dot)]))
                let backup = daemon.scratch.file("backup.db")
                _ = try await client.backUp(to: ByteString(backup))
                let history = try await client.history(ReadHistory(id: noteID(1)))
                let redo = UndoNote(
                    id: noteID(1), base: restored.version, revisions: [try #require(undone.dot)])
                let redone = try await client.undo(redo)
                let note = try await client.note(.id(noteID(1)))
                #expect(note.conflicts.count == 1)
                await client.close()

                let data = daemon.scratch.file("restored")
                let made = try await BackupSupport.notesd("restore", backup, "--data", data)
                #expect(made.end == .exited(0), "\(made.errors)")
                let audited = try await BackupSupport.notesd("audit", "--data", data)
                #expect(audited.end == .exited(0), "\(audited.errors)")
                try await DaemonProcess.run(data: data) { copy in
                    let judge = try await copy.client("judge")
                    #expect(try await judge.history(ReadHistory(id: noteID(1))) == history)
                    #expect(try await judge.note(.id(noteID(1))).text == bytes("soy\ntea"))
                    let again = try await judge.undo(redo)
                    #expect(again.note?.conflicts.map(\.id) == redone.note?.conflicts.map(\.id))
                    #expect(try await judge.note(.id(noteID(1))).text == note.text)
                    #expect(try await judge.audit().isOK)
                    await judge.close()
                }
            }
        }

        /// A backup whose texts are intact can be restored, whatever else is wrong in it. A fault of a
        /// text is refused.
        @Test func faultInDerivedData_isRebuilt_faultInText_isRefused() async throws {
            try await DaemonProcess.run { daemon in
                let client = try await daemon.client("writer")
                let first = try await client.create(text: bytes("one\n"), id: noteID(1)).note.head.version
                _ = try await client.save(noteID(1), base: first, text: bytes("one\ntwo\n"))
                let backup = daemon.scratch.file("backup.db")
                _ = try await client.backUp(to: ByteString(backup))
                await client.close()

                // The mark of the last line, which says that the text ends without a line feed.
                try BackupSupport.change(backup, "flags = flags | 512")
                let contents = try Files.read(backup)
                let data = daemon.scratch.file("restored")
                let made = try await BackupSupport.notesd("restore", backup, "--data", data)
                #expect(made.end == .exited(0), "\(made.errors)")
                #expect(made.text.contains("2 faults in derived data; texts are not affected; rebuilding it\n"), "\(made.text)")
                #expect(made.lines.filter { $0.hasSuffix("(derived data)") }.count == 2, "\(made.text)")
                #expect(made.text.contains("no faults in \(data): 1 notes, 2 revisions"), "\(made.text)")
                #expect(try Files.read(backup) == contents)
                #expect(try BackupSupport.names(in: data) == ["lock", "notes.sqlite3"])
                let audited = try await BackupSupport.notesd("audit", "--data", data)
                #expect(audited.end == .exited(0), "\(audited.text) \(audited.errors)")

                let raw = try daemon.scratch.directory("raw")
                chmod(raw, 0o700)
                try Files.write(contents, to: raw + "/notes.sqlite3")
                let wrong = try await BackupSupport.notesd("audit", "--data", raw)
                #expect(wrong.end == .exited(65) && wrong.errors.contains("texts are not affected"), "\(wrong.errors)")

                try BackupSupport.change(backup, "bytes = bytes + 1")
                let refused = try await BackupSupport.notesd("restore", backup, "--data", daemon.scratch.file("none"))
                #expect(refused.end == .exited(65) && refused.errors.contains("--quick"), "\(refused.errors)")
            }
        }

        @Test func audit_reportsFaults() async throws {
            try await DaemonProcess.run { daemon in
                try await BackupSupport.fill(daemon, megabytes: 1)
                try await daemon.end(SIGTERM)
                let file = daemon.data + "/notes.sqlite3"
                var contents = try Files.read(file)
                for index in contents.count / 2..<contents.count / 2 + 16_384 { contents[index] ^= 0x5A }
                try Files.write(contents, to: file)
                chmod(file, 0o600)
                let result = try await BackupSupport.notesd("audit", "--data", daemon.data)
                #expect(result.end == .exited(65) && result.errors.contains("fault"), "\(result.end) \(result.errors)")
                #expect(!result.lines.isEmpty)
                #expect(try Files.read(file) == contents)
            }
            let none = try await BackupSupport.notesd("audit", "--data", "/nowhere")
            #expect(none.end == .exited(73), "\(none.errors)")
        }
    }
}
