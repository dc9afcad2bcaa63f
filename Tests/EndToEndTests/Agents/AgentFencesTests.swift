import Foundation
import TestKit
import Testing

extension EndToEnd {
    /// Agents that may read and change some notes only.
    @Suite struct AgentFencesTests {
        /// Notes outside the fences do not exist for the agent, whatever it asks for.
        @Test func fences_hideOtherNotes_andStopAFlood() async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                try await scene.make("work/a", "one #ai\n")
                try await scene.make("work/b", "one\n")
                try await scene.make("home", "secret one #ai\n")
                let agent = try await Agent(
                    daemon, "x", options: ["--prefix", "work/", "--tag", "ai", "--allow", "rename", "--rate", "4"])
                for (tool, arguments) in [
                    ("search_notes", ["query": "one"]), ("list_notes", [:]), ("list_notes", ["prefix": "w"]),
                    ("list_notes", ["order": "name", "tag": "ai"]),
                ] as [(String, [String: Any])] {
                    let notes = try await agent.call(tool, arguments).facts["notes"] as? [[String: Any]]
                    #expect(notes?.map { $0["name"] as? String } == ["work/a"], "\(tool) \(arguments)")
                }
                #expect(try await agent.call("list_notes", ["prefix": "home"]).isError)
                let home = try await scene.notesctl("show", "home", "--format", "{id} {version}").text.split(separator: " ")
                for name in ["home", "\(home[0])", "work/b"] {
                    #expect(try await agent.call("read_note", ["note": name]).text.contains("there is no note"))
                    #expect(try await agent.call("note_history", ["note": name]).isError)
                    #expect(try await agent.call("list_conflicts", ["note": name]).isError)
                }
                let read = try await agent.call("read_note", ["note": "work/a"])
                func change(_ tool: String, _ arguments: [String: Any]) async throws -> Agent.Reply {
                    try await agent.call(tool, ["note": "work/a", "version": read["version"]].merging(arguments) { $1 })
                }
                let untagged = try await change("edit_note", ["edits": [["old": " #ai", "new": ""]]])
                #expect(untagged.isError && untagged.text.contains("#ai"), "\(untagged.text)")
                #expect(try await change("rename_note", ["name": "a"]).isError)
                #expect(try await agent.call("create_note", ["name": "work/c", "text": "none\n"]).isError)
                #expect(
                    try await agent.call("create_note", ["name": "work/b", "text": "#ai\n"]).text
                        == "the name is taken, so nothing was created; choose another")
                let flood = try await change("append_to_note", ["text": "five"])
                #expect(flood.isError && flood.text.contains("4 changes a minute"), "\(flood.text)")
                #expect(try await scene.names() == ["home", "work/a", "work/b"])
                #expect(try await scene.text("work/a") == "one #ai\n")
            }
        }

        /// Each of two edits of one version leaves a tag in the text. Together, they would remove both.
        @Test func mergedEdits_doNotLeaveTheTag() async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                try await scene.make("a", "#ai one\n\nmiddle\n\nend #ai\n")
                let agent = try await Agent(daemon, "x", options: ["--tag", "ai"])
                let read = try await agent.call("read_note", ["note": "a"])
                func edit(_ old: String, _ new: String, _ version: String) async throws -> Agent.Reply {
                    try await agent.call(
                        "edit_note", ["note": "a", "version": version, "edits": [["old": old, "new": new]]])
                }
                let first = try await edit("#ai one", "one", read["version"])
                #expect(first["outcome"] == "saved", "\(first.text)")
                for _ in 0..<2 {
                    let second = try await edit("end #ai", "end", read["version"])
                    #expect(second.isError && second.text.contains("the change was undone"), "\(second.text)")
                    #expect(try await scene.text("a") == "one\n\nmiddle\n\nend #ai\n")
                }
                // A merge that keeps the tag is made, and the refused write is none of the session.
                let third = try await edit("middle", "centre", read["version"])
                #expect(third["outcome"] == "merged", "\(third.text)")
                #expect(try await scene.text("a") == "one\n\ncentre\n\nend #ai\n")
                #expect(try await !agent.call("undo_my_changes", [:]).isError)
                #expect(try await scene.text("a") == "#ai one\n\nmiddle\n\nend #ai\n")
            }
        }

        /// A passage that is replaced many times is written many times.
        @Test func volume_countsWhatIsWritten() async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                let agent = try await Agent(daemon, "x", options: ["--volume", "20000"])
                let made = try await agent.call(
                    "create_note", ["name": "a", "text": String(repeating: "a\n", count: 1_000)])
                func edit(_ new: String) async throws -> Agent.Reply {
                    try await agent.call(
                        "edit_note",
                        ["note": "a", "version": made["version"], "edits": [["old": "a\n", "new": new, "count": 1_000]]])
                }
                let refused = try await edit(String(repeating: "b", count: 100) + "\n")
                #expect(refused.isError && refused.text.contains("in a session"), "\(refused.text)")
                #expect(try await scene.text("a").hasPrefix("a\na\n"))
                #expect(try await edit("bb\n")["outcome"] == "saved")
            }
        }

        /// The daemon's refusal of a name that is taken names the note that has it.
        @Test func noteOutsideTheTag_isNotNamed() async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                try await scene.make("private/diary", "secret\n")
                try await scene.make("a", "#ai\n")
                let agent = try await Agent(daemon, "x", options: ["--tag", "ai", "--allow", "rename"])
                let read = try await agent.call("read_note", ["note": "a"])
                let created = try await agent.call("create_note", ["name": "private/diary", "text": "#ai"])
                let renamed = try await agent.call(
                    "rename_note", ["note": "a", "version": read["version"], "name": "private/diary"])
                #expect(created.text == "the name is taken, so nothing was created; choose another")
                #expect(renamed.text == "the name is taken, so nothing was changed; choose another")
                // Outside of a prefix, the answer does not depend on the notes.
                let fenced = try await Agent(daemon, "y", options: ["--prefix", "work/"])
                let answers = [
                    try await fenced.call("create_note", ["name": "private/diary", "text": ""]).text,
                    try await fenced.call("create_note", ["name": "private/other", "text": ""]).text,
                ]
                #expect(answers[0] == answers[1] && answers[0].contains("must begin with"))
            }
        }
    }
}
