import Causality
import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesWire
import StrictJSON
import TestKit
import Testing
import TextMerge

extension EndToEnd {
    /// Tests of the commands for a note in conflict.
    @Suite struct NotesctlConflictTests {
        /// Two clients change the second line of a note concurrently.
        private func conflicted(_ daemon: DaemonProcess, _ note: String = "a") async throws -> Command {
            _ = try await daemon.notesctl("new", note, input: "one\ntwo\nthree\nfour\n")
            let base = try await shown(daemon, note).head.version
            let first = try await daemon.notesctl("save", note, "--base", "\(base)", input: "one\nTWO\nthree\nfour\n")
            #expect(first.end == .exited(0), "\(first.errors)")
            return try await daemon.notesctl("save", note, "--base", "\(base)", input: "one\n2\nthree\nfour\n")
        }

        private func shown(_ daemon: DaemonProcess, _ note: String = "a") async throws -> NoteObject {
            let client = try await daemon.client("looking")
            let shown = try await client.note(.name(ByteString(note)))
            await client.close()
            return shown
        }

        private func text(_ daemon: DaemonProcess, _ note: String = "a") async throws -> String {
            try await daemon.notesctl("show", note).text
        }

        /// The dot of the side with this text.
        private func side(_ conflict: ConflictObject?, _ content: ConflictContent) throws -> String {
            let sides = try #require(conflict?.detail?.sides)
            return try #require(sides.first { $0.content == content }, "\(sides)").dot.description
        }

        /// Checks that no conflict is open, in every list.
        private func expectResolved(_ daemon: DaemonProcess, _ note: String = "a") async throws {
            #expect(try await shown(daemon, note).conflicts.isEmpty)
            #expect(try await daemon.notesctl("conflicts").output.isEmpty)
            #expect(try await daemon.notesctl("list", "--conflicted").output.isEmpty)
            let status = try await daemon.notesctl("status")
            #expect(!status.text.contains("in conflict"), "\(status.text)")
        }

        @Test func conflictingSave_reportsPlaceAndNextSteps() async throws {
            try await DaemonProcess.run { daemon in
                let saved = try await conflicted(daemon)
                #expect(saved.end == .exited(2))
                for word in ["text, lines 2-3", ": TWO", ": 2", "notesctl conflicts a", "notesctl resolve a"] {
                    #expect(saved.errors.contains(word), "\(word): \(saved.errors)")
                }
                #expect(Version(parsing: try #require(saved.lines.first).utf8)?.single != nil, "it is saved nevertheless")
                let merged = try await text(daemon)
                #expect(["one\nTWO\n2\nthree\nfour\n", "one\n2\nTWO\nthree\nfour\n"].contains(merged), "\(merged)")

                let listed = try await daemon.notesctl("list", "--conflicted")
                #expect(listed.lines.count == 1 && listed.text.contains("in conflict"), "\(listed.text)")
                #expect(try await daemon.notesctl("conflicts").text.hasSuffix("a  1 text\n"))
                #expect(try await daemon.notesctl("status").text.contains("in conflict"))
                let told = try await daemon.notesctl("conflicts", "a")
                for line in ["        TWO", "        2", "    before", "        two"] {
                    #expect(told.lines.contains(line), "\(line): \(told.text)")
                }
                #expect(told.lines.first?.hasSuffix("  text, lines 2-3") == true)
                let json = try await daemon.notesctl("conflicts", "a", "--json")
                let conflict = try JSONDocument(parsing: bytes(try #require(json.lines.first)), depthMax: 9).root
                #expect(conflict["kind"]?.string == "text" && conflict["range"]?["start"]?.integer == 4, "\(json.text)")
            }
        }

        @Test func take_insertsOneSide() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await conflicted(daemon)
                let dot = try side(try await shown(daemon).conflicts.first, .text(bytes("TWO\n")))
                let wrong = try await daemon.notesctl("resolve", "a", "--take", "ffff:1")
                #expect(wrong.end == .exited(64) && wrong.errors.contains("its sides are "), "\(wrong.errors)")
                let resolved = try await daemon.notesctl("resolve", "a", "--take", dot)
                #expect(resolved.end == .exited(0) && resolved.errors.isEmpty, "\(resolved.errors)")
                #expect(try await text(daemon) == "one\nTWO\nthree\nfour\n")
                try await expectResolved(daemon)
                let again = try await daemon.notesctl("resolve", "a", "--both")
                #expect(again.end == .exited(0) && again.errors.contains("nothing to resolve"), "\(again.errors)")
            }
        }

        @Test func both_keepsTheText() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await conflicted(daemon)
                let before = try await text(daemon)
                let resolved = try await daemon.notesctl("resolve", "a", "--both")
                #expect(resolved.end == .exited(0), "\(resolved.errors)")
                #expect(try await text(daemon) == before)
                try await expectResolved(daemon)
            }
        }

        @Test func edit_showsMarkers_andIsNotSavedWithThem() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await conflicted(daemon)
                let before = try await text(daemon)
                let half = try await daemon.notesctl(
                    ["resolve", "a", "--edit"],
                    environment: ["EDITOR": "sed -i -e '/^[<>]/d'", "XDG_STATE_HOME": daemon.scratch.path])
                #expect(half.end == .exited(65) && half.errors.contains("markers are left in lines 3, 5"), "\(half.errors)")
                #expect(try await text(daemon) == before)
                let told = try #require(half.errors.split(separator: "\n").first { $0.contains("your text is in ") })
                let path = try #require(told.components(separatedBy: "your text is in ").last)
                #expect(
                    String(decoding: try Files.read(path), as: UTF8.self).contains(
                        "||||||| before (remove this part too)\ntwo\n=======\n"))

                let editor = try daemon.scratch.write(
                    "sed -i -e '/^[<|>]\\{7\\} /d' -e '/^=======$/d' -e '/^two$/d' \"$1\"\n", to: "editor.sh")
                let edited = try await daemon.notesctl(
                    ["resolve", "a", "--edit"], environment: ["EDITOR": "sh \(editor)", "XDG_STATE_HOME": daemon.scratch.path])
                #expect(edited.end == .exited(0), "\(edited.errors)")
                #expect(["one\nTWO\n2\nthree\nfour\n", "one\n2\nTWO\nthree\nfour\n"].contains(try await text(daemon)))
                try await expectResolved(daemon)
            }
        }

        /// Changes made while a user resolves a conflict are neither lost nor an obstacle.
        @Test func concurrentChangeOfNote_isMerged() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await conflicted(daemon)
                let editor = try daemon.scratch.write(
                    """
                    set -e
                    ("\(Binaries.notesctl)" show a; echo five) | "\(Binaries.notesctl)" save a --replace
                    printf 'one\\nboth\\nthree\\nfour\\n' > "$1"
                    """, to: "editor.sh")
                let edited = try await daemon.notesctl(
                    ["resolve", "a", "--edit"], environment: ["EDITOR": "sh \(editor)", "XDG_STATE_HOME": daemon.scratch.path])
                #expect(edited.end == .exited(0) && edited.errors.contains("merged"), "\(edited.errors)")
                #expect(try await text(daemon) == "one\nboth\nthree\nfour\nfive\n")
                try await expectResolved(daemon)
            }
        }

        @Test func mergeTool_getsFourFiles() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await conflicted(daemon)
                let tool = #"""
                    set -e
                    test "$(sed -n 2p "$BASE")" = two
                    grep -q '^<<<<<<< ' "$MERGED"
                    { sed -n 1p "$BASE"; sed -n 2p "$LOCAL"; sed -n 2p "$REMOTE"; sed 1,2d "$BASE"; } | sort > "$MERGED"
                    """#
                let failed = try await daemon.notesctl(["resolve", "a", "--tool", "exit 3"])
                #expect(failed.end == .exited(1) && failed.errors.contains("nothing was saved"), "\(failed.errors)")
                let resolved = try await daemon.notesctl(
                    ["resolve", "a", "--tool", tool], environment: ["XDG_STATE_HOME": daemon.scratch.path, "LC_ALL": "C"])
                #expect(resolved.end == .exited(0), "\(resolved.errors)")
                #expect(try await text(daemon) == "2\nTWO\nfour\none\nthree\n")
                try await expectResolved(daemon)
                let left = try FileManager.default.contentsOfDirectory(atPath: daemon.scratch.path)
                #expect(!left.contains { $0.hasPrefix("notesctl-") }, "\(left)")
            }
        }

        @Test func nameConflict_isResolvedByTakingOne() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "x\n")
                let client = try await daemon.client("phone")
                let note = try await client.note(.name("a")).head
                _ = try await client.save(SaveNote(id: note.id, base: note.version, name: .set("b")))
                let second = try await client.save(SaveNote(id: note.id, base: note.version, name: .set("c")))
                #expect(second.outcome == .conflicted)
                let dot = try side(try await client.note(.id(note.id)).conflicts.first, .name(TestKit.name("b")))
                let noText = try await daemon.notesctl("resolve", "\(note.id)", "--edit")
                #expect(noText.end == .exited(64) && noText.errors.contains("--take"), "\(noText.errors)")
                let resolved = try await daemon.notesctl("resolve", "\(note.id)", "--take", dot)
                #expect(resolved.end == .exited(0), "\(resolved.errors)")
                #expect(try await client.note(.id(note.id)).head.name == TestKit.name("b"))
                try await expectResolved(daemon, "b")
            }
        }

        @Test func deletionConflict_isResolvedByDeletingOrKeeping() async throws {
            try await DaemonProcess.run { daemon in
                let client = try await daemon.client("phone")
                for name in ["gone", "kept"] {
                    _ = try await daemon.notesctl("new", name, input: "x\n")
                    let note = try await client.note(.name(ByteString(name))).head
                    _ = try await daemon.notesctl("save", name, "--replace", input: "y\n")
                    let deleted = try await client.delete(note.id, base: note.version)
                    #expect(deleted.outcome == .conflicted && deleted.note?.text == bytes("y\n"))
                }
                let gone = try #require(try await shown(daemon, "gone").conflicts.first)
                #expect(gone.kind == .deletion)
                let told = try await daemon.notesctl("conflicts", "gone")
                #expect(told.lines.contains("        deleted the note"), "\(told.text)")
                let taken = try await daemon.notesctl("resolve", "gone", "--take", try side(gone, .deleted))
                #expect(taken.end == .exited(0), "\(taken.errors)")
                #expect(try await daemon.notesctl("show", "gone").end == .exited(66))
                let kept = try await daemon.notesctl("resolve", "kept", "--both")
                #expect(kept.end == .exited(0), "\(kept.errors)")
                #expect(try await text(daemon, "kept") == "y\n")
                try await expectResolved(daemon, "kept")
            }
        }

        @Test func severalConflicts_areResolvedSinglyOrTogether() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "1\n2\n3\n4\n5\n6\n7\n")
                let base = try await shown(daemon).head.version
                for text in ["1\nb\n3\n4\n5\nf\n7\n", "1\nB\n3\n4\n5\nF\n7\n"] {
                    _ = try await daemon.notesctl("save", "a", "--base", "\(base)", input: text)
                }
                let conflicts = try await shown(daemon).conflicts.sorted { $0.range.lowerBound < $1.range.lowerBound }
                #expect(conflicts.count == 2)
                let first = try #require(conflicts.first)
                let dot = try side(first, .text(bytes("b\n")))
                let which = try await daemon.notesctl("resolve", "a", "--take", dot)
                #expect(which.end == .exited(64) && which.errors.contains("--conflict \(first.id.description.prefix(8))"))
                let one = try await daemon.notesctl(
                    "resolve", "a", "--conflict", String(first.id.description.prefix(12)), "--take", dot)
                #expect(one.end == .exited(0) && one.errors.contains("one conflict is still open"), "\(one.errors)")
                let left = try await text(daemon)
                #expect(left.hasPrefix("1\nb\n3\n4\n5\n") && left.hasSuffix("\n7\n") && left.utf8.count == 16, "\(left)")
                let rest = try await daemon.notesctl("resolve", "a", "--both")
                #expect(rest.end == .exited(0) && rest.errors.isEmpty, "\(rest.errors)")
                #expect(try await text(daemon) == left)
                try await expectResolved(daemon)
            }
        }

        /// Undoing a change that others have since overwritten shows both and reports the conflict.
        @Test func undo_ofPlaceChangedSince_conflicts() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "one\ntwo\n")
                _ = try await daemon.notesctl("save", "a", "--replace", input: "one\nTWO\n")
                let phone = try await daemon.client("phone")
                let note = try await phone.note(.name("a")).head
                _ = try await phone.save(note.id, base: note.version, text: bytes("one\n2\n"))
                let undone = try await daemon.notesctl("undo", "a", "--label", "notesctl")
                #expect(undone.end == .exited(2) && undone.errors.contains("undid "), "\(undone.errors)")
                for part in ["notesctl resolve a", "a: this opened a conflict; nothing is lost", ", undone: two\n"] {
                    #expect(undone.errors.contains(part), "\(part): \(undone.errors)")
                }
                let told = try await daemon.notesctl("conflicts", "a")
                let heading = try #require(told.lines.firstIndex { $0.contains(", undone  ") }, "\(told.text)")
                #expect(told.lines[heading + 1] == "        two", "\(told.text)")
                let history = try await daemon.notesctl("history", "a")
                #expect(history.lines.filter { $0.hasSuffix(", in conflict") }.count == 2, "\(history.text)")
                // The conflict was open before the deletion, so an undo of the deletion does not open it.
                _ = try await daemon.notesctl("rm", "a")
                let back = try await daemon.notesctl("undo", "a")
                #expect(back.end == .exited(0) && !back.errors.contains("conflict"), "\(back.errors)")
                #expect(back.errors.contains("the note is back, named a again"), "\(back.errors)")
                _ = try await daemon.notesctl("resolve", "a", "--both")
                #expect(try await daemon.notesctl("log", "-n", "1").text.hasSuffix("  saved, resolved a conflict\n"))
                let merged = try await text(daemon)
                #expect(["one\ntwo\n2\n", "one\n2\ntwo\n"].contains(merged), "\(merged)")
            }
        }

        @Test func watch_reportsConflictedAndResolved() async throws {
            try await DaemonProcess.run { daemon in
                let client = try await daemon.client("watching")
                let watch = try await client.watch(WatchNotes(include: .text, snapshot: false))
                _ = try await conflicted(daemon)
                _ = try await daemon.notesctl("resolve", "a", "--both")
                let words = try await within("conflicted and resolved") {
                    var words: [ChangeWord] = []
                    for try await event in watch {
                        guard case .changed(let change) = event else { continue }
                        words.append(change.change)
                        if change.change == .conflicted, case .shown(let note) = change.note {
                            #expect(note.conflicts.first?.detail?.sides.count == 2)
                        }
                        if change.change == .resolved { break }
                    }
                    return words
                }
                #expect(words.suffix(2) == [.conflicted, .resolved], "\(words)")
                await client.close()
            }
        }
    }
}
