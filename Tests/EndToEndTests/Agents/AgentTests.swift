import Foundation
import NoteText
import NotesClient
import NotesMethods
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// `notesctl mcp` as an agent uses it: the real programs, connected by pipes.
    @Suite struct AgentTests {
        @Test func reading_findsAndReadsNotes() async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                try await scene.make("work/shopping", "# Shopping\nMilk #todo\nBread\n")
                try await scene.make("other", "nothing\n")
                let agent = try await Agent(daemon, "reader")
                let found = try await agent.call("search_notes", ["query": "milk"])
                #expect((found.facts["notes"] as? [[String: Any]])?.map { $0["name"] as? String } == ["work/shopping"])
                let listed = try await agent.call("list_notes", [:])
                #expect((listed.facts["notes"] as? [[String: Any]])?.map { $0["name"] as? String } == ["other", "work/shopping"])
                for filter in [["tag": "todo"], ["prefix": "work/"]] {
                    let some = try await agent.call("list_notes", filter)
                    #expect((some.facts["notes"] as? [[String: Any]])?.count == 1)
                }
                let read = try await agent.call("read_note", ["note": "work/shopping"])
                #expect(read["text"] == "# Shopping\nMilk #todo\nBread\n" && read.text.hasSuffix(read["text"]))
                let part = try await agent.call("read_note", ["note": read["id"], "from_line": 2, "lines": 1])
                #expect(part["text"] == "Milk #todo\n" && part.facts["next_line"] as? Int == 3)
                #expect(try await daemon.notesctl("append", "work/shopping", "-t", "Tea").end == .exited(0))
                let history = try await agent.call("note_history", ["note": "work/shopping", "since": read["version"]])
                #expect((history.facts["revisions"] as? [Any])?.count == 2 && history["diff"].contains("+Tea\n"))
                let old = try await agent.call("read_note", ["note": "work/shopping", "at": read["version"]])
                #expect(old["text"] == read["text"] && old["version"] == read["version"])
                #expect(try await agent.end() == .exited(0))
            }
        }

        /// A client with limits gives up its rights on each connection, also after the daemon has restarted.
        @Test func limitedClient_mayOnlyRead() async throws {
            try await DaemonProcess.run { daemon in
                try await FileScene(daemon: daemon).make("a", "text\n")
                let client = try await daemon.client("limited") {
                    $0.limits = SessionLimits(access: .read)
                    $0.reconnecting = Backoff()
                    $0.resending = .whatMayBeRepeated
                }
                var options = ClientOptions(socketPath: daemon.socket, name: "limited", version: "1")
                options.limits = SessionLimits(access: .read)
                let blocking = try BlockingClient.connect(options)
                for isRestarted in [false, true] {
                    if isRestarted { try await daemon.restart(after: SIGTERM) }
                    for reader in [client, blocking] as [any NotesAPI] {
                        #expect(try await reader.note(.name("a")).text == Array("text\n".utf8))
                        #expect(await reader.hello?.access == .read)
                        await #expect(throws: ClientError.self) { try await reader.create(text: [], name: "b") }
                    }
                }
                #expect(try await daemon.notesctl("list").lines.count == 1)
                await client.close()
                await blocking.close()
            }
        }

        /// Notes with very many tags, lines and words give results of a limited size.
        @Test func results_areLimited() async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                let tags = (0..<2_000).map { "#tag\($0)" }.joined(separator: " ")
                try await scene.make("tagged", tags + "\n")
                try await scene.make("long", (0..<20_000).map { "line \($0)\n" }.joined())
                let agent = try await Agent(daemon, "reader")
                let listed = try await agent.call("list_notes", ["tag": "tag7"])
                let note = try #require((listed.facts["notes"] as? [[String: Any]])?.first)
                #expect((note["tags"] as? [String])?.count == 20 && listed.text.utf8.count < 1_024)
                var (text, line, calls) = ("", 1, 0)
                while true {
                    let page = try await agent.call("read_note", ["note": "long", "from_line": line, "lines": 5_000])
                    #expect(page["text"].utf8.count <= 32 * 1_024)
                    text += page["text"]
                    calls += 1
                    guard let next = page.facts["next_line"] as? Int, next > line else { break }
                    line = next
                }
                #expect(try await scene.text("long") == text && calls > 4)
            }
        }

        @Test func failures_areResultsThatSayWhatToDo() async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                try await scene.make("a", "text\n")
                try await scene.make("gone", "text\n")
                try await scene.notesctl("rm", "gone")
                let agent = try await Agent(daemon, "reader")
                for (tool, arguments, part) in [
                    ("read_note", ["note": "b"], "there is no note `b`"), ("read_note", ["note": "gone"], "there is no note"),
                    ("read_note", ["note": "a", "at": "0123456789abcdef:7"], "read_note returns a version"),
                    ("read_note", ["note": "a", "at": "yesterday"], "not a version"),
                    ("search_notes", ["query": "\"open"], "the query is wrong"),
                    ("list_notes", ["after": "x"], "after is not"),
                    ("note_history", ["note": "a", "before": "x"], "before is not"),
                ] as [(String, [String: Any], String)] {
                    let reply = try await agent.call(tool, arguments)
                    #expect(reply.isError && reply.text.contains(part), "\(tool) \(arguments): \(reply.text)")
                }
            }
        }

        @Test func links_ofTheScope_areListed() async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                try await scene.make("work/plan", "[[inbox#today]] [[diary]] [[nowhere]]\n")
                try await scene.make("work/inbox", "# In\n")
                try await scene.make("home/diary", "see [[plan]] and [[inbox]]\n")
                let agent = try await Agent(daemon, "reader")
                let plan = try await agent.call("note_links", ["note": "work/plan"])
                #expect(
                    plan.text.contains("1 link to it\nhome/diary; id ") && plan.text.contains(": see [[plan]] and"),
                    "\(plan.text)")
                #expect(plan.text.contains("3 links in it\ninbox: work/inbox; id "), "\(plan.text)")
                #expect(plan.text.hasSuffix("\nnowhere: no note"), "\(plan.text)")
                let inbox = try await agent.call("note_links", ["note": "work/inbox"])
                #expect(inbox.text.contains("2 links to it\n"), "\(inbox.text)")
                let wrong = try await agent.call("note_links", ["note": "work/inbox", "after": "x"])
                #expect(wrong.isError && wrong.text.contains("after is not"), "\(wrong.text)")

                let scoped = try await Agent(daemon, "reader", options: ["--prefix", "work/"])
                let seen = try await scoped.call("note_links", ["note": "work/plan"])
                #expect(seen.text.contains("0 links to it\n") && seen.text.contains("\ndiary: no note\n"), "\(seen.text)")
                #expect(!seen.text.contains("home/"), "\(seen.text)")
                #expect(try await scoped.call("note_links", ["note": "home/diary"]).isError)
            }
        }

        /// The daemon is killed between two calls: a call without a daemon fails with the reason, and the
        /// next call after its start succeeds.
        @Test func killedDaemon_isReportedAndFoundAgain() async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                try await scene.make("a", "text\n")
                let agent = try await Agent(daemon, "reader")
                #expect(try await agent.call("read_note", ["note": "a"])["text"] == "text\n")
                try await daemon.end(SIGKILL)
                let away = try await agent.call("read_note", ["note": "a"])
                #expect(away.isError && away.text.contains("daemon"), "\(away.text)")
                try await daemon.start()
                #expect(try await agent.call("read_note", ["note": "a"])["text"] == "text\n")
            }
        }
    }
}
