import Causality
import Glibc
import NoteText
import NotesClient
import NotesModel
import NotesWire
import StrictJSON
import TestKit
import Testing

extension EndToEnd {
    /// Tests of the commands for the history: `diff`, `undo`, `revert`, `log`, `audit`.
    @Suite struct NotesctlHistoryTests {
        /// Saves a text based on the current version and returns the version that it made.
        private func save(_ text: String, to note: String, _ daemon: DaemonProcess, _ more: String...) async throws -> String {
            let saved = try await daemon.notesctl(["save", note, "--replace"] + more, input: bytes(text))
            #expect(saved.end == .exited(0), "\(saved.errors)")
            return try #require(saved.lines.first)
        }

        private func show(_ note: String, _ daemon: DaemonProcess) async throws -> String {
            try await daemon.notesctl("show", note).text
        }

        @Test func diff_appliesWithPatch() async throws {
            try await DaemonProcess.run { daemon in
                let old = (1...20).map { "\($0)\n" }.joined()
                let new = "zero\n" + old.replacing("\n7\n", with: "\nseven\n") + "the last"
                let id = try #require(try await daemon.notesctl("new", "work/a", input: old).lines.first)
                let first = try #require(try await client(daemon).note(.name("work/a")).head.version.single)
                let second = try await save(new, to: "work/a", daemon)
                let newest = try await daemon.notesctl("diff", "work/a")
                #expect(newest.lines.prefix(2) == ["--- work/a\t\(first)", "+++ work/a\t\(second)"])
                for arguments in [["\(first)"], ["\(first)", second], ["\(first)".replacing(#/(.{6}).*:/#) { "\($0.1):" }]] {
                    #expect(try await daemon.notesctl(["diff", id] + arguments).output == newest.output)
                }
                #expect(newest.text.contains("\n-7\n+seven\n") && newest.text.hasSuffix("\n\\ No newline at end of file\n"))
                let made = try await daemon.notesctl("diff", "work/a", "\(first)", "\(first)")
                #expect(made.end == .exited(0) && made.output.isEmpty)
                _ = try await daemon.notesctl("rm", "work/a")
                let removed = try await daemon.notesctl("diff", id)
                #expect(removed.lines.prefix(3) == ["--- work/a\t\(second)", "+++ /dev/null", "@@ -1,22 +0,0 @@"])
                let json = try await daemon.notesctl("diff", id, "--json", "\(first)", second)
                let note = try JSONDocument(parsing: bytes(try #require(json.lines.first)), depthMax: 16).root
                #expect(note["edits"]?.elements.reduce(0) { count, _ in count + 1 } == 3, "\(json.text)")
                let unknown = try await daemon.notesctl("diff", id, "ffff:1")
                #expect(unknown.end == .exited(66) && unknown.errors.contains("notesctl history"), "\(unknown.errors)")
            }
        }

        private func client(_ daemon: DaemonProcess) async throws -> NotesClient { try await daemon.client("phone") }

        /// Undoing `resolve --both` changes no text, but it opens the conflict; redoing it closes the
        /// conflict. Neither may report that the note stays the same.
        @Test func undoAndRedo_ofAResolution_openAndCloseTheConflict() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "milk\n")
                let phone = try await client(daemon)
                let shown = try await phone.note(.name("a"))
                for text in ["oat\n", "soy\n"] {
                    _ = try await phone.save(shown.head.id, base: shown.head.version, text: bytes(text))
                }
                _ = try await daemon.notesctl("resolve", "a", "--both")
                let undone = try await daemon.notesctl("undo", "a")
                #expect(undone.end == .exited(2) && !undone.errors.contains("stays the same"), "\(undone.errors)")
                #expect(try await phone.note(.name("a")).conflicts.count == 1)
                let redone = try await daemon.notesctl("redo", "a")
                #expect(redone.end == .exited(0) && !redone.errors.contains("stays the same"), "\(redone.errors)")
                #expect(try await phone.note(.name("a")).conflicts.isEmpty)
            }
        }

        /// `undo` removes the user's newest change and keeps later changes by others; a second
        /// `undo` removes the change before.
        @Test func repeatedUndo_revertsEarlierChanges() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "1\n2\n3\n4\n5\n")
                let changed = try await save("1\ntwo\n3\n4\n5\n", to: "a", daemon)
                let phone = try await client(daemon)
                let shown = try await phone.note(.name("a"))
                _ = try await phone.save(shown.head.id, base: shown.head.version, text: bytes("1\ntwo\n3\n4\n5\n6\n"))
                let undone = try await daemon.notesctl("undo", "a", "--label", "notesctl")
                #expect(undone.end == .exited(0) && undone.errors.contains("undid \(changed),"), "\(undone.errors)")
                #expect(try await show("a", daemon) == "1\n2\n3\n4\n5\n6\n")
                let redone = try await daemon.notesctl("redo", "a")
                #expect(redone.end == .exited(0) && redone.errors.contains("brought back \(changed),"), "\(redone.errors)")
                #expect(try await show("a", daemon) == "1\ntwo\n3\n4\n5\n6\n")
                let again = try await daemon.notesctl("redo", "a")
                #expect(again.end == .exited(1) && again.errors.contains("nothing to redo"), "\(again.errors)")
                _ = try await daemon.notesctl("undo", "a", "--label", "notesctl")
                #expect(try await show("a", daemon) == "1\n2\n3\n4\n5\n6\n")
                let none = try await daemon.notesctl("undo", "a", "--label", "vim")
                #expect(none.end == .exited(1) && none.errors.contains("notesctl history a"), "\(none.errors)")
                _ = try await daemon.notesctl("undo", "a")
                #expect(try await show("a", daemon) == "1\n2\n3\n4\n5\n", "the user's changes from the phone count too")
                let made = try await daemon.notesctl("undo", "a")
                #expect(made.end == .exited(64) && made.errors.contains("notesctl rm a"), "\(made.errors)")
                let history = try await daemon.notesctl("history", "a")
                let words = ["undid", "undid", "redid", "undid", "saved, undone", "saved, undone", "created, as a"]
                #expect(history.lines.count == words.count)
                for (line, word) in zip(history.lines, words) { #expect(line.contains("  \(word)"), "\(line)") }
            }
        }

        /// A line is added and removed, the removal undone, and then the addition undone.
        @Test func repeatedUndo_reachesTheFirstText() async throws {
            try await DaemonProcess.run { daemon in
                let texts = ["one\n", "one\ntwo\n", "one\n", "one\n2\n", "zero\n", "\n"]
                _ = try await daemon.notesctl("new", "a", input: texts[0])
                for text in texts.dropFirst() { _ = try await save(text, to: "a", daemon) }
                for text in texts.dropLast().reversed() {
                    let undone = try await daemon.notesctl("undo", "a")
                    #expect(undone.end == .exited(0), "\(undone.errors)")
                    #expect(try await show("a", daemon) == text)
                }
            }
        }

        @Test func undo_revertsNamesAndDeletions() async throws {
            try await DaemonProcess.run { daemon in
                let id = try #require(try await daemon.notesctl("new", "a", input: "x\n").lines.first)
                _ = try await save("y\n", to: "a", daemon, "--name", "b")
                _ = try await daemon.notesctl("undo", "b")
                #expect(try await show("a", daemon) == "x\n")
                _ = try await daemon.notesctl("rm", "a")
                let undone = try await daemon.notesctl("undo", id)
                #expect(undone.end == .exited(0), "\(undone.errors)")
                #expect(try await show("a", daemon) == "x\n")
            }
        }

        @Test func revert_restoresTextAndName() async throws {
            try await DaemonProcess.run { daemon in
                let id = try #require(try await daemon.notesctl("new", "a", input: "x\n").lines.first)
                let first = try #require(try await client(daemon).note(.name("a")).head.version.single)
                _ = try await save("y\n", to: "a", daemon, "--name", "b")
                let reverted = try await daemon.notesctl("revert", "b", "\(first)")
                #expect(reverted.end == .exited(0), "\(reverted.errors)")
                #expect(try await show("a", daemon) == "x\n")
                let again = try await daemon.notesctl("revert", "a", "\(first)")
                #expect(again.end == .exited(0) && again.errors.contains("nothing changed"), "\(again.errors)")
                _ = try await daemon.notesctl("rm", "a")
                let tombstone = try await client(daemon).note(.id(try #require(NoteID(parsing: id.utf8)))).head.version
                #expect(try await daemon.notesctl("revert", id, "\(tombstone)").end == .exited(64))
                #expect(try await daemon.notesctl("revert", id, "\(first)").end == .exited(0))
                #expect(try await show("a", daemon) == "x\n")
            }
        }

        @Test func saveByTheLastName_restoresTextAndName() async throws {
            try await DaemonProcess.run { daemon in
                let id = try #require(try await daemon.notesctl("new", "a", input: "x\n").lines.first)
                _ = try await daemon.notesctl("rm", "a")
                #expect(try await daemon.notesctl("save", "a", "--replace", input: "y\n").end == .exited(0))
                #expect(try await show("a", daemon) == "y\n")
                _ = try await daemon.notesctl("rm", "a")
                #expect(try await daemon.notesctl("save", id, "--replace", input: "z\n").end == .exited(0))
                #expect(try await daemon.notesctl("show", "a").end == .exited(66), "its id says nothing of a name")
            }
        }

        @Test func log_listsNewestChangesOfAllNotes() async throws {
            try await DaemonProcess.run { daemon in
                for name in ["a", "b"] { _ = try await daemon.notesctl("new", name, input: "\(name)\n") }
                _ = try await save("more\n", to: "a", daemon)
                _ = try await daemon.notesctl("rm", "b")
                let log = try await daemon.notesctl("log")
                let wanted = [("b", "deleted"), ("a", "saved"), ("b", "created, as b"), ("a", "created, as a")]
                #expect(log.lines.count == wanted.count, "\(log.text)")
                for (line, (name, what)) in zip(log.lines, wanted) {
                    #expect(line.contains("  \(name)  ") && line.hasSuffix("  \(what)"), "\(line)")
                }
                #expect(try await daemon.notesctl("log", "-n", "1").lines == [try #require(log.lines.first)])
                #expect(try await daemon.notesctl("log", "--note", "a").lines.count == 2)
                let json = try await daemon.notesctl("log", "-n", "1", "--json")
                let entry = try JSONDocument(parsing: bytes(try #require(json.lines.first)), depthMax: 9).root
                #expect(entry["revision"]?["deleted"]?.bool == true && entry["note"]?.string != nil)
            }
        }

        /// With nothing unnecessary kept, texts from before the daemon's start are compacted
        /// afterwards.
        @Test func compactedVersion_isReportedClearly() async throws {
            try await DaemonProcess.run(config: "[history]\nkeep_days = 0\n") { daemon in
                let id = try #require(try await daemon.notesctl("new", "a", input: "1\n").lines.first)
                let first = try #require(try await client(daemon).note(.name("a")).head.version.single)
                let second = try await save("2\n", to: "a", daemon)
                let third = try await save("3\n", to: "a", daemon)
                try await daemon.restart(after: SIGTERM)
                try await within("the note is thinned out") {
                    while try await daemon.notesctl("show", "a", "--at", "\(first)").end == .exited(0) {}
                }
                let shown = try await daemon.notesctl("show", "a", "--at", second)
                #expect(shown.end == .exited(66) && shown.errors.contains("or compacted as"), "\(shown.end) \(shown.errors)")
                #expect(shown.errors.contains(third), "\(shown.errors)")
                let diff = try await daemon.notesctl("diff", "a", "\(first)", third)
                #expect(diff.end == .exited(66) && diff.errors.contains("or compacted as"), "\(diff.end) \(diff.errors)")
                #expect(try await show("a", daemon) == "3\n")
                #expect(try await daemon.notesctl("show", id, "--at", third).text == "3\n")
                let log = try await daemon.notesctl("log")
                #expect(log.lines.map { $0.hasSuffix("text compacted") } == [false, true, true], "\(log.text)")
                let audit = try await daemon.notesctl("audit")
                #expect(audit.end == .exited(0) && audit.text.contains("2 of them compacted"), "\(audit.text)")
                #expect(try await save("4\n", to: "a", daemon).isEmpty == false)
            }
        }

        /// Changes one byte of a note in the database file while no daemon runs.
        @Test func auditOfDamagedStore_namesRevision_andDaemonContinues() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "title\nthe marked line\n")
                _ = try await daemon.notesctl("new", "b", input: "other\n")
                let dot = try await client(daemon).note(.name("a")).head.version
                try await daemon.end(SIGTERM)
                let file = daemon.data + "/notes.sqlite3"
                var bytes = try Files.read(file)
                let marked = Array("the marked line".utf8)
                let starts = bytes.indices.filter { bytes[$0...].starts(with: marked) }
                bytes[try #require(starts.count == 1 ? starts.first : nil)] ^= 1
                try Files.write(bytes, to: file)
                try await daemon.start()
                let audit = try await daemon.notesctl("audit")
                #expect(audit.end == .exited(65) && audit.lines.contains { $0.contains("\(dot)") }, "\(audit.text)")
                #expect(audit.errors.contains("fault"), "\(audit.errors)")
                #expect(try await show("b", daemon) == "other\n")
                #expect(try await save("more\n", to: "b", daemon).isEmpty == false)
            }
        }

        @Test func auditOfIntactStore_findsNothing() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "x\n")
                let audit = try await daemon.notesctl("audit")
                #expect(audit.end == .exited(0) && audit.text.hasPrefix("no faults: "), "\(audit.errors)")
                let json = try await daemon.notesctl("audit", "--json")
                let result = try JSONDocument(parsing: bytes(try #require(json.lines.first)), depthMax: 9).root
                #expect(try AuditResult(reading: result).isOK)
            }
        }
    }
}
