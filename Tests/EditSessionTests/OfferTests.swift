import EditSession
import NotesModel
import SessionTestKit
import TestKit
import Testing
import TextMerge

/// An editor behind pipes: what it is offered, and what becomes of it.
struct OfferTests {
    private func deliver(_ person: Int, in world: inout EditWorld) {
        for _ in 0..<8 {
            world.wait(.milliseconds(10))
            world.serve(person)
            world.receive(person)
        }
    }

    /// Two people in a note; the second one wrote, and the first one's session has offered that.
    private func offered() -> EditWorld {
        var world = EditWorld("milk\nbread\n", people: 2, areRemote: true)
        world.become("milk\nbread\neggs\n", by: 1)
        world.hear(1)
        deliver(1, in: &world)
        world.receive(0)
        return world
    }

    /// A version counts as shown when the editor has accepted, not when it was sent.
    @Test func version_isShown_whenTheEditorHasAccepted() throws {
        var world = offered()
        let before = world.people[0].session.version
        #expect(world.people[0].editor.offers.count == 1 && before != world.daemon.note.version)
        #expect(world.texts[0] == "milk\nbread\n")
        world.look(0)
        world.hear(0)
        #expect(world.people[0].session.version == world.daemon.note.version && world.texts[0] == world.texts[1])
    }

    /// What the user typed while an edit was on its way is written on the version that the user saw.
    @Test func changeThatCrossed_isWrittenOnTheShownVersion() throws {
        var world = offered()
        let shown = world.people[0].session.version
        world.type(0..<4, "oats", by: 0)
        world.hear(0)
        world.wait(.milliseconds(10))
        guard case .write(_, .edit(let edit))? = world.people[0].requests.first else {
            Issue.record("\(world.people[0].requests)")
            return
        }
        #expect(edit.base == shown && edit.edits.map(\.start) == [0])
        world.look(0)
        #expect(world.people[0].editor.declined == 1)
        let isQuiet = world.settle()
        try #require(isQuiet)
        #expect(world.daemon.text == "oats\nbread\neggs\n" && Set(world.texts).count == 1)
    }

    /// What was typed while the daemon was away is written as edits for 10 seconds, and as a whole text later,
    /// which the daemon compares with what others wrote.
    @Test(arguments: [(9, false), (11, true)])
    func textTypedOffline_isWrittenByItsAge(seconds: Int, isWhole: Bool) throws {
        var world = EditWorld("milk\n", people: 1, areRemote: true)
        world.disconnect(0)
        world.type(4..<4, " ham", by: 0)
        world.hear(0)
        world.wait(.seconds(seconds))
        world.connect(0)
        var written: EditWrite?
        for _ in 0..<20 where written == nil {
            if case .write(_, let write)? = world.people[0].requests.first { written = write }
            world.wait(.milliseconds(10))
            world.serve(0)
            world.receive(0)
        }
        switch try #require(written) {
        case .save: #expect(isWhole)
        case .edit: #expect(!isWhole)
        case .repair, .undo: Issue.record("\(String(describing: written))")
        }
        let isQuiet = world.settle()
        try #require(isQuiet)
        #expect(world.daemon.text == "milk ham\n")
    }

    /// Another edit is offered only when the editor has responded to the one before.
    @Test func oneOfferIsOutstanding() throws {
        var world = offered()
        world.become("milk\nbread\neggs\nham\n", by: 1)
        world.hear(1)
        deliver(1, in: &world)
        deliver(0, in: &world)
        #expect(world.people[0].editor.offers.count == 1)
        world.look(0)
        world.hear(0)
        deliver(0, in: &world)
        #expect(world.people[0].editor.offers.count == 1 && world.people[0].editor.accepted == 1)
        let isQuiet = world.settle()
        try #require(isQuiet)
        #expect(world.texts[0] == "milk\nbread\neggs\nham\n")
    }

    /// A busy editor is offered nothing until it is ready, or has typed nothing for 30 seconds. Its changes go
    /// on meanwhile.
    @Test(arguments: [false, true]) func busyEditor_isOfferedNothing(saysReady: Bool) throws {
        var world = offered()
        world.people[0].editor.isBusy = true
        world.look(0)
        world.hear(0)
        world.type(0..<0, "x", by: 0)
        world.hear(0)
        deliver(0, in: &world)
        #expect(world.people[0].editor.offers.isEmpty && world.daemon.text.hasPrefix("xmilk"))
        world.wait(.seconds(29))
        deliver(0, in: &world)
        #expect(world.people[0].editor.offers.isEmpty)
        world.people[0].editor.isBusy = false
        if saysReady { world.send(.ready, to: 0) } else { world.wait(.seconds(2)) }
        world.hear(0)
        deliver(0, in: &world)
        #expect(world.people[0].editor.offers.count == 1)
    }

    /// An editor that declines for no visible reason is asked again a little later, not at once.
    @Test func declineWithoutAChange_isNotAskedAgainAtOnce() {
        var world = offered()
        let offer = world.people[0].editor.offers.removeFirst()
        world.send(.declined(offer.number, isBusy: false), to: 0)
        world.hear(0)
        deliver(0, in: &world)
        #expect(world.people[0].editor.offers.isEmpty)
        world.wait(.milliseconds(300))
        deliver(0, in: &world)
        #expect(world.people[0].editor.offers.count == 1)
    }

    /// An undo that the editor declined, because its user typed, is offered again for the same step.
    @Test func declinedUndo_isOfferedAgain_forTheSameStep() throws {
        var world = EditWorld("milk\nbread\n", people: 1, areRemote: true)
        world.type(4..<4, " two", by: 0)
        world.send(.undo, to: 0)
        world.hear(0)
        world.hear(0)
        let isOffered = world.people[0].editor.offers.map(\.origin) == [.undo]
        try #require(isOffered)
        world.type(14..<14, " x", by: 0)
        world.hear(0)
        world.look(0)
        let isQuiet = world.settle()
        try #require(isQuiet)
        #expect(world.daemon.text == "milk\nbread x\n" && world.texts == [world.daemon.text])
        world.send(.redo, to: 0)
        let isQuietAgain = world.settle()
        try #require(isQuietAgain)
        #expect(world.daemon.text == "milk two\nbread x\n")
    }

    /// Edits outside the text, and an edit that was accepted after a change, end the session.
    @Test func messagesThatCannotBe_areFaults() {
        var world = offered()
        world.give(.changed([Edit(start: 90, end: 91, replacement: [])], caret: 0, continues: false), to: 0)
        #expect(world.people[0].editor.faults == ["edit"] && world.texts[0] == "milk\nbread\n")
        let offer = world.people[0].editor.offers[0]
        world.give(.changed([Edit(start: 0, end: 0, replacement: [0x78])], caret: 1, continues: false), to: 0)
        world.give(.accepted(offer.number), to: 0)
        #expect(world.people[0].editor.faults == ["edit", "accepted"])
    }

    /// Changes that cancel each other are durable, too.
    @Test func changesThatCancel_areSaved() {
        var world = EditWorld("milk\n", people: 1, areRemote: true)
        world.type(0..<0, "x", by: 0)
        world.type(0..<1, "", by: 0)
        world.hear(0)
        world.hear(0)
        deliver(0, in: &world)
        #expect(world.people[0].editor.saved == 2 && world.daemon.text == "milk\n")
    }
}
