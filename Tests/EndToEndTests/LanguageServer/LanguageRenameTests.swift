import Foundation
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

/// The changes of documents in a workspace edit: the version that each is for, and the text that it makes, for
/// offsets in UTF-8.
private func changed(
    _ result: Any, _ texts: [String: String], _ editor: LanguageEditor
) throws -> [String: (version: Int, text: String)] {
    let edit = try #require(result as? [String: Any], "\(result)")
    let changes = try #require(edit["documentChanges"] as? [[String: Any]], "\(result)")
    var found: [String: (version: Int, text: String)] = [:]
    for change in changes where change["kind"] == nil {
        let document = try #require(change["textDocument"] as? [String: Any])
        let name = try #require(texts.keys.first { editor.uri($0) == document["uri"] as? String })
        var lines = try #require(texts[name]).split(separator: "\n", omittingEmptySubsequences: false).map { Array($0.utf8) }
        for edit in try #require(change["edits"] as? [[String: Any]]).reversed() {
            let range = try #require(edit["range"] as? [String: [String: Int]])
            let line = try #require(range["start"]?["line"])
            #expect(range["end"]?["line"] == line)
            let (start, end) = (try #require(range["start"]?["character"]), try #require(range["end"]?["character"]))
            lines[line].replaceSubrange(start..<end, with: Array(try #require(edit["newText"] as? String).utf8))
        }
        let text = lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
        found[name] = (try #require(document["version"] as? Int), text)
    }
    return found
}

extension EndToEnd.LanguageServerTests {
    private static var versioned: [String: Any] { ["workspace": ["workspaceEdit": ["documentChanges": true]]] }
    private static var renaming: [String: Any] {
        [
            "workspace": ["workspaceEdit": ["documentChanges": true, "resourceOperations": ["create", "rename"]]],
            "textDocument": ["rename": ["prepareSupport": true]],
        ]
    }

    /// The message to the user that says what was done.
    private func done(_ editor: LanguageEditor) async throws -> [String: Any] {
        while true {
            let message = try await editor.notification("window/showMessage", "what was done")
            if (message["message"] as? String)?.contains("op undo") == true { return message }
        }
    }

    /// The operation that the message to the user names.
    private func operation(in message: [String: Any]) throws -> String {
        let text = try #require(message["message"] as? String)
        let words = text.split(separator: " ")
        let undo = try #require(words.firstIndex(of: "undo"), "\(text)")
        return String(words[undo + 1])
    }

    // MARK: L3

    @Test func renamedNote_isMeantByAllLinks_andOneUndoTakesItBack() async throws {
        var notes = (0..<30).map { (name: "n\($0)", text: "𝄞 one [[target]] and [x](work/target.md#a)\n") }
        notes += [("work/target", "# A\n[[n1]]\n"), ("other", "[[elsewhere]]\n")]
        let linking = notes[0].text
        try await scene(notes) { scene in
            let editor = try await LanguageEditor(scene, abilities: Self.renaming)
            for name in ["n0.md", "n1.md", "n2.md"] { try editor.open(name) }
            let unsaved = "typed [[work/target|t]]\n" + linking
            try editor.change("n2.md", to: unsaved)
            let prepared = try await editor.ask("prepareRename", "n2.md", 0, 12) as? [String: Any]
            #expect(prepared?["placeholder"] as? String == "target")
            #expect(try await editor.ask("prepareRename", "n2.md", 0, 1) is NSNull)
            #expect(try await editor.ask("prepareRename", "n2.md", 0, 20) is NSNull, "in the shown text")
            let result = try await editor.ask("rename", "n2.md", 0, 12, ["newName": "goal one"])
            let texts = ["n0.md": linking, "n1.md": linking, "n2.md": unsaved]
            let edits = try changed(result, texts, editor)
            let wanted = "𝄞 one [[goal one]] and [x](work/goal%20one.md#a)\n"
            #expect(
                edits.mapValues(\.text) == ["n0.md": wanted, "n1.md": wanted, "n2.md": "typed [[work/goal one|t]]\n" + wanted])
            #expect(edits.mapValues(\.version) == ["n0.md": 1, "n1.md": 1, "n2.md": 2])
            let message = try await done(editor)
            #expect((message["message"] as? String)?.contains("61 links in 30 notes; notesctl op undo ") == true, "\(message)")
            #expect(try await scene.names().contains("work/goal one"))
            for index in 3..<30 { #expect(try await scene.text("n\(index)") == wanted) }
            // The open ones are the editor's.
            for index in 0..<3 { #expect(try await scene.text("n\(index)") == linking) }
            #expect(try await scene.text("other") == "[[elsewhere]]\n")
            #expect(try await scene.notesctl("history", "n7").text.contains("/test/lsp"))
            let operation = try operation(in: message)
            #expect(try await scene.notesctl("op", "undo", operation).end == .exited(0))
            #expect(try await scene.names().contains("work/target"))
            for index in 0..<30 { #expect(try await scene.text("n\(index)") == linking) }
            #expect(try await editor.end() == .exited(0))
        }
    }

    /// A name with a slash begins at the folder; a taken and an impossible name change nothing.
    @Test func newName_isInTheFolderOfTheOld_orWhereItSays() async throws {
        try await scene([("work/a", "x\n"), ("taken", "x\n"), ("home", "[[a]]\n")]) { scene in
            let editor = try await LanguageEditor(scene, abilities: Self.versioned)
            try editor.open("home.md")
            for (name, why) in [("/taken", "taken"), (" ", "empty"), ("a/../b", "..")] {
                let fault = try await editor.ask("rename", "home.md", 0, 2, ["newName": name]) as? [String: Any]
                #expect(fault?["code"] as? Int == -32803, "\(why) \(fault ?? [:])")
            }
            #expect(try await scene.names().sorted() == ["home", "taken", "work/a"])
            let same = try await editor.ask("rename", "home.md", 0, 2, ["newName": "a.md"])
            #expect(try changed(same, [:], editor).isEmpty)
            let moved = try await editor.ask("rename", "home.md", 0, 2, ["newName": "/b"])
            #expect(try changed(moved, ["home.md": "[[a]]\n"], editor)["home.md"]?.text == "[[b]]\n")
            #expect(try await scene.names().sorted() == ["b", "home", "taken"])
        }
    }

    /// An editor that does not check versions gets no edits. The mirror changes its files.
    @Test func editorWithoutVersions_getsNoEdits() async throws {
        try await scene([("a", "x\n"), ("home", "# H\n[[a]]\n")]) { scene in
            let editor = try await LanguageEditor(scene)
            try editor.open("home.md")
            let result = try await editor.ask("rename", "home.md", 1, 2, ["newName": "b"])
            #expect(try changed(result, [:], editor).isEmpty)
            #expect(try await scene.text("home") == "# H\n[[b]]\n")
            let fault = try await editor.ask("rename", "home.md", 0, 2, ["newName": "I"]) as? [String: Any]
            #expect(fault?["code"] as? Int == -32803)
        }
    }

    /// The file of an open note is renamed by the editor, and the running mirror repairs the links.
    @Test func openNote_isRenamedByItsFile() async throws {
        try await scene([("a", "x\n"), ("home", "[[a]]\n"), ("c", "[[a]]\n")]) { scene in
            let editor = try await LanguageEditor(scene, abilities: Self.renaming)
            for name in ["home.md", "a.md"] { try editor.open(name) }
            let result = try await editor.ask("rename", "home.md", 0, 2, ["newName": "b"]) as? [String: Any]
            let changes = try #require(result?["documentChanges"] as? [[String: Any]])
            #expect(changes.count == 1 && changes[0]["kind"] as? String == "rename")
            #expect(
                changes[0]["oldUri"] as? String == editor.uri("a.md") && changes[0]["newUri"] as? String == editor.uri("b.md"))
            #expect(try await scene.names().sorted() == ["a", "c", "home"], "the mirror renames the note")
            try FileManager.default.moveItem(atPath: scene.path("a.md"), toPath: scene.path("b.md"))
            try await mirror(scene)
            #expect(try await scene.names().sorted() == ["b", "c", "home"])
            #expect(try await scene.text("c") == "[[b]]\n")
            let other = try await LanguageEditor(scene, abilities: Self.versioned)
            for name in ["home.md", "b.md"] { try other.open(name) }
            let fault = try await other.ask("rename", "home.md", 0, 2, ["newName": "d"]) as? [String: Any]
            #expect(fault?["code"] as? Int == -32803, "\(fault ?? [:])")
        }
    }

    // MARK: L4

    /// What happens between the read of a closed note and its write.
    @Test func closedNotes_areMerged_leftIfTheyAreDeleted_andDocumentsAreNotSaved() async throws {
        try await DaemonProcess.run { daemon in
            let (client, other) = (try await daemon.client("editor"), try await daemon.client("other"))
            let target = try await client.create(text: bytes("x\n"), name: "target").note.head
            var ids: [String: NoteID] = [:]
            for name in ["changed", "deleted", "document"] {
                ids[name] = try await client.create(text: bytes("[[target]]\none\ntwo\nx\n"), name: ByteString(name)).note.head.id
            }
            func write(_ name: String, _ text: String) async throws {
                let head = try await other.note(.name(ByteString(name))).head
                _ = try await other.save(head.id, base: head.version, text: bytes(text))
            }
            let document = try #require(ids["document"])
            var repairer = try await LinkRepairer(
                before: [NoteRenaming(note: target.id, old: "target", new: "goal")], client,
                documents: [document: bytes("𝄞 [[target]] [[target#x]]")])
            let outcome = try await client.save(SaveNote(id: target.id, base: target.version, name: .set("goal")))
            repairer.setVersion(outcome.version, of: target.id, renamedFrom: target.version)
            try await write("changed", "[[target]]\none\ntwo\nx\nmore\n")
            _ = try await other.delete(
                try #require(ids["deleted"]), base: try await other.note(.name("deleted")).head.version)
            #expect(try await repairer.readAgain() == 1)
            let repairs = try await repairer.repairs()
            try await write("changed", "[[target]]\none\ntwo\nx, y\nmore\n")
            let saved = try await repairer.save(repairs)
            #expect(saved.links == 1 && saved.failed.isEmpty && saved.inConflict.isEmpty)
            #expect(string(try await client.note(.name("changed")).text ?? []) == "[[goal]]\none\ntwo\nx, y\nmore\n")
            #expect(try await client.note(.id(try #require(ids["deleted"]))).head.isDeleted)
            #expect(string(try await client.note(.id(document)).text ?? []) == "[[target]]\none\ntwo\nx\n")
            let text = try #require(repairs.texts.first { $0.note == document })
            #expect(string(text.bytes) == "𝄞 [[goal]] [[goal#x]]" && text.edits.count == 2)
            await client.close()
            await other.close()
        }
    }

    /// Linking notes in conflict are changed; deleted ones are left.
    @Test func renamedHeading_isMeantByAllLinks() async throws {
        try await scene([
            ("plan", "# Old one\n## Sub\n[[#Old one]]\n"), ("wiki", "[[plan#Old one]] [[plan#Old one#Sub|x]] [[plan#Sub]]\n"),
            ("path", "[x](plan.md#old-one)\n"), ("open", "[[plan]]\n"), ("gone", "[[plan#Old one]]\n"),
            ("twin", "one\n[[plan#Old one]]\n"),
        ]) { scene in
            let client = try await scene.daemon.client("both")
            let twin = try await client.note(.name("twin")).head
            for text in ["1\n[[plan#Old one]]\n", "ONE\n[[plan#Old one]]\n"] {
                _ = try await client.save(twin.id, base: twin.version, text: Array(text.utf8))
            }
            await client.close()
            #expect(try await scene.notesctl("rm", "gone").end == .exited(0))
            let editor = try await LanguageEditor(scene, abilities: Self.versioned)
            let texts = ["plan.md": "typed\n# Old one\n## Sub\n[[#Old one]]\n", "open.md": "[[plan#old one]] [[plan#^b]]\n"]
            for name in texts.keys.sorted() { try editor.open(name, texts[name]) }
            let prepared = try await editor.ask("prepareRename", "plan.md", 1, 4) as? [String: Any]
            #expect(prepared?["placeholder"] as? String == "Old one")
            let result = try await editor.ask("rename", "plan.md", 1, 4, ["newName": "New 𝄞, two"])
            let edits = try changed(result, texts, editor)
            #expect(
                edits.mapValues(\.text) == [
                    "plan.md": "typed\n# New 𝄞, two\n## Sub\n[[#New 𝄞, two]]\n", "open.md": "[[plan#New 𝄞, two]] [[plan#^b]]\n",
                ])
            #expect(edits.mapValues(\.version) == ["plan.md": 1, "open.md": 1])
            #expect(try await scene.text("wiki") == "[[plan#New 𝄞, two]] [[plan#New 𝄞, two#Sub|x]] [[plan#Sub]]\n")
            #expect(try await scene.text("path") == "[x](plan.md#new--two)\n")
            #expect(try await scene.text("twin").contains("[[plan#New 𝄞, two]]"))
            #expect(try await !scene.names().contains("gone"))
            let message = try await done(editor)
            #expect((message["message"] as? String)?.contains("6 links in 5 notes; notesctl op undo ") == true, "\(message)")
            #expect(try await scene.notesctl("op", "undo", try operation(in: message)).end != .exited(1))
            #expect(try await scene.text("wiki") == "[[plan#Old one]] [[plan#Old one#Sub|x]] [[plan#Sub]]\n")
        }
    }

    // MARK: What others did

    /// An action undoes what one author did in the note, and nothing of others. The document must show the note.
    @Test func whatAnAuthorDid_isUndoneByAnAction() async throws {
        try await scene([("a", "one\ntwo\nthree\n")]) { scene in
            let editor = try await LanguageEditor(
                scene, abilities: ["textDocument": ["codeAction": ["codeActionLiteralSupport": [:]]]])
            var text = "one\ntwo\nthree\n"
            for (label, old, new) in [("robot", "one", "1"), ("vim", "two", "2"), ("robot", "three", "3")] {
                let client = try await scene.daemon.client(ByteString(label))
                let note = try await client.note(.name("a"))
                text = text.replacing(old, with: new)
                _ = try await client.save(note.head.id, base: note.head.version, text: Array(text.utf8))
                await client.close()
            }
            try editor.open("a.md", "unsaved\n" + text)
            let place = ["line": 0, "character": 0]
            let actions = try await editor.request(
                "textDocument/codeAction",
                [
                    "textDocument": ["uri": editor.uri("a.md")], "range": ["start": place, "end": place],
                    "context": ["diagnostics": []],
                ])
            let list = try #require(actions as? [[String: Any]])
            let titles = list.compactMap { $0["title"] as? String }
            #expect(titles.count == 2 && titles.allSatisfy { $0.hasPrefix("Undo what ") }, "\(titles)")
            let command = try #require(list[0]["command"] as? [String: Any])
            func act() async throws -> Any {
                try await editor.request(
                    "workspace/executeCommand", ["command": command["command"] ?? "", "arguments": command["arguments"] ?? []])
            }
            #expect(titles[0].contains("robot"), "the newest writer first: \(titles)")
            #expect((try await act() as? [String: Any])?["code"] as? Int == -32803, "an unsaved document undoes nothing")
            try editor.change("a.md", to: text)
            #expect(try await act() is NSNull)
            #expect(try await scene.text("a") == "one\n2\nthree\n")
        }
    }

    // MARK: Conflicts

    /// Both actions resolve the conflict at the version that the document shows, and no other.
    @Test func conflict_isResolvedByAnAction() async throws {
        try await scene([("a", "one\ntwo\nthree\n")]) { scene in
            let editor = try await LanguageEditor(
                scene, abilities: ["textDocument": ["codeAction": ["codeActionLiteralSupport": [:]]]])
            for (index, title) in ["Keep both", "Only test's: 2"].enumerated() {
                let client = try await scene.daemon.client("both")
                let note = try await client.note(.name("a"))
                let base = "one\ntwo\nthree\n"
                let reset = try await client.save(note.head.id, base: note.head.version, text: Array(base.utf8))
                for text in ["one\n2\nthree\n", "one\nTWO\nthree\n"] {
                    _ = try await client.save(note.head.id, base: reset.version, text: Array(text.utf8))
                }
                let shown = try await client.note(.name("a"))
                #expect(shown.conflicts.count == 1, "\(index)")
                try editor.open("a.md", "unsaved\n" + String(decoding: shown.text ?? [], as: UTF8.self))
                func act() async throws -> Any {
                    let range = ["start": ["line": 1, "character": 0], "end": ["line": 3, "character": 0]]
                    let actions = try await editor.request(
                        "textDocument/codeAction",
                        ["textDocument": ["uri": editor.uri("a.md")], "range": range, "context": ["diagnostics": []]])
                    let list = try #require(actions as? [[String: Any]]).filter { $0["kind"] as? String == "quickfix" }
                    #expect(list.count == 3 && list[0]["title"] as? String == "Keep both", "\(list)")
                    let action = try #require(
                        list.first { $0["title"] as? String == title }
                            ?? list.first { ($0["title"] as? String)?.hasSuffix(": 2") == true })
                    let command = try #require(action["command"] as? [String: Any])
                    return try await editor.request(
                        "workspace/executeCommand",
                        ["command": command["command"] ?? "", "arguments": command["arguments"] ?? []])
                }
                let refused = try await act() as? [String: Any]
                #expect(refused?["code"] as? Int == -32803)
                #expect(try await client.note(.name("a")).conflicts.count == 1, "an unsaved document resolves nothing")
                try editor.change("a.md", to: String(decoding: shown.text ?? [], as: UTF8.self))
                #expect(try await act() is NSNull)
                let after = try await client.note(.name("a"))
                #expect(after.conflicts.isEmpty)
                #expect(after.text == (index == 0 ? shown.text : Array("one\n2\nthree\n".utf8)))
                await client.close()
            }
        }
    }
}
