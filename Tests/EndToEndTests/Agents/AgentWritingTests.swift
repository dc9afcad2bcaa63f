import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Agents that change notes which people and other agents change too.
    @Suite struct AgentWritingTests {
        /// The agent's reading is stale when it edits: both changes are in the note, and the agent sees
        /// what the person wrote.
        @Test func staleEdit_isMerged_andUndoneAlone() async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                try await scene.make("list", "# List\n- milk\n- bread\n- tea\n")
                let agent = try await Agent(daemon, "codex")
                let read = try await agent.call("read_note", ["note": "list"])
                try await scene.append("- apples", to: "list")
                let edited = try await agent.call(
                    "edit_note",
                    ["note": "list", "version": read["version"], "edits": [["old": "- milk", "new": "- oat milk"]]])
                #expect(edited["outcome"] == "merged" && edited["others"].contains("+- apples\n"), "\(edited.text)")
                #expect(edited.text.contains("+- apples\n"))
                #expect(try await scene.text("list") == "# List\n- oat milk\n- bread\n- tea\n- apples\n")
                let next = try await agent.call(
                    "append_to_note", ["note": "list", "version": edited["version"], "text": "- jam", "under": "List"])
                #expect(next["outcome"] == "saved" && next["others"] == "")
                #expect(try await scene.text("list") == "# List\n- oat milk\n- bread\n- tea\n- apples\n- jam\n")
                #expect(try await agent.end() == .exited(0))
                let history = String(decoding: try await scene.notesctl("history", "list").output, as: UTF8.self)
                #expect(history.contains("/mcp/codex"), "\(history)")
                // The person writes on; then the whole session is taken back.
                try await scene.append("- pears", to: "list")
                let log = String(decoding: try await scene.notesctl("op", "log", "--json=op,command").output, as: UTF8.self)
                let line = try #require(log.split(separator: "\n").first { $0.contains(#""mcp""#) }, "\(log)")
                let entry = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
                let undone = try await scene.notesctl("op", "undo", try #require(entry["op"]))
                #expect(undone.end == .exited(0), "\(undone.errors)")
                #expect(try await scene.text("list") == "# List\n- milk\n- bread\n- tea\n- apples\n- pears\n")
            }
        }

        @Test func repeatedCall_changesOnce() async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                try await scene.make("a", "one\n")
                let agent = try await Agent(daemon, "codex")
                let read = try await agent.call("read_note", ["note": "a"])
                let arguments = ["note": "a", "version": read["version"], "text": "two"]
                let first = try await agent.call("append_to_note", arguments)
                try await daemon.restart(after: SIGKILL)
                let second = try await agent.call("append_to_note", arguments)
                #expect(first.facts["repeated"] as? Bool == false && second.facts["repeated"] as? Bool == true)
                #expect(try await scene.text("a") == "one\ntwo\n")
                // The same words of another agent are another change.
                let other = try await Agent(daemon, "codex")
                _ = try await other.call("append_to_note", arguments)
                #expect(try await scene.text("a") == "one\ntwo\ntwo\n")
            }
        }

        @Test func twoAgentsInOneLine_keepBoth() async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                try await scene.make("a", "first\nthe middle line\nlast\n")
                let (one, two) = (try await Agent(daemon, "one"), try await Agent(daemon, "two"))
                let read = try await one.call("read_note", ["note": "a"])
                func edit(_ agent: Agent, _ new: String) async throws -> Agent.Reply {
                    try await agent.call(
                        "edit_note",
                        ["note": "a", "version": read["version"], "edits": [["old": "the middle line", "new": new]]])
                }
                #expect(try await edit(one, "by one")["outcome"] == "saved")
                let second = try await edit(two, "by two")
                #expect(
                    second["outcome"] == "conflicted" && second.facts["conflicts"] as? Int == 1
                        && second["others"].contains("by one"))
                let text = try await scene.text("a")
                #expect(text.contains("by one") && text.contains("by two"))
            }
        }

        /// The agent and the person change the same line, and neither has seen the other's change.
        @Test func wordsThatAPersonTypesInTheLine_stayInIt() async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                let text = "- [ ] milk\n- [ ] call Ada\n"
                try await scene.make("list", text)
                let agent = try await Agent(daemon, "codex")
                let read = try await agent.call("read_note", ["note": "list"])
                let person = try await daemon.client("person")
                let note = try await person.note(.name("list"))
                let typed = PositionedEdit(start: 10, end: 10, text: Array(" and bread".utf8))
                _ = try await person.edit(note.head.id, base: note.head.version, edits: [typed])
                let ticked = try await agent.call(
                    "edit_note",
                    ["note": "list", "version": read["version"], "edits": [["old": "- [ ] milk", "new": "- [x] milk"]]])
                #expect(ticked["outcome"] == "merged" && ticked["others"].contains("and bread"), "\(ticked.text)")
                #expect(try await scene.text("list") == "- [x] milk and bread\n- [ ] call Ada\n")
                // A line that the agent replaces stays beside the new one, and is marked.
                let later = PositionedEdit(start: 0, end: 0, text: Array("now: ".utf8))
                let now = try await person.note(.id(note.head.id))
                _ = try await person.edit(note.head.id, base: now.head.version, edits: [later])
                let replaced = try await agent.call(
                    "edit_note",
                    [
                        "note": "list", "version": ticked["version"],
                        "edits": [["old": "- [x] milk and bread", "new": "groceries are bought"]],
                    ])
                #expect(replaced["outcome"] == "conflicted", "\(replaced.text)")
                #expect(
                    try await scene.text("list") == "groceries are bought\nnow: - [x] milk and bread\n- [ ] call Ada\n")
            }
        }

        @Test func refusals_changeNothing_andSayWhatToDo() async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                try await scene.make("a", "milk and milk\nbread\n")
                try await scene.make("b", "other\n")
                let agent = try await Agent(daemon, "codex", options: ["--allow", "rename", "--allow", "delete"])
                let (a, b) = (
                    try await agent.call("read_note", ["note": "a"])["version"],
                    try await agent.call("read_note", ["note": "b"])["version"]
                )
                func edit(_ version: String, _ old: String) -> [String: Any] {
                    ["note": "a", "version": version, "edits": [["old": old, "new": "x"]]]
                }
                for (tool, arguments, part) in [
                    ("edit_note", edit(a, "milk"), "occurs 2 times, not 1"), ("edit_note", edit(a, "Bread!"), "line 2: bread"),
                    ("edit_note", edit(b, "bread"), "read_note returns a version"),
                    ("edit_note", edit("", "bread"), "not a version"),
                    ("edit_note", ["note": "a", "version": a, "edits": []], "from 1 to"),
                    ("edit_note", ["note": "a", "edits": [["old": "bread", "new": "x"]]], "version is missing"),
                    ("append_to_note", ["note": "a", "version": a, "text": "x", "under": "H"], "exactly one heading"),
                    ("create_note", ["name": "a", "text": "x"], "the name is taken"),
                    ("create_note", ["name": "/", "text": "x"], "empty part"),
                    ("rename_note", ["note": "a", "version": a, "name": "b"], "already has this name"),
                ] as [(String, [String: Any], String)] {
                    let reply = try await agent.call(tool, arguments)
                    #expect(reply.isError && reply.text.contains(part), "\(tool) \(arguments): \(reply.text)")
                }
                #expect(try await scene.text("a") == "milk and milk\nbread\n")
                #expect(try await scene.names() == ["a", "b"])
            }
        }

        @Test func creatingRenamingDeleting_areUndoneTogether() async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                try await scene.make("a", "one\n")
                let agent = try await Agent(daemon, "codex", options: ["--allow", "rename", "--allow", "delete"])
                #expect(try await agent.call("create_note", ["name": "new", "text": "text\n"])["name"] == "new")
                let read = try await agent.call("read_note", ["note": "a"])
                let renamed = try await agent.call("rename_note", ["note": "a", "version": read["version"], "name": "b"])
                #expect(renamed["outcome"] == "saved")
                #expect(try await scene.names() == ["b", "new"])
                let deleted = try await agent.call("delete_note", ["note": "b", "version": renamed["version"]])
                #expect(deleted.text.contains("the note is deleted"), "\(deleted.text)")
                #expect(try await scene.names() == ["new"])
                #expect(try await scene.notesctl("op", "undo").end == .exited(0))
                #expect(try await scene.names() == ["a"])
                // A deletion that is based on an old reading keeps what others wrote since.
                let again = try await agent.call("read_note", ["note": "a"])
                try await scene.append("two", to: "a")
                let kept = try await agent.call("delete_note", ["note": "a", "version": again["version"]])
                #expect(kept.text.contains("the note stays"), "\(kept.text)")
                #expect(try await scene.text("a").contains("two"))
            }
        }

        @Test func options_limitTheTools() async throws {
            try await DaemonProcess.run { daemon in
                let (reading, writing) = (
                    ["list_conflicts", "list_notes", "note_history", "note_links", "read_file", "read_note", "search_notes"],
                    ["append_to_note", "create_note", "edit_note", "resolve_conflict", "undo_my_changes"]
                )
                let reader = try await Agent(daemon, "x", options: ["--read-only"])
                #expect(reader.tools == reading)
                let writer = try await Agent(daemon, "x")
                #expect(writer.tools == (reading + writing).sorted())
                let remover = try await Agent(daemon, "x", options: ["--allow", "delete"])
                #expect(remover.tools == (reading + writing + ["delete_note"]).sorted())
                let refused = try await daemon.notesctl("mcp", "--read-only", "--allow", "rename")
                #expect(refused.end == .exited(64))
            }
        }

        @Test func conflict_isListedAndResolved() async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                try await scene.make("a", "first\nthe middle line\nlast\n")
                let (one, two) = (try await Agent(daemon, "one"), try await Agent(daemon, "two"))
                let read = try await one.call("read_note", ["note": "a"])
                for (agent, new) in [(one, "by one"), (two, "by two")] {
                    _ = try await agent.call(
                        "edit_note",
                        ["note": "a", "version": read["version"], "edits": [["old": "the middle line", "new": new]]])
                }
                let listed = try await two.call("list_conflicts", ["note": "a"])
                let conflict = try #require((listed.facts["conflicts"] as? [[String: Any]])?.first)
                #expect(conflict["base"] as? String == "the middle line\n")
                let sides = try #require(conflict["sides"] as? [[String: String]])
                #expect(Set(sides.map { $0["text"] }) == ["by one\n", "by two\n"])
                let mine = try #require(sides.first { $0["text"] == "by one\n" }?["side"])
                func resolve(_ taken: String) async throws -> Agent.Reply {
                    try await two.call(
                        "resolve_conflict",
                        ["note": "a", "version": listed["version"], "conflict": conflict["conflict"] ?? "", "take": taken])
                }
                #expect(try await resolve("nobody").text.contains("nothing was changed"))
                let resolved = try await resolve(mine)
                #expect(resolved.facts["conflicts"] as? Int == 0, "\(resolved.text)")
                #expect(try await scene.text("a") == "first\nby one\nlast\n")
            }
        }

        /// An agent takes back its session. What a person wrote meanwhile stays.
        @Test func session_isTakenBackByTheAgent() async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                try await scene.make("a", "one\ntwo\n")
                try await scene.make("b", "three\n")
                let agent = try await Agent(daemon, "codex")
                #expect(try await agent.call("undo_my_changes", [:]).text.contains("written nothing"))
                for name in ["a", "b"] {
                    let read = try await agent.call("read_note", ["note": name])
                    _ = try await agent.call("append_to_note", ["note": name, "version": read["version"], "text": "agent"])
                }
                _ = try await agent.call("create_note", ["name": "c", "text": "agent\n"])
                try await scene.append("person", to: "a")
                let one = try await agent.call("undo_my_changes", ["note": "a"])
                #expect((one.facts["notes"] as? [Any])?.count == 1, "\(one.text)")
                #expect(try await scene.text("a") == "one\ntwo\nperson\n")
                #expect(try await scene.text("b") == "three\nagent\n")
                let all = try await agent.call("undo_my_changes", [:])
                #expect((all.facts["notes"] as? [Any])?.count == 2 && (all.facts["failed"] as? [Any])?.isEmpty == true)
                #expect(try await scene.text("b") == "three\n")
                #expect(try await scene.names() == ["a", "b"])
                #expect(try await agent.call("undo_my_changes", [:]).isError)
            }
        }

        /// A person sees which note an agent has open, and the place of its last change.
        @Test func openNote_isShownToOthers() async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                try await scene.make("a", "one\ntwo\n")
                let person = try await daemon.client("box/nvim/1")
                let id = try await person.note(.name("a")).head.id
                let agent = try await Agent(daemon, "codex")
                @Sendable func places() async throws -> [DependentObject.Presence] {
                    try await person.dependents().compactMap(\.presence)
                }
                let read = try await agent.call("read_note", ["note": "a"])
                #expect(try await places().map(\.note) == [id])
                _ = try await agent.call(
                    "edit_note", ["note": "a", "version": read["version"], "edits": [["old": "two", "new": "three"]]])
                let selection = try await places().first?.place.selection
                #expect(selection?.start == 4 && selection?.end == 9)
                #expect(try await agent.end() == .exited(0))
                try await within("the agent to be gone") { while try await !places().isEmpty { await Task.yield() } }
            }
        }

        /// Two agents and a person write one note, each from what it read before the others wrote. Every
        /// line is in the note.
        @Test(arguments: seeds(2))
        func writersWithStaleReadings_loseNothing(seed: UInt64) async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                try await scene.make("a", "# A\nbegin\n\n# B\nend\n")
                let agents = [try await Agent(daemon, "one"), try await Agent(daemon, "two")]
                var random = SeededGenerator(seed: seed)
                var versions: [String] = []
                for agent in agents { versions.append(try await agent.call("read_note", ["note": "a"])["version"]) }
                var lines: [String] = []
                for number in 0..<30 {
                    let line = "line \(number) of seed \(seed)"
                    lines.append(line)
                    let writer = random.below(3)
                    guard writer < 2 else {
                        try await scene.append(line, to: "a")
                        continue
                    }
                    let heading = random.pick(["A", "B"])
                    let reply = try await agents[writer].call(
                        "append_to_note", ["note": "a", "version": versions[writer], "text": line, "under": heading])
                    #expect(!reply.isError, "\(reply.text)")
                    if random.chance(0.5) { versions[writer] = reply["version"] }
                }
                let text = try await scene.text("a")
                for line in lines { #expect(text.split(separator: "\n").contains(Substring(line)), "\(line) is lost:\n\(text)") }
            }
        }
    }
}
