import EditSession
import NoteTasks
import NoteText
import NotesModel
import NotesWire
import SessionTestKit
import StrictJSON
import TestKit
import Testing
import TextMerge

@testable import EditorHost

/// The messages of the attach protocol, with one note.
struct EditorHostTests {
    static let hello =
        #"{"jsonrpc":"2.0","id":1,"method":"attach.hello","params":{"protocol":[1],"client":{"name":"t","version":"1"},"positions":"utf-8"}}"#
    static var open: String {
        #"{"jsonrpc":"2.0","id":2,"method":"buffer.open","params":{"buffer":1,"id":"\#(OneNoteDaemon.id)"}}"#
    }

    private func opened() -> HostWorld {
        var world = HostWorld()
        world.say(Self.hello)
        world.say(Self.open)
        world.settle()
        _ = world.take()
        return world
    }

    @Test func opening_returnsTheText() {
        var world = HostWorld()
        world.say(Self.hello)
        world.say(Self.open)
        world.settle()
        let lines = world.take().map(\.json)
        #expect(lines.first?.contains(#""daemon":true,"user":"ada","access":"write""#) == true)
        #expect(lines.last?.contains(#""text":"milk\nbread\n""#) == true && lines.last?.contains(#""writer":"0a1b2c3d""#) == true)
    }

    /// Lines after a hello wait until the first attempt to connect has ended.
    @Test func requestsAfterHello_waitForTheDaemon() {
        var world = HostWorld()
        world.isUp = false
        world.say(Self.hello)
        world.say(Self.open)
        #expect(world.take().map { $0["id"]?.integer } == [1, 2])
        world.isUp = true
        world.give(.daemon(HostWorld.hello))
        #expect(
            world.take().params(of: "attach.daemon")
                == [#"{"up":true,"user":"ada","access":"write","store":"0000000000000007","capabilities":[]}"#])
    }

    /// Lines that come while the first attempt to connect goes on are handled once, and in order.
    @Test func hello_isAnsweredOnce() {
        var host = EditorHost(writer: "0a1b2c3d")
        for line in [Self.hello, Self.open, Self.open] { _ = host.receive(.line(.line(Array(line.utf8))), at: .zero) }
        let lines = host.receive(.daemon(nil), at: .zero).compactMap { action -> Int64? in
            guard case .send(let line) = action else { return nil }
            return (try? JSONDocument(parsing: Array(line.dropLast()), depthMax: 32).root)?["id"]?.integer
        }
        #expect(lines == [1, 2, 2])
    }

    @Test func people_haveSelections() {
        var world = opened()
        for (end, selection) in [(4, ""), (6, #","selection":[4,6]"#)] {
            let place = PositionObject(version: world.daemon.note.version, selection: Selection(start: 4, end: end))
            world.give(
                .presence(
                    PresenceChanged(
                        note: OneNoteDaemon.id, dependent: DependentID(2), label: "bob/vim", user: UserInfo(uid: 2, name: "bob"),
                        place: place)))
            let people = world.take().params(of: "buffer.people")
            #expect(people == [#"{"buffer":1,"people":[{"user":"bob","label":"bob/vim","at":\#(end)\#(selection)}]}"#])
        }
    }

    @Test func change_isWritten_andSaved() {
        var world = opened()
        world.say(
            #"{"jsonrpc":"2.0","method":"buffer.change","params":{"buffer":1,"n":1,"edits":[[4,4," two"]],"length":15}}"#)
        world.settle()
        #expect(world.daemon.text == "milk two\nbread\n")
        #expect(world.take().params(of: "buffer.saved").count == 1)
        world.say(#"{"jsonrpc":"2.0","method":"buffer.change","params":{"buffer":1,"n":2,"text":"é\n","length":3}}"#)
        world.settle()
        #expect(world.daemon.text == "é\n")
    }

    @Test func othersText_isAnEdit_untilItIsAccepted() {
        var world = opened()
        world.save("milk\nbread\neggs\n")
        world.settle()
        let edits = world.take().params(of: "buffer.edit")
        #expect(edits.count == 1 && edits[0].contains(#""k":1,"n":0,"edits":[[11,11,"eggs\n"]],"length":16"#))
        world.save("milk\nbread\neggs\nham\n")
        world.settle()
        #expect(world.take().params(of: "buffer.edit").isEmpty)
        world.say(#"{"jsonrpc":"2.0","method":"buffer.accept","params":{"buffer":1,"k":1,"n":0}}"#)
        world.settle()
        #expect(world.take().params(of: "buffer.edit").count == 1)
    }

    @Test func undo_returnsDone_whenTheEditorHasAccepted() {
        var world = opened()
        world.say(#"{"jsonrpc":"2.0","method":"buffer.change","params":{"buffer":1,"n":1,"edits":[[0,0,"x"]],"length":12}}"#)
        world.say(#"{"jsonrpc":"2.0","id":3,"method":"buffer.undo","params":{"buffer":1}}"#)
        let edits = world.take().params(of: "buffer.edit")
        #expect(edits.count == 1 && edits[0].contains(#""edits":[[0,1,""]]"#) && edits[0].contains(#""origin":"undo""#))
        world.say(#"{"jsonrpc":"2.0","method":"buffer.accept","params":{"buffer":1,"k":1,"n":1}}"#)
        #expect(world.take().contains { $0["id"]?.integer == 3 && $0["result"]?.json == #"{"done":true}"# })
        world.say(#"{"jsonrpc":"2.0","id":4,"method":"buffer.undo","params":{"buffer":1}}"#)
        #expect(world.take().contains { $0["id"]?.integer == 4 && $0["result"]?.json == #"{"done":false}"# })
    }

    /// An editor shows LF in a note whose lines end with CR LF, and what it types ends with CR LF.
    @Test func carriageReturns_areHidden() {
        var world = HostWorld(text: "milk\r\nbread\r\n")
        world.say(Self.hello)
        world.say(Self.open)
        world.settle()
        #expect(world.take().last?.json.contains(#""text":"milk\nbread\n","#) == true)
        world.say(
            #"{"jsonrpc":"2.0","method":"buffer.change","params":{"buffer":1,"n":1,"edits":[[4,5,"!\n"],[11,11,"x\n"]],"length":14}}"#
        )
        world.settle()
        #expect(world.daemon.text == "milk!\r\nbread\r\nx\r\n")
        _ = world.take()
        world.save("milk!\r\neggs\r\nbread\r\nx\r\n")
        world.settle()
        let edits = world.take().params(of: "buffer.edit")
        #expect(edits.count == 1 && edits[0].contains(#""edits":[[6,6,"eggs\n"]],"length":19"#), "\(edits)")
    }

    @Test func revert_isAStepOfTheUser() {
        var world = opened()
        world.give(.reverted(1, .integer(7), Array("old\n".utf8)))
        let edits = world.take().params(of: "buffer.edit")
        #expect(edits.count == 1 && edits[0].contains(#""origin":"undo""#))
        world.say(#"{"jsonrpc":"2.0","method":"buffer.accept","params":{"buffer":1,"k":1,"n":0}}"#)
        world.settle()
        #expect(world.daemon.text == "old\n")
        #expect(world.take().contains { $0["id"]?.integer == 7 && $0["result"]?.json == #"{"done":true}"# })
        world.say(#"{"jsonrpc":"2.0","id":8,"method":"buffer.undo","params":{"buffer":1}}"#)
        world.say(#"{"jsonrpc":"2.0","method":"buffer.accept","params":{"buffer":1,"k":2,"n":0}}"#)
        world.settle()
        #expect(world.daemon.text == "milk\nbread\n")
    }

    /// What the editor does to its lines is done to those of the note.
    @Test(arguments: seeds(60))
    func editsOfShownLines_areEditsOfTheNote(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func text() -> [UInt8] {
            (0..<random.below(6)).flatMap { _ in Array(random.pick(["a\r\n", "é\r\n", "\r\n", "b", "\r", "\n"]).utf8) }
        }
        let lineEnds = LineEnds(areCRLF: true)
        let old = text()
        let shown = lineEnds.shown(old)
        let start = random.boundary(in: shown)
        let edit = Edit(start: start, end: random.boundary(in: shown, from: start, to: start + 4), replacement: Array("x\n".utf8))
        let hidden = lineEnds.hidden([edit], in: old)
        #expect(lineEnds.shown(hidden.applied(to: old)) == [edit].applied(to: shown), "seed \(seed)")
        // And the other way round.
        let other = text()
        let back = lineEnds.shown(TextDiff.edits(from: old, to: other), in: old)
        #expect(back.applied(to: shown) == lineEnds.shown(other), "seed \(seed)")
        for offset in 0...shown.count {
            #expect(lineEnds.shown(lineEnds.hidden([offset], in: old), in: old) == [offset], "seed \(seed)")
        }
    }

    /// What does not fit the text that the host has ends the buffer, and what it has goes to the daemon.
    @Test(arguments: [
        #"{"buffer":1,"n":3,"edits":[],"length":12}"#,
        #"{"buffer":1,"n":2,"edits":[[0,0,"y"]],"length":12}"#,
        #"{"buffer":1,"n":2,"edits":[[13,13,"y"]],"length":13}"#,
        #"{"buffer":1,"n":2,"edits":[[5,5,"y"],[2,2,"z"]],"length":14}"#,
        #"{"buffer":1,"n":2,"edits":[[0,0,"y"]]}"#,
        #"{"buffer":1,"n":2,"edits":[[0,0,"\u0000"]],"length":13}"#,
        #"{"buffer":1,"n":2,"edits":[[0,0,7]],"length":13}"#,
    ])
    func changeThatDoesNotFit_isAFault(_ params: String) {
        var world = opened()
        world.say(#"{"jsonrpc":"2.0","method":"buffer.change","params":{"buffer":1,"n":1,"edits":[[0,0,"x"]],"length":12}}"#)
        world.say(#"{"jsonrpc":"2.0","method":"buffer.change","params":\#(params)}"#)
        #expect(world.take().params(of: "buffer.fault").count == 1, "\(params)")
        world.say(#"{"jsonrpc":"2.0","method":"buffer.change","params":{"buffer":1,"n":2,"edits":[],"length":12}}"#)
        world.settle()
        #expect(world.daemon.text == "xmilk\nbread\n" && world.host.buffers.isEmpty)
    }

    /// Requests that cannot be get an error that says why, and change nothing.
    @Test(arguments: [
        (#"{"id":9,"method":"buffer.open","params":{"buffer":1,"name":"x"}}"#, -32602),
        (#"{"id":9,"method":"buffer.open","params":{"buffer":2}}"#, -32602),
        (#"{"id":9,"method":"buffer.open","params":{"buffer":2,"name":"x","id":"7"}}"#, -32602),
        (#"{"id":9,"method":"buffer.open","params":{"buffer":2,"name":"x"}}"#, 2001),
        (#"{"id":9,"method":"buffer.save","params":{"buffer":5}}"#, -32602),
        (#"{"id":9,"method":"buffer.undo","params":{"buffer":1,"more":1}}"#, -32602),
        (#"{"id":9,"method":"note.purge","params":{}}"#, -32601),
        (#"{"id":9,"method":"buffer.resolve","params":{"buffer":1,"conflict":"0"}}"#, -32602),
        (#"{"id":9,"method":"buffer.revert","params":{"buffer":1,"version":"?"}}"#, -32602),
        (#"{"id":9,"method":"attach.hello","params":{}}"#, -32602),
        (#"{"method":"buffer.save","params":{"buffer":1}}"#, -32600),
    ])
    func requestsThatCannotBe_areRefused(_ request: String, code: Int64) {
        var world = opened()
        world.say(#"{"jsonrpc":"2.0","# + request.dropFirst())
        world.settle()
        let errors = world.take().compactMap { $0["error"]?["code"]?.integer }
        #expect(errors == [code], "\(request)")
        #expect(world.daemon.text == "milk\nbread\n" && world.host.buffers.count == 1)
    }

    /// A save that the daemon refuses is answered, and so is a notification with an id.
    @Test func refusedSave_isAnswered() {
        var world = opened()
        world.daemon.refusals = [WireError(.noteTooLarge, "too large")]
        world.say(
            #"{"jsonrpc":"2.0","id":5,"method":"buffer.change","params":{"buffer":1,"n":1,"edits":[[0,0,"x"]],"length":12}}"#)
        world.say(#"{"jsonrpc":"2.0","id":6,"method":"buffer.save","params":{"buffer":1}}"#)
        world.settle()
        let lines = world.take()
        #expect(lines.contains { $0["id"]?.integer == 5 && $0["result"] != nil })
        #expect(lines.contains { $0["id"]?.integer == 6 && $0["error"]?["code"]?.integer == 4002 })
        #expect(lines.params(of: "buffer.notice").count == 1)
    }

    /// Requests about a buffer that is being opened are refused; none stays without a response.
    @Test(arguments: ["undo", "save", "close"]) func requestBeforeTheOpening_isRefused(_ method: String) {
        var world = HostWorld()
        world.say(Self.hello)
        world.say(Self.open)
        world.say(#"{"jsonrpc":"2.0","id":9,"method":"buffer.\#(method)","params":{"buffer":1}}"#)
        #expect(world.take().contains { $0["id"]?.integer == 9 && $0["error"]?["code"]?.integer == -32602 })
    }

    /// A watch that begins late connects a session that was offline.
    @Test func watchThatBeginsLate_connects() {
        var world = opened()
        world.give(.session(1, .disconnected))
        world.say(#"{"jsonrpc":"2.0","method":"buffer.change","params":{"buffer":1,"n":1,"edits":[[0,0,"x"]],"length":12}}"#)
        world.settle()
        #expect(world.daemon.text == "milk\nbread\n")
        world.give(.watching(1))
        world.settle()
        #expect(world.daemon.text == "xmilk\nbread\n")
    }

    @Test func nothing_isAnswered_beforeHello() {
        var world = HostWorld()
        world.say(Self.open)
        #expect(world.take().compactMap { $0["error"]?["code"]?.integer } == [1001])
    }

    /// An editor that goes leaves its text to the daemon, and in a draft if the daemon does not answer.
    @Test(arguments: [true, false]) func endOfTheInput_savesTheText(isUp: Bool) {
        var world = opened()
        world.say(#"{"jsonrpc":"2.0","method":"buffer.change","params":{"buffer":1,"n":1,"edits":[[0,0,"x"]],"length":12}}"#)
        if !isUp {
            world.isUp = false
            world.give(.daemon(nil))
            for key in world.host.buffers.keys { world.give(.session(key, .disconnected)) }
        }
        world.give(.ended)
        world.settle()
        #expect(world.host.isFinished)
        #expect(isUp ? world.daemon.text == "xmilk\nbread\n" : world.drafts.values.first == Array("xmilk\nbread\n".utf8))
    }

    /// Whatever an editor sends: nothing traps, each request has one response, and what the host took for the
    /// user's text is with the daemon or in a draft.
    @Test(arguments: seeds(80))
    func hostileEditor_harmsNobody(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var world = HostWorld()
        world.say(Self.hello)
        _ = world.take()
        var asked: [Int64: Int] = [:]
        var nextID: Int64 = 100
        let methods = [
            "buffer.open", "buffer.change", "buffer.accept", "buffer.decline", "buffer.ready", "buffer.select", "buffer.undo",
            "buffer.redo", "buffer.save", "buffer.close", "buffer.rename", "buffer.delete", "attach.ping", "note.list", "nope",
        ]
        for _ in 0..<60 {
            let method = random.pick(methods)
            var params = [#""buffer":\#(random.below(3))"#]
            if method == "buffer.open" { params.append(#""id":"\#(OneNoteDaemon.id)""#) }
            if random.chance(0.8), ["buffer.change", "buffer.accept", "buffer.decline", "buffer.select"].contains(method) {
                let session = world.host.buffers.values.randomElement(using: &random)?.session
                let isRight = random.chance(0.7)
                params.append(#""n":\#((session?.changes ?? 0) + (method == "buffer.change" ? 1 : 0) + (isRight ? 0 : 1))"#)
                if method == "buffer.change" {
                    let start = random.below((session?.text.count ?? 0) + 1)
                    params.append(#""edits":[[\#(start),\#(start),"z"]]"#)
                    params.append(#""length":\#((session?.text.count ?? 0) + (isRight ? 1 : 3))"#)
                } else if method == "buffer.select" {
                    params.append(#""selection":[0,\#(random.below(9))]"#)
                } else {
                    params.append(#""k":\#(session?.offer?.number ?? UInt64(random.below(3)))"#)
                }
            }
            if method == "buffer.rename" { params.append(#""name":null"#) }
            var id = ""
            if random.chance(EditorMessage.notifications.contains { "\($0)" == method } ? 0.1 : 0.9) {
                nextID += 1
                asked[nextID] = 0
                id = #""id":\#(nextID),"#
            }
            var line = #"{"jsonrpc":"2.0",\#(id)"method":"\#(method)","params":{\#(params.joined(separator: ","))}}"#
            if id.isEmpty, random.chance(0.1) { line = String(line.dropLast(random.below(5))) }
            world.say(line)
            if random.chance(0.3) { world.save("milk\n\(random.below(9))\n") }
            for _ in 0..<random.below(4) { world.serve() }
            if random.chance(0.2) {
                world.now += .milliseconds(100)
                world.give(.clock)
            }
        }
        let texts = world.host.buffers.values.filter { !$0.session.isSaved }.map(\.session.text)
        world.give(.ended)
        for line in world.take() { if let id = line["id"]?.integer, line["method"] == nil { asked[id, default: 0] += 1 } }
        world.settle()
        #expect(world.host.isFinished && asked.filter { $0.key > 100 }.values.allSatisfy { $0 <= 1 }, "seed \(seed)")
        for text in texts where text.contains(UInt8(ascii: "z")) {
            #expect(world.daemon.text.contains("z") || !world.drafts.isEmpty, "seed \(seed)")
        }
    }
}
