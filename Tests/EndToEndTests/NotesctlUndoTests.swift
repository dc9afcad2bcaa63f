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
