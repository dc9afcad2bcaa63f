import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

/// Files that change places, or are gone for a while.
extension EndToEnd.MirrorTests {
    /// The notes keep their ids, whichever names their files take from each other.
    @Test func filesThatExchangeNames_renameTheirNotes() async throws {
        try await scene { scene in
            let judge = try await scene.daemon.client("judge")
            for name in ["a", "b", "c", "d", "e", "f", "g"] { try await scene.make(name, "text of \(name)\n") }
            _ = try await mirror(scene)
            var before: [String: NoteID] = [:]
            for note in try await judge.listAll() { before[note.head.name?.description ?? ""] = note.head.id }
            // Two exchange their names, three make a ring, and two a chain.
            for (old, new) in [
                ("a", "x"), ("b", "a"), ("x", "b"), ("e", "x"), ("d", "e"), ("c", "d"), ("x", "c"), ("g", "h"), ("f", "g"),
            ] {
                try move("\(old).md", to: "\(new).md", scene)
            }
            #expect(try await mirror(scene) == "in step, 7 notes; files to notes: 7 renamed")
            for (old, new) in ["a": "b", "b": "a", "c": "d", "d": "e", "e": "c", "f": "g", "g": "h"] {
                let note = try await judge.note(.name(ByteString(new)))
                #expect(note.head.id == before[old], "\(old) is \(new)")
                #expect(try scene.read("\(new).md") == "text of \(old)\n")
                #expect(note.text == bytes("text of \(old)\n"))
            }
            #expect(try await mirror(scene) == "in step, 7 notes")
            await judge.close()
        }
    }

    /// What a client makes or renames, and what a program makes, while the disk is not mounted, does
    /// not make the missing files few.
    @Test func emptiedFolder_deletesNothing_ifFilesComeMeanwhile() async throws {
        try await scene { scene in
            for name in ["a", "b", "c"] { try await scene.make(name, "text of \(name)\n") }
            _ = try await mirror(scene)
            for name in ["a", "b", "c"] { try move("\(name).md", to: "../\(name).away", scene) }
            try await scene.notesctl("mv", "a", "x")
            try await scene.make("new", "new\n")
            _ = try await mirror(scene, end: .exited(65))
            try scene.write("today\n", to: "today.md")
            for _ in 0..<2 {
                _ = try await mirror(scene, end: .exited(65))
                #expect(try await scene.names() == ["b", "c", "new", "today", "x"])
            }
            for name in ["a", "b", "c"] { try move("../\(name).away", to: "\(name).md", scene) }
            _ = try await mirror(scene)
            #expect(try await scene.names() == ["b", "c", "new", "today", "x"])
            #expect(try scene.files() == ["b.md", "c.md", "new.md", "today.md", "x.md"])
        }
    }

    /// A client gives a note the name that its file gives to another text at the same time.
    @Test func textOfANoteInTwoFiles_staysInOne() async throws {
        try await scene { scene in
            try await scene.make("a", "the first line\nthe second line\n")
            _ = try await mirror(scene)
            try await scene.notesctl("mv", "a", "b")
            try move("a.md", to: "b.md", scene)
            try scene.write("another text\n", to: "a.md")
            _ = try await mirror(scene)
            _ = try await mirror(scene)
            let all = try scene.files().map { try scene.read($0) }.joined()
            for line in ["the first line\n", "the second line\n", "another text\n"] { #expect(all.contains(line), "\(all)") }
        }
    }

    /// A copy is merged on the text that both programs had, into a note that has changed since.
    @Test func conflictCopies_areMergedAndRemoved() async throws {
        try await scene { scene in
            let plan = "# Garden plan\n\nsoil in spring\n\npaths in autumn\n\nseeds in March\n\nwater in summer\n"
            try await scene.make("a", plan)
            _ = try await mirror(scene)
            try scene.write(plan.replacing("seeds in March", with: "seeds in April"), to: "a.md")
            _ = try await mirror(scene)
            try await scene.notesctl("append", "a", "-t", "written on the desktop")
            _ = try await mirror(scene)
            let copy = "a.sync-conflict-20261126-081407-ABCDEFG.md"
            try scene.write("added on the phone\n" + plan.replacing("soil in spring\n\n", with: ""), to: copy)
            #expect(
                try await mirror(scene) == "in step, 1 note; files to notes: 1 merged; notes to files: 1 written")
            let merged =
                "added on the phone\n# Garden plan\n\npaths in autumn\n\nseeds in April\n\nwater in summer\nwritten on the desktop\n"
            #expect(try await scene.text("a") == merged)
            #expect(try scene.read("a.md") == merged)
            #expect(try scene.files() == ["a.md"])
            // What touches is a conflict of the note.
            try scene.write(merged.replacing("water in summer", with: "water at night"), to: "a (conflicted copy 2026-11-26).md")
            let other = merged.replacing("water in summer", with: "water in May")
            #expect(try await scene.daemon.notesctl("save", "a", "--replace", input: other).end == .exited(0))
            #expect(try await mirror(scene, end: .exited(2)).contains("1 in conflict"))
            #expect(try await scene.text("a").contains("water at night\n") && scene.files() == ["a.md"])
            #expect(try await scene.text("a").contains("water in May\n"))
        }
    }

    /// A crash, a full disk or a cloud may leave many files empty.
    @Test func manyEmptiedFiles_areHeld() async throws {
        try await scene { scene in
            let names = (0..<12).map { "n\($0)" }
            for name in names { try await scene.make(name, "the text of \(name)\n") }
            _ = try await mirror(scene)
            try scene.write("", to: "n0.md")
            #expect(try await mirror(scene) == "in step, 12 notes; files to notes: 1 changed")
            for name in names.dropFirst() { try scene.write("", to: "\(name).md") }
            #expect(try await mirror(scene, end: .exited(65)) == "not in step, 12 notes; waiting: 11 held")
            #expect(try await scene.text("n5") == "the text of n5\n")
            // A text that comes back needs no approval, and the others still do.
            try scene.write("the text of n1\n", to: "n1.md")
            #expect(try await mirror(scene, end: .exited(65)) == "not in step, 12 notes; waiting: 10 held")
            let status = try await scene.run("mirror", "status", "--json")
            let digest = try #require(status.text.firstMatch(of: /"set":"([0-9a-f]{8})"/)).output.1
            let approved = try await scene.run("mirror", "approve", "--set", String(digest))
            #expect(approved.end == .exited(0), "\(approved.errors)")
            #expect(try await mirror(scene) == "in step, 12 notes; files to notes: 10 changed")
            #expect(try await scene.text("n5").isEmpty)
        }
    }

    @Test func conflictCopyWithoutItsFile_isListed() async throws {
        try await scene { scene in
            let copy = "a.sync-conflict-20261126-081407-ABCDEFG.md"
            try scene.write("two\n", to: copy)
            #expect(try await mirror(scene, end: .exited(65)) == "not in step, 0 notes; waiting: 1 skipped")
            let status = try await scene.run("mirror", "status")
            #expect(status.text.contains("\(copy): is a conflict copy of a.md"), "\(status.text)")
            #expect(try scene.read(copy) == "two\n")
            try remove(copy, scene)
            // A note of such a name is a note.
            try await scene.make("b (conflicted copy)", "three\n")
            #expect(try await mirror(scene) == "in step, 1 note; notes to files: 1 written")
            try scene.write("three\nfour\n", to: "b (conflicted copy).md")
            #expect(try await mirror(scene) == "in step, 1 note; files to notes: 1 changed")
        }
    }
}
