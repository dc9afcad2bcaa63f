import Foundation
import Glibc
import NoteText
import NotesClient
import NotesModel
import NotesSQL
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    @Suite struct PurgeTests {
        /// The daemon is killed right after it has answered the purge; the next one completes the scrub.
        @Test func killAfterPurge_leavesNothingOnceScrubbed() async throws {
            try await DaemonProcess.run { daemon in
                for round in 0..<seeds(2).count {
                    let secret = "hunter2-round-\(round)"
                    let client = try await daemon.client("writer")
                    let made = try await client.create(text: bytes("kept\n\(secret)\n"), name: ByteString("n/\(round)"))
                    let query = try SearchQuery(parsing: ByteString("kept"))
                    _ = try await client.search(SearchNotes(query: query))
                    let saved = try await client.save(made.note.head.id, base: made.note.head.version, text: bytes("kept\n"))
                    let purged = try await client.purge(PurgeNote(id: made.note.head.id, base: saved.version))
                    #expect(purged.beyond == [.copies, .exports, .drafts])
                    try await daemon.restart(after: SIGKILL)
                    await client.close()
                    let judge = try await daemon.client("judge")
                    while try await !judge.status().store.isScrubbed {}
                    #expect(try TemporaryDirectory.files(in: daemon.data, having: secret) == [], "round \(round)")
                    #expect(try await judge.note(.id(made.note.head.id)).text == bytes("kept\n"))
                    #expect(try await judge.audit().isOK)
                    await judge.close()
                }
            }
        }

        private static let secret = "hunter2"

        /// The commands of a section of the operations manual, in order.
        private static func commands(of section: String) throws -> [String] {
            let manual = String(decoding: try Files.read(Fixture.repositoryPath("docs/operations.md")), as: UTF8.self)
            let rest = try #require(manual.range(of: "\n## \(section)\n")).upperBound
            let lines = manual[rest...].split(separator: "\n").prefix { !$0.hasPrefix("## ") }
            // Without their comments.
            return lines.filter { $0.hasPrefix("notesctl ") }.map { String($0.split(separator: " #")[0]) }
        }

        /// Waits until the daemon has scrubbed its files.
        private func waitUntilScrubbed(_ daemon: DaemonProcess) async throws {
            let client = try await daemon.client("judge")
            while try await !client.status().store.isScrubbed {}
            await client.close()
        }

        /// A password is in a note, in the past of another, and in a backup. The commands of the manual
        /// on a terminal, and the commands that they print, remove it everywhere.
        @Test(.enabled(if: Tools.has("tmux"), Tools.missing("tmux")))
        func commandsOfTheManual_eraseAPastedPassword() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "work/router", input: "ssid home\n\(Self.secret)\n")
                _ = try await daemon.notesctl("new", "diary", input: "found \(Self.secret)\n")
                _ = try await daemon.notesctl("save", "diary", "--replace", input: "nothing\n")
                _ = try await daemon.notesctl("backup")
                let environment = [
                    "NOTESD_SOCKET": daemon.socket, "NO_COLOR": "1", "EDITOR": "sed -i /\(Self.secret)/d",
                    "PATH": "\(URL(fileURLWithPath: Binaries.notesctl).deletingLastPathComponent().path):/usr/bin:/bin",
                ]
                let commands = try Self.commands(of: "Erase a text from the history")
                #expect(commands.count == 2)
                let screen = try await Tmux.run(
                    commands.joined(separator: "\n"), columns: 200, rows: 40, environment: environment
                ) { terminal in
                    let asked = try await terminal.screen { $0.contains("[y/N]") }
                    #expect(asked.contains("work/router: erases the texts of 2 revisions from "), "\(asked)")
                    try await terminal.type("y")
                    try await terminal.press("Enter")
                    return try await terminal.screen { $0.contains("[0]") }
                }
                #expect(screen.contains("purged work/router"), "\(screen)")
                #expect(screen.contains("diary had the text in the past; `notesctl purge diary` erases it there"), "\(screen)")
                #expect(try await daemon.notesctl("show", "work/router").text == "ssid home\n")
                let removal = try #require(screen.split(separator: "\n").first { $0.hasPrefix("  rm ") })
                #expect(try await Command.run("/bin/sh", ["-c", String(removal)]).end == .exited(0))
                let second = try await daemon.notesctl("purge", "diary", "--yes", "--text", "-", input: "\(Self.secret)\n")
                #expect(second.end == .exited(0) && second.errors.contains("no other note has the text"), "\(second.errors)")
                try await waitUntilScrubbed(daemon)
                #expect(try TemporaryDirectory.files(in: daemon.data, having: Self.secret) == [])
                let history = try await daemon.notesctl("history", "work/router", "--format", "{kind} {author.user}")
                #expect(history.lines.count == 1 && history.text.hasPrefix("purge "), "\(history.text)")
            }
        }

        @Test func purgeOfShownText_isRefusedAndChangesNothing() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "work/router", input: "a\n\(Self.secret)\nb \(Self.secret)\n")
                let before = try await daemon.notesctl("history", "--json", "work/router").text
                let shown = try await daemon.notesctl("purge", "work/router", "--yes", "--text", Self.secret)
                #expect(shown.end == .exited(65) && shown.errors.contains("in lines 2, 3, and a purge keeps"), "\(shown.errors)")
                #expect(!shown.errors.contains(Self.secret))
                let unasked = try await daemon.notesctl("purge", "work/router")
                #expect(unasked.end == .exited(64) && unasked.errors.contains("confirm with --yes"), "\(unasked.errors)")
                _ = try await daemon.notesctl("new", "b-\(Self.secret)", input: "x\n")
                let named = try await daemon.notesctl("purge", "b-\(Self.secret)", "--yes", "--text", Self.secret)
                #expect(named.end == .exited(65) && named.errors.contains("`notesctl mv`"), "\(named.errors)")
                #expect(try await daemon.notesctl("history", "--json", "work/router").text == before)
            }
        }

        /// Undo and redo after a purge concern only what was written since.
        @Test func undoAndRedo_endAtThePurge() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "n", input: "a\n")
                _ = try await daemon.notesctl("save", "n", "--replace", input: "a\nb\n")
                #expect(try await daemon.notesctl("purge", "n", "--yes").end == .exited(0))
                let nothing = try await daemon.notesctl("undo", "n")
                #expect(nothing.end == .exited(1) && nothing.errors.contains("no change left to undo"), "\(nothing.errors)")
                _ = try await daemon.notesctl("save", "n", "--replace", input: "a\nb\nc\n")
                #expect(try await daemon.notesctl("undo", "n").end == .exited(0))
                #expect(try await daemon.notesctl("show", "n").text == "a\nb\n")
                #expect(try await daemon.notesctl("redo", "n").end == .exited(0))
                #expect(try await daemon.notesctl("show", "n").text == "a\nb\nc\n")
                #expect(try await daemon.notesctl("audit").end == .exited(0))
            }
        }

        /// Another program reads the store, so that the log cannot be emptied, and the daemon is killed
        /// between the erasure and the scrub.
        @Test func killBeforeTheScrub_isMadeUpForByTheNextStart() async throws {
            try await DaemonProcess.run { daemon in
                let client = try await daemon.client("writer")
                let made = try await client.create(text: bytes("kept\n\(Self.secret)\n"), name: "n").note.head
                let saved = try await client.save(made.id, base: made.version, text: bytes("kept\n"))
                let reader = try Database(path: daemon.data + "/notes.sqlite3", isReadOnly: true)
                try reader.run("BEGIN")
                #expect(try reader.first("SELECT count(*) FROM revision") { $0.integer(0) } == 2)
                _ = try await client.purge(PurgeNote(id: made.id, base: saved.version))
                #expect(try await !client.status().store.isScrubbed)
                try await daemon.end(SIGKILL)
                await client.close()
                try reader.run("COMMIT")
                try reader.close()
                #expect(try TemporaryDirectory.files(in: daemon.data, having: Self.secret) != [])
                try await daemon.start()
                try await waitUntilScrubbed(daemon)
                #expect(try TemporaryDirectory.files(in: daemon.data, having: Self.secret) == [])
            }
        }

        /// A backup from before a purge has the erased text and one from after it does not; both can be
        /// audited and restored.
        @Test func backupsBeforeAndAfter_canBeRestored() async throws {
            try await DaemonProcess.run { daemon in
                let client = try await daemon.client("writer")
                let made = try await client.create(text: bytes("kept\n\(Self.secret)\n"), name: "n").note.head
                let saved = try await client.save(made.id, base: made.version, text: bytes("kept\n"))
                let (before, after) = (daemon.scratch.file("before.db"), daemon.scratch.file("after.db"))
                _ = try await client.backUp(to: ByteString(before))
                _ = try await client.purge(PurgeNote(id: made.id, base: saved.version))
                _ = try await client.backUp(to: ByteString(after))
                await client.close()
                try await daemon.end(SIGTERM)
                for (backup, revisions) in [(before, 2), (after, 1)] {
                    let data = backup + "-restored"
                    let restored = try await BackupSupport.notesd("restore", backup, "--data", data)
                    #expect(restored.end == .exited(0), "\(restored.errors)")
                    #expect(try await BackupSupport.notesd("audit", "--data", data).end == .exited(0))
                    try await DaemonProcess.run(data: data) { other in
                        #expect(try await other.notesctl("show", "n").text == "kept\n")
                        #expect(try await other.notesctl("history", "n").lines.count == revisions)
                        let out = other.scratch.file("out")
                        #expect(try await other.notesctl("export", out).end == .exited(0))
                        #expect(try Files.read(out + "/n.md") == bytes("kept\n"))
                        try await waitUntilScrubbed(other)
                        try await other.end(SIGTERM)
                    }
                    #expect(try TemporaryDirectory.files(in: data, having: Self.secret).isEmpty == (revisions == 1))
                }
                #expect(try Files.read(after).firstRange(of: bytes(Self.secret)) == nil)
            }
        }
    }
}
