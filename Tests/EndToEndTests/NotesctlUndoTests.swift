import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Tests of what `undo`, `redo`, `op undo` and `revert` report about a note's name and existence.
    @Suite struct NotesctlUndoTests {
        /// Runs a command, whose record of commands belongs to the test.
        private func run(_ daemon: DaemonProcess, _ arguments: [String], input: String = "") async throws -> Command {
            try await daemon.notesctl(
                arguments, input: bytes(input), environment: ["XDG_STATE_HOME": daemon.scratch.file("state")])
        }

        private func run(_ daemon: DaemonProcess, _ arguments: String..., input: String = "") async throws -> Command {
            try await run(daemon, arguments, input: input)
        }

        /// Runs a command that must succeed.
        ///
        /// - Returns: what it wrote to standard error.
        private func errors(_ daemon: DaemonProcess, _ arguments: String...) async throws -> String {
            let command = try await run(daemon, arguments)
            #expect(command.end == .exited(0), "\(arguments): \(command.errors)")
            return command.errors
        }

        @Test func renames_areReported() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await run(daemon, "new", "a", input: "x\n")
                _ = try await run(daemon, "mv", "a", "b")
                #expect(try await errors(daemon, "op", "undo").hasSuffix("notesctl: b is named a again\n"))
                _ = try await run(daemon, "mv", "a", "b")
                #expect(try await errors(daemon, "undo", "b").hasSuffix("notesctl: b is named a again\n"))
                #expect(try await errors(daemon, "redo", "a").hasSuffix("notesctl: a is named b again\n"))
            }
        }

        @Test func deletions_areReported() async throws {
            try await DaemonProcess.run { daemon in
                let id = try #require(try await run(daemon, "new", "a", input: "x\n").lines.first)
                let first = try await run(daemon, "history", "a", "--format", "{dot}").text
                _ = try await run(daemon, "rm", "a")
                #expect(try await errors(daemon, "undo", "a").hasSuffix("notesctl: the note is back, named a again\n"))
                #expect(
                    try await errors(daemon, "redo", "a").hasSuffix(
                        "notesctl: a is deleted again; `notesctl undo a` brings it back\n"))
                let dot = try #require(first.split(separator: "\n").first)
                #expect(try await errors(daemon, "revert", "a", "\(dot)") == "notesctl: the note is back, named a again\n")
                #expect(
                    try await errors(daemon, "undo", "a").hasSuffix(
                        "notesctl: a is deleted again; `notesctl redo a` brings it back\n"))
                #expect(try await errors(daemon, "redo", id).hasSuffix("notesctl: the note is back, named a again\n"))
            }
        }

        @Test func opUndoOfANewNote_saysHowToBringItBack() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await run(daemon, "new", "a", input: "x\n")
                #expect(
                    try await errors(daemon, "op", "undo").hasSuffix("notesctl: a is deleted; `notesctl undo a` brings it back\n")
                )
                _ = try await errors(daemon, "undo", "a")
                #expect(try await run(daemon, "show", "a").text == "x\n")
            }
        }

        @Test func revertAcrossARename_isReported() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await run(daemon, "new", "a", input: "x\n")
                let dot = try #require(
                    try await run(daemon, "history", "a", "--format", "{dot}").text.split(separator: "\n").first)
                _ = try await run(daemon, "save", "a", "--replace", "--name", "b", input: "y\n")
                #expect(try await errors(daemon, "revert", "b", "\(dot)") == "notesctl: b is named a again\n")
            }
        }

        /// Another note has taken the name that an undo would bring back.
        @Test func lostName_isReportedWithItsCause() async throws {
            try await DaemonProcess.run { daemon in
                let id = try #require(try await run(daemon, "new", "a", input: "x\n").lines.first)
                _ = try await run(daemon, "rm", "a")
                _ = try await run(daemon, "new", "a", input: "other\n")
                let back = try await errors(daemon, "undo", id)
                #expect(back.hasSuffix("the note is back, without a name, because another note is named a\n"), "\(back)")
                _ = try await run(daemon, "mv", "a", "b")
                _ = try await run(daemon, "mv", id, "a")
                let undone = try await errors(daemon, "undo", "b")
                #expect(undone.hasSuffix("b has no name now, because another note is named a\n"), "\(undone)")
            }
        }

        // MARK: Many notes

        /// One line for all notes, and then what needs attention.
        @Test func manyNotes_haveOneSummary() async throws {
            try await DaemonProcess.run { daemon in
                for name in ["w/a", "w/b", "w/c"] { _ = try await run(daemon, "new", name, input: "x\n") }
                _ = try await run(daemon, "rm", "--prefix", "w/")
                let undone = try await run(daemon, "op", "undo")
                #expect(undone.end == .exited(0) && undone.output.isEmpty, "\(undone.text)")
                #expect(
                    undone.errors == "notesctl: undid 3 changes of `rm` in 3 notes; `notesctl op redo` brings them back\n",
                    "\(undone.errors)")
                let redone = try await run(daemon, "op", "redo", "--json")
                #expect(redone.end == .exited(0) && redone.lines.count == 3, "\(redone.text)")
                #expect(redone.errors == "notesctl: brought back 3 changes in 3 notes\n", "\(redone.errors)")

                _ = try await run(daemon, "new", "w/b", input: "other\n")
                let operation = try #require(
                    try await run(daemon, "op", "--format", "{command} {op}").lines.first { $0.hasPrefix("rm ") })
                let again = try await run(daemon, "op", "undo", String(operation.dropFirst(3)))
                #expect(again.end == .exited(0), "\(again.errors)")
                #expect(again.errors.contains("without a name, because another note is named w/b\n"), "\(again.errors)")
                #expect(again.errors.split(separator: "\n").count == 2, "\(again.errors)")
            }
        }

        /// A conflict that was open before the command is no work of the undo; one between the undo and a
        /// later change is.
        @Test func onlyConflictsOfTheUndoItself_countForTheExitCode() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await run(daemon, "new", "t/a", input: "a\n")
                for name in ["k", "l"] {
                    let base = try #require(
                        try await run(daemon, "new", name, "--format", "{version}", input: "x\ny\nz\n").lines.first)
                    for side in name == "k" ? ["one [[t/a]]", "two [[t/a]]"] : ["[[t/a]]"] {
                        _ = try await run(daemon, "save", name, "--base", base, input: "x\n\(side)\nz\n")
                    }
                }
                #expect(try await run(daemon, "conflicts").lines.count == 1)
                _ = try await run(daemon, "mv", "t/a", "u")
                #expect(try await run(daemon, "conflicts").lines == [], "the repaired links are in the conflict")
                let undone = try await run(daemon, "op", "undo")
                #expect(undone.end == .exited(0), "\(undone.errors)")
                #expect(undone.errors.contains("1 note is in conflict again, as before"), "\(undone.errors)")
                #expect(try await run(daemon, "conflicts").lines.count == 1)

                _ = try await run(daemon, "mv", "t/a", "v")
                let text = try await run(daemon, "show", "l").text
                _ = try await daemon.notesctl("save", "l", "--replace", input: text.replacing("[[v]]", with: "changed"))
                let opened = try await run(daemon, "op", "undo")
                #expect(opened.end == .exited(2), "\(opened.errors)")
                let lines = opened.errors.split(separator: "\n")
                #expect(lines.first?.hasPrefix("notesctl: undid ") == true, "\(opened.errors)")
                #expect(lines.contains { $0.contains("l: this opened a conflict") }, "\(opened.errors)")
            }
        }

        /// A purge is no write that an undo can undo, and the other notes are undone.
        @Test func purgedNotes_holdUpNoOthers() async throws {
            try await DaemonProcess.run { daemon in
                func run(_ words: String..., input: String = "") async throws -> Command {
                    try await self.run(daemon, words, input: input)
                }
                _ = try await run("new", "p", input: "a\n")
                _ = try await run("append", "p", "-t", "b")
                #expect(try await run("purge", "p", "--yes").end == .exited(0))
                let only = try await run("op", "undo", "--by", "notesctl", "--dry-run")
                #expect(only.end == .exited(0) && only.errors.contains("nothing of"), "\(only.errors)")
                _ = try await run("new", "q", input: "x\n")
                _ = try await run("append", "p", "-t", "c")
                let listed = try await run("op", "undo", "--by", "notesctl", "--since", "1h", "--dry-run")
                #expect(listed.lines == ["p: 1 write", "q: 1 write; the note would be deleted"], "\(listed.text)")
                #expect(listed.end == .exited(0) && listed.errors.contains("2 writes by notesctl in 2 notes"), "\(listed.errors)")
                let undone = try await run("op", "undo", "--by", "notesctl", "--since", "1h")
                #expect(undone.end == .exited(0), "\(undone.errors)")
                #expect(
                    undone.errors
                        == "notesctl: undid 2 changes by notesctl in 2 notes; `notesctl op redo` brings them back\n",
                    "\(undone.errors)")
                #expect(try await run("list", "--format", "{name}").lines == ["p"])
                #expect(try await run("show", "p").text == "a\nb\n")
            }
        }

        /// `history` reads older revisions than it shows, to name what a redo brings back.
        @Test func redo_isNamedAfterTheWrite_inEveryList() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await run(daemon, "new", "a", input: "x\n")
                let saved = try #require(try await run(daemon, "save", "a", "--replace", input: "y\n").lines.first)
                let short = try #require(saved.split(separator: ":").last)
                _ = try await errors(daemon, "undo", "a")
                _ = try await errors(daemon, "redo", "a")
                for list in [["history", "a", "--limit", "1"], ["log", "-n", "1"]] {
                    let line = try await run(daemon, list).text
                    #expect(line.contains("  redid ") && line.hasSuffix(":\(short)\n"), "\(line)")
                }
            }
        }
    }
}
