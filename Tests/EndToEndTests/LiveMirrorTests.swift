import Causality
import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// `notesctl mirror`, while it runs: changes on either side reach the other, whatever program makes
    /// them.
    @Suite struct LiveMirrorTests {
        /// Runs a body beside a mirror of the directory `notes`.
        func scene(_ files: [String: String] = [:], _ body: (FileScene) async throws -> Void) async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                _ = try daemon.scratch.directory("notes")
                for (name, text) in files { try scene.write(text, to: name) }
                let mirror = try start(scene)
                try await body(scene)
                mirror.send(SIGTERM)
            }
        }

        func start(_ scene: FileScene) throws -> ChildProcess {
            let log = open(scene.scratch.file("mirror.log"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
            defer { close(log) }
            return try ChildProcess(
                Binaries.notesctl, ["mirror", scene.scratch.file("notes")],
                environment: ["NOTESD_SOCKET": scene.daemon.socket, "XDG_STATE_HOME": scene.scratch.file("state")],
                output: log, errors: log)
        }

        /// Waits until a condition holds.
        func until(_ what: String, _ scene: FileScene, _ holds: () async throws -> Bool) async throws {
            let end = ContinuousClock.now + .seconds(Patience.seconds)
            while ContinuousClock.now < end {
                if (try? await holds()) == true { return }
                try await Task.sleep(for: .milliseconds(30))
            }
            let log = (try? Files.read(scene.scratch.file("mirror.log"))) ?? []
            Issue.record("\(what): not within \(Patience.seconds) s; the mirror printed\n\(String(decoding: log, as: UTF8.self))")
            throw CancellationError()
        }

        func untilNote(_ name: String, has text: String, _ scene: FileScene) async throws {
            try await until("note \(name) has \(text)", scene) { try await scene.text(name) == text }
        }

        func untilFile(_ name: String, has text: String, _ scene: FileScene) async throws {
            try await until("file \(name) has \(text)", scene) { try scene.read(name) == text }
        }

        func shell(_ script: String, _ scene: FileScene) async throws {
            let run = try await Command.run(
                "/bin/sh", ["-euc", "cd \(scene.scratch.file("notes")); \(script)"],
                environment: ["PATH": environment("PATH") ?? "/usr/bin:/bin", "HOME": scene.scratch.path, "TERM": "dumb"])
            #expect(run.end == .exited(0), "\(script): \(run.errors)")
        }

        @Test func changes_reachTheOtherSide() async throws {
            try await scene(["a.md": "one\n"]) { scene in
                try await untilNote("a", has: "one\n", scene)
                try scene.write("one\ntwo\n", to: "a.md")
                try await untilNote("a", has: "one\ntwo\n", scene)
                try await scene.append("three", to: "a")
                try await untilFile("a.md", has: "one\ntwo\nthree\n", scene)
                try await scene.make("deep/er/b", "text\n")
                try await untilFile("deep/er/b.md", has: "text\n", scene)
                // A folder that is made together with a file in it.
                try await shell("mkdir -p new/folder; echo inside > new/folder/c.md", scene)
                try await untilNote("new/folder/c", has: "inside\n", scene)
                try await scene.notesctl("mv", "deep/er/b", "b")
                try await until("the file is moved", scene) { try scene.files() == ["a.md", "b.md", "new/folder/c.md"] }
                try await shell("mv new/folder/c.md new/c.md", scene)
                try await until("the note is renamed", scene) { try await scene.names() == ["a", "b", "new/c"] }
                try await scene.notesctl("rm", "b")
                try await until("the file is gone", scene) { try scene.files() == ["a.md", "new/c.md"] }
                try await shell("rm new/c.md", scene)
                try await until("the note is gone", scene) { try await scene.names() == ["a"] }
            }
        }

        /// Ways in which programs save files. Each is one change of the same note.
        @Test(arguments: [
            "printf 'a first line\\nmine\\n' > a.md",
            "sed -i 's/second/mine/' a.md",
            "printf 'a first line\\nmine\\n' > .t; mv .t a.md",
            "mv a.md a.md~; printf 'a first line\\nmine\\n' > a.md; rm a.md~",
            "printf 'a first line\\n' > a.md; printf 'mine\\n' >> a.md",
            "exec 5<>a.md; printf 'a first line\\nmi' >&5; sleep 0.4; printf 'ne\\n' >&5; exec 5>&-; truncate -s 18 a.md",
        ])
        func everyWayOfSaving_isOneChangeOfTheNote(script: String) async throws {
            try await scene(["a.md": "a first line\nsecond\n"]) { scene in
                try await untilNote("a", has: "a first line\nsecond\n", scene)
                let judge = try await scene.daemon.client("judge")
                let id = try await judge.note(.name("a")).head.id
                try await shell(script, scene)
                try await untilNote("a", has: "a first line\nmine\n", scene)
                #expect(try await judge.note(.name("a")).head.id == id)
                for revision in try await judge.history(ReadHistory(id: id)).revisions {
                    let text = try await judge.note(.id(id), at: Version(revision.dot)).text ?? []
                    #expect(String(decoding: text, as: UTF8.self).hasPrefix("a first line\n"), "no revision is half of a text")
                }
                await judge.close()
            }
        }

        /// An editor that was opened before a change saves its old buffer over the file.
        @Test func staleSave_isMerged() async throws {
            try await scene(["a.md": "the first line\nthe last line\n"]) { scene in
                try await untilNote("a", has: "the first line\nthe last line\n", scene)
                try await scene.append("a line by others", to: "a")
                try await untilFile("a.md", has: "the first line\nthe last line\na line by others\n", scene)
                try scene.write("typed meanwhile\nthe first line\nthe last line\n", to: "a.md")
                let both = "typed meanwhile\nthe first line\nthe last line\na line by others\n"
                try await untilNote("a", has: both, scene)
                try await untilFile("a.md", has: both, scene)
            }
        }

        /// The daemon is away while files change, and the mirror is killed while both sides change.
        @Test func nothingIsLost_ifTheDaemonOrTheMirrorEnds() async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                _ = try daemon.scratch.directory("notes")
                try scene.write("one\n", to: "a.md")
                let first = try start(scene)
                try await untilNote("a", has: "one\n", scene)
                first.send(SIGKILL)
                _ = try await first.end()
                try scene.write("zero\none\n", to: "a.md")
                try scene.write("new\n", to: "b.md")
                try await scene.append("two", to: "a")
                let second = try start(scene)
                try await untilNote("a", has: "zero\none\ntwo\n", scene)
                try await untilFile("a.md", has: "zero\none\ntwo\n", scene)
                try await untilNote("b", has: "new\n", scene)
                second.send(SIGTERM)
            }
        }

        /// A mirror that starts before the daemon waits for it, says so once, and keeps up with it later.
        @Test func absentDaemon_isWaitedFor() async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                _ = try daemon.scratch.directory("notes")
                try scene.write("one\n", to: "a.md")
                try await daemon.end(SIGTERM)
                let once = try await daemon.notesctl(
                    ["mirror", "--once", daemon.scratch.file("notes")],
                    environment: ["XDG_STATE_HOME": daemon.scratch.file("state")])
                #expect(once.end == .exited(69), "\(once.errors)")
                let mirror = try start(scene)
                func log() throws -> String { String(decoding: try Files.read(scene.scratch.file("mirror.log")), as: UTF8.self) }
                try await until("the mirror says that it waits", scene) { try log().contains("; waiting for it\n") }
                try await daemon.start()
                try await untilNote("a", has: "one\n", scene)
                try await daemon.restart(after: SIGKILL)
                try scene.write("one\ntwo\n", to: "a.md")
                try await untilNote("a", has: "one\ntwo\n", scene)
                #expect(try log().ranges(of: "waiting for it").count == 1)
                mirror.send(SIGTERM)
                _ = try await mirror.end()
                // Waiting does not cure this.
                let other = try daemon.scratch.directory("other")
                let refused = try await daemon.notesctl(["mirror", "--prefix", "/", other])
                #expect(refused.end != .exited(0) && !refused.errors.contains("waiting"), "\(refused.errors)")
            }
        }

        /// A file that a program replaces by a symbolic link keeps its note, and is reported as what it is.
        @Test func symbolicLink_isNamed() async throws {
            try await scene(["a.md": "one\n"]) { scene in
                try await untilNote("a", has: "one\n", scene)
                try await shell("ln -s ../elsewhere l.md; mv -T l.md a.md", scene)
                try await scene.append("two", to: "a")
                try await until("the mirror names the link", scene) {
                    String(decoding: try Files.read(scene.scratch.file("mirror.log")), as: UTF8.self)
                        .contains("a.md: is a symbolic link")
                }
                #expect(try await scene.text("a") == "one\ntwo\n")
            }
        }

        /// The folder is emptied: no note is deleted, and the mirror says so.
        @Test func emptiedFolder_deletesNothing() async throws {
            try await scene(["a.md": "one\n", "b.md": "two\n"]) { scene in
                try await untilNote("b", has: "two\n", scene)
                try await untilNote("a", has: "one\n", scene)
                // The mirror finds the first file missing before the last one.
                try await shell("rm a.md; sleep 0.5; rm b.md", scene)
                try await until("the mirror reports it", scene) {
                    String(decoding: try Files.read(scene.scratch.file("mirror.log")), as: UTF8.self).contains("2 files are gone")
                }
                #expect(try await scene.names() == ["a", "b"])
            }
        }

        /// Runs a subcommand of `mirror` on the directory.
        private func mirror(
            _ command: String, _ scene: FileScene, ends code: Int32 = 0, _ options: String...
        ) async throws -> Command {
            let run = try await scene.daemon.notesctl(
                ["mirror", command] + options + [scene.scratch.file("notes")],
                environment: ["XDG_STATE_HOME": scene.scratch.file("state")])
            #expect(run.end == .exited(code), "\(command): \(run.errors)")
            return run
        }

        private func untilStatus(_ part: String, _ scene: FileScene) async throws {
            try await until("the status has \(part)", scene) {
                let run = try await scene.daemon.notesctl(
                    ["mirror", "status"], environment: ["XDG_STATE_HOME": scene.scratch.file("state")])
                return run.text.contains(part)
            }
        }

        /// All files go. The mirror waits for an approval, which covers these files and no later ones.
        @Test func approvedRemovals_deleteTheirNotes() async throws {
            try await scene(["a.md": "one\n", "b.md": "two\n"]) { scene in
                try await untilNote("a", has: "one\n", scene)
                try await untilNote("b", has: "two\n", scene)
                try await untilStatus(": in step, 2 notes, 2 files", scene)
                _ = try await mirror("status", scene)
                try await shell("rm *.md", scene)
                try await untilStatus("2 gone or empty; if that is right", scene)
                // Without the digest of the set, or with that of another one, nothing is approved.
                _ = try await mirror("approve", scene, ends: 64)
                let other = try await mirror("approve", scene, ends: 1, "--set", "00000000")
                #expect(other.errors.contains("now 2 removals wait"), "\(other.errors)")
                #expect(try await scene.names() == ["a", "b"])
                let status = try await mirror("status", scene, ends: 65).text
                let digest = String(try #require(status.firstMatch(of: /--set ([0-9a-f]{8})`/)?.1))
                #expect(try await mirror("approve", scene, "--set", digest).lines == ["a.md", "b.md"])
                try await until("the notes are gone", scene) { try await scene.names() == [] }
                try await untilStatus(": in step, 0 notes, 0 files", scene)

                try scene.write("three\n", to: "c.md")
                try await untilNote("c", has: "three\n", scene)
                try await shell("rm c.md", scene)
                try await untilStatus("1 gone or empty; if that is right", scene)
                #expect(try await scene.names() == ["c"], "the approval does not cover a later removal")
                _ = try await mirror("forget", scene, ends: 75)
            }
        }

        /// The status lists a file that cannot be a note, a file that a program keeps open, and a daemon
        /// that is away.
        @Test func status_namesWhatWaits() async throws {
            try await scene(["a.md": "one\n"]) { scene in
                try await untilNote("a", has: "one\n", scene)
                try await shell("printf '\\377' > bad.md", scene)
                try await untilStatus("bad.md: is not valid UTF-8 at byte 0; correct the file", scene)
                try await shell("rm bad.md", scene)
                let writer = open(scene.path("a.md"), O_WRONLY | O_APPEND)
                #expect(Glibc.write(writer, "two\n", 4) == 4)
                try await untilStatus("a.md: a program has it open for writing", scene)
                close(writer)
                try await untilNote("a", has: "one\ntwo\n", scene)
                try await untilStatus(": in step, 1 note, 1 file", scene)
                _ = try await scene.daemon.end(SIGKILL)
                try await untilStatus("the connection to the daemon is lost", scene)
                try scene.write("one\ntwo\nthree\n", to: "a.md")
                try await scene.daemon.start()
                try await untilNote("a", has: "one\ntwo\nthree\n", scene)
                try await untilStatus(": in step, 1 note, 1 file", scene)
            }
        }

        /// Without a mirror, the record stays until it is forgotten, which changes no file.
        @Test func forgottenFolder_keepsItsFiles() async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                _ = try daemon.scratch.directory("notes")
                try scene.write("one\n", to: "a.md")
                _ = try await mirror("run", scene, "--once")
                #expect(try await mirror("status", scene).text.contains("was in step, 1 note, 1 file"))
                _ = try await mirror("forget", scene)
                _ = try await mirror("forget", scene, ends: 64)
                _ = try await mirror("status", scene, ends: 64)
                #expect(try scene.read("a.md") == "one\n")
                #expect(try await scene.text("a") == "one\n")
            }
        }

        /// The folder is moved away and back: no note is deleted, and changes are taken afterwards.
        @Test func movedFolder_deletesNothing() async throws {
            try await scene(["a.md": "one\n", "b.md": "two\n"]) { scene in
                try await untilNote("b", has: "two\n", scene)
                let away = scene.scratch.file("away")
                try await shell("cd ..; mv notes away; mkdir notes", scene)
                try await until("the mirror reports it", scene) {
                    String(decoding: try Files.read(scene.scratch.file("mirror.log")), as: UTF8.self).contains("moved, removed")
                }
                try await shell("cd ..; rmdir notes; printf 'one\nmore\n' > away/a.md; mv \(away) notes", scene)
                try await untilNote("a", has: "one\nmore\n", scene)
                #expect(try await scene.names() == ["a", "b"])
            }
        }

        /// A script writes files in place while a client edits the notes. Every line arrives on both
        /// sides.
        @Test(arguments: seeds(2))
        func writersOnBothSides_keepAllLines(seed: UInt64) async throws {
            let names = ["a", "b", "c"]
            try await scene(Dictionary(uniqueKeysWithValues: names.map { ("\($0).md", "the first line of \($0)\n") })) { scene in
                for name in names { try await untilNote(name, has: "the first line of \(name)\n", scene) }
                var random = SeededGenerator(seed: seed)
                var expected: [String: Set<String>] = [:]
                for number in 0..<30 {
                    let name = random.pick(names)
                    let line = "line number \(number) of seed \(seed)"
                    expected[name, default: []].insert(line)
                    if random.chance(0.5) {
                        // As an editor does: reads, changes and writes the file at once.
                        try scene.write(line + "\n" + (try scene.read("\(name).md")), to: "\(name).md")
                    } else {
                        try await scene.append(line, to: name)
                    }
                    if random.chance(0.3) { try await Task.sleep(for: .milliseconds(random.below(200))) }
                }
                for name in names {
                    let lines = expected[name] ?? []
                    try await until("\(name) has all lines on both sides", scene) {
                        let (note, file) = (try await scene.text(name), try scene.read("\(name).md"))
                        return note == file && lines.isSubset(of: Set(note.split(separator: "\n").map(String.init)))
                    }
                }
            }
        }
    }
}
