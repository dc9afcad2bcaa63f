import Causality
import TestKit
import Testing

@testable import TextMerge

/// Named examples of the merged text.
@Suite struct ViewExampleTests {
    private let root = Event.saved("A1", on: "", from: "", to: "one\ntwo\nthree\n")
    private let saved = "one\nTWO two\nthree\n"
    private var left: Event { .saved("A2", on: "A1", from: "one\ntwo\nthree\n", to: saved) }
    private var right: Event { .saved("B1", on: "A1", from: "one\ntwo\nthree\n", to: saved) }

    @Test func renameBesideDeletion_restoresNote() {
        #expect(shown(root, .deleted("A2", on: "A1"), .stated("B1", on: "A1")) == "one\ntwo\nthree\n")
    }

    @Test func editInsideEqualInsertion_keepsItsPlace() {
        #expect(shown(root, left, right, .stated("B2", on: "B1", Edit(7, 7, "XX"))) == "one\nTWOXX two\nthree\n")
        #expect(shown(root, left, right, .stated("B2", on: "B1", Edit(8, 11, "2"))) == "one\nTWO 2two\nthree\n")
    }

    @Test func removalAfterSeeingBothCopies_removesBoth() {
        #expect(shown(root, left, right, .stated("C1", on: "A2 B1", Edit(4, 12, ""))) == "one\nthree\n")
    }

    @Test func appendsToUnterminatedLine_getSeparateLines() {
        let base = Event.saved("A1", on: "", from: "", to: "b")
        let c = Event.saved("A2", on: "A1", from: "b", to: "b\nc")
        let d = Event.saved("B1", on: "A1", from: "b", to: "b\nd")
        #expect(shown(base, c, d) == "b\nc\nd")
    }

    @Test func placeOfRun_isIndependentOfKnownCopy() {
        let base = Event.saved("A1", on: "", from: "", to: "one\ntwo\n")
        func put(_ name: String, _ line: String) -> Event {
            .saved(name, on: "A1", from: "one\ntwo\n", to: "one\n\(line)\ntwo\n")
        }
        let (x, y, twin) = (put("A2", "X"), put("B1", "Y"), put("C1", "X"))
        let seen = shown(base, y, twin)
        #expect(seen == "one\nX\nY\ntwo\n")
        let cut = Event.saved("D1", on: "B1 C1", from: seen, to: "one\nX\ntwo\n")
        #expect(shown(base, x, y, twin, cut) == "one\nX\ntwo\n")
    }

    @Test func equalStatedInsertions_areShownTwice() {
        let typed = Event.stated("A2", on: "A1", Edit(0, 0, "hi"))
        let other = Event.stated("B1", on: "A1", Edit(0, 0, "hi"))
        #expect(shown(root, typed, other) == "hihione\ntwo\nthree\n")
    }

    /// Text at the start of a line stays on that line, with either order of the dots.
    @Test(arguments: [("A2", "B1"), ("B1", "A2")])
    func linesBesideTyping_goBeforeIt(line: String, typed: String) {
        let typing = Event.stated(typed, on: "A1", Edit(4, 4, "X"))
        #expect(shown(root, .stated(line, on: "A1", Edit(4, 4, "new\n")), typing) == "one\nnew\nXtwo\nthree\n")
        #expect(shown(root, .stated(line, on: "A1", Edit(4, 4, "\n")), typing) == "one\n\nXtwo\nthree\n")
        let end = Event.stated(typed, on: "A1", Edit(14, 14, "X"))
        #expect(shown(root, .stated(line, on: "A1", Edit(14, 14, "new\n")), end).hasPrefix("one\ntwo\nthree\n"))
    }

    @Test func concurrentTyping_doesNotInterleave() {
        var events = [Event.stated("A1", on: "", Edit(0, 0, "[]"))]
        for letter in 0..<5 {
            events.append(.stated("B\(letter + 1)", on: letter == 0 ? "A1" : "B\(letter)", Edit(letter + 1, letter + 1, "b")))
            events.append(.stated("C\(letter + 1)", on: letter == 0 ? "A1" : "C\(letter)", Edit(letter + 1, letter + 1, "c")))
        }
        var view = View()
        view.append(contentsOf: events)
        #expect(string(view.text) == "[bbbbbccccc]")
    }

    @Test func concurrentRemovals_areOne() {
        let some = Event.stated("A2", on: "A1", Edit(0, 8, ""))
        let others = Event.stated("B1", on: "A1", Edit(4, 14, ""))
        #expect(shown(root, some, others) == "")
        #expect(shown(root, some, .stated("C1", on: "A1", Edit(6, 6, "!")), others) == "tw!o\n")
    }

    @Test func sequentialWriting_keepsNothing() {
        var view = View()
        view.append(root)
        for counter in 2...50 {
            view.append(.stated("A\(counter)", on: "A\(counter - 1)", Edit(0, 0, "x")))
            #expect(view.graph.count == 0 && view.walk == nil)
            #expect(view.floor == seen("A\(counter)") && view.version == view.floor)
        }
        #expect(view.text.count == 49 + 14)
    }

    @Test func mergedWrite_raisesTheFloor() {
        var view = View()
        view.append(contentsOf: [root, left, right])
        #expect(view.floor == seen("A1") && view.version == seen("A2 B1"))
        #expect(string(view.text(at: seen("A2"))) == saved)
        #expect(string(view.text(at: seen("A1"))) == "one\ntwo\nthree\n")
        view.append(.stated("A3", on: "A2 B1", Edit(0, 3, "1")))
        #expect(view.floor == seen("A3") && view.graph.count == 0)
        #expect(string(view.text) == "1\nTWO two\nthree\n")
        #expect(!view.knows(dot("A2")) && view.knows(dot("A3")))
    }

    @Test func viewWithoutRevisions_isEmptyAndNotDeleted() {
        var view = View()
        #expect(view.text.isEmpty && !view.isDeleted && view.version.isNothing && view.floor.isNothing)
        #expect(view.text(at: .nothing).isEmpty && !view.isDeleted(at: .nothing))
    }

    @Test func viewFromFloor_continues() {
        var view = View(floor: dot("A7"), text: bytes("one\n"), isDeleted: false)
        #expect(view.knows(dot("A7")) && view.version == seen("A7"))
        view.append(contentsOf: [.stated("A8", on: "A7", Edit(4, 4, "two\n")), .stated("B1", on: "A7", Edit(0, 0, "zero\n"))])
        #expect(string(view.text) == "zero\none\ntwo\n")
        var gone = View(floor: dot("A7"), text: bytes("left over"), isDeleted: true)
        #expect(gone.isDeleted && gone.text.isEmpty && gone.text(at: seen("A7")).isEmpty)
        gone.append(contentsOf: [
            .saved("A8", on: "A7", from: "", to: "a\n"), .saved("B1", on: "A7", from: "", to: "b\n"),
        ])
        #expect(string(gone.text) == "a\nb\n")
    }
}
