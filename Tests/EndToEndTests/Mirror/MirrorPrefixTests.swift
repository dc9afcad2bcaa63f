import Foundation
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// `notesctl mirror --prefix`, and the first contact of a folder and notes that both have texts.
    @Suite struct MirrorPrefixTests {
        private func scene(_ body: (FileScene) async throws -> Void) async throws {
            try await DaemonProcess.run { daemon in
                _ = try daemon.scratch.directory("notes")
                try await body(FileScene(daemon: daemon))
            }
        }

        private func mirror(
            _ scene: FileScene, _ options: String..., folder: String = "notes", ends code: Int32 = 0
        ) async throws -> Command {
            let run = try await scene.daemon.notesctl(
                ["mirror"] + options + [scene.scratch.file(folder)], environment: ["XDG_STATE_HOME": scene.scratch.file("state")])
            #expect(run.end == .exited(code), "\(options): \(run.text)\(run.errors)")
            return run
        }

        private func move(_ name: String, to other: String, _ scene: FileScene) throws {
            try FileManager.default.moveItem(atPath: scene.path(name), toPath: scene.path(other))
        }

        /// Somebody who guesses a subcommand gets no folder full of notes.
        @Test func wordThatIsNoFolder_isRefused() async throws {
            try await DaemonProcess.run { daemon in
                let run = try await daemon.notesctl("mirror", "--once", "stop")
                #expect(run.end == .exited(64) && run.errors.contains("mirror disable"), "\(run.errors)")
                #expect(!FileManager.default.fileExists(atPath: "stop"))
            }
        }

        @Test func folderOfAPrefix_hasItsNotesOnly() async throws {
            try await scene { scene in
                for name in ["work/plan", "work/old/a", "workshop", "home", "work"] { try await scene.make(name, "of \(name)\n") }
                _ = try await scene.daemon.notesctl("new", input: "no name\n")
                let first = try await mirror(scene, "--once", "--prefix", "work/")
                #expect(first.lines.last == "in step, 2 notes; notes to files: 2 written")
                #expect(try scene.files() == ["old/a.md", "plan.md"])

                // The folder keeps its prefix.
                try scene.write("new\n", to: "b.md")
                try scene.write("of work/plan\nmore\n", to: "plan.md")
                try move("old/a.md", to: "a.md", scene)
                #expect(
                    try await mirror(scene, "--once").lines.last
                        == "in step, 3 notes; files to notes: 1 new, 1 changed, 1 renamed")
                #expect(try await scene.text("work/plan") == "of work/plan\nmore\n")
                #expect(try await scene.names().filter { $0.contains("/") } == ["work/a", "work/b", "work/plan"])
                #expect(try await scene.text("home") == "of home\n")
                #expect(try await mirror(scene, "--once", "--prefix", "work").lines.last == "in step, 3 notes")
                #expect(try await mirror(scene, "status").text.contains(": was in step, 3 notes below work/, 3 files"))
            }
        }

        /// A note that leaves the prefix loses its file and keeps its text, also the text of a program that
        /// has changed the file meanwhile.
        @Test func noteThatLeavesThePrefix_keepsItsText() async throws {
            try await scene { scene in
                for name in ["work/a", "work/b", "c", "work/d"] { try await scene.make(name, "of \(name)\n") }
                _ = try await mirror(scene, "--once", "--prefix", "work")
                try await scene.notesctl("mv", "work/a", "a")
                try await scene.notesctl("mv", "work/b", "b")
                try scene.write("of work/b\nmine\n", to: "b.md")
                try await scene.notesctl("mv", "c", "work/c")
                let run = try await mirror(scene, "--once")
                #expect(run.lines.last == "in step, 2 notes; files to notes: 1 changed; notes to files: 1 written, 2 removed")
                #expect(try scene.files() == ["c.md", "d.md"])
                #expect(try await scene.text("a") == "of work/a\n")
                #expect(try await scene.text("b") == "of work/b\nmine\n")
                #expect(try await mirror(scene, "--once").lines.last == "in step, 2 notes")
            }
        }

        /// Rings of renames give up a name for a moment, and a file that is moved out deletes its note.
        @Test func movedFiles_renameNotesBelowThePrefix() async throws {
            try await scene { scene in
                for name in ["a", "b", "c", "d"] { try await scene.make("work/\(name)", "the text of \(name)\n") }
                try await scene.make("e", "see [[work/a]]\n")
                _ = try await mirror(scene, "--once", "--prefix", "work")
                for (old, new) in [("a", "x"), ("c", "a"), ("b", "c"), ("x", "b")] {
                    try move(old + ".md", to: new + ".md", scene)
                }
                try FileManager.default.moveItem(atPath: scene.path("d.md"), toPath: scene.scratch.file("d.md"))
                let run = try await mirror(scene, "--once")
                #expect(run.lines.last == "in step, 3 notes; files to notes: 3 renamed, 1 deleted")
                for (name, text) in ["b": "a", "c": "b", "a": "c"] {
                    #expect(try await scene.text("work/\(name)") == "the text of \(text)\n")
                    #expect(try scene.read("\(name).md") == "the text of \(text)\n")
                }
                #expect(try await scene.names() == ["e", "work/a", "work/b", "work/c"])
                #expect(try await scene.text("e") == "see [[work/b]]\n", "links are names of notes, also outside the prefix")
            }
        }

        @Test func liveMirrorOfAPrefix_followsBothSides() async throws {
            try await scene { scene in
                for name in ["work/a", "b"] { try await scene.make(name, "one\n") }
                let log = open(scene.scratch.file("mirror.log"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
                defer { close(log) }
                let live = try ChildProcess(
                    Binaries.notesctl, ["mirror", "--prefix", "work", scene.scratch.file("notes")],
                    environment: ["NOTESD_SOCKET": scene.daemon.socket, "XDG_STATE_HOME": scene.scratch.file("state")],
                    output: log, errors: log)
                func until(_ what: String, _ holds: () async throws -> Bool) async throws {
                    let end = ContinuousClock.now + .seconds(Patience.seconds)
                    while (try? await holds()) != true {
                        try #require(ContinuousClock.now < end, "\(what)")
                        try await Task.sleep(for: .milliseconds(20))
                    }
                }
                try await until("the note has a file") { try scene.files() == ["a.md"] }
                try scene.write("new\n", to: "c.md")
                try await until("the file is a note") { try await scene.text("work/c") == "new\n" }
                try await scene.notesctl("mv", "work/a", "a")
                try await until("the note has left") { try scene.files() == ["c.md"] }
                try await scene.notesctl("mv", "b", "work/b")
                try await until("the note has come") { try scene.files() == ["b.md", "c.md"] }
                try await scene.notesctl("rm", "work/b")
                try await until("the note is deleted") { try scene.files() == ["c.md"] }
                #expect(try await scene.names() == ["a", "work/c"])
                live.send(SIGTERM)
            }
        }

        @Test func otherPrefixes_andFoldersInMirroredFolders_areRefused() async throws {
            try await scene { scene in
                try await scene.make("work/a", "one\n")
                _ = try await mirror(scene, "--once", "--prefix", "work")
                let other = try await mirror(scene, "--once", "--prefix", "home", ends: 64)
                #expect(other.errors.contains("is a mirror of the notes below work/; take another folder"), "\(other.errors)")
                let invalid = try await mirror(scene, "--once", "--prefix", "a//b", folder: "other", ends: 64)
                #expect(invalid.errors.contains("--prefix"), "\(invalid.errors)")
                _ = try scene.scratch.directory("notes/inner")
                let inner = try await mirror(scene, "--once", folder: "notes/inner", ends: 64)
                #expect(inner.errors.contains("is in the mirrored folder"), "\(inner.errors)")
                #expect(try await scene.names() == ["work/a"])

                // A folder above leaves the mirrored folder out, whether or not its mirror is running.
                try scene.write("one\n", to: "../top.md")
                let above = try await mirror(scene, "--once", "--adopt", folder: ".")
                #expect(above.lines.last?.hasPrefix("in step, 2 notes; files to notes: 1 new") == true, "\(above.text)")
                #expect(above.errors.contains("leaves out notes"), "\(above.errors)")
                #expect(try await scene.names() == ["top", "work/a"])
                #expect(try await mirror(scene, "--once").lines.last == "in step, 1 note")
                #expect(try await mirror(scene, "--once", folder: ".").lines.last == "in step, 2 notes")
                // A note that belongs into the mirrored folder by its name would become another note there.
                try await scene.make("notes/private", "one\n")
                let inside = try await mirror(scene, "--once", folder: ".", ends: 65)
                #expect(inside.errors.contains("skipped notes/private.md: notes has a mirror of its own"), "\(inside.errors)")
                #expect(try scene.files() == ["a.md"])
                try await scene.notesctl("rm", "notes/private")
                _ = try await mirror(scene, "forget", folder: ".")
                try await scene.notesctl("rm", "top")

                _ = try await mirror(scene, "forget")
                #expect(try await mirror(scene, "--once", "--prefix", "work").lines.last == "in step, 1 note")
                _ = try await mirror(scene, "forget")
                #expect(try await mirror(scene, "--once", "--prefix", "home", "--adopt").lines.last?.contains("1 new") == true)
                #expect(try await scene.names() == ["home/a", "work/a"])
            }
        }

        /// A first run that would bring two collections together asks, and changes nothing before.
        @Test func firstContact_ofTwoCollections_needsAnApproval() async throws {
            try await scene { scene in
                for (name, text) in ["same": "same\n", "older": "one\n", "differs": "theirs\n", "note": "a note\n"] {
                    try await scene.make(name, text)
                }
                try await scene.append("two", to: "older")
                for (name, text) in ["same": "same\n", "older": "one\n", "differs": "mine\n", "file": "a file\n"] {
                    try scene.write(text, to: name + ".md")
                }
                for options in [["--once"], []] {
                    let run = try await scene.daemon.notesctl(
                        ["mirror"] + options + [scene.scratch.file("notes")],
                        environment: ["XDG_STATE_HOME": scene.scratch.file("state")])
                    #expect(run.end == .exited(64))
                    let plan =
                        "4 files: 1 the same, 1 older, 1 only here, 1 different; 1 note without a file; run the same command"
                    #expect(run.errors.contains(plan), "\(run.errors)")
                }
                #expect(try await scene.names() == ["differs", "note", "older", "same"])
                #expect(try await scene.text("differs") == "theirs\n")
                #expect(try scene.read("older.md") == "one\n")
                #expect(try scene.files().count == 4)
                let run = try await mirror(scene, "--once", "--adopt")
                #expect(run.lines.last == "in step, 5 notes; files to notes: 1 new, 1 merged; notes to files: 3 written")
                #expect(try await scene.text("differs") == "theirs\nmine\n")
                #expect(try await mirror(scene, "--once").lines.last == "in step, 5 notes")

                // A lost record alone is no second contact: all files have texts of their notes.
                try await scene.append("three", to: "older")
                try FileManager.default.removeItem(atPath: scene.scratch.file("state"))
                #expect(try await mirror(scene, "--once").lines.last == "in step, 5 notes; notes to files: 1 written")
            }
        }
    }
}
