import Console
import Foundation
import NoteTasks
import NoteText
import NotesClient
import NotesMethods
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import notesctl

extension EndToEnd {
    /// Tests of the links that `mv` repairs.
    @Suite struct NotesctlLinksTests {
        private func run(_ daemon: DaemonProcess, _ arguments: String...) async throws -> Command {
            try await daemon.notesctl(arguments, environment: ["XDG_STATE_HOME": daemon.scratch.file("state")])
        }

        /// The names and texts of all notes, and what each of their links means.
        private func contents(_ client: NotesClient) async throws -> [NoteID: (note: NoteObject, meanings: [NoteID?])] {
            var contents: [NoteID: (note: NoteObject, meanings: [NoteID?])] = [:]
            for listed in try await client.listAll(Filter(kind: nil)) {
                let note = try await client.note(.id(listed.head.id))
                let targets = Links.of(note.text ?? []).filter { !$0.target.isEmpty }.map(LinkTarget.init)
                let found =
                    targets.isEmpty
                    ? [] : try await client.resolveLinks(ResolveLinks(targets: targets, from: note.head.id, kind: nil)).found
                contents[note.head.id] = (note, found.map { $0.notes.first?.head.id })
            }
            return contents
        }

        /// Creates a text, or a file with its description.
        private func create(_ note: LinkOracle.Note, _ client: NotesClient) async throws {
            let (text, name) = (bytes(note.text), note.name.map { ByteString($0) })
            guard let content = FileContent.first(of: text) else {
                _ = try await client.create(text: text, name: name)
                return
            }
            let created: CreateResult = try await client.call(.write(.createNote(CreateNote(file: content, name: name))))
            let head = created.note.head
            _ = try await client.save(SaveNote(id: head.id, base: head.version, text: text))
        }

        @Test func mv_repairsLinksInOtherNotesAndInItsOwn() async throws {
            try await DaemonProcess.run { daemon in
                let client = try await daemon.client("writer")
                _ = try await client.create(text: bytes("[x](inbox.md) [[done]]\n"), name: "work/plan")
                _ = try await client.create(text: bytes("[[plan]] and [p](plan.md)\n"), name: "work/inbox")
                _ = try await client.create(text: bytes("---\nup: \"[[plan]]\"\n---\n[[plan#h|p]] `[[plan]]`\n"), name: "home")

                let moved = try await run(daemon, "mv", "work/plan", "big plan")
                #expect(moved.end == .exited(0) && moved.errors == "notesctl: repaired 5 links in 3 notes\n", "\(moved.errors)")
                let texts = [
                    "big plan": "[x](work/inbox.md) [[done]]\n", "work/inbox": "[[big plan]] and [p](../big%20plan.md)\n",
                    "home": "---\nup: \"[[big plan]]\"\n---\n[[big plan#h|p]] `[[plan]]`\n",
                ]
                for (name, text) in texts { #expect(try await run(daemon, "show", name).text == text) }

                let listed = try await run(daemon, "mv", "big plan", "a#b")
                #expect(listed.errors.contains("3 links cannot be repaired:\n"), "\(listed.errors)")
                #expect(
                    listed.errors.contains("  work/inbox: big plan: a link of this form cannot mean a#b\n"), "\(listed.errors)")
                #expect(try await run(daemon, "show", "work/inbox").text == "[[big plan]] and [p](../a%23b.md)\n")
                _ = try await run(daemon, "op", "undo")
                for (name, text) in texts { #expect(try await run(daemon, "show", name).text == text) }

                let kept = try await run(daemon, "mv", "big plan", "done", "--keep-links")
                #expect(kept.end == .exited(0) && kept.errors.isEmpty, "\(kept.errors)")
                #expect(try await run(daemon, "show", "home").text == texts["home"])
                await client.close()
            }
        }

        /// A change that another program makes between the read of the note and the read of its links is
        /// in the text once, also if it repeats text of the note.
        @Test func changeBeforeTheLinksAreRead_isNotRepeated() async throws {
            try await DaemonProcess.run { daemon in
                let client = try await daemon.client("writer")
                let other = try await daemon.client("other")
                _ = try await client.create(text: bytes("x\n"), name: "b")
                let id = try await client.create(text: bytes("[b](b.md)\none\ntwo\n"), name: "a").note.head.id
                let head = try await client.note(.id(id)).head
                _ = try await other.save(SaveNote(id: id, base: head.version, text: bytes("[b](b.md)\none\ntwo\nthree\n")))
                let wanted = try NoteName("w/a")
                var repairer = try await LinkRepairer(
                    before: [NoteRenaming(note: id, old: "a", new: "w/a")], client)
                let outcome = try await client.save(
                    SaveNote(id: id, base: head.version, name: .changing(head.name, to: wanted)))
                // The other program takes its change back, which must not return with the repair.
                let version = try await other.note(.id(id)).head.version
                _ = try await other.save(SaveNote(id: id, base: version, text: bytes("[b](b.md)\none\ntwo\n")))
                repairer.setVersion(outcome.version, of: id, renamedFrom: head.version)
                try await repairer.repair()
                let note = try await client.note(.id(id))
                #expect(string(note.text ?? []) == "[b](../b.md)\none\ntwo\n")
                #expect(note.head.name?.bytes == "w/a")
                await client.close()
                await other.close()
            }
        }

        @Test func linksToFiles_areKnown_missing_repaired_andListedAsUnused() async throws {
            try await DaemonProcess.run(config: "[files]\nfree_bytes_min = 1000000\n") { daemon in
                let client = try await daemon.client("writer")
                let text = "![[a.png|300]] ![x](../pics/a.png) [p](<../pics/b c.pdf#page=2>) ![](lost.jpg) [s](x.py)\n"
                _ = try await client.create(text: bytes(text), name: "work/here")
                _ = try await client.create(text: bytes("x\n"), name: "b")
                #expect(try await run(daemon, "links", "--missing").lines == [])
                for name in ["a.png", "b c.pdf", "lonely.gif"] {
                    let file = daemon.scratch.file(name)
                    try Data(name.utf8).write(to: URL(fileURLWithPath: file))
                    #expect(try await run(daemon, "file", "add", "--to", "pics", file).end == .exited(0))
                }
                #expect(try await run(daemon, "links", "--missing").lines == ["work/lost.jpg\t1"])
                let shown = try await run(daemon, "links", "pics/a.png", "--format", "{direction} {name} {target}").lines
                #expect(shown == ["to work/here a.png", "to work/here ../pics/a.png"])
                let meant = try await run(daemon, "links", "work/here", "--format", "{name}").lines
                #expect(meant == ["pics/a.png", "pics/a.png", "pics/b c.pdf"])
                let unused = try await run(daemon, "file", "list", "--unused", "--format", "{name}").lines
                #expect(unused == ["pics/lonely.gif"])
                #expect(try await run(daemon, "search", "lonely").end == .exited(1))
                let found = try await run(daemon, "search", "--kind", "file", "lonely").lines
                #expect(
                    found.count == 2 && found[0].hasSuffix("  pics/lonely.gif") && found[1] == "    image/gif, 10 B", "\(found)")

                let moved = try await run(daemon, "mv", "pics/a.png", "img/b 2.png")
                #expect(moved.end == .exited(0) && moved.errors == "notesctl: repaired 2 links in 1 note\n", "\(moved.errors)")
                let folder = try await run(daemon, "mv", "pics/", "art/")
                #expect(folder.errors.contains("notesctl: repaired 1 link in 1 note\n"), "\(folder.errors)")
                let repaired = "![[b 2.png|300]] ![x](../img/b%202.png) [p](<../art/b c.pdf#page=2>) ![](lost.jpg) [s](x.py)\n"
                #expect(try await run(daemon, "show", "work/here").text == repaired)
                _ = try await run(daemon, "mv", "work/here", "top")
                let top = "![[b 2.png|300]] ![x](img/b%202.png) [p](<art/b c.pdf#page=2>) ![](work/lost.jpg) [s](work/x.py)\n"
                #expect(try await run(daemon, "show", "top").text == top)
                await client.close()
            }
        }

        /// Beyond the limit of bytes, the error says whether the notes were renamed.
        @Test func largeTexts_areRefused() async throws {
            try await DaemonProcess.run { daemon in
                let client = try await daemon.client("writer")
                let id = try await client.create(text: bytes("x\n"), name: "a").note.head.id
                _ = try await client.create(text: bytes("[[c]] 123456789\n"), name: "captured")
                let renaming = [NoteRenaming(note: id, old: "a", new: "c")]
                var repairer = try await LinkRepairer(before: renaming, client, textBytesMax: 10)
                let head = try await client.note(.id(id)).head
                _ = try await client.save(
                    SaveNote(id: id, base: head.version, name: .changing(head.name, to: try NoteName("c"))))
                var failure: ExitFailure?
                do { try await repairer.repair() } catch let error as ExitFailure { failure = error }
                #expect(failure?.message.hasPrefix("renamed, but no link was repaired: ") == true, "\(failure as Any)")
                failure = nil
                do {
                    _ = try await LinkRepairer(
                        before: [NoteRenaming(note: id, old: "c", new: "d")], client, textBytesMax: 10)
                } catch let error as ExitFailure { failure = error }
                #expect(failure?.message.contains("more than 10 B; no note was renamed") == true, "\(failure as Any)")
                await client.close()
            }
        }

        @Test func graph_hasAnEdgeForEachPair() async throws {
            try await DaemonProcess.run { daemon in
                let client = try await daemon.client("writer")
                let quoted = try await client.create(text: bytes("[[b]] [[b#h]] [[c]] [[a\"\\x]]\n"), name: "w/a\"\\x").note.head
                    .id
                let second = try await client.create(text: bytes("[[b]] ![[a\"\\x]]\n"), name: "w/b").note.head.id
                let other = try await client.create(text: bytes("[[b]]\n"), name: "c").note.head.id
                let nodes = ["  \"\(quoted)\" [label=\"w/a\\\"\\\\x\"];", "  \"\(second)\" [label=\"w/b\"];"]
                let edges = ["  \"\(second)\" -> \"\(quoted)\";", "  \"\(quoted)\" -> \"\(second)\";"]
                let part = try await run(daemon, "links", "--graph", "--prefix", "w/")
                #expect(part.lines == ["digraph notes {"] + nodes + edges + ["}"], "\(part.errors)")
                let all = try await run(daemon, "links", "--graph").lines
                #expect(
                    all.contains("  \"\(other)\" -> \"\(second)\";") && all.contains("  \"\(quoted)\" -> \"\(other)\";"), "\(all)"
                )
                #expect(try await run(daemon, "links", "--graph", "c").end == .exited(64))
                await client.close()
            }
        }

        /// With `--svg`, `dot` gets the graph without the notes that have no links, and its output is printed.
        /// Without it, a sentence says what to install.
        @Test func graph_isDrawnByGraphviz_ifThere() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "[[b]]\n")
                _ = try await daemon.notesctl("new", "b", input: "b\n")
                let plain = try await daemon.notesctl("links", "--graph").text
                _ = try await daemon.notesctl("new", "alone", input: "[[nothing]]\n")
                #expect(try await daemon.notesctl("links", "--graph").text.contains("alone"))
                let folder = daemon.scratch.file("bin")
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
                let dot = try daemon.scratch.write("#!/bin/sh\necho \"drawn by dot $1\"\nexec cat\n", to: "bin/dot")
                try #require(chmod(dot, 0o755) == 0)
                let drawn = try await daemon.notesctl(
                    ["links", "--graph", "--svg"], environment: ["PATH": "\(folder):/usr/bin:/bin"])
                #expect(drawn.end == .exited(0) && drawn.text == "drawn by dot -Tsvg\n" + plain, "\(drawn.text) \(drawn.errors)")
                #expect(drawn.errors == "notesctl: left out 1 note without links to others in the graph\n", "\(drawn.errors)")
                let missing = try await daemon.notesctl(["links", "--graph", "--svg"], environment: ["PATH": "/nonexistent"])
                #expect(missing.end == .exited(1) && missing.errors.contains("install Graphviz"), "\(missing.errors)")
                #expect(missing.output.isEmpty)
                try daemon.scratch.write("#!/bin/sh\nexit 3\n", to: "bin/dot")
                let failed = try await daemon.notesctl(
                    ["links", "--graph", "--svg"], environment: ["PATH": "\(folder):/usr/bin:/bin"])
                #expect(failed.end == .exited(1) && failed.errors.contains("exited with status 3"), "\(failed.errors)")
            }
        }

        /// In a set of notes with random names and links, all links keep their meaning when a folder and
        /// then a note get other names, and `op undo` restores all texts.
        @Test func linksOfRandomNotes_keepTheirMeaning() async throws {
            try await DaemonProcess.run { daemon in
                var generator = SeededGenerator(seed: 68)
                let client = try await daemon.client("writer")
                let notes = LinkOracle.random(320, using: &generator).notes
                for note in notes { try await create(note, client) }
                var before = try await contents(client)
                let single = try #require(notes.compactMap(\.name).first { $0.hasPrefix("a/b/index") })
                for (old, new) in [(single, "c/[draft] 50%"), ("a/", "new (2)/Ä/")] {
                    let moved = try await run(daemon, "mv", old, new)
                    #expect(moved.end == .exited(0), "\(moved.errors)")
                    #expect(moved.errors.contains("repaired "), "\(moved.errors)")
                    let after = try await contents(client)
                    var lost = 0
                    for (id, (note, meanings)) in before {
                        let now = try #require(after[id])
                        #expect(now.meanings.count == meanings.count, "\(note) became \(now.note)")
                        for (old, new) in zip(meanings, now.meanings) where old != nil && new != old { lost += 1 }
                    }
                    #expect(moved.errors.split(separator: "\n").count { $0.hasPrefix("  ") } == lost, "\(moved.errors)")
                    let undone = try await run(daemon, "op", "undo")
                    #expect(undone.end == .exited(0), "\(undone.errors)")
                    let restored = try await contents(client)
                    for (id, (note, _)) in before {
                        let now = try #require(restored[id]?.note)
                        #expect(now.text == note.text && now.head.name == note.head.name, "\(note) became \(now)")
                    }
                    before = restored
                }
                await client.close()
            }
        }
    }
}
