import Foundation
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Tests of commands that write: `append`, `mv`, `new` from a template and an editor, `op`.
    struct NotesctlWritingTests {
        @Test func append_addsLines_andCanCreateNote() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "one")
                _ = try await daemon.notesctl("append", "a", input: "two\n")
                _ = try await daemon.notesctl("append", "a", "-t", "three")
                #expect(try await daemon.notesctl("show", "a").text == "one\ntwo\nthree\n")
                #expect(try await daemon.notesctl("append", "b", "-t", "x").end == .exited(66))
                #expect(try await daemon.notesctl("append", "b", "--create", "-t", "x").end == .exited(0))
                #expect(try await daemon.notesctl("append", "b", "-t", "- [ ] y").end == .exited(0))
                #expect(try await daemon.notesctl("--no-pager", "show", "b").text == "x\n- [ ] y\n")
                _ = try await daemon.notesctl("new", "windows", input: "x\r\n")
                _ = try await daemon.notesctl("append", "windows", "-t", "y")
                #expect(try await daemon.notesctl("show", "windows").text == "x\r\ny\r\n")
                let nothing = try await daemon.notesctl("append", "a", input: "")
                #expect(nothing.end == .exited(0) && nothing.errors.contains("nothing to add"))
                #expect(try await daemon.notesctl(["append", "a"], input: [0xFF]).end == .exited(65))
                #expect(try await daemon.notesctl("history", "a").lines.count == 3)
            }
        }

        /// Many concurrent appends: each line appears once, and none is in conflict with another.
        @Test func concurrentAppends_allArrive() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "log", input: "begin\n")
                // One user's processes, both in a login session and outside one, as cron's are.
                let state = ["XDG_STATE_HOME": daemon.scratch.file("state")]
                let session = state.merging(["XDG_RUNTIME_DIR": daemon.scratch.path]) { $1 }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<24 {
                        let environment = number % 2 == 0 ? state : session
                        group.addTask {
                            let added = try await daemon.notesctl(
                                ["append", "log", "-t", "line \(number)"], environment: environment)
                            #expect(added.end == .exited(0) && added.errors.isEmpty, "\(added.errors)")
                        }
                    }
                    try await group.waitForAll()
                }
                let lines = try await daemon.notesctl("show", "log").lines
                #expect(lines.first == "begin")
                #expect(lines.dropFirst().sorted() == (0..<24).map { "line \($0)" }.sorted())
                #expect(try await daemon.notesctl("conflicts").output.isEmpty)
            }
        }

        @Test func mv_renames_andKeepsTextAndHistory() async throws {
            try await DaemonProcess.run { daemon in
                let id = try #require(try await daemon.notesctl("new", "work/inbox", input: "x\n").lines.first)
                _ = try await daemon.notesctl("new", "taken", input: "y\n")
                #expect(try await daemon.notesctl("mv", "work/inbox", "done/").end == .exited(0))
                #expect(try await daemon.notesctl("list", "--format", "{name}").lines == ["done/inbox", "taken"])
                let taken = try await daemon.notesctl("mv", "done/inbox", "taken")
                #expect(taken.end == .exited(1) && taken.errors.contains("cannot rename done/inbox"), "\(taken.errors)")
                #expect(try await daemon.notesctl("mv", "done/inbox", "a//b").end == .exited(65))
                let same = try await daemon.notesctl("mv", "done/inbox", "done/inbox")
                #expect(same.end == .exited(0) && same.errors.contains("already"))
                #expect(try await daemon.notesctl("mv", "done/inbox", "--no-name").end == .exited(0))
                #expect(try await daemon.notesctl("mv", id, "x/").end == .exited(64), "there is no last component to keep")
                #expect(try await daemon.notesctl("show", id).text == "x\n")
                #expect(try await daemon.notesctl("history", id).lines.count == 3)
            }
        }

        @Test func new_fillsTemplate_andOpensEditor() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl(
                    "new", "templates/meeting", input: "# {{title}} ({{ name }})\n{{date}} {{other}} {{user}}\n")
                let made = try await daemon.notesctl("new", "work/meet", "--template", "templates/meeting")
                #expect(made.end == .exited(0), "\(made.errors)")
                let lines = try await daemon.notesctl("show", "work/meet").lines
                #expect(lines.first == "# meet (work/meet)")
                #expect(lines.last?.wholeMatch(of: /\d{4}-\d\d-\d\d \{\{other\}\} \S+/) != nil, "\(lines)")
                let editor = ["EDITOR": "sh -c 'echo more >> \"$1\"' sh", "XDG_STATE_HOME": daemon.scratch.path]
                let edited = try await daemon.notesctl(["new", "-e", "-t", "templates/meeting", "work/b"], environment: editor)
                #expect(edited.end == .exited(0), "\(edited.errors)")
                #expect(try await daemon.notesctl("show", "work/b").lines.last == "more")
                let none = try await daemon.notesctl(
                    ["new", "-e", "work/c"], environment: ["EDITOR": "true", "XDG_STATE_HOME": daemon.scratch.path])
                #expect(none.errors.contains("no note was created"), "\(none.errors)")
                #expect(try await daemon.notesctl("show", "work/c").end == .exited(66))
            }
        }

        @Test func tags_areCounted() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "#todo #Later\n")
                _ = try await daemon.notesctl("new", "b", input: "#todo\n")
                #expect(try await daemon.notesctl("tags").lines == ["todo\t2", "later\t1"])
                #expect(try await daemon.notesctl("tags", "b").lines == ["todo"])
                #expect(try await daemon.notesctl("tags", "--prefix", "a", "--json=tag").lines.count == 2)
            }
        }

        // MARK: Operations

        @Test func op_undoesCommands_newestFirst() async throws {
            try await DaemonProcess.run { daemon in
                let environment = ["XDG_STATE_HOME": daemon.scratch.file("state")]
                func run(_ words: String..., input: String = "") async throws -> Command {
                    try await daemon.notesctl(words, input: bytes(input), environment: environment)
                }
                for name in ["a", "b"] { _ = try await run("new", name, input: "one\n") }
                _ = try await run("append", "a", "-t", "two")
                _ = try await run("rm", "a", "b")
                #expect(try await run("list").output.isEmpty)

                let listed = try await run("op", "--format", "{command}")
                #expect(listed.lines == ["rm", "append", "new", "new"], "\(listed.text)\(listed.errors)")
                #expect(try await run("op", "undo").end == .exited(0))
                #expect(try await run("list", "--format", "{name}").lines == ["a", "b"], "both are back")
                #expect(try await run("show", "a").text == "one\ntwo\n")
                _ = try await run("op", "undo")
                #expect(try await run("show", "a").text == "one\n")
                let operation = try #require(
                    try await run("op", "--format", "{op} {command}").lines.first { $0.hasSuffix(" new") })
                let id = String(operation.split(separator: " ")[0])
                #expect(try await run("op", "undo", id).end == .exited(0))
                #expect(
                    try await run("list", "--format", "{name}").lines == ["a"], "the newest of the two that `new` made is gone")
                let again = try await run("op", "undo", id)
                #expect(again.end == .exited(64) && again.errors.contains("already"), "\(again.errors)")
                #expect(try await run("op", "undo", "nothing").end == .exited(64))
                #expect(try Files.mode(daemon.scratch.file("state/notesctl/operations")) == 0o600)
            }
        }

        /// The state after an interrupted `op undo`: one of two notes is restored, and the log says
        /// so.
        @Test func op_interruptedUndo_isFinishedByTheNext() async throws {
            try await DaemonProcess.run { daemon in
                func run(_ state: String, _ words: String...) async throws -> Command {
                    try await daemon.notesctl(
                        words, input: bytes("one\n"), environment: ["XDG_STATE_HOME": daemon.scratch.file(state)])
                }
                func file(_ state: String) -> String { daemon.scratch.file("\(state)/notesctl/operations") }
                for name in ["a", "b"] { _ = try await run("whole", "new", name) }
                _ = try await run("whole", "rm", "a", "b")
                _ = try await run("half", "new", "c")
                let written = try Files.read(file("whole")).split(separator: 10)
                try Files.write(try #require(written.last) + [10], to: file("half"))
                #expect(try await run("half", "op", "undo").end == .exited(0))
                let half = try #require(try Files.read(file("half")).split(separator: 10).last)
                try Files.write(Array(written.joined(separator: [10])) + [10] + half + [10], to: file("whole"))
                #expect(try await run("whole", "list", "--format", "{name}").lines == ["b", "c"])

                #expect(try await run("whole", "op").lines.filter { $0.hasSuffix("undone in part") }.count == 1)
                let rest = try await run("whole", "op", "undo")
                #expect(rest.end == .exited(0) && rest.errors.contains("`rm`"), "\(rest.errors)")
                #expect(try await run("whole", "list", "--format", "{name}").lines == ["a", "b", "c"])
                let operation = try #require(
                    try await run("whole", "op", "--format", "{command} {op}").lines.first { $0.hasPrefix("rm") })
                let again = try await run("whole", "op", "undo", String(operation.dropFirst(3)))
                #expect(again.end == .exited(64) && again.errors.contains("already"), "\(again.errors)")
            }
        }

        /// One note cannot be written: the others are, and the command reports which one was not.
        @Test func op_continuesAfterFailedNote() async throws {
            try await DaemonProcess.run { daemon in
                let environment = ["XDG_STATE_HOME": daemon.scratch.file("state")]
                func run(_ words: String...) async throws -> Command {
                    try await daemon.notesctl(words, input: bytes("one\n"), environment: environment)
                }
                for name in ["a", "b"] { _ = try await run("new", name) }
                _ = try await run("rm", "a", "b")
                let place = daemon.scratch.file("state/notesctl/operations")
                let lines = String(decoding: try Files.read(place), as: UTF8.self).split(separator: "\n").map(String.init)
                let missing = noteID(999).description
                let gone = lines[2].replacing(/"note":"[^"]*"/, with: #""note":"\#(missing)""#)
                try Files.write(
                    bytes((lines[...2] + [gone] + lines[3...]).joined(separator: "\n") + "\n"), to: place)
                let undone = try await run("op", "undo")
                #expect(undone.end == .exited(1) && undone.errors.contains("1 could not be undone:\n"), "\(undone.errors)")
                #expect(undone.errors.split(separator: "\n").last?.contains(missing) == true, "\(undone.errors)")
                #expect(try await run("list", "--format", "{name}").lines == ["a", "b"])
            }
        }

        /// A file that is too large becomes the older one. `op` reads both, and undoes from both.
        @Test func op_readsTheOlderFileToo() async throws {
            try await DaemonProcess.run { daemon in
                func run(_ words: String...) async throws -> Command {
                    try await daemon.notesctl(
                        words, input: bytes("one\n"), environment: ["XDG_STATE_HOME": daemon.scratch.file("state")])
                }
                let place = daemon.scratch.file("state/notesctl/operations")
                _ = try await run("new", "a")
                _ = try await run("rm", "a")
                let small = try Files.read(place)
                try Files.write(small + [UInt8](repeating: 0x78, count: 2 << 20) + [10], to: place)
                _ = try await run("new", "b")
                _ = try await run("new", "c")
                #expect(try Files.read(place + ".old").starts(with: small))
                #expect(try Files.read(place).split(separator: 10).count == 2)
                #expect(try await run("op", "--format", "{command}").lines == ["new", "new", "rm", "new"])
                for _ in 0..<3 { #expect(try await run("op", "undo").end == .exited(0)) }
                #expect(try await run("list", "--format", "{name}").lines == ["a"])
            }
        }

        /// Later changes by others stay.
        @Test func op_keepsLaterChanges() async throws {
            try await DaemonProcess.run { daemon in
                let environment = ["XDG_STATE_HOME": daemon.scratch.file("state")]
                _ = try await daemon.notesctl(
                    ["new", "a"], input: bytes("one\n\n\nend\n"), environment: ["XDG_STATE_HOME": daemon.scratch.file("other")])
                _ = try await daemon.notesctl(
                    ["save", "a", "--replace"], input: bytes("ONE\n\n\nend\n"), environment: environment)
                _ = try await daemon.notesctl("save", "a", "--replace", input: "ONE\n\n\nend\nmore\n")
                let undone = try await daemon.notesctl(["op", "undo"], environment: environment)
                #expect(undone.end == .exited(0), "\(undone.errors)")
                #expect(try await daemon.notesctl("show", "a").text == "one\n\n\nend\nmore\n")
            }
        }

        /// Writes still succeed if the operation log cannot be written.
        @Test func unwritableOperationLog_doesNotBlockWrites() async throws {
            try await DaemonProcess.run { daemon in
                let made = try await daemon.notesctl(
                    ["new", "a"], input: bytes("x\n"), environment: ["XDG_STATE_HOME": "/proc/no"])
                #expect(made.end == .exited(0) && made.errors.isEmpty, "\(made.errors)")
                let listed = try await daemon.notesctl(["op"], environment: ["XDG_STATE_HOME": "/proc/no"])
                #expect(listed.end == .exited(0) && listed.output.isEmpty, "\(listed.errors)")
            }
        }
    }
}
