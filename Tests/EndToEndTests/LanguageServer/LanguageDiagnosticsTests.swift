import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd.LanguageServerTests {
    /// Two writes of one base, which change the same line.
    private func disagree(_ name: String, _ base: String, _ one: String, _ other: String, _ scene: FileScene) async throws {
        let client = try await scene.daemon.client("both")
        let note = try await client.note(.name(ByteString(name)))
        #expect(note.text == Array(base.utf8))
        for text in [one, other] { _ = try await client.save(note.head.id, base: note.head.version, text: Array(text.utf8)) }
        await client.close()
    }

    // MARK: L8

    /// A conflict appears, is settled elsewhere, and appears again, while the buffer has unsaved lines.
    @Test func conflicts_areMarkedAtTheRightLinesOfAnUnsavedBuffer() async throws {
        try await scene([("a", "one\ntwo\nthree\n")]) { scene in
            let editor = try await LanguageEditor(scene)
            try editor.open("a.md")
            try await editor.diagnostics("a.md", "none at first") { $0.isEmpty }
            try await disagree("a", "one\ntwo\nthree\n", "one\n2\nthree\n", "one\nTWO\nthree\n", scene)
            try editor.change("a.md", to: "unsaved\nlines\none\n2\nTWO\nthree\n")
            let found = try await editor.diagnostics("a.md", "a conflict in the new text") { list in
                list.count == 1 && line(["uri": editor.uri("a.md"), "range": list[0]["range"] ?? ""]) == "a.md 3:0-5:0"
            }
            #expect(found[0]["severity"] as? Int == 2)
            #expect((found[0]["relatedInformation"] as? [Any])?.count == 2)
            #expect((found[0]["message"] as? String)?.contains("notesctl resolve a") == true)
            #expect(try await scene.notesctl("resolve", "a", "--both").end == .exited(0))
            try await editor.diagnostics("a.md", "no conflict any more") { $0.isEmpty }
            try await disagree("a", try await scene.text("a"), "one\n3\nthree\n", "one\nTHREE\nthree\n", scene)
            let again = try await editor.diagnostics("a.md", "the next conflict") { $0.count == 1 }
            #expect(line(["uri": editor.uri("a.md"), "range": again[0]["range"] ?? ""]).hasPrefix("a.md 3:0-"))
        }
    }

    @Test func missingTargets_followTheNotes() async throws {
        try await scene([("a", "see [[b]]\n")]) { scene in
            let editor = try await LanguageEditor(scene)
            try editor.open("a.md")
            try await editor.diagnostics("a.md", "a missing target") { $0.count == 1 }
            try await scene.make("deep/b", "x\n")
            try await editor.diagnostics("a.md", "none") { $0.isEmpty }
            #expect(try await scene.notesctl("mv", "deep/b", "c", "--keep-links").end == .exited(0))
            try await editor.diagnostics("a.md", "a missing target again") { $0.count == 1 }
            try editor.change("a.md", to: "see [[c]] and [[d]]\n")
            let found = try await editor.diagnostics("a.md", "one for what is typed") { $0.count == 1 }
            #expect(line(["uri": editor.uri("a.md"), "range": found[0]["range"] ?? ""]) == "a.md 0:16-0:17")
            try editor.notify("textDocument/didClose", ["textDocument": ["uri": editor.uri("a.md")]])
            try await editor.diagnostics("a.md", "none after closing") { $0.isEmpty }
        }
    }

    /// A target that is the end of two names has a hint that names both; one that is a whole name has none.
    @Test func ambiguousTarget_hasAHint() async throws {
        try await scene([
            ("a", "[[milk]] [[x/milk]] [[bread]]\n"), ("x/milk", "\n"), ("y/milk", "\n"), ("bread", "\n"), ("x/bread", "\n"),
        ]) {
            scene in
            let editor = try await LanguageEditor(scene)
            try editor.open("a.md")
            let found = try await editor.diagnostics("a.md", "a hint") { $0.count == 1 }
            #expect(found[0]["severity"] as? Int == 4)
            #expect(found[0]["message"] as? String == "means x/milk; it can also mean y/milk")
            #expect(line(["uri": editor.uri("a.md"), "range": found[0]["range"] ?? ""]) == "a.md 0:2-0:6")
        }
    }

    // MARK: L9

    @Test func awayDaemonAndStoppedMirror_areReportedOnce() async throws {
        try await scene([("a", "# A\nsee [[b]] #tag\n"), ("b", "# B\n")]) { scene in
            let editor = try await LanguageEditor(scene)
            try editor.open("a.md")
            let stopped = try await editor.notification("window/showMessage", "that no mirror is running")
            #expect((stopped["message"] as? String)?.contains("no mirror is running on \(scene.scratch.path)") == true)
            try editor.open("b.md")
            #expect(line(try await editor.ask("definition", "a.md", 1, 7)) == "b.md 0:0-0:0")
            _ = try await scene.daemon.end(SIGKILL)
            let away = try await editor.notification("window/showMessage", "that the daemon is away")
            #expect((away["message"] as? String)?.contains("only open documents are known") == true)
            // Answers from what is open.
            try editor.change("a.md", to: "# A\nsee [[\n[[#A]]\n a #t\n#tag\n")
            let (items, isIncomplete) = try await editor.complete("a.md", 1, 6)
            #expect(isIncomplete && items.map { $0["label"] as? String } == ["b"])
            #expect(try await editor.complete("a.md", 3, 5).items.map { $0["label"] as? String } == ["tag"])
            #expect(line(try await editor.ask("definition", "a.md", 2, 3)) == "a.md 0:0-0:3")
            #expect((try await editor.ask("documentSymbol", "a.md") as? [Any])?.count == 1)
            #expect(try await editor.ask("hover", "a.md", 2, 3) is NSNull)
            try await Task.sleep(for: .milliseconds(500))
            #expect(try await editor.ask("references", "a.md", 0, 1) is NSNull)
            #expect(editor.arrived("window/showMessage").isEmpty, "reported once")
            try await scene.daemon.start()
            try await editor.diagnostics("a.md", "checked again") { _ in true }
            #expect(try await editor.complete("a.md", 1, 6).items.contains { $0["label"] as? String == "b" })
            #expect(editor.arrived("window/showMessage").isEmpty)
            #expect(try await editor.end() == .exited(0))
        }
    }

    @Test func documentsOutsideAMirroredFolder_areReportedOnce() async throws {
        try await DaemonProcess.run { daemon in
            let scene = FileScene(daemon: daemon)
            _ = try daemon.scratch.directory("notes")
            let editor = try await LanguageEditor(scene)
            try editor.open("a.md", "# A [[b\n")
            try editor.open("b.md", "# A [[b\n")
            let outside = try await editor.notification("window/showMessage", "that it is in no folder")
            #expect((outside["message"] as? String)?.contains("is in no folder that notesctl mirror keeps") == true)
            for name in ["a.md", "b.md"] { #expect(try await editor.ask("completion", name, 0, 7) is NSNull) }
            #expect(editor.arrived("window/showMessage").isEmpty)
            #expect(editor.arrived("textDocument/publishDiagnostics").isEmpty)
        }
    }

    // MARK: L10

    /// Offsets in UTF-16, with surrogate pairs, CR LF and without a final LF, in open and closed notes.
    @Test func utf16Offsets_areRightBothWays() async throws {
        try await scene([("t", "# 𝄞 é\r\nx"), ("a", "𝄞é [[t]]\r\n𝄞 [[t#𝄞 é]]")]) { scene in
            for isOpen in [false, true] {
                let editor = try await LanguageEditor(scene, encodings: ["utf-16"])
                try editor.open("t.md")
                if isOpen { try editor.open("a.md") }
                let found = lines(try await editor.ask("references", "t.md", 1, 1, ["context": ["includeDeclaration": false]]))
                #expect(found == ["a.md 0:6-0:7", "a.md 1:5-1:6"], "\(isOpen) \(found)")
                guard isOpen else { continue }
                #expect(line(try await editor.ask("definition", "a.md", 1, 7)) == "t.md 0:0-0:6")
                #expect(try await editor.ask("definition", "a.md", 1, 2) is NSNull)
                try editor.notify(
                    "textDocument/didChange",
                    [
                        "textDocument": ["uri": editor.uri("a.md"), "version": 9],
                        "contentChanges": [
                            [
                                "range": ["start": ["line": 0, "character": 0], "end": ["line": 0, "character": 2]], "text": "🎉🎉",
                            ],
                            [
                                "range": ["start": ["line": 1, "character": 99], "end": ["line": 1, "character": 99]],
                                "text": " [[",
                            ],
                        ],
                    ])
                #expect(try await editor.complete("a.md", 1, 16).items.contains { $0["label"] as? String == "t" })
                #expect(line(try await editor.ask("definition", "a.md", 0, 8)) == "t.md 0:0-0:0")
                #expect(try await editor.ask("definition", "a.md", 0, 5) is NSNull)
            }
        }
    }

    // MARK: L11

    @Test func endOfInput_andGarbage() async throws {
        let input =
            "garbage\r\n\r\nContent-Length: 2\r\n\r\n{}Content-Length: 46\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}"
        try await DaemonProcess.run { daemon in
            let run = try await daemon.notesctl(
                ["lsp", "--stdio"], input: Array(input.utf8), environment: ["XDG_STATE_HOME": daemon.scratch.file("s")])
            #expect(run.end == .exited(0))
            #expect(
                run.text.contains("-32700") && run.text.contains("-32600") && run.text.contains("capabilities"), "\(run.text)")
            let exit = "Content-Length: 33\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}"
            let early = try await daemon.notesctl(["lsp"], input: Array(exit.utf8), environment: [:])
            #expect(early.end == .exited(1) && early.errors.isEmpty, "\(early.errors)")
        }
    }
}
