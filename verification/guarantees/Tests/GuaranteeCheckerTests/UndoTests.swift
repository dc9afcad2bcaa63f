import Testing

@testable import GuaranteeChecker

/// Tests of how the checker checks undos: correct histories pass, and each kind of wrong text or
/// history is found.
struct UndoTests {
    private static let note = Transcript.note

    /// Expects that the checker finds nothing, or that it finds G2 alone broken.
    private func expect(_ all: Transcript, _ isSound: Bool, location: SourceLocation = #_sourceLocation) {
        #expect(all.broken == (isSound ? [] : [.nothingLost]), "\(all.words)", sourceLocation: location)
    }

    /// Two connections. The first has created a note with one token and saved a second one.
    private static func saved() -> Transcript {
        var all = Transcript()
        for connection in 1...2 { all.open(connection) }
        all.create(1, "‹1.1›\n", "a:1")
        all.save(1, on: "a:1", "‹1.1›\n‹1.2›\n", "a:2")
        return all
    }

    @Test(arguments: [("‹1.1›\n", true), ("‹1.1›\n‹1.2›\n", false), ("", false)])
    func undoneWrite_countsAsNeverMade(text: String, isSound: Bool) {
        var all = Self.saved()
        all.undo(1, on: "a:2", ["a:2"], "a:3")
        all.get(2, "a:3", text)
        expect(all, isSound)
    }

    /// An undo that names a write by its `op` withdraws the revision that the write made.
    @Test(arguments: [("‹1.1›\n‹1.2›\n", true), ("‹1.1›\n‹1.2›\n‹1.3›\n", false)])
    func undoneOperation_countsAsNeverMade(text: String, isSound: Bool) {
        var all = Self.saved()
        all.save(1, on: "a:2", "‹1.1›\n‹1.2›\n‹1.3›\n", "a:3", #","op":"x""#)
        all.ask(
            1, "note.undo", #""id":"\#(Self.note)","base":"a:3","ops":["x"]"#,
            #""outcome":"saved","dot":"a:4","version":"a:4""#)
        all.get(2, "a:4", text)
        expect(all, isSound)
    }

    @Test(arguments: [("‹1.1›\n‹1.2›\n", true), ("‹1.1›\n", false)])
    func redoneWrite_countsAgain(text: String, isSound: Bool) {
        var all = Self.saved()
        all.undo(1, on: "a:2", ["a:2"], "a:3")
        all.undo(2, on: "a:3", ["a:3"], "a:4")
        all.get(2, "a:4", text)
        expect(all, isSound)
    }

    @Test(arguments: [("‹1.1›\n‹1.2›\n", true), ("‹1.2›\n", false)])
    func undoneRemoval_showsTextAgain(text: String, isSound: Bool) {
        var all = Self.saved()
        all.save(2, on: "a:2", "‹1.2›\n", "a:3")
        all.undo(2, on: "a:3", ["a:3"], "a:4")
        all.get(1, "a:4", text)
        expect(all, isSound)
    }

    @Test(arguments: [("‹1.1›\n‹1.2›\n", false, true), ("", true, false)])
    func undoneDeletion_showsNoteAgain(text: String, isDeleted: Bool, isSound: Bool) {
        var all = Self.saved()
        all.delete(2, on: "a:2", "a:3")
        all.undo(2, on: "a:3", ["a:3"], "a:4")
        all.get(1, "a:4", text, isDeleted: isDeleted)
        expect(all, isSound)
    }

    /// A write on a deleted base replaces only what the base would show without the deletion. What
    /// was hidden before comes back if the write that hid it is undone.
    @Test(arguments: [("‹1.1›\n‹2.1›\n", true), ("‹2.1›\n", false)])
    func restoration_leavesHiddenText(text: String, isSound: Bool) {
        var all = Self.saved()
        all.save(2, on: "a:2", "‹1.2›\n", "a:3")
        all.delete(2, on: "a:3", "a:4")
        all.save(2, on: "a:4", "‹2.1›\n", "a:5")
        all.undo(1, on: "a:3", ["a:3"], "a:6")
        all.get(1, "a:5 a:6", text)
        expect(all, isSound)
    }

    /// Two saves of the same text insert a copy each, and one save is undone. A third write removes
    /// the other copy, which is the only one that its base shows. A redo of the undone save shows its
    /// copy again.
    @Test(arguments: [("‹1.1›\n‹1.3›\n", true), ("‹1.1›\n", false)])
    func removal_concernsOnlyShownCopies(text: String, isSound: Bool) {
        var all = Transcript()
        for connection in 1...2 { all.open(connection) }
        all.create(1, "‹1.1›\n", "a:1")
        all.save(1, on: "a:1", "‹1.1›\n‹1.3›\n", "a:2")
        all.save(1, on: "a:1", "‹1.1›\n‹1.3›\n", "a:3")
        all.undo(2, on: "a:2", ["a:2"], "a:4")
        all.save(2, on: "a:3 a:4", "‹1.1›\n", "a:5")
        all.undo(2, on: "a:5", ["a:4"], "a:6")
        all.get(1, "a:6", text)
        expect(all, isSound)
    }

    /// The daemon leaves out what is already undone at the base, and nothing else.
    @Test(arguments: [(["a:3"], true), (["a:2", "a:3"], false), ([], false)])
    func history_listsEffectiveWithdrawals(withdrawn: [String], isSound: Bool) {
        var all = Self.saved()
        all.save(1, on: "a:2", "‹1.1›\n‹1.2›\n‹1.3›\n", "a:3")
        all.undo(1, on: "a:3", ["a:2"], "a:4")
        all.undo(1, on: "a:4", ["a:2", "a:3"], "a:5")
        all.history(
            2, [("a:5", ["a:4"]), ("a:4", ["a:3"]), ("a:3", ["a:2"]), ("a:2", ["a:1"]), ("a:1", [])],
            withdrawn: ["a:4": ["a:2"], "a:5": withdrawn])
        expect(all, isSound)
    }

    @Test(arguments: [(["a:2"], true), (["a:1"], false), ([], false)])
    func unansweredUndo_explainsOnlyWhatItNamed(withdrawn: [String], isSound: Bool) {
        var all = Self.saved()
        all.send(1, "note.undo", #""id":"\#(Self.note)","base":"a:2","revisions":["a:2"]"#)
        all.close(1)
        all.history(
            2, [("a:3", ["a:2"]), ("a:2", ["a:1"]), ("a:1", [])], withdrawn: withdrawn.isEmpty ? [:] : ["a:3": withdrawn])
        #expect(all.broken == (isSound ? [] : [.refusedWhole]), "\(all.words)")
    }

    /// The edits in the response turn the text of the base into the text that others read.
    @Test(arguments: [(#"{"start":10,"end":20,"text":""}"#, true), (#"{"start":0,"end":10,"text":""}"#, false)])
    func editsOfUndo_applyToBase(edit: String, isSound: Bool) {
        var all = Self.saved()
        all.undo(1, on: "a:2", ["a:2"], "a:3", edits: edit)
        all.get(2, "a:3", "‹1.1›\n")
        #expect(all.broken == (isSound ? [] : [.nothingLost, .convergent]), "\(all.words)")
    }
}
