import Glibc
import TestKit
import Testing

extension EndToEnd {
    /// Tests of the words on a command line that name notes and folders.
    @Suite struct NotesctlNamesTests {
        /// A note whose name begins with a dash is deleted only after `--`, and no error ends with 0.
        @Test func dashedName_isNoHelp() async throws {
            try await DaemonProcess.run { daemon in
                #expect(try await daemon.notesctl("new", "--", "-dash", input: "x\n").end == .exited(0))
                for words in [["rm", "-dash"], ["show", "-dash"], ["-dash"]] {
                    let wrong = try await daemon.notesctl(words)
                    #expect(wrong.end == .exited(64) && wrong.output.isEmpty, "\(words)")
                    #expect(wrong.errors.hasPrefix("notesctl: ") && wrong.errors.contains("`-dash`"), "\(wrong.errors)")
                    #expect(wrong.errors.filter { $0 == "\n" }.count == 1, "\(wrong.errors)")
                }
                #expect(try await daemon.notesctl("show").errors.hasPrefix("notesctl: missing expected argument `<note>`; "))
                #expect(try await daemon.notesctl("show", "-h").end == .exited(0))
                #expect(try await daemon.notesctl("append", "-t", "-h is text", "--", "-dash").end == .exited(0))
                let word = try await daemon.notesctl("append", "a", "more")
                #expect(word.end == .exited(1) && word.errors.contains("`notesctl append a --text more`"), "\(word.errors)")
                #expect(try await daemon.notesctl("show", "--", "-dash").text == "x\n-h is text\n")
                #expect(try await daemon.notesctl("rm", "--", "-dash").end == .exited(0))
            }
        }

        @Test func deletedNote_isReportedAsDeleted() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a b", input: "x\n")
                _ = try await daemon.notesctl("rm", "a b")
                for words in [["show", "a b"], ["append", "a b", "-t", "x"], ["rm", "a b"]] {
                    let gone = try await daemon.notesctl(words)
                    #expect(gone.end == .exited(66), "\(words)")
                    #expect(gone.errors.contains("`a b` is deleted; `notesctl undo 'a b'` brings it back"), "\(gone.errors)")
                }
                #expect(try await daemon.notesctl("undo", "a b").end == .exited(0))
                #expect(try await daemon.notesctl("show", "a b").text == "x\n")
            }
        }

        @Test func nameThatBeginsAnID_isRefused() async throws {
            try await DaemonProcess.run { daemon in
                let made = try await daemon.notesctl("new", "a", input: "x\n")
                let short = String(try #require(made.lines.first).prefix(8))
                _ = try await daemon.notesctl("new", "b", input: "y\n")
                for words in [["new", short], ["mv", "b", short], ["save", "b", "--replace", "--name", short]] {
                    let refused = try await daemon.notesctl(words)
                    #expect(
                        refused.end == .exited(65) && refused.errors.contains("the beginning of the id of"), "\(refused.errors)")
                }
                let folder = daemon.scratch.path + "/notes"
                #expect(mkdir(folder, 0o755) == 0)
                try Files.write(bytes("z\n"), to: "\(folder)/\(short).md")
                for words in [["import", folder], ["import", "--dry-run", folder]] {
                    let refused = try await daemon.notesctl(words)
                    let said = refused.text + refused.errors
                    #expect(refused.end == .exited(65) && said.contains("the beginning of the id of"), "\(said)")
                }
                #expect(try await daemon.notesctl("list").lines.count == 2)
                #expect(try await daemon.notesctl("import", "--into", "x", folder).end == .exited(0))
                #expect(try await daemon.notesctl("show", "x/\(short)").text == "z\n")
            }
        }

        /// Creating a note reads no other note, however many there are, and a deleted note of the name stays
        /// deleted. A message about a missing note still names it.
        @Test func creation_readsNoOtherNote() async throws {
            try await DaemonProcess.run { daemon in
                #expect(try await daemon.notesctl("new", "log/day", input: "old\n").end == .exited(0))
                #expect(try await daemon.notesctl("rm", "log/day").end == .exited(0))
                func requests() async throws -> [String] {
                    try await daemon.notesctl("metrics").lines.filter {
                        $0.hasPrefix("notesd_requests_total") && ($0.contains("note.list") || $0.contains("note.history"))
                    }
                }
                let before = try await requests()
                #expect(before.count == 2)
                for _ in 0..<2 {
                    #expect(try await daemon.notesctl("append", "--create", "log/day", input: "x\n").end == .exited(0))
                }
                let edit = try await daemon.notesctl(
                    ["edit", "--create", "log/edited"], environment: ["VISUAL": "sh -c 'echo y >\"$0\"'"])
                #expect(edit.end == .exited(0), "\(edit.errors)")
                #expect(try await requests() == before)
                #expect(try await daemon.notesctl("show", "log/day").text == "x\nx\n")
                #expect(try await daemon.notesctl("show", "log/edited").text == "y\n")

                let missing = try await daemon.notesctl("append", "log/dayy", "-t", "x")
                #expect(missing.end == .exited(66) && missing.errors.contains("`log/day`"), "\(missing.errors)")
                #expect(missing.errors.contains("`notesctl append --create` creates it"), "\(missing.errors)")
                #expect(try await requests() != before)
            }
        }

        /// The new note of that name has nothing to undo, and the message names the deleted one.
        @Test func newNote_ofTheNameOfADeletedOne_leadsToIt() async throws {
            try await DaemonProcess.run { daemon in
                let old = try #require(try await daemon.notesctl("new", "a", input: "old\n").lines.first)
                #expect(try await daemon.notesctl("rm", "a").end == .exited(0))
                let new = try #require(try await daemon.notesctl("new", "a", input: "new\n").lines.first)
                let undo = try await daemon.notesctl("undo", "a")
                #expect(undo.end == .exited(64) && undo.errors.contains("run `notesctl undo \(old)`"), "\(undo.errors)")
                #expect(try await daemon.notesctl("undo", old).end == .exited(0))
                #expect(try await daemon.notesctl("show", old).text == "old\n")
                // Without a deleted note of the name, the message names none.
                #expect(try await daemon.notesctl("mv", new, "b").end == .exited(0))
                let only = try await daemon.notesctl("new", "c", input: "only\n")
                #expect(only.end == .exited(0))
                let none = try await daemon.notesctl("undo", "c")
                #expect(none.end == .exited(64) && !none.errors.contains("deleted note"), "\(none.errors)")
            }
        }

        /// The whole folder is one command, which one `op undo` takes back.
        @Test func folder_isRenamedAndDeletedAsOneCommand() async throws {
            try await DaemonProcess.run { daemon in
                let names = ["work/a", "work/b/c", "workshop", "done/a"]
                for name in names { _ = try await daemon.notesctl("new", name, input: "\(name)\n") }
                func listed() async throws -> [String] { try await daemon.notesctl("list", "--format", "{name}").lines }

                let refused = try await daemon.notesctl("mv", "work/", "done/")
                #expect(refused.end == .exited(1) && refused.errors.contains("no note was renamed"), "\(refused.errors)")
                #expect(try await listed() == names.sorted())
                let hint = try await daemon.notesctl("mv", "work", "old")
                #expect(hint.end == .exited(66) && hint.errors.contains("`notesctl mv work/ old/`"), "\(hint.errors)")
                let state = ["XDG_STATE_HOME": daemon.scratch.path]
                func notesctl(_ words: String...) async throws -> Command { try await daemon.notesctl(words, environment: state) }

                let moved = try await notesctl("mv", "work/", "work/old/")
                #expect(moved.end == .exited(0) && moved.errors.contains("renamed 2 notes"), "\(moved.errors)")
                #expect(try await listed() == ["done/a", "work/old/a", "work/old/b/c", "workshop"])
                #expect(try await notesctl("op").lines.count == 1)
                #expect(try await notesctl("op", "undo").end == .exited(0))
                #expect(try await listed() == names.sorted())

                let removed = try await notesctl("rm", "--prefix", "work/")
                #expect(removed.end == .exited(0) && removed.errors.contains("deleted 2 notes"), "\(removed.errors)")
                #expect(try await listed() == ["done/a", "workshop"])
                #expect(try await notesctl("op", "undo").end == .exited(0))
                #expect(try await listed() == names.sorted())
                let nothing = try await notesctl("rm", "--prefix", "nothing/")
                #expect(nothing.end == .exited(66), "\(nothing.errors)")
                #expect(try await notesctl("rm", "--prefix", "").end == .exited(64))
            }
        }

        /// Without XDG_RUNTIME_DIR, notesctl finds the socket that `make run` makes, if nobody else can
        /// have made it.
        @Test func socketInTheStateDirectory_isFound() async throws {
            try await DaemonProcess.run { daemon in
                let state = daemon.scratch.file("state")
                let folder = state + "/notesd"
                for path in [state, folder] { #expect(mkdir(path, 0o700) == 0) }
                #expect(symlink(daemon.socket, folder + "/notesd.sock") == 0)
                func status() async throws -> Command {
                    try await Command.run(Binaries.notesctl, ["status"], environment: ["XDG_STATE_HOME": state])
                }
                let found = try await status()
                #expect(found.end == .exited(0), "\(found.errors)")
                chmod(folder, 0o777)
                #expect(try await status().end != .exited(0))
            }
        }
    }
}
