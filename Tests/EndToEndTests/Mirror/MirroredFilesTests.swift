import Console
import Foundation
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import FolderSync

/// Pictures and other files in mirrored folders.
extension EndToEnd.MirrorTests {
    /// Two folders of one daemon, which are brought in step one after the other.
    private struct TwoFolders {
        let scene: FileScene

        func path(_ folder: String, _ name: String) -> String { scene.scratch.file("\(folder)/\(name)") }

        func write(_ content: String, _ folder: String, _ name: String) throws {
            let path = path(folder, name)
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try Files.write(bytes(content), to: path)
        }

        /// The files of a folder with their bytes.
        func files(_ folder: String) throws -> [String: String] {
            var files: [String: String] = [:]
            for name in try FileManager.default.subpathsOfDirectory(atPath: scene.scratch.file(folder)) {
                guard let content = try? Files.read(path(folder, name)) else { continue }
                files[name] = String(decoding: content, as: UTF8.self)
            }
            return files
        }

        @discardableResult
        func mirror(_ folder: String, _ options: String..., status: Int32 = 0) async throws -> Command {
            let run = try await scene.daemon.notesctl(
                ["mirror", "--once"] + options + [scene.scratch.file(folder)],
                environment: ["XDG_STATE_HOME": scene.scratch.file("state")])
            #expect(run.end == .exited(status), "\(folder): \(run.text)\(run.errors)")
            return run
        }
    }

    private func folders(_ body: (TwoFolders) async throws -> Void) async throws {
        try await DaemonProcess.run(config: "[files]\nfree_bytes_min = 1000000\n") { daemon in
            try await body(TwoFolders(scene: FileScene(daemon: daemon)))
        }
    }

    @Test func files_travel_areRenamed_changed_andRemoved() async throws {
        try await folders { folders in
            try folders.write("text\n", "a", "n.md")
            try folders.write("picture", "a", "pics/p.png")
            try folders.write("code", "a", "main.py")
            try folders.write("half", "a", "film.mp4.part")
            try await folders.mirror("a")
            try await folders.mirror("b")
            #expect(try folders.files("b") == ["n.md": "text\n", "pics/p.png": "picture"])
            try FileManager.default.moveItem(atPath: folders.path("b", "pics/p.png"), toPath: folders.path("b", "q.png"))
            let renamed = try await folders.mirror("b")
            #expect(renamed.text.contains("1 renamed"), "\(renamed.text)")
            try await folders.mirror("a")
            #expect(try folders.files("a")["q.png"] == "picture" && folders.files("a")["pics/p.png"] == nil)
            try folders.write("picture 2", "a", "q.png")
            try await folders.mirror("a")
            try await folders.mirror("b")
            #expect(try folders.files("b") == ["n.md": "text\n", "q.png": "picture 2"])
            let history = try await folders.scene.notesctl("history", "q.png")
            #expect(history.lines.count == 3, "\(history.text)")

            try FileManager.default.removeItem(atPath: folders.path("b", "q.png"))
            try await folders.mirror("b")
            try await folders.mirror("a")
            #expect(try Set(folders.files("a").keys) == ["n.md", "main.py", "film.mp4.part"])
            // The file comes back with bytes that its note had.
            try folders.write("picture 2", "b", "q.png")
            try await folders.mirror("b")
            #expect(try await folders.scene.notesctl("history", "q.png").lines.count == 5)
            try folders.write("# no code\n*.py\n\nprivate\r\nfilm*\n", "a", ".notesdignore")
            try folders.write("secret\n", "a", "private/p.md")
            #expect(try await folders.mirror("a", "--files", "all").text.contains("notes to files: 1 written"))
            #expect(try await folders.scene.names() == ["n"])
            // A note that others begin at such a path gets no file.
            try await folders.scene.make("private/q", "open\n")
            try await folders.mirror("a")
            #expect(try folders.files("a")["private/q.md"] == nil)
            try await folders.scene.notesctl("rm", "private/q")
            unlink(folders.path("a", ".notesdignore"))
            unlink(folders.path("a", "private/p.md"))
            let all = try await folders.mirror("a")
            #expect(all.text.contains("1 new"), "\(all.text)")
            let status = try await folders.scene.notesctl("mirror", "status", "--json")
            #expect(status.text.contains(#""kinds":"all""#) && status.text.contains(#""kinds":"known""#), "\(status.text)")
            try await folders.mirror("b", "--files", "none")
            #expect(try folders.files("b") == ["n.md": "text\n", "q.png": "picture 2"])
        }
    }

    @Test func bothSidesChanged_showsBoth_untilOneIsChosen() async throws {
        try await folders { folders in
            try folders.write("picture", "a", "p.png")
            try await folders.mirror("a")
            try await folders.mirror("b")
            // The copy is removed: the path keeps what it has.
            try folders.write("mine", "a", "p.png")
            try folders.write("yours", "b", "p.png")
            try await folders.mirror("a")
            try await folders.mirror("b", status: 2)
            try await folders.mirror("a", status: 2)
            let copy = try #require(try folders.files("a").keys.first { $0 != "p.png" })
            #expect(copy.hasPrefix("p~") && copy.hasSuffix(".png"))
            #expect(try folders.files("a") == ["p.png": "mine", copy: "yours"])
            #expect(try Set(folders.files("b").values) == ["mine", "yours"] && folders.files("b")["p.png"] == "yours")
            try FileManager.default.removeItem(atPath: folders.path("a", copy))
            try await folders.mirror("a")
            try await folders.mirror("b")
            #expect(try folders.files("a") == ["p.png": "mine"] && folders.files("b") == ["p.png": "mine"])

            // The path is saved: that settles it, too.
            try folders.write("third", "a", "p.png")
            try folders.write("fourth", "b", "p.png")
            try await folders.mirror("a")
            try await folders.mirror("b", status: 2)
            try folders.write("both", "b", "p.png")
            try await folders.mirror("b")
            try await folders.mirror("a")
            #expect(try folders.files("a") == ["p.png": "both"] && folders.files("b") == ["p.png": "both"])

            // The copy gets another name: it is a note of its own.
            try folders.write("fifth", "a", "p.png")
            try folders.write("sixth", "b", "p.png")
            try await folders.mirror("a")
            try await folders.mirror("b", status: 2)
            let other = try #require(try folders.files("b").keys.first { $0 != "p.png" })
            try FileManager.default.moveItem(atPath: folders.path("b", other), toPath: folders.path("b", "own.png"))
            try await folders.mirror("b")
            try await folders.mirror("a")
            #expect(try folders.files("a") == ["p.png": "sixth", "own.png": "fifth"])
            #expect(try folders.files("b") == folders.files("a"))
        }
    }

    /// A further content that cannot be written follows later, also if the file itself was there first.
    @Test func furtherContent_isWritten_onceItCan() async throws {
        try await folders { folders in
            try folders.write("picture", "a", "p.png")
            try await folders.mirror("a")
            try await folders.mirror("b")
            try folders.write("mine", "a", "p.png")
            try folders.write("yours", "b", "p.png")
            try await folders.mirror("a")
            try await folders.mirror("b", status: 2)
            let other = "p~\(FileContent(of: bytes("yours")).hash.description.prefix(8)).png"
            try folders.write("", "a", "\(other)/in the way.md")
            try await folders.mirror("a", status: 65)
            #expect(try folders.files("a")["p.png"] == "mine")
            try FileManager.default.removeItem(atPath: folders.path("a", other))
            try await folders.mirror("a", "--yes", status: 2)
            #expect(try folders.files("a") == ["p.png": "mine", other: "yours"])
            // A folder that has one of the contents gets the other.
            try folders.write("mine", "c", "p.png")
            try await folders.mirror("c", status: 2)
            #expect(try folders.files("c") == ["p.png": "mine", other: "yours"])
        }
    }

    @Test func folderInThePlaceOfAFile_removesTheFile() async throws {
        try await folders { folders in
            for name in ["one.md", "n.md", "p.png"] { try folders.write("the text of \(name)\n", "a", name) }
            try await folders.mirror("a")
            try await folders.mirror("b")
            for name in ["n.md", "p.png"] {
                try FileManager.default.removeItem(atPath: folders.path("a", name))
                try folders.write("in \(name)\n", "a", "\(name)/m.md")
            }
            try await folders.mirror("a")
            // The removed files are in the way of the new ones until the end of a run.
            try await folders.mirror("b", status: 65)
            try await folders.mirror("b")
            let expected = ["one.md": "the text of one.md\n", "n.md/m.md": "in n.md\n", "p.png/m.md": "in p.png\n"]
            #expect(try folders.files("a") == expected && folders.files("b") == expected)
        }
    }

    /// Bytes that were never in step with the note of their name become a note beside it, which can be renamed like any other.
    @Test func otherBytes_becomeANoteBeside() async throws {
        try await folders { folders in
            try folders.write("one", "a", "p.png")
            try folders.write("ignored\n", "b", "drafts/d.md")
            try folders.write("drafts\n", "b", ".notesdignore")
            try await folders.mirror("a")
            // The ignored text is nothing that the notes lack.
            try await folders.mirror("b")
            try folders.write("two", "c", "p.png")
            let refused = try await folders.mirror("c", status: 64)
            #expect(refused.errors.contains("--adopt"), "\(refused.errors)")
            try await folders.mirror("c", "--adopt")
            try await folders.mirror("c")
            let files = try folders.files("c")
            #expect(files["p.png"] == "one" && files.count == 2)
            let beside = try #require(files.first { $0.value == "two" }?.key)
            try FileManager.default.moveItem(atPath: folders.path("c", beside), toPath: folders.path("c", "own.png"))
            #expect(try await folders.mirror("c").text.contains("1 renamed"))
            #expect(try await folders.scene.notesctl("history", "own.png").lines.count == 2)
        }
    }

    /// Very many bytes besides the texts need a choice.
    @Test func manyBytes_needAChoice() async throws {
        try await folders { folders in
            for number in 0..<21 {
                try folders.write("", "a", "\(number).mp4")
                #expect(truncate(folders.path("a", "\(number).mp4"), 49_000_000) == 0)
            }
            let refused = try await folders.mirror("a", status: 64)
            #expect(refused.errors.contains("21 files with 1.0 GB besides the texts"), "\(refused.errors)")
            try await folders.mirror("a", "--files", "none")
            #expect(try await folders.scene.notesctl("file", "list").text.isEmpty)
        }
    }

    @Test func import_andExport_carryFiles() async throws {
        try await folders { folders in
            try folders.write("text\n", "a", "n.md")
            try folders.write("picture", "a", "pics/p.png")
            let state = ["XDG_STATE_HOME": folders.scene.scratch.file("state")]
            func run(_ arguments: String..., status: Int32 = 0) async throws -> Command {
                let run = try await folders.scene.daemon.notesctl(arguments, environment: state)
                #expect(run.end == .exited(status), "\(arguments): \(run.text)\(run.errors)")
                return run
            }
            let folder = folders.scene.scratch.file("a")
            #expect(try await run("import", "--dry-run", folder).text.contains("2 new"))
            #expect(try await run("import", folder).text.contains("2 new"))
            #expect(try await run("import", folder).text.contains("2 unchanged"))
            try folders.write("picture 2", "a", "pics/p.png")
            #expect(try await run("import", folder).text.contains("1 changed"))
            _ = try await run("export", folders.scene.scratch.file("out"))
            #expect(try folders.files("out") == ["n.md": "text\n", "pics/p.png": "picture 2"])
            _ = try await run("export", "--files", "none", folders.scene.scratch.file("texts"))
            #expect(try folders.files("texts") == ["n.md": "text\n"])
            // More files than the daemon has uploads at once.
            for number in 0..<100 { try folders.write("\(number)", "many", "\(number).png") }
            #expect(try await run("import", folders.scene.scratch.file("many")).text.contains("100 new"))
            // A file with the name of a text has no path of its own, and the export names it.
            try folders.write("bytes", "d", "t.bin")
            _ = try await run("file", "add", "--name", "t.md", folders.path("d", "t.bin"))
            let named = try await run("export", folders.scene.scratch.file("out"), status: 65)
            #expect(named.errors.contains("t.md") && named.errors.contains("name is that of a text"), "\(named.errors)")
            _ = try await run("rm", "t.md")
            // A file without a record replaces no other bytes.
            try folders.write("other", "c", "pics/p.png")
            let other = try await run("import", folders.scene.scratch.file("c"), status: 65)
            #expect(other.errors.contains("other bytes"), "\(other.errors)")
            _ = try await run("import", "--replace", folders.scene.scratch.file("c"))
            _ = try await run("export", folders.scene.scratch.file("out"))
            #expect(try folders.files("out")["pics/p.png"] == "other")
        }
    }
}
