import Foundation
import NoteText
import TestKit
import Testing

@testable import FolderSync

/// Links to the notes of files that are renamed in a mirrored folder.
extension EndToEnd.MirrorTests {
    private func undo(_ scene: FileScene) async throws {
        let undo = try await scene.notesctl("op", "undo")
        #expect(undo.end == .exited(0), "\(undo.errors)")
    }

    private func make(_ files: [String: String], _ scene: FileScene) async throws {
        for (name, text) in files {
            let folder = LinkPath.folder(of: ByteString(name)).description
            try FileManager.default.createDirectory(atPath: scene.path(folder), withIntermediateDirectories: true)
            try scene.write(text, to: name)
        }
        _ = try await mirror(scene)
    }

    private func expect(_ files: [String: String], _ scene: FileScene) async throws {
        #expect(try scene.files() == files.keys.filter { $0.hasSuffix(".md") }.sorted())
        for (name, text) in files {
            #expect(try scene.read(name) == text, "\(name)")
            guard name.hasSuffix(".md") else { continue }
            #expect(try await scene.text(String(name.dropLast(3))) == text, "\(name)")
        }
    }

    @Test func renamedFile_keepsTheLinksToIt() async throws {
        try await scene { scene in
            let files = ["plan.md": "# P\n", "a.md": "see [[plan]] and [p](plan.md)\n", "dir/b.md": "[[plan]] [q](../plan.md)\n"]
            try await make(files, scene)
            try move("plan.md", to: "project plan.md", scene)
            #expect(
                try await mirror(scene) == "in step, 3 notes; files to notes: 1 renamed; notes to files: 2 written")
            try await expect(
                [
                    "project plan.md": "# P\n", "a.md": "see [[project plan]] and [p](project%20plan.md)\n",
                    "dir/b.md": "[[project plan]] [q](../project%20plan.md)\n",
                ], scene)
            try await undo(scene)
            _ = try await mirror(scene)
            try await expect(files, scene)
        }
    }

    /// The links in a file that moves alone follow it; those to files that move along stay.
    @Test func renamedFolder_keepsItsLinks() async throws {
        try await scene { scene in
            let files = [
                "in/n.md": "![p](p.png) ![q](../Files/q.png) [b](b.md)\n", "in/b.md": "[[in/n]]\n", "in/p.png": "p",
                "Files/q.png": "q", "deep/er/x.md": "x\n",
            ]
            try await make(files, scene)
            try move("in/n.md", to: "deep/n.md", scene)
            _ = try await mirror(scene)
            #expect(try scene.read("deep/n.md") == "![p](../in/p.png) ![q](../Files/q.png) [b](../in/b.md)\n")
            #expect(try scene.read("in/b.md") == "[[deep/n]]\n")
            try move("deep/n.md", to: "in/n.md", scene)
            _ = try await mirror(scene)
            #expect(
                try scene.read("in/n.md") == "![p](../in/p.png) ![q](../Files/q.png) [b](../in/b.md)\n", "these still lead there")
            try move("in", to: "deep/in", scene)
            _ = try await mirror(scene)
            #expect(try scene.read("deep/in/n.md") == "![p](../in/p.png) ![q](../../Files/q.png) [b](../in/b.md)\n")
            #expect(try scene.read("deep/in/b.md") == "[[in/n]]\n", "it still means the note")
        }
    }

    /// A program that makes a file anew under another name brings the texts along that it wants.
    @Test func fileMadeAnew_changesNoLinks() async throws {
        try await scene { scene in
            try await make(["plan.md": "# P\n", "a.md": "[[plan]] [p](plan.md)\n", "b.md": "[[plan]]\n"], scene)
            try remove("plan.md", scene)
            try scene.write("# P\n", to: "goal.md")
            try scene.write("[[goal]] [p](plan.md)\n", to: "a.md")
            let run = try await scene.run("mirror", "--once")
            #expect(run.lines.last == "in step, 3 notes; files to notes: 1 changed, 1 renamed")
            #expect(run.errors.contains("2 links to renamed notes stay as they are"), "\(run.errors)")
            try await expect(["goal.md": "# P\n", "a.md": "[[goal]] [p](plan.md)\n", "b.md": "[[plan]]\n"], scene)
        }
    }

    /// A program removes the last file of a folder, or moves it away. Its folder is its own affair.
    @Test func folderThatAProgramEmptied_stays() async throws {
        try await scene { scene in
            try await make(["x.md": "x\n", "y.md": "y\n", "gone/a.md": "a\n", "moved/b.md": "b\n"], scene)
            try remove("gone/a.md", scene)
            try move("moved/b.md", to: "b.md", scene)
            #expect(try await mirror(scene) == "in step, 3 notes; files to notes: 1 renamed, 1 deleted")
            for folder in ["gone", "moved"] { #expect(FileManager.default.fileExists(atPath: scene.path(folder))) }
        }
    }
}

extension EndToEnd.LiveMirrorTests {
    /// The program that renames a file also changes the link in one of the files, in its own spelling. Only the
    /// link that it left is repaired, and `op undo` takes the rename and the repair back.
    @Test func linkThatAnotherProgramChanged_isNotChangedTwice() async throws {
        let files = ["plan.md": "# P\n", "a.md": "[p](plan.md)\n", "c.md": "[[plan]]\n"]
        try await scene(files) { scene in
            for (name, text) in files { try await untilNote(String(name.dropLast(3)), has: text, scene) }
            try await shell("mv plan.md 'the goal.md'; printf '[p](<the goal.md>)\\n' > a.md", scene)
            try await untilFile("c.md", has: "[[the goal]]\n", scene)
            try await untilNote("a", has: "[p](<the goal.md>)\n", scene)
            let undo = try await scene.notesctl("op", "undo")
            #expect(undo.end == .exited(0), "\(undo.errors)")
            try await untilFile("c.md", has: "[[plan]]\n", scene)
            try await until("the file is back", scene) { try scene.files() == ["a.md", "c.md", "plan.md"] }
            #expect(try scene.read("a.md") == "[p](<the goal.md>)\n")
        }
    }

    /// Two renames follow each other before the links are repaired.
    @Test func fileRenamedTwice_keepsTheLinksToIt() async throws {
        try await scene(["plan.md": "# P\n", "a.md": "[[plan]]\n"]) { scene in
            try await untilNote("a", has: "[[plan]]\n", scene)
            try await untilNote("plan", has: "# P\n", scene)
            try await shell("mv plan.md goal.md", scene)
            try await until("the note is renamed", scene) { try await scene.names() == ["a", "goal"] }
            try await shell("mv goal.md aim.md", scene)
            try await untilFile("a.md", has: "[[aim]]\n", scene)
        }
    }

    /// Folders go whose last files the mirror removes, with the folders above that have become empty; others
    /// stay.
    @Test func folderThatTheMirrorEmptied_goes() async throws {
        try await scene(["x.md": "x\n"]) { scene in
            try await untilNote("x", has: "x\n", scene)
            for number in 0..<3 { try await scene.make("old/sub/n\(number)", "\(number)\n") }
            try await scene.make("kept/n", "n\n")
            try await untilFile("old/sub/n2.md", has: "2\n", scene)
            try await untilFile("kept/n.md", has: "n\n", scene)
            try await shell("mkdir -p mine/empty kept/empty; echo picture > kept/p.png; ln -s .. mine/link", scene)
            try await scene.notesctl("mv", "old/", "new/")
            try await scene.notesctl("rm", "kept/n")
            try await until("the folder is gone", scene) { !FileManager.default.fileExists(atPath: scene.path("old")) }
            try await until("the files are in step", scene) {
                try scene.files() == ["new/sub/n0.md", "new/sub/n1.md", "new/sub/n2.md", "x.md"]
            }
            for name in ["mine/empty", "mine/link", "kept/empty", "kept/p.png"] {
                #expect(FileManager.default.fileExists(atPath: scene.path(name)), "\(name)")
            }
        }
    }
}
