import EditSession
import NoteText
import NotesModel
import NotesWire
import SessionTestKit
import StrictJSON
import Testing

@testable import EditorHost
@testable import NoteTasks

/// What a host keeps for an editor besides the text: drafts, what is saved, and where the user is.
struct HostStateTests {
    private func opened(text: String = "milk\nbread\n") -> HostWorld {
        var world = HostWorld(text: text)
        world.say(EditorHostTests.hello)
        world.say(EditorHostTests.open)
        world.settle()
        _ = world.take()
        return world
    }

    private func response(_ id: Int64, _ lines: [JSONValue]) -> String? {
        lines.first { $0["id"]?.integer == id }.map { $0["result"]?.json ?? $0["error"]?.json ?? "" }
    }

    private static func change(_ number: Int, _ edits: String, length: Int, more: String = "") -> String {
        #"{"jsonrpc":"2.0","method":"buffer.change","params":{"buffer":1,"n":\#(number),"edits":\#(edits),"length":\#(length)\#(more)}}"#
    }

    /// An undo puts the caret where it was before the change, also after others have written above it; so
    /// does a redo.
    @Test func undo_returnsTheCaret() {
        var world = opened()
        world.say(Self.change(1, #"[[8,8,"!"]]"#, length: 12, more: #","before":6"#))
        world.settle()
        world.save("top\nmilk\nbre!ad\n")
        world.settle()
        world.say(#"{"jsonrpc":"2.0","method":"buffer.accept","params":{"buffer":1,"k":1,"n":1}}"#)
        _ = world.take()
        for (number, method) in ["undo", "redo"].enumerated() {
            world.say(#"{"jsonrpc":"2.0","id":\#(3 + number),"method":"buffer.\#(method)","params":{"buffer":1}}"#)
            let edits = world.take().params(of: "buffer.edit")
            #expect(edits.count == 1 && edits[0].hasSuffix(#""origin":"\#(method)","selection":[10,10]}"#), "\(edits)")
            world.say(#"{"jsonrpc":"2.0","method":"buffer.accept","params":{"buffer":1,"k":\#(2 + number),"n":1}}"#)
            world.settle()
        }
        #expect(world.daemon.text == "top\nmilk\nbre!ad\n")
    }

    /// An undo is reported as saved when the daemon has it, though the user typed nothing.
    @Test func undo_isReportedAsSaved() {
        var world = opened()
        world.say(Self.change(1, #"[[0,0,"x"]]"#, length: 12))
        world.settle()
        _ = world.take()
        world.say(#"{"jsonrpc":"2.0","id":3,"method":"buffer.undo","params":{"buffer":1}}"#)
        #expect(world.take().params(of: "buffer.saved").isEmpty)
        world.say(#"{"jsonrpc":"2.0","method":"buffer.accept","params":{"buffer":1,"k":1,"n":1}}"#)
        #expect(world.take().params(of: "buffer.saved").isEmpty)
        world.settle()
        let saved = world.take().params(of: "buffer.saved")
        #expect(saved.count == 1 && saved[0].hasPrefix(#"{"buffer":1,"n":1,"k":1,"#), "\(saved)")
        #expect(world.daemon.text == "milk\nbread\n")
    }

    /// The others see the user only in the buffer in which the user is.
    @Test func place_isThatOfTheUser() {
        var world = opened()
        func places(_ world: HostWorld) -> [Selection] {
            world.requests.compactMap { action in
                guard case .presence(_, _, let selection) = action else { return nil }
                return selection
            }
        }
        world.requests = []
        world.say(#"{"jsonrpc":"2.0","method":"buffer.select","params":{"buffer":1,"n":0,"selection":[7,5]}}"#)
        for _ in 0..<4 {
            world.now += .milliseconds(100)
            world.give(.clock)
        }
        #expect(places(world) == [Selection(start: 5, end: 7)])
        world.requests = []
        world.say(#"{"jsonrpc":"2.0","method":"buffer.select","params":{"buffer":1,"n":0,"selection":null}}"#)
        #expect(world.requests.count { if case .absent = $0 { true } else { false } } == 1)
        world.save("milk\nbread\neggs\n")
        world.settle()
        world.say(#"{"jsonrpc":"2.0","method":"buffer.accept","params":{"buffer":1,"k":1,"n":0}}"#)
        world.settle()
        #expect(places(world).isEmpty)
    }

    /// Without the daemon, what is saved is saved, and what is not goes to a draft.
    @Test func save_withoutTheDaemon() {
        var world = opened()
        world.isUp = false
        world.give(.daemon(nil))
        world.say(#"{"jsonrpc":"2.0","id":3,"method":"buffer.save","params":{"buffer":1}}"#)
        #expect(response(3, world.take())?.hasPrefix(#"{"version":"#) == true && world.drafts.isEmpty)
        world.say(Self.change(1, #"[[0,0,"x"]]"#, length: 12))
        world.say(#"{"jsonrpc":"2.0","id":4,"method":"buffer.save","params":{"buffer":1}}"#)
        #expect(response(4, world.take())?.contains(#""code":7002"#) == true)
        #expect(world.drafts.values.map { String(decoding: $0, as: UTF8.self) } == ["xmilk\nbread\n"])
    }

    /// The user learns once that a draft cannot be written, and again after it was possible.
    @Test func failedDraft_isTold() {
        var world = opened()
        func fail() -> Int {
            world.give(.draftFailed(OneNoteDaemon.id, reason: "the disk is full"))
            return world.take().params(of: "buffer.notice").count { $0.contains("the disk is full") }
        }
        #expect(fail() == 1 && fail() == 0)
        world.isUp = false
        world.give(.daemon(nil))
        world.say(Self.change(1, #"[[0,0,"x"]]"#, length: 12, more: ""))
        world.settle()
        world.isUp = true
        world.give(.daemon(HostWorld.hello))
        world.give(.session(1, .connected))
        world.settle()
        #expect(fail() == 1)
    }

    /// No response says that a text is in a draft that could not be written.
    @Test func fullDisk_isNoDraft() {
        var world = opened()
        (world.isUp, world.isDiskFull) = (false, true)
        world.give(.daemon(nil))
        world.say(Self.change(1, #"[[0,0,"x"]]"#, length: 12))
        world.say(#"{"jsonrpc":"2.0","id":3,"method":"buffer.save","params":{"buffer":1}}"#)
        world.say(#"{"jsonrpc":"2.0","id":4,"method":"buffer.close","params":{"buffer":1}}"#)
        let lines = world.take()
        #expect(response(3, lines)?.contains(#""draft":false"#) == true)
        #expect(response(4, lines) == #"{"saved":false,"draft":false}"#)
    }

    /// A save that waits for the daemon is answered when the daemon goes.
    @Test func waitingSave_isAnsweredWhenTheDaemonGoes() {
        var world = opened()
        world.say(Self.change(1, #"[[0,0,"x"]]"#, length: 12))
        world.say(#"{"jsonrpc":"2.0","id":3,"method":"buffer.save","params":{"buffer":1}}"#)
        #expect(response(3, world.take()) == nil)
        world.give(.daemon(nil))
        #expect(response(3, world.take())?.contains(#""code":7002"#) == true)
    }

    /// What an editor wants to create without the daemon is kept.
    @Test func creationWithoutTheDaemon_isKept() {
        var world = HostWorld()
        world.isUp = false
        world.say(EditorHostTests.hello)
        world.say(
            #"{"jsonrpc":"2.0","id":2,"method":"buffer.open","params":{"buffer":1,"create":{"id":"\#(OneNoteDaemon.id)","name":"a","text":"new\n"}}}"#
        )
        #expect(response(2, world.take())?.contains(#""draft":true"#) == true)
        let kept = world.requests.compactMap { action -> String? in
            guard case .keepNewDraft(_, let name, let text) = action else { return nil }
            return "\(name) \(String(decoding: text, as: UTF8.self))"
        }
        #expect(kept == ["a new\n"])
    }

    /// The text of an editor that comes back without the daemon is in a draft until the daemon has it.
    @Test func returnWithoutTheDaemon_isKept() {
        var world = HostWorld()
        let base = world.daemon.note.version
        world.isUp = false
        world.say(EditorHostTests.hello)
        let resume = #"{"versions":"\#(base)","writer":"0a1b2c3d","text":"milk\nbread!\n"}"#
        let open = #""method":"buffer.open","params":{"buffer":1,"id":"\#(OneNoteDaemon.id)","resume":\#(resume)}}"#
        world.say(#"{"jsonrpc":"2.0","id":2,"# + open)
        #expect(response(2, world.take())?.contains(#""draft":true"#) == true && world.drafts.count == 1)
        world.isUp = true
        world.give(.daemon(HostWorld.hello))
        world.say(#"{"jsonrpc":"2.0","id":3,"# + open)
        guard case .open(let key, _, _)? = world.requests.popLast() else { return #expect(Bool(false), "nothing is opened") }
        let shadow = Array(world.daemon.text.utf8)
        let opened = OpenedNote(note: world.daemon.object(), resumed: .found(base, shadow, withdrawn: 0))
        world.give(.opened(key, .success(opened)))
        world.settle()
        #expect(world.daemon.text == "milk\nbread!\n" && world.drafts.isEmpty)
    }

    /// A note opens with the draft that a host left, which the daemon then gets.
    @Test func draft_isSent() throws {
        var world = HostWorld()
        let base = world.daemon.note.version
        world.say(EditorHostTests.hello)
        world.say(EditorHostTests.open)
        guard case .open(let key, _, _)? = world.requests.first else { throw CancellationError() }
        world.requests = []
        let shadow = Array(world.daemon.text.utf8)
        let left = KeptDraft.Left(
            path: "/nowhere", text: Array("milk\nbread!\n".utf8), base: base, created: nil, writer: "11111111")
        var opened = OpenedNote(note: world.daemon.object(), resumed: .found(base, shadow, withdrawn: 0))
        (opened.draft, opened.replaced, opened.otherDrafts) = (left, [left], ["/elsewhere"])
        world.give(.opened(key, .success(opened)))
        var lines = world.take()
        let result = response(2, lines)
        #expect(result?.contains(#""text":"milk\nbread!\n""#) == true && result?.contains(#""draft":true"#) == true)
        #expect(lines.params(of: "buffer.notice").first?.contains("/elsewhere") == true)
        #expect(world.drafts.count == 1, "the host keeps a draft of its own before the other is removed")
        #expect(world.requests.count { if case .discard = $0 { true } else { false } } == 1)
        world.settle()
        lines = world.take()
        #expect(world.daemon.text == "milk\nbread!\n" && world.drafts.isEmpty)
        #expect(lines.params(of: "buffer.saved").count == 1)
    }

    /// An editor creates a note again, because no response came, with what was typed since; others wrote meanwhile.
    @Test(arguments: ["\n", "\r\n"])
    func repeatedCreation_goesOn(lineEnd: String) throws {
        var world = HostWorld(text: "one\(lineEnd)")
        let first = world.daemon.object()
        world.save("zero\(lineEnd)one\(lineEnd)")
        world.say(EditorHostTests.hello)
        let create = #"{"id":"\#(OneNoteDaemon.id)","text":"one\ntwo\n"}"#
        world.say(#"{"jsonrpc":"2.0","id":2,"method":"buffer.open","params":{"buffer":1,"create":\#(create)}}"#)
        guard case .open(let key, .create(_, _, let text), nil)? = world.requests.popLast() else { throw CancellationError() }
        var opened = OpenedNote(
            note: world.daemon.object(), resumed: .found(first.head.version, try #require(first.text), withdrawn: 0))
        opened.createdBefore = text
        world.give(.opened(key, .success(opened)))
        let result = response(2, world.take())
        #expect(result?.contains(#""text":"one\ntwo\n""#) == true && result?.contains(#""draft":true"#) == true)
        world.settle()
        #expect(world.daemon.text == "zero\none\ntwo\n".replacing("\n", with: lineEnd))
        let lines = world.take()
        #expect(lines.params(of: "buffer.saved").count == 1 && world.daemon.conflicts == 0)
        #expect(lines.params(of: "buffer.edit").first?.contains(#""edits":[[0,0,"zero\n"]]"#) == true)
    }

    /// Two hosts send the draft of a page that is gone: the first response was lost. Others wrote meanwhile.
    @Test(
        arguments: [
            "x\none\ntwo\nthree\n", "one\nx\ntwo\nthree\n", "one\ntwxo\nthree\n", "one\nx\nthree\n", "one\nx\n", "one\nthree\n",
            "one\ntwo\nthree\nx",
        ], [0, 60])
    func draftOfAnotherWriter_sentTwice_isThereOnce(draft: String, age: Int) throws {
        var world = HostWorld(text: "one\ntwo\nthree\n")
        let base = world.daemon.note.version
        for number in 2...3 {
            world.host = EditorHost(writer: "\(number)a1b2c3d")
            world.say(EditorHostTests.hello)
            let text = draft.replacing("\n", with: #"\n"#)
            let resume = #"{"versions":"\#(base)","writer":"0a1b2c3d","text":"\#(text)","age":\#(age)}"#
            let subject = #""buffer":1,"id":"\#(OneNoteDaemon.id)","resume":\#(resume)"#
            world.say(#"{"jsonrpc":"2.0","id":2,"method":"buffer.open","params":{\#(subject)}}"#)
            guard case .open(let key, _, _)? = world.requests.popLast() else { throw CancellationError() }
            let shadow = Array("one\ntwo\nthree\n".utf8)
            world.give(
                .opened(key, .success(OpenedNote(note: world.daemon.object(), resumed: .found(base, shadow, withdrawn: 0)))))
            world.say(#"{"jsonrpc":"2.0","id":3,"method":"buffer.close","params":{"buffer":1}}"#)
            world.settle()
            #expect(response(3, world.take()) == #"{"saved":true,"draft":false}"#)
            world.requests = []
            if number == 2 { world.save("first\n" + world.daemon.text) }
        }
        #expect(world.daemon.text == "first\n" + draft)
        #expect(world.daemon.conflicts == 0)
    }
}
