import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Imports and exports with a record of what each file showed: neither replaces a text that
    /// somebody else wrote meanwhile.
    @Suite struct FileRecordTests {
        /// Runs a body with a daemon and a directory of files.
        private func scene(_ files: [String: String], _ body: (FileScene) async throws -> Void) async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                _ = try daemon.scratch.directory("notes")
                for (name, text) in files { try scene.write(text, to: name) }
                try await body(scene)
            }
        }

        // MARK: Import

        @Test func changedFile_isMergedWithWhatOthersWroteSinceExport() async throws {
            try await scene([:]) { scene in
                try await scene.make("tar", "one\n")
                #expect(try await scene.run("export").lines == ["1 note written"])
                try await scene.append("daemon edit", to: "tar")
                // An untouched file does not take the line back.
                #expect(try await scene.run("import").lines == ["1 file: 0 new, 0 changed, 1 unchanged"])
                #expect(try await scene.text("tar") == "one\ndaemon edit\n")

                try scene.write("zero\none\n", to: "tar.md")
                let imported = try await scene.run("import")
                #expect(imported.lines == ["1 file: 0 new, 0 changed, 0 unchanged, 1 merged with changes by others"])
                #expect(try await scene.text("tar") == "zero\none\ndaemon edit\n")
                #expect(try await scene.run("import").lines == ["1 file: 0 new, 0 changed, 1 unchanged"])
                #expect(try await scene.run("export").lines == ["1 note written"])
                #expect(try scene.read("tar.md") == "zero\none\ndaemon edit\n")
            }
        }

        @Test func fileOfOtherText_neverReplacesNote_withoutReplace() async throws {
            try await scene(["README.md": "mine\n", "same.md": "same\n", "b.md": "b\n"]) { scene in
                try await scene.make("README", "theirs\n")
                try await scene.make("same", "same\n")
                let dry = try await scene.run("import", "--dry-run")
                #expect(dry.end == .exited(65))
                #expect(dry.lines.count == 3 && dry.lines[0].hasPrefix("skipped  README.md: "), "\(dry.text)")
                #expect(
                    dry.lines[1...] == [
                        "new      b.md", "dry run, nothing is written: 3 files: 1 new, 0 changed, 1 unchanged, 1 skipped",
                    ])
                #expect(try await scene.names() == ["README", "same"])

                let imported = try await scene.run("import")
                #expect(imported.end == .exited(65))
                #expect(imported.lines == ["3 files: 1 new, 0 changed, 1 unchanged, 1 skipped"])
                #expect(imported.errors.contains("README.md") && imported.errors.contains("--replace"), "\(imported.errors)")
                #expect(try await scene.text("README") == "theirs\n")

                // Below a prefix it is another note, and the notes of the other names stay.
                #expect(try await scene.run("import", "--into", "help").lines == ["3 files: 3 new, 0 changed, 0 unchanged"])
                #expect(try await scene.names() == ["README", "b", "help/README", "help/b", "help/same", "same"])
                #expect(try await scene.run("import", "--into", "help/").lines == ["3 files: 0 new, 0 changed, 3 unchanged"])

                #expect(try await scene.run("import", "--replace").lines == ["3 files: 0 new, 1 changed, 2 unchanged"])
                #expect(try await scene.text("README") == "mine\n")
                #expect(try await scene.run("import", "--into", "a//b").end == .exited(64))
            }
        }

        @Test func renamedNote_isTheNoteOfItsFile() async throws {
            try await scene(["a.md": "one\n"]) { scene in
                try await scene.run("import")
                try await scene.notesctl("mv", "a", "b")
                #expect(try await scene.run("import").lines == ["1 file: 0 new, 0 changed, 1 unchanged"])
                try scene.write("two\n", to: "a.md")
                #expect(try await scene.run("import").lines == ["1 file: 0 new, 1 changed, 0 unchanged"])
                #expect(try await scene.names() == ["b"])
                #expect(try await scene.text("b") == "two\n")
            }
        }

        @Test func deletedNote_staysDeleted_unlessItsFileChanged() async throws {
            try await scene(["a.md": "a\n", "b.md": "b\n", "c.md": "c\n"]) { scene in
                try await scene.run("import")
                try await scene.notesctl("rm", "a", "b")
                let imported = try await scene.run("import")
                #expect(imported.end == .exited(0))
                #expect(imported.lines == ["3 files: 0 new, 0 changed, 1 unchanged, 2 deleted notes left"])
                #expect(try await scene.names() == ["c"])

                try scene.write("b\nmore\n", to: "b.md")
                try await scene.run("import")
                #expect(try await scene.names() == ["b", "c"])
                #expect(try await scene.text("b").contains("more\n"))
            }
        }

        /// The base is unknown in a store that was restored from an older copy.
        @Test func fileWithUnknownBase_isSkipped() async throws {
            try await scene(["a.md": "one\n"]) { scene in
                try await scene.run("import")
                try await scene.notesctl("backup", scene.daemon.scratch.file("copy.db"))
                try scene.write("two\n", to: "a.md")
                try await scene.run("import")
                let data = scene.daemon.scratch.file("restored")
                let restored = try await BackupSupport.notesd("restore", scene.daemon.scratch.file("copy.db"), "--data", data)
                #expect(restored.end == .exited(0), "\(restored.errors)")
                try scene.write("three\n", to: "a.md")
                try await DaemonProcess.run(data: data) { daemon in
                    let copied = FileScene(daemon: daemon, others: scene.daemon.scratch)
                    let imported = try await copied.run("import")
                    #expect(imported.end == .exited(65), "\(imported.text)\(imported.errors)")
                    #expect(imported.errors.contains("no longer has the version"), "\(imported.errors)")
                    #expect(try await copied.text("a") == "one\n")
                    #expect(try await copied.run("import", "--replace").lines == ["1 file: 0 new, 1 changed, 0 unchanged"])
                    #expect(try await copied.text("a") == "three\n")
                }
            }
        }

        @Test func otherFiles_areCountedByKind() async throws {
            let files = [
                "a.md": "a", "UP.MD": "up", "x.markdown": "x", "y.TXT": "y", "..md": "dots", "1.png": "", "2.PNG": "",
                "3.gif": "",
                ".hidden.md": "", ".obsidian/plugin/README.md": "", "node_modules/x/README.md": "", "drafts/d.md": "",
                "deep/e.tmp.md": "",
            ]
            try await scene(files) { scene in
                symlink("a.md", scene.path("link.md"))
                let imported = try await scene.run("import", "--files", "none", "--exclude", "drafts", "--exclude", "*.tmp.md")
                #expect(
                    imported.lines == [
                        "5 files: 5 new, 0 changed, 0 unchanged",
                        "not notes: 2 .png, 1 .gif, 1 symbolic link; hidden: 3; excluded: 2",
                    ], "\(imported.errors)")
                #expect(try await scene.names() == ["..md", "UP.MD", "a", "x.markdown", "y.TXT"])
                try await scene.run("export", to: "out")
                let out = try FileManager.default.contentsOfDirectory(atPath: scene.daemon.scratch.file("out")).sorted()
                #expect(out == ["..md", "UP.MD", "a.md", "x.markdown", "y.TXT"])
                let hidden = try await scene.run("import", "--hidden", "--dry-run")
                #expect(hidden.lines.contains { $0 == "new      .obsidian/plugin/README.md" }, "\(hidden.text)")
            }
        }

        // MARK: Export

        @Test func equalFile_isNotWrittenAgain() async throws {
            try await scene([:]) { scene in
                try await scene.make("a", "one\n")
                try await scene.run("export")
                let past = Date(timeIntervalSince1970: 1_000_000_000)
                try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: scene.path("a.md"))
                #expect(try await scene.run("export").lines == ["0 notes written, 1 unchanged"])
                // Nor is it without the record.
                #expect(try await scene.run("export", state: "other").lines == ["0 notes written, 1 unchanged"])
                let date = try FileManager.default.attributesOfItem(atPath: scene.path("a.md"))[.modificationDate] as? Date
                #expect(date == past)
            }
        }

        @Test func changedFile_isNotOverwritten_withoutForce() async throws {
            try await scene(["b.md": "of somebody\n"]) { scene in
                try await scene.make("a", "one\n")
                try await scene.make("b", "note\n")
                let first = try await scene.run("export")
                #expect(first.end == .exited(65))
                #expect(first.errors.contains("b.md: has another text"), "\(first.errors)")
                try scene.write("edited\n", to: "a.md")
                try await scene.append("two", to: "a")
                let second = try await scene.run("export")
                #expect(second.end == .exited(65))
                #expect(second.errors.contains("a.md: has changes that no import has taken"), "\(second.errors)")
                #expect(try scene.read("a.md") == "edited\n" && scene.read("b.md") == "of somebody\n")
                #expect(try await scene.run("export", "--force").lines == ["2 notes written"])
                #expect(try scene.read("a.md") == "one\ntwo\n" && scene.read("b.md") == "note\n")
            }
        }

        @Test func delete_removesUnchangedFilesOfDeletedAndRenamedNotes() async throws {
            try await scene(["mine.md": "never imported\n"]) { scene in
                for name in ["a", "b", "c", "d"] { try await scene.make(name, "\(name)\n") }
                try await scene.run("export")
                try await scene.notesctl("rm", "a", "b")
                try await scene.notesctl("mv", "c", "c2")
                try scene.write("edited\n", to: "b.md")
                #expect(try await scene.run("export").lines == ["1 note written, 1 unchanged"])
                #expect(try scene.files() == ["a.md", "b.md", "c.md", "c2.md", "d.md", "mine.md"])
                let deleting = try await scene.run("export", "--delete")
                #expect(deleting.lines == ["0 notes written, 2 unchanged, 2 removed, 1 skipped"], "\(deleting.errors)")
                #expect(deleting.end == .exited(65))
                #expect(try scene.files() == ["b.md", "c2.md", "d.md", "mine.md"])
            }
        }

        @Test func exportAndImport_reviveNoRenamedOrDeletedNote() async throws {
            try await scene([:]) { scene in
                for name in ["README", "readme"] { try await scene.make(name, "\(name)\n") }
                try await scene.run("export")
                try await scene.notesctl("mv", "README", "README2")
                try await scene.notesctl("rm", "readme")
                #expect(try await scene.run("export").lines == ["1 note written"])
                let imported = try await scene.run("import")
                #expect(imported.lines == ["3 files: 0 new, 0 changed, 2 unchanged, 1 deleted note left"])
                #expect(try await scene.names() == ["README2"])
            }
        }

        /// With a prefix, the files of other notes stay.
        @Test func delete_leavesFilesOfLivingNotes() async throws {
            try await scene([:]) { scene in
                for name in ["work/a", "b"] { try await scene.make(name, "x\n") }
                try await scene.run("export")
                #expect(try await scene.run("export", "--delete", "--prefix", "work/").lines == ["0 notes written, 1 unchanged"])
                #expect(try scene.files() == ["b.md", "work/a.md"])
            }
        }

        /// A note keeps its old file as long as its new one cannot be written.
        @Test func delete_leavesOldFile_ifTheNewOneIsSkipped() async throws {
            try await scene(["taken.md": "mine\n"]) { scene in
                for name in ["a", "b", "c"] { try await scene.make(name, "\(name)\n") }
                try await scene.run("export")
                try await scene.notesctl("mv", "a", "taken")
                try await scene.notesctl("mv", "b", String(repeating: "n", count: 255))
                try await scene.notesctl("mv", "c", "d")
                let blocked = try await scene.run("export", "--delete")
                #expect(blocked.lines == ["1 note written, 1 removed, 2 skipped"], "\(blocked.errors)")
                #expect(try scene.files() == ["a.md", "b.md", "d.md", "taken.md"])

                try await scene.notesctl("mv", "taken", "free")
                #expect(try await scene.run("export", "--delete").lines == ["1 note written, 1 unchanged, 1 removed, 1 skipped"])
                #expect(try scene.files() == ["b.md", "d.md", "free.md", "taken.md"])
                #expect(try scene.read("taken.md") == "mine\n" && scene.read("b.md") == "b\n")
            }
        }

        @Test func noteWithoutName_returnsToItself() async throws {
            try await scene([:]) { scene in
                let judge = try await scene.daemon.client("judge")
                let id = try await judge.create(text: bytes("one\n")).note.head.id
                try await scene.run("export")
                #expect(try await scene.run("import").lines == ["1 file: 0 new, 0 changed, 1 unchanged"])
                #expect(try await scene.run("import", state: "other").lines == ["1 file: 0 new, 0 changed, 1 unchanged"])
                try scene.write("two\n", to: "\(id).md")
                #expect(try await scene.run("import").lines == ["1 file: 0 new, 1 changed, 0 unchanged"])
                let note = try await judge.note(.id(id))
                #expect(note.text == bytes("two\n") && note.head.name == nil)
                #expect(try await judge.status().store.notes == 1)
                // The export that follows writes to the same file.
                #expect(try await scene.run("export").lines == ["0 notes written, 1 unchanged"])
                #expect(try scene.files() == ["\(id).md"])
                await judge.close()
            }
        }
    }
}
