import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

/// Files that are gone, and come again.
extension EndToEnd.MirrorTests {
    private func ids(_ scene: FileScene) async throws -> [String: NoteID] {
        let judge = try await scene.daemon.client("judge")
        let all = try await judge.listAll()
        await judge.close()
        return Dictionary(all.map { ($0.head.name?.description ?? "", $0.head.id) }) { one, _ in one }
    }

    /// The file of a deleted note goes in one run, and that of another note of the name comes in a later one. An
    /// editor that still shows the first text has seen nothing of the second note.
    @Test func staleSave_overTheFileOfALaterNote_removesNothing() async throws {
        try await scene { scene in
            try await scene.make("a", "the first note has this\nand this\n")
            try await scene.make("b", "another file\n")
            _ = try await mirror(scene)
            try await scene.notesctl("rm", "a")
            _ = try await mirror(scene)
            #expect(try scene.files() == ["b.md"])
            try await scene.make("a", "the second note has that\n")
            _ = try await mirror(scene)
            try scene.write("the first note has this\nand typed this\n", to: "a.md")
            _ = try await mirror(scene)
            let text = try await scene.text("a")
            for line in ["the second note has that", "the first note has this", "and typed this"] {
                #expect(text.contains(line + "\n"), "\(text)")
            }
            #expect(try scene.read("a.md") == text)
        }
    }

    /// A deleted note is restored, and another client changes it. An editor that shows the text from before the
    /// deletion removes nothing of that.
    @Test func staleSave_overTheFileOfARestoredNote_isMerged() async throws {
        try await scene { scene in
            try await scene.make("a", "the first line\nthe last line\n")
            try await scene.make("b", "another file\n")
            _ = try await mirror(scene)
            try await scene.notesctl("rm", "a")
            _ = try await mirror(scene)
            try await scene.notesctl("undo", "a")
            try await scene.append("a line by others", to: "a")
            _ = try await mirror(scene)
            #expect(try scene.read("a.md") == "the first line\nthe last line\na line by others\n")
            try scene.write("typed before\nthe first line\nthe last line\n", to: "a.md")
            _ = try await mirror(scene)
            #expect(try await scene.text("a") == "typed before\nthe first line\nthe last line\na line by others\n")
        }
    }

    /// The contract's cases 20 and 26: the file of a note is moved out of the folder and back, or an editor
    /// saves what it still shows of a deleted note. The note is the same one.
    @Test(arguments: [true, false]) func fileThatComesAgain_restoresItsNote(isByProgram: Bool) async throws {
        try await scene { scene in
            try await scene.make("a", "the first line\nthe last line\n")
            for name in ["b", "c"] { try await scene.make(name, "another file\n") }
            _ = try await mirror(scene)
            let before = try await ids(scene)
            if isByProgram {
                try move("a.md", to: "../a.away", scene)
            } else {
                try await scene.notesctl("rm", "a")
            }
            _ = try await mirror(scene)
            #expect(try await scene.names() == ["b", "c"])
            #expect(try scene.files() == ["b.md", "c.md"])
            if isByProgram {
                try move("../a.away", to: "a.md", scene)
            } else {
                try scene.write("the first line\ntyped by the editor\nthe last line\n", to: "a.md")
            }
            let text = try scene.read("a.md")
            // A note deleted by another client is in conflict: the editor had not seen the deletion.
            let end = ChildProcess.End.exited(isByProgram ? 0 : 2)
            _ = try await mirror(scene, end: end)
            #expect(try await ids(scene) == before)
            #expect(try await scene.text("a") == text)
            #expect(try scene.read("a.md") == text)
            let last = try await mirror(scene, end: end)
            #expect(last.hasPrefix("in step, 3 notes") && !last.contains("files to notes"), "\(last)")
        }
    }

    /// A new file that only has the name of a deleted note is a new note.
    @Test func otherTextUnderAFormerName_isANewNote() async throws {
        try await scene { scene in
            for name in ["a", "b", "c"] { try await scene.make(name, "the text of \(name)\n") }
            _ = try await mirror(scene)
            let before = try await ids(scene)
            try remove("a.md", scene)
            _ = try await mirror(scene)
            try scene.write("something else\n", to: "a.md")
            #expect(try await mirror(scene) == "in step, 3 notes; files to notes: 1 new")
            let after = try await ids(scene)
            #expect(after["b"] == before["b"] && after["a"] != before["a"])
            #expect(try await scene.text("a") == "something else\n")
        }
    }

    /// The contract's case 20: a renamed folder renames its notes, also more than would wait for a person if they
    /// were removed.
    @Test func renamedFolder_renamesItsNotes() async throws {
        try await scene { scene in
            _ = try scene.scratch.directory("notes/work")
            let count = 120
            for number in 0..<count { try scene.write("the text of \(number)\n", to: "work/\(number).md") }
            _ = try await mirror(scene)
            let before = try await ids(scene)
            #expect(before.count == count)
            try move("work", to: "job", scene)
            #expect(try await mirror(scene) == "in step, 120 notes; files to notes: 120 renamed")
            let expected = before.map { ("job" + $0.key.dropFirst("work".count), $0.value) }
            #expect(try await ids(scene) == Dictionary(uniqueKeysWithValues: expected))
            #expect(try await mirror(scene) == "in step, 120 notes")
        }
    }
}
