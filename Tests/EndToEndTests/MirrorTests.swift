import Causality
import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// `notesctl mirror --once`: a folder and the notes agree afterwards, and nothing that was written
    /// on either side is lost.
    @Suite struct MirrorTests {
        func scene(_ body: (FileScene) async throws -> Void) async throws {
            try await DaemonProcess.run { daemon in
                _ = try daemon.scratch.directory("notes")
                try await body(FileScene(daemon: daemon))
            }
        }

        func remove(_ name: String, _ scene: FileScene) throws {
            try FileManager.default.removeItem(atPath: scene.path(name))
        }

        func move(_ name: String, to other: String, _ scene: FileScene) throws {
            try FileManager.default.moveItem(atPath: scene.path(name), toPath: scene.path(other))
        }

        /// Runs the mirror and returns its summary. Folder and notes may have texts at the first run.
        func mirror(_ scene: FileScene, _ options: String..., end: ChildProcess.End = .exited(0)) async throws -> String {
            let run = try await scene.daemon.notesctl(
                ["mirror", "--once", "--adopt"] + options + [scene.scratch.file("notes")],
                environment: ["XDG_STATE_HOME": scene.scratch.file("state")])
            #expect(run.end == end, "\(run.errors)")
            return run.lines.last ?? ""
        }

        @Test func bothSides_areInStepAfterOneRun() async throws {
            try await scene { scene in
                try await scene.make("work/plan", "one\n")
                _ = try scene.scratch.directory("notes/home")
                try scene.write("milk\n", to: "home/list.md")
                #expect(try await mirror(scene) == "in step, 2 notes; files to notes: 1 new; notes to files: 1 written")
                #expect(try await scene.text("home/list") == "milk\n")
                #expect(try scene.read("work/plan.md") == "one\n")

                // Both sides change one note, and one side each of two others.
                try scene.write("zero\none\n", to: "work/plan.md")
                try await scene.append("two", to: "work/plan")
                try await scene.append("bread", to: "home/list")
                try scene.write("third\n", to: "c.md")
                let summary = try await mirror(scene)
                #expect(summary == "in step, 3 notes; files to notes: 1 new, 1 merged; notes to files: 2 written")
                #expect(try scene.read("work/plan.md") == "zero\none\ntwo\n")
                #expect(try await scene.text("work/plan") == "zero\none\ntwo\n")
                #expect(try scene.read("home/list.md") == "milk\nbread\n")
                #expect(try await mirror(scene) == "in step, 3 notes", "a second run has nothing to do")
            }
        }

        /// An editor has loaded the file of a note, and another note has got the name. The editor has seen
        /// nothing of that one, also when it saves again.
        @Test func saveOverTheTextOfAnotherNote_removesNothing() async throws {
            try await scene { scene in
                try await scene.make("a", "the first note has this\nand this\n")
                _ = try await mirror(scene)
                _ = try await scene.daemon.notesctl("rm", "a")
                try await scene.make("a", "the second note has that\n")
                _ = try await mirror(scene)
                #expect(try scene.read("a.md") == "the second note has that\n")
                for typed in ["", "and typed this\n", "and typed this\nand typed that\n"] {
                    try scene.write("the first note has this\n" + typed, to: "a.md")
                    _ = try await mirror(scene)
                    let text = try await scene.text("a")
                    #expect(text.contains("the second note has that\n"), "\(typed): \(text)")
                    #expect(text.contains("the first note has this\n" + typed), "\(typed): \(text)")
                    #expect(try scene.read("a.md") == text)
                }
            }
        }

        /// A note whose name is too long for a file has one under an alias path, with and without a record.
        @Test func noteOfALongName_hasAFile() async throws {
            try await scene { scene in
                let name = "work/" + String(repeating: "n", count: 254)
                try await scene.make(name, "one\n")
                #expect(try await mirror(scene) == "in step, 1 note; notes to files: 1 written")
                let file = try #require(try scene.files().first)
                #expect(file.hasPrefix("work/nnn") && file.contains("~"))
                try scene.write("one\ntwo\n", to: file)
                #expect(try await mirror(scene) == "in step, 1 note; files to notes: 1 changed")
                #expect(try await scene.text(name) == "one\ntwo\n")
                try FileManager.default.removeItem(atPath: scene.scratch.file("state"))
                #expect(try await mirror(scene) == "in step, 1 note", "the file is that of the note")
                #expect(try await scene.names() == [name])
                try move(file, to: "short.md", scene)
                #expect(try await mirror(scene) == "in step, 1 note; files to notes: 1 renamed")
                #expect(try await scene.names() == ["short"])
                #expect(try scene.files() == ["short.md"])
            }
        }

        @Test func renames_goBothWays() async throws {
            try await scene { scene in
                for name in ["a", "b", "c", "d"] { try await scene.make(name, "text of \(name)\n") }
                _ = try await mirror(scene)
                let judge = try await scene.daemon.client("judge")
                let id = try await judge.note(.name("a")).head.id
                _ = try scene.scratch.directory("notes/old")
                try move("a.md", to: "old/a.md", scene)
                try await scene.notesctl("mv", "b", "new/b")
                // A note that others changed while its file was renamed.
                try move("c.md", to: "old/c.md", scene)
                try await scene.append("more", to: "c")
                let summary = try await mirror(scene)
                #expect(
                    summary == "in step, 4 notes; files to notes: 2 renamed; notes to files: 2 written, 1 removed", "\(summary)")
                #expect(try await judge.note(.name("old/a")).head.id == id, "the note keeps its history")
                #expect(try await scene.names() == ["d", "new/b", "old/a", "old/c"])
                #expect(try scene.files() == ["d.md", "new/b.md", "old/a.md", "old/c.md"])
                #expect(try scene.read("old/c.md") == "text of c\nmore\n")
                #expect(try await mirror(scene) == "in step, 4 notes")
                await judge.close()
            }
        }

        @Test func removals_goBothWays_unlessTheOtherSideChanged() async throws {
            try await scene { scene in
                for name in ["a", "b", "c", "d", "e"] { try await scene.make(name, "text of \(name)\n") }
                _ = try await mirror(scene)
                try remove("a.md", scene)
                try await scene.notesctl("rm", "b")
                try remove("c.md", scene)
                try await scene.append("more", to: "c")
                try await scene.notesctl("rm", "d")
                try scene.write("text of d\nmine\n", to: "d.md")
                let summary = try await mirror(scene, end: .exited(2))
                #expect(
                    summary.contains("1 deleted") && summary.contains("1 removed") && summary.contains("1 back"), "\(summary)")
                #expect(try await scene.names() == ["c", "d", "e"])
                #expect(try scene.files() == ["c.md", "d.md", "e.md"])
                #expect(try scene.read("c.md") == "text of c\nmore\n")
                #expect(try await scene.text("d") == "text of d\nmine\n")
                #expect(try await scene.notesctl("undo", "a").end == .exited(0))
                _ = try await mirror(scene, end: .exited(2))
                #expect(try scene.read("a.md") == "text of a\n")
            }
        }

        @Test func emptiedFolder_deletesNothing_untilApproved() async throws {
            try await scene { scene in
                for name in ["a", "b"] { try await scene.make(name, "text\n") }
                _ = try await mirror(scene)
                for name in ["a.md", "b.md"] { try remove(name, scene) }
                let held = try await mirror(scene, end: .exited(65))
                #expect(held == "not in step, 2 notes; waiting: 2 held")
                #expect(try await scene.names() == ["a", "b"])
                #expect(try scene.files() == [], "the files wait for the same person")
                let lasting = try await scene.run("mirror", "--yes")
                #expect(lasting.end == .exited(64) && lasting.errors.contains("--once"), "\(lasting.errors)")
                #expect(try await scene.names() == ["a", "b"])
                #expect(try await mirror(scene, "--yes") == "in step, 0 notes; files to notes: 2 deleted")
                #expect(try await scene.names() == [])
                #expect(try await scene.notesctl("op", "undo").end == .exited(0))
                #expect(try await mirror(scene) == "in step, 2 notes; notes to files: 2 written")
            }
        }

        @Test func fileThatIsBeingWritten_waits() async throws {
            try await scene { scene in
                try scene.write("half of", to: "a.md")
                let writer = try #require(FileHandle(forWritingAtPath: scene.path("a.md")))
                _ = try await mirror(scene, end: .exited(65))
                #expect(try await scene.names() == [])
                try writer.seekToEnd()
                try writer.write(contentsOf: Data(" a sentence\n".utf8))
                try writer.close()
                #expect(try await mirror(scene) == "in step, 1 note; files to notes: 1 new")
                #expect(try await scene.text("a") == "half of a sentence\n")
            }
        }

        /// A mirror was killed: its temporary files go, and a text that a program wrote gets a name.
        @Test func filesOfAKilledMirror_go_andTextsOfProgramsStay() async throws {
            try await scene { scene in
                // SHA-256 of `theirs` and an LF begins with these digits. No process has the number.
                let whole = ".notesctl-2147483647-3-ed9c86a61e05623a.tmp"
                try scene.write("half of a te", to: ".notesctl-2147483647-1.part")
                try scene.write("mine\n", to: ".notesctl-2147483647-2-ed9c86a61e05623a.tmp")
                try scene.write("theirs\n", to: whole)
                let other = ".notesctl-2147483647-4-nonsense"
                try scene.write("mine\n", to: other)
                #expect(try await mirror(scene) == "in step, 0 notes")
                #expect(try scene.files() == ["recovered-2147483647-2.md"])
                #expect(try FileManager.default.contentsOfDirectory(atPath: scene.scratch.file("notes")).count == 2)
                #expect(try scene.read(other) == "mine\n", "a file of somebody else stays")
                #expect(try await mirror(scene) == "in step, 1 note; files to notes: 1 new")
                #expect(try await scene.text("recovered-2147483647-2") == "mine\n")
            }
        }

        @Test func accessRights_stay() async throws {
            try await scene { scene in
                try scene.write("one\n", to: "a.md")
                #expect(chmod(scene.path("a.md"), 0o600) == 0)
                _ = try await mirror(scene)
                try await scene.append("two", to: "a")
                _ = try await mirror(scene)
                #expect(try scene.read("a.md") == "one\ntwo\n")
                var status = stat()
                #expect(stat(scene.path("a.md"), &status) == 0 && status.st_mode & 0o777 == 0o600)
            }
        }

        /// An editor that has shown a file since before a run saves its old text. What the run put into
        /// the file stays in the note.
        @Test(arguments: [["mirror", "--once"], ["import"]])
        func staleBuffer_doesNotTakeOutWhatCameMeanwhile(command: [String]) async throws {
            try await scene { scene in
                try await scene.make("a", "the first line\nthe last line\n")
                _ = try await mirror(scene)
                let buffer = try scene.read("a.md")
                try await scene.append("a line by others", to: "a")
                _ = try await mirror(scene)
                #expect(try scene.read("a.md") == "the first line\nthe last line\na line by others\n")
                try scene.write("typed in the editor\n" + buffer, to: "a.md")
                let run = try await scene.daemon.notesctl(
                    command + [scene.scratch.file("notes")], environment: ["XDG_STATE_HOME": scene.scratch.file("state")])
                #expect(run.end == .exited(0), "\(run.errors)")
                let both = "typed in the editor\nthe first line\nthe last line\na line by others\n"
                #expect(try await scene.text("a") == both)
                _ = try await mirror(scene)
                #expect(try scene.read("a.md") == both)
            }
        }

        /// A user deletes only the line that has just come. It is back once, because an editor that has not
        /// loaded it would save the same text; the second deletion counts.
        @Test func lineThatIsDeletedTwice_isGone() async throws {
            try await scene { scene in
                let base = "the first line\nthe last line\n"
                try await scene.make("a", base)
                _ = try await mirror(scene)
                try await scene.append("a line by others", to: "a")
                _ = try await mirror(scene)
                try scene.write(base, to: "a.md")
                _ = try await mirror(scene)
                #expect(try scene.read("a.md") == base + "a line by others\n")
                // The rule wants the answer to be in the file for two seconds.
                try await Task.sleep(for: .seconds(2.1))
                try scene.write(base, to: "a.md")
                _ = try await mirror(scene)
                #expect(try await scene.text("a") == base)
                #expect(try scene.read("a.md") == base)
                #expect(try await mirror(scene) == "in step, 1 note")
            }
        }

        @Test func fileAndNoteThatWereNeverInStep_areJoined() async throws {
            try await scene { scene in
                try await scene.make("a", "both\ntheirs\n")
                try await scene.make("same", "same\n")
                try await scene.make("older", "one\n")
                try await scene.append("two", to: "older")
                try await scene.make("empty", "not empty\n")
                try scene.write("both\nmine", to: "a.md")
                for (name, text) in ["same": "same\n", "older": "one\n", "empty": ""] { try scene.write(text, to: name + ".md") }
                let summary = try await mirror(scene)
                #expect(summary == "in step, 4 notes; files to notes: 2 merged; notes to files: 3 written", "\(summary)")
                for (name, text) in ["a": "both\ntheirs\nmine\n", "older": "one\ntwo\n", "empty": "not empty\n"] {
                    let note = try await scene.text(name)
                    #expect(note.trimmingCharacters(in: .newlines) == text.trimmingCharacters(in: .newlines))
                    #expect(try scene.read(name + ".md") == note)
                }
                #expect(try await mirror(scene) == "in step, 4 notes")
            }
        }

        /// Clients may make notes with hidden names. Their files are in step like any other; files that
        /// programs hide are no notes.
        @Test func notesWithHiddenNames_areInStep() async throws {
            try await scene { scene in
                for name in [".hidden", ".folder/a"] { try await scene.make(name, "one\n") }
                _ = try await mirror(scene)
                for name in [".hidden", ".folder/a"] { try scene.write("one\ntwo\n", to: name + ".md") }
                try scene.write("no note\n", to: ".folder/b.md")
                try remove(".hidden.md", scene)
                #expect(try await mirror(scene) == "in step, 1 note; files to notes: 1 changed, 1 deleted")
                #expect(try await scene.text(".folder/a") == "one\ntwo\n")
                try await scene.append("three", to: ".folder/a")
                #expect(try await mirror(scene) == "in step, 1 note; notes to files: 1 written")
                #expect(try scene.read(".folder/a.md") == "one\ntwo\nthree\n")
            }
        }

        /// A mirror in a mirrored folder ends, and the other one does not look at the inner folder.
        @Test func mirrorInAMirror_isRefused() async throws {
            try await scene { scene in
                let inner = scene.scratch.file("notes/inner")
                _ = try scene.scratch.directory("notes/inner")
                func lock(_ path: String) -> Int32 {
                    let folder = open(path, O_RDONLY | O_DIRECTORY)
                    #expect(flock(folder, LOCK_EX) == 0)
                    return folder
                }
                let outer = lock(scene.scratch.file("notes"))
                let run = try await scene.daemon.notesctl(["mirror", "--once", inner])
                #expect(run.end == .exited(75) && run.errors.contains("another mirror keeps in step"), "\(run.errors)")
                close(outer)
                let other = lock(inner)
                try scene.write("one\n", to: "inner/a.md")
                try scene.write("two\n", to: "b.md")
                #expect(try await mirror(scene) == "in step, 1 note; files to notes: 1 new")
                close(other)
            }
        }

        /// Random changes on both sides. After each run the folder has the texts of the notes, and every
        /// line that was ever written is in some revision.
        @Test(arguments: seeds(3))
        func randomChanges_leaveBothInStep_andLoseNothing(seed: UInt64) async throws {
            try await scene { scene in
                var random = SeededGenerator(seed: seed)
                let judge = try await scene.daemon.client("judge")
                var lines: [String] = []
                // Lines of removed files, which no run may have seen.
                var forgotten: Set<String> = []
                func line() -> String {
                    lines.append("line \(lines.count) of \(seed)")
                    return lines[lines.count - 1] + "\n"
                }
                for round in 0..<5 {
                    for _ in 0..<(3 + random.below(8)) {
                        let (files, names) = (try scene.files(), try await scene.names())
                        let name = "n\(random.below(9))"
                        switch random.below(7) {
                        case 0 where !files.contains(name + ".md"): try scene.write(line(), to: name + ".md")
                        case 1 where !names.contains(name): try await scene.make(name, line())
                        case 2 where !files.isEmpty:
                            let file = random.pick(files)
                            try scene.write(line() + (try scene.read(file)), to: file)
                        case 3 where !names.isEmpty:
                            try await scene.append(String(line().dropLast()), to: random.pick(names))
                        case 4 where files.count > 3:
                            let file = random.pick(files)
                            forgotten.formUnion(try scene.read(file).split(separator: "\n").map(String.init))
                            try remove(file, scene)
                        case 5 where files.count > 3 && !files.contains(name + ".md"):
                            try move(random.pick(files), to: name + ".md", scene)
                        case 6 where names.count > 3:
                            if random.chance(0.5), !names.contains(name) {
                                _ = try await scene.notesctl("mv", random.pick(names), name)
                            } else {
                                _ = try await scene.notesctl("rm", random.pick(names))
                            }
                        default: break
                        }
                    }
                    let run = try await scene.daemon.notesctl(
                        ["mirror", "--once", "--yes", "--adopt", scene.scratch.file("notes")],
                        environment: ["XDG_STATE_HOME": scene.scratch.file("state")])
                    let place = "seed \(seed), round \(round): \(run.text)\(run.errors)"
                    // A path that both sides took for different texts is skipped, and reported.
                    #expect([.exited(0), .exited(2), .exited(65)].contains(run.end), "\(place)")
                    guard run.end != .exited(65) else { continue }
                    var notes: [String: String] = [:]
                    for note in try await judge.listAll() {
                        notes[String(decoding: NoteName.path(of: note.head), as: UTF8.self)] = try await judge.note(
                            .id(note.head.id)
                        )
                        .text.map { String(decoding: $0, as: UTF8.self) }
                    }
                    var files: [String: String] = [:]
                    for file in try scene.files() { files[file] = try scene.read(file) }
                    #expect(files == notes, "\(place)")
                }
                var all: Set<String> = []
                for note in try await judge.listAll() + judge.listAll(Filter(deleted: true)) {
                    for revision in try await judge.history(ReadHistory(id: note.head.id, limit: 1_000)).revisions {
                        let text = try await judge.note(.id(note.head.id), at: Version(revision.dot)).text ?? []
                        all.formUnion(String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init))
                    }
                }
                for file in try scene.files() { all.formUnion(try scene.read(file).split(separator: "\n").map(String.init)) }
                let removed = Set(lines).subtracting(all).subtracting(forgotten)
                #expect(removed.isEmpty, "seed \(seed): \(removed)")
                await judge.close()
            }
        }
    }
}

extension NoteName {
    /// The path of a note's file: as `notesctl` maps them, for the names of these tests.
    fileprivate static func path(of head: Head) -> [UInt8] {
        Array("\(head.name?.description ?? head.id.description).md".utf8)
    }
}
