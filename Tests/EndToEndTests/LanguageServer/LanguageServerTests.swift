import Foundation
import NoteText
import NotesClient
import NotesMethods
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// `notesctl lsp` with a real daemon and a real mirrored folder. The cases L1 to L11 are those of its contract.
    @Suite struct LanguageServerTests {
        /// Runs a body with a mirrored folder of these notes.
        func scene(_ notes: [(name: String, text: String)] = [], _ body: (FileScene) async throws -> Void) async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                _ = try daemon.scratch.directory("notes")
                for note in notes { try await scene.make(note.name, note.text) }
                try await mirror(scene)
                try await body(scene)
            }
        }

        func mirror(_ scene: FileScene) async throws {
            let run = try await scene.run("mirror", "--once")
            #expect([.exited(0), .exited(2)].contains(run.end), "\(run.text)\(run.errors)")
        }

        func line(_ location: Any) -> String {
            guard let location = location as? [String: Any], let uri = location["uri"] as? String,
                let range = location["range"] as? [String: [String: Int]], let start = range["start"], let end = range["end"]
            else { return "\(location)" }
            let name = uri.split(separator: "/").last.map { $0.removingPercentEncoding ?? "" } ?? ""
            return "\(name) \(start["line"] ?? -1):\(start["character"] ?? -1)-\(end["line"] ?? -1):\(end["character"] ?? -1)"
        }

        func lines(_ locations: Any) -> [String] { (locations as? [Any] ?? []).map(line).sorted() }

        // MARK: L1

        /// Each name is offered, and what is inserted means its note.
        @Test(arguments: [
            ("two words", "two"), ("caf\u{E9} one", "caf"), ("the\u{301}s", "th"), ("party 🎉 plan", "party"), ("a # b", "a"),
            ("deep/er/leaf", "leaf"), ("deep/er/leaf", "er/le"), ("C | D", "C"), ("x]]y", ""), ("q[[r", "q"), ("name.md", "na"),
            ("100%", "10"), ("par(en", "par"), ("Capital", "capi"),
        ])
        func names_areOffered_insertedAndMeanTheirNote(_ name: String, _ typed: String) async throws {
            try await scene([(name, "# Title\n"), ("home", "x\n"), ("other/leaf", "x\n")]) { scene in
                let editor = try await LanguageEditor(scene)
                try editor.open("home.md")
                for (before, after) in [("see [[", "]] on"), ("see [[", ""), ("see [x](", ")"), ("see [x](<", "")] {
                    let text = before + typed + after + "\nend\n"
                    try editor.change("home.md", to: text)
                    let (items, _) = try await editor.complete("home.md", 0, (before + typed).utf8.count)
                    let item = try #require(items.first { $0["label"] as? String == name }, "\(before)\(typed): \(items)")
                    let edit = try #require(item["textEdit"] as? [String: Any])
                    let range = try #require(edit["range"] as? [String: [String: Int]])
                    let start = try #require(range["start"]?["character"])
                    let end = try #require(range["end"]?["character"])
                    var bytes = Array(text.utf8)
                    bytes.replaceSubrange(start..<end, with: Array(try #require(edit["newText"] as? String).utf8))
                    let result = String(decoding: bytes, as: UTF8.self)
                    try editor.change("home.md", to: result)
                    let place = try await editor.ask("definition", "home.md", 0, start + 1)
                    #expect(
                        line(place).hasPrefix("\(name.split(separator: "/").last ?? "").md ")
                            || line(place).hasPrefix("name.md.md "), "\(result) \(place)")
                }
                #expect(try await editor.end() == .exited(0))
            }
        }

        @Test func headings_tagsAndMissingTargets_areOffered() async throws {
            try await scene([
                ("plan", "# Plan\n## Next steps, 2\n#todo #today\n"), ("home", "[[nowhere yet]] x\n"), ("work/plan b", "x\n"),
            ]) { scene in
                let editor = try await LanguageEditor(scene)
                try editor.open("home.md")
                func labels(_ text: String) async throws -> [String] {
                    try editor.change("home.md", to: text)
                    return try await editor.complete("home.md", 0, text.utf8.count).items.compactMap { $0["label"] as? String }
                }
                #expect(try await labels("[[plan#") == ["Plan", "Next steps, 2"])
                #expect(try await labels("[x](plan.md#ne") == ["Plan", "Next steps, 2"])
                #expect(try await labels("a #to") == ["today", "todo"])
                #expect(try await labels("[[nowh") == ["nowhere yet"])
                #expect(try await labels("[[plan b") == ["work/plan b"])
                #expect(try await labels("[[nothing#") == [])
                try editor.change("home.md", to: "[[#\n# Own\n")
                #expect(try await editor.complete("home.md", 0, 3).items.map { $0["label"] as? String } == ["Own"])
                #expect(try await editor.ask("completion", "home.md", 1, 3) is NSNull)
                // What is inserted for a heading means it.
                try editor.change("home.md", to: "[x](plan.md#next-steps-2)\n")
                #expect(line(try await editor.ask("definition", "home.md", 0, 6)) == "plan.md 1:0-1:16")
                let (items, _) = try await editor.complete("home.md", 0, 4)
                let resolved = try await editor.request(
                    "completionItem/resolve", try #require(items.first { $0["label"] as? String == "plan" }))
                let documentation = (resolved as? [String: Any])?["documentation"] as? [String: Any]
                #expect((documentation?["value"] as? String)?.contains("## Next steps, 2") == true)
            }
        }

        /// Files are offered where they are shown, and followed if the folder has them.
        @Test func files_areOffered_described_andFollowed() async throws {
            try await scene([("work/home", "x\n"), ("garden", "# Garden\n")]) { scene in
                let client = try await scene.daemon.client("files")
                let empty = try #require(
                    FileContent(
                        line: Array("notesd-file sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 0".utf8))
                )
                for name in ["pics/garden one.png", "pics/away.png"] {
                    let create = CreateNote(file: empty, name: ByteString(name))
                    _ = try await client.call(.write(.createNote(create)), response: CreateResult.self)
                }
                try Files.write([], to: scene.path("pics/garden one.png"))
                let editor = try await LanguageEditor(scene)
                try editor.open("work/home.md")
                func inserted(_ text: String) async throws -> [String] {
                    try editor.change("work/home.md", to: text)
                    return try await editor.complete("work/home.md", 0, text.utf8.count).items.compactMap { item in
                        (item["textEdit"] as? [String: Any])?["newText"] as? String
                    }
                }
                #expect(try await inserted("![[gard") == ["garden one.png]]", "garden]]"])
                #expect(try await inserted("![x](gard") == ["../pics/garden%20one.png)"])
                #expect(try await inserted("![x](<gard") == ["../pics/garden one.png>)"])
                #expect(try await inserted("[[gard") == ["garden]]"])
                #expect(try await Set(inserted("![](")) == ["../pics/garden%20one.png)", "../pics/away.png)"])
                try editor.change("work/home.md", to: "![[garden one.png|300]] ![](../pics/away.png) ![[lost.png]] [[none]]\n")
                #expect(line(try await editor.ask("definition", "work/home.md", 0, 6)) == "garden one.png 0:0-0:0")
                #expect(try await editor.ask("definition", "work/home.md", 0, 32) is NSNull, "the folder does not have it")
                let hover = try await editor.ask("hover", "work/home.md", 0, 6) as? [String: Any]
                let card = (hover?["contents"] as? [String: Any])?["value"] as? String
                #expect(card?.hasPrefix("pics/garden one.png (image/png, 0 B, ") == true, "\(card ?? "")")
                #expect(card?.contains("notesd-file") == false)
                let found = try await editor.diagnostics("work/home.md", "one missing note") { $0.count == 1 }
                #expect((found[0]["message"] as? String)?.contains("none") == true)
                #expect(try await editor.end() == .exited(0))
                await client.close()
            }
        }

        // MARK: L2

        @Test func definitions_leadToTheFileAndLine() async throws {
            let long = String(repeating: "n", count: 254)
            try await scene([
                ("work/plan", "---\naliases: [The Plan]\n---\n# A\ntext ^b1\n## B\n"), (long, "# Long\n"),
                ("work/home", "x\n"), ("top", "# Top title\n"),
            ]) { scene in
                let id = try await scene.notesctl("show", "top", "--format", "{id}").text.split(separator: "\n").joined()
                let editor = try await LanguageEditor(scene)
                try editor.open("work/home.md")
                for (link, wanted) in [
                    ("[[plan]]", "plan.md 0:0-0:0"), ("![[work/plan]]", "plan.md 0:0-0:0"), ("[[The Plan#B]]", "plan.md 5:0-5:4"),
                    ("[[plan#^b1]]", "plan.md 4:0-4:8"), ("[[plan#no|x]]", "plan.md 0:0-0:0"),
                    ("[x](plan.md#b)", "plan.md 5:0-5:4"),
                    ("[x](../top.md)", "top.md 0:0-0:0"), ("[x](/top)", "top.md 0:0-0:0"), ("[x](note:\(id))", "top.md 0:0-0:0"),
                    ("[[Top title]]", "top.md 0:0-0:0"), ("[r]: ./plan.md", "plan.md 0:0-0:0"), ("[[#H]]", "home.md 1:0-1:3"),
                ] {
                    try editor.change("work/home.md", to: link + "\n# H\n")
                    #expect(line(try await editor.ask("definition", "work/home.md", 0, link.utf8.count / 2)) == wanted, "\(link)")
                }
                try editor.change("work/home.md", to: "[[\(long)]]\n")
                let place = line(try await editor.ask("definition", "work/home.md", 0, 9))
                #expect(place.hasPrefix("nnn") && place.contains("~"), "\(place)")
                let files = try scene.files().filter { $0.contains("~") }
                #expect(files.count == 1 && place.hasPrefix(files[0]))
                let links = try await editor.ask("documentLink", "work/home.md") as? [[String: Any]]
                #expect(links?.map { $0["target"] as? String } == [editor.uri(files[0])])
            }
        }

        /// A missing note: no place, and an action that creates it.
        @Test func missingNote_canBeCreated() async throws {
            try await scene([("work/home", "see [[new one]] and [x](rel%20note.md) and [[home]] and ![[a.png]]\n")]) { scene in
                let editor = try await LanguageEditor(
                    scene, abilities: ["textDocument": ["codeAction": ["codeActionLiteralSupport": [:]]]])
                try editor.open("work/home.md")
                let found = try await editor.diagnostics("work/home.md", "two missing targets") { $0.count == 2 }
                #expect(found.map { $0["severity"] as? Int } == [3, 3])
                #expect(try await editor.ask("definition", "work/home.md", 0, 7) is NSNull)
                for (place, name) in [(7, "new one"), (24, "work/rel note")] {
                    let range = ["start": ["line": 0, "character": place], "end": ["line": 0, "character": place]]
                    let actions = try await editor.request(
                        "textDocument/codeAction",
                        ["textDocument": ["uri": editor.uri("work/home.md")], "range": range, "context": ["diagnostics": []]])
                    let action = try #require((actions as? [[String: Any]])?.first)
                    #expect(action["title"] as? String == "Create the note \(name)")
                    let command = try #require(action["command"] as? [String: Any])
                    let result = try await editor.request(
                        "workspace/executeCommand",
                        ["command": command["command"] ?? "", "arguments": command["arguments"] ?? []])
                    #expect(result is NSNull, "\(result)")
                    #expect(try await scene.names().contains(name))
                }
                try await editor.diagnostics("work/home.md", "no missing target") { $0.isEmpty }
                try await mirror(scene)
                #expect(line(try await editor.ask("definition", "work/home.md", 0, 7)) == "new one.md 0:0-0:0")
                #expect(try scene.files() == ["new one.md", "work/home.md", "work/rel note.md"])
                #expect(try scene.read("work/home.md").hasPrefix("see [[new one]]"), "no document is changed")
                #expect(try await scene.notesctl("history", "new one").text.contains("/test/lsp"))
            }
        }

        /// With a running mirror, the editor shows the new file.
        @Test func createdNote_isShown() async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                _ = try daemon.scratch.directory("notes")
                try scene.write("[[new]]\n", to: "a.md")
                let mirrors = EndToEnd.LiveMirrorTests()
                let mirror = try mirrors.start(scene)
                try await mirrors.untilNote("a", has: "[[new]]\n", scene)
                let editor = try await LanguageEditor(scene, abilities: ["window": ["showDocument": ["support": true]]])
                try editor.open("a.md")
                try await editor.diagnostics("a.md", "a missing target") { $0.count == 1 }
                _ = try await editor.request("workspace/executeCommand", ["command": "notesd.createNote", "arguments": ["new"]])
                let shown = try await editor.notification("window/showDocument", "the new file")
                #expect(shown["uri"] as? String == editor.uri("new.md"))
                #expect(try scene.read("new.md") == "")
                #expect(editor.arrived("window/showMessage").isEmpty)
                mirror.send(SIGTERM)
            }
        }

        // MARK: Links to notes

        @Test func references_haveThePlacesOfOpenAndClosedNotes() async throws {
            try await scene([
                ("target", "# One\n## Two\n"), ("a", "first\nsee [[target]]\n"), ("b", "see [x](target.md#two) #t1\n"),
                ("c", "text without\n"),
            ]) { scene in
                let editor = try await LanguageEditor(scene)
                try editor.open("c.md", "new [[target]] and [[target#Two]]\n")
                let all = ["a.md 1:6-1:12", "b.md 0:8-0:17", "c.md 0:21-0:27", "c.md 0:6-0:12"]
                let without = ["context": ["includeDeclaration": false]]
                #expect(lines(try await editor.ask("references", "c.md", 0, 8, without)) == all)
                #expect(
                    lines(try await editor.ask("references", "c.md", 0, 8, ["context": ["includeDeclaration": true]])).count == 5)
                try editor.open("target.md")
                #expect(
                    lines(try await editor.ask("references", "target.md", 1, 0, without)) == ["b.md 0:8-0:17", "c.md 0:21-0:27"])
                try editor.open("b.md")
                #expect(lines(try await editor.ask("references", "b.md", 0, 25, without)) == ["b.md 0:0-0:0"])
                let hover = try await editor.ask("hover", "c.md", 0, 22) as? [String: Any]
                let shown = (hover?["contents"] as? [String: Any])?["value"] as? String ?? ""
                #expect(shown.hasPrefix("target (2 links here, changed ") && shown.hasSuffix("\n\n## Two\n"), "\(shown)")
            }
        }

        @Test func symbols_areHeadingsAndNotes() async throws {
            try await scene([("work/plan", "# Big plan\n## Next\ntext\n### Deep\n# Other\n"), ("b", "about oats\n")]) { scene in
                let editor = try await LanguageEditor(
                    scene, abilities: ["textDocument": ["documentSymbol": ["hierarchicalDocumentSymbolSupport": true]]])
                // Without an open document, in the folder of the workspace.
                let found = try await editor.request("workspace/symbol", ["query": "oa"]) as? [[String: Any]]
                #expect(found?.map { $0["name"] as? String } == ["about oats"])
                #expect(line(found?.first?["location"] ?? "") == "b.md 0:0-0:0")
                for query in ["", "tag:", "big pl"] {
                    #expect(try await editor.request("workspace/symbol", ["query": query]) is [[String: Any]], "\(query)")
                }
                for query in ["(", "\"", "-"] {
                    #expect(try await editor.request("workspace/symbol", ["query": query]) is NSNull, "\(query)")
                }
                try editor.open("work/plan.md")
                let symbols = try await editor.ask("documentSymbol", "work/plan.md") as? [[String: Any]]
                #expect(symbols?.map { $0["name"] as? String } == ["Big plan", "Other"])
                let next = (symbols?.first?["children"] as? [[String: Any]])?.first
                #expect(next?["name"] as? String == "Next")
                #expect((next?["children"] as? [[String: Any]])?.first?["name"] as? String == "Deep")
            }
        }
    }
}
