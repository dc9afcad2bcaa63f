import Causality
import TestKit
import Testing

@testable import TextMerge

/// A line that somebody typed in stays, whole, when somebody else replaces or removes it at the same
/// moment. Each example is compared with the naive walk and appended in both orders.
@Suite struct KeptLineTests {
    /// The merged text, with `/` for LF.
    private func merged(_ base: String, _ events: Event...) -> String {
        let root = Event.saved("A1", on: "", from: "", to: base)
        let all = [root] + events
        let text = NaiveWalk(all).text
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<6 {
            var view = View(limits: .tiny, naming: .cheap)
            view.append(contentsOf: generator.causalOrder(all), holdsFloor: true)
            #expect(view.text == text)
            view.walk?.checkInvariants()
        }
        return string(text).replacing("\n", with: "/")
    }

    private func typed(_ edits: (Int, Int, String)..., as name: String = "B1", on parents: String = "A1") -> Event {
        let edits = edits.map { Edit($0.0, $0.1, $0.2) }
        return Event(dot: dot(name), parents: seen(parents), edits: edits, origin: .stated)
    }

    private func saved(_ edits: (Int, Int, String)..., as name: String = "C1", on parents: String = "A1") -> Event {
        let edits = edits.map { Edit($0.0, $0.1, $0.2) }
        return Event(dot: dot(name), parents: seen(parents), edits: edits, origin: .found)
    }

    private func undo(_ name: String, on parents: String, of names: String...) -> Event {
        Event(dot: dot(name), parents: seen(parents), edits: [], origin: .stated, withdraws: names.map { dot($0) })
    }

    private let list = "- [ ] milk\n- [ ] call Ada\n"

    @Test func typedLineThatIsSaved_standsBesideTheSavedOne() {
        #expect(
            merged(list, typed((10, 10, " and bread")), saved((0, 11, "- [x] milk\n")))
                == "- [x] milk/- [ ] milk and bread/- [ ] call Ada/")
        #expect(merged("a b c\nz\n", typed((2, 3, "BB")), saved((0, 6, "a x c\n"))) == "a x c/a BB c/z/")
        #expect(merged("D: \nE: \n", typed((3, 3, "d")), saved((0, 4, "D: delta one two\n"))) == "D: delta one two/D: d/E: /")
    }

    @Test func typedLineThatIsRemoved_stays() {
        #expect(merged(list, typed((10, 10, " and bread")), saved((0, 11, ""))) == "- [ ] milk and bread/- [ ] call Ada/")
        #expect(merged("a\n\nz\n", typed((2, 2, "u")), saved((2, 3, ""))) == "a/u/z/")
        #expect(merged("a\nL\nz\n", typed((1, 1, "u")), saved((0, 4, "")), saved((2, 4, ""), as: "D1")) == "au/z/")
    }

    /// The removal by an editor is a line edit, too, whatever end of the line it is stated from.
    @Test func typedLineThatAnEditorRemoves_stays() {
        #expect(merged("a\nL\nz\n", typed((3, 3, " u")), typed((2, 4, ""), as: "C1")) == "a/L u/z/")
        #expect(merged("a\nL\nz\n", typed((3, 3, " u")), typed((1, 3, ""), as: "C1")) == "a/L u/z/")
    }

    @Test func linesWithoutTyping_doNotStay() {
        #expect(merged("a b\nz\n", typed((0, 3, "")), saved((0, 4, ""))) == "z/", "deleting letters keeps nothing")
        #expect(merged("a\nL\nz\n", typed((1, 3, "")), saved((2, 4, ""))) == "a/z/", "both removed the line")
    }

    @Test func lineTypedBelow_leavesTheLineAboveToTheOther() {
        #expect(merged("a\nL\nz\n", typed((3, 3, "\nnew")), saved((2, 4, "N\n"))) == "a/N/new/z/")
        #expect(merged("a\nL\nz\n", typed((3, 3, "\nnew")), typed((3, 3, " end"), as: "C1")) == "a/L end/new/z/")
        #expect(merged("a\nL", typed((3, 3, " end")), typed((1, 3, ""), as: "C1")) == "a/L end")
    }

    @Test func splitLine_staysInBothParts() {
        #expect(merged("a b\nz\n", typed((1, 2, "\n")), saved((0, 4, "N\n"))) == "N/a/b/z/")
        #expect(merged("a b\nz\n", typed((1, 1, "1\n2\n3")), saved((0, 4, "N\n"))) == "N/a1/2/3 b/z/")
    }

    @Test func joinedLines_keepBoth() {
        #expect(merged("L\nM\nz\n", typed((1, 2, " ")), saved((2, 4, ""))) == "L M/z/")
        #expect(merged("L\nM\nz\n", typed((1, 2, "")), saved((2, 4, ""))) == "LM/z/", "by Delete, without text")
    }

    /// The removal of the joined line is void as a whole, though each writer typed in one of the two.
    @Test func joinedLineThatIsRemoved_staysWhole() {
        let (joined, gone) = (typed((1, 2, " ")), saved((0, 4, ""), as: "C1", on: "B1"))
        #expect(merged("L\nM\nz\n", joined, gone, typed((1, 1, "u"), as: "D1")) == "L uM/z/")
        #expect(merged("L\nM\nz\n", joined, gone, typed((3, 3, "u"), as: "D1")) == "L Mu/z/")
    }

    @Test func lineRewrittenTwice_staysAsItsWriterSawIt() {
        let (first, second) = (typed((0, 1, "M"), as: "C1"), saved((0, 6, "M two\n"), as: "C2", on: "C1"))
        #expect(merged("L one\nz\n", typed((5, 5, " typed")), first, second) == "M two/M one typed/z/")
    }

    /// Both writers of the line removed it, so the copy that the typing writer did not see goes.
    @Test func twins_keepTheCopyThatTheWriterSaw() {
        let events = [
            saved((2, 2, "X\n"), as: "B1"), saved((2, 2, "X\n"), as: "C1"), typed((3, 3, "u"), as: "D1", on: "B1"),
            saved((2, 5, ""), as: "E1", on: "D1"), saved((2, 4, ""), as: "F1", on: "C1"),
        ]
        #expect(merged("a\nz\n", events[0], events[1], events[2], events[3], events[4]) == "a/z/")
        #expect(merged("a\nz\n", events[0], events[1], events[2], events[4]) == "a/Xu/z/")
    }

    @Test func undoneTyping_letsTheLineGo() {
        let (typing, save) = (typed((3, 3, " u")), saved((2, 4, "N\n")))
        let (undo, redo) = (undo("D1", on: "B1 C1", of: "B1"), undo("D2", on: "D1", of: "D1"))
        #expect(merged("a\nL\nz\n", typing, save) == "a/N/L u/z/")
        #expect(merged("a\nL\nz\n", typing, save, undo) == "a/N/z/")
        #expect(merged("a\nL\nz\n", typing, save, undo, redo) == "a/N/L u/z/")
    }

    @Test func removalThatIsRedone_keepsWhatWasTypedMeanwhile() {
        let (gone, back) = (saved((2, 4, ""), as: "B1"), undo("C1", on: "B1", of: "B1"))
        let typing = typed((3, 3, " u"), as: "D1", on: "C1")
        #expect(merged("a\nL\nz\n", gone, back, typing, undo("E1", on: "C1", of: "C1")) == "a/L u/z/")
        let unseen = saved((2, 4, ""), as: "D1", on: "C1")
        let events = [typed((3, 3, " u"), as: "B1"), undo("C1", on: "B1", of: "B1"), unseen, undo("E1", on: "C1", of: "C1")]
        #expect(merged("a\nL\nz\n", events[0], events[1], events[2], events[3]) == "a/L u/z/")
    }

    @Test func restoredNote_keepsTheTypedLine() {
        let gone = Event.deleted("B1", on: "A1")
        let back = saved((0, 0, "new\n"), as: "B2", on: "B1")
        #expect(merged("a\nL\nz\n", gone, back, typed((3, 3, " u"), as: "D1")) == "new/L u/")
    }

    @Test func lineInsertedAboveTyping_leavesTheTypedTextInItsLine() {
        #expect(merged("a\nL\nz\n", typed((2, 2, "u ")), saved((2, 2, "new\n")), saved((0, 2, ""), as: "D1")) == "new/u L/z/")
    }

    /// Two editors: a line that one only removes comes back without a mark.
    @Test func lineThatAnEditorReplacesOrMoves_isAConflict() {
        let root = Event.saved("A1", on: "", from: "", to: "a\nL\nz\n")
        let typing = typed((3, 3, " u"))
        func open(_ other: Event) -> [String] {
            conflicts([root, typing, other]).map { conflict in
                conflict.sideTexts.map { string($0).replacing("\n", with: "/") }.joined(separator: " ")
            }
        }
        #expect(open(typed((2, 4, "N\n"), as: "C1")) == ["L u/ N/"])
        #expect(open(typed((2, 4, ""), (6, 6, "L\n"), as: "C1")) == ["L u/ "], "moved down")
        #expect(open(typed((0, 0, "L\n"), (1, 3, ""), as: "C1")) == ["L u/ "], "moved up, stated from the end of the line before")
        #expect(open(typed((2, 4, ""), as: "C1")).isEmpty)
        #expect(open(typed((2, 4, ""), (6, 6, "new\n"), as: "C1")).isEmpty)
    }
}
