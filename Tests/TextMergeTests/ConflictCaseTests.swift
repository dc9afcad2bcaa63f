import Causality
import TestKit
import Testing

@testable import TextMerge

/// Named examples of which edits conflict, one for each sentence of
/// `docs/decisions/conflicts.md#0012`.
@Suite struct ConflictCaseTests {
    private let base = "one\ntwo\nthree\nfour\nfive\n"
    private var root: Event { .saved("A1", on: "", from: "", to: base) }

    /// Saves the root's text with one part of it changed.
    private func saved(_ name: String, _ old: String, _ new: String) -> Event {
        .saved(name, on: "A1", from: base, to: base.replacing(old, with: new))
    }

    // MARK: Touching

    @Test func savesOfOneLine_conflict() {
        #expect(open(root, saved("A2", "two", "TWO"), saved("B1", "two", "2")) == ["text A2 B1 '2/TWO/'"])
    }

    @Test func sequentialWrites_doNotConflict() {
        let next = Event.saved("B1", on: "A2", from: base.replacing("two", with: "TWO"), to: base.replacing("two", with: "2"))
        #expect(open(root, saved("A2", "two", "TWO"), next).isEmpty)
    }

    @Test func neighbouringLines_conflict() {
        #expect(open(root, saved("A2", "two", "TWO"), saved("B1", "three", "3")) == ["text A2 B1 'TWO/3/'"])
        #expect(open(root, saved("A2", "two", "TWO"), saved("B1", "three\n", "")) == ["text A2 B1 'TWO/'"])
        #expect(open(root, saved("A2", "two", "TWO"), saved("B1", "three", "new\nthree")) == ["text A2 B1 'TWO/new/'"])
    }

    @Test func lineKeptByBoth_separatesEdits() {
        #expect(open(root, saved("A2", "two", "TWO"), saved("B1", "four", "4")).isEmpty)
    }

    @Test func lineSeenByOneWriter_doesNotSeparate() {
        let (before, after) = (base.replacing("two", with: "mid\ntwo"), base.replacing("one\ntwo", with: "ONE\nmid\ntwo"))
        let middle = Event.stated("C1", on: "A1", Edit(4, 4, "mid\n"))
        let above = Event.saved("C2", on: "C1", from: before, to: after)
        #expect(open(root, saved("B1", "two", "2"), middle, above) == ["text B1 C2 'ONE/2/mid/'"])
    }

    @Test func lineRemovedByLeft_doesNotSeparate() {
        let middle = Event.stated("C1", on: "A1", Edit(4, 4, "mid\n"))
        let both = Event.stated("C2", on: "C1", Edit(0, 4, "1\n"), Edit(8, 12, ""))
        let found = conflicts([root, middle, both, saved("B1", "three", "3")])
        let members = [
            ConflictMember(dot: dot("C2"), index: 0), .init(dot: dot("C2"), index: 1), .init(dot: dot("B1"), index: 0),
        ]
        #expect(found.map(\.members) == [Set(members)], "mid was shown to one only, two is removed by that one")
        #expect(found.map(\.range) == [0..<8])
    }

    @Test func lineRemovedByRight_doesNotSeparate() {
        let middle = Event.stated("C1", on: "A1", Edit(8, 8, "mid\n"))
        let both = Event.stated("C2", on: "C1", Edit(4, 8, ""), Edit(12, 18, "3\n"))
        let found = conflicts([root, middle, both, saved("B1", "one", "1")])
        let members = [
            ConflictMember(dot: dot("C2"), index: 0), .init(dot: dot("C2"), index: 1), .init(dot: dot("B1"), index: 0),
        ]
        #expect(found.map(\.members) == [Set(members)])
        #expect(found.map(\.range) == [0..<8])
    }

    /// The writer of C1 had not seen the line X of which it made a twin, and the writer of B3 had
    /// not seen the next line, which B2 had removed. So neither line separates the two.
    @Test func lineAlsoWrittenByOne_doesNotSeparate() {
        let first = base.replacing("two", with: "X\ntwo")
        let second = first.replacing("two\n", with: "")
        let beside = [
            saved("B1", "two", "X\ntwo"), .saved("B2", on: "B1", from: first, to: second),
            .saved("B3", on: "B2", from: second, to: second.replacing("X", with: "w\nX")),
        ]
        let twin = Event.saved("C1", on: "A1", from: base, to: first.replacing("three", with: "3"))
        #expect(open(root, beside[0], beside[1], beside[2], twin) == ["text B3 C1 'w/X/3/'"])
    }

    @Test func statedEdits_neverConflict() {
        let (one, other) = (Event.stated("A2", on: "A1", Edit(4, 7, "TWO")), Event.stated("B1", on: "A1", Edit(4, 7, "2")))
        #expect(open(root, one, other).isEmpty)
        #expect(open(root, one, saved("B1", "two", "2")) == ["text A2 B1 '2/TWO/'"], "one that was found is enough")
    }

    @Test func emptyEdits_doNotConflict() {
        #expect(open(root, .stated("A2", on: "A1", Edit(5, 5, "")), saved("B1", "two", "2")).isEmpty)
        #expect(open(root, .saved("A2", on: "A1", from: base, to: base), saved("B1", "two", "2")).isEmpty)
    }

    // MARK: Stated edits count as lines

    @Test func statedEdit_countsAsItsLine() {
        let early = Event.stated("A2", on: "A1", Edit(8, 9, "T"))
        let late = Event.stated("A2", on: "A1", Edit(12, 13, "E"))
        let (above, below) = (saved("B1", "two", "two\nnew"), saved("B1", "three", "three\nnew"))
        #expect(open(root, late, above) == ["text A2 B1 'new/threE/'"], "left to behind the nearest LF")
        #expect(open(root, early, below) == ["text A2 B1 'Three/new/'"], "right through the nearest LF")
        #expect(open(root, late, saved("B1", "one", "1")).isEmpty)
        #expect(open(root, early, saved("B1", "five", "5")).isEmpty)
    }

    @Test func statedEditEndingWithLF_isNotWidened() {
        let gone = Event.stated("A2", on: "A1", Edit(9, 14, ""))
        #expect(open(root, gone, saved("B1", "four", "4")) == ["text A2 B1 't4/four/'"])
        #expect(open(root, gone, saved("B1", "five", "5")).isEmpty)
    }

    @Test func statedEdit_widensToEndOfPreviousLineOnly() {
        let joined = Event(dot: dot("B1"), parents: seen("A1"), edits: [Edit(0, 1, "O"), Edit(3, 4, "")], origin: .found)
        let found = conflicts([root, joined, .stated("C1", on: "A1", Edit(5, 6, "W"))])
        let members = [ConflictMember(dot: dot("B1"), index: 1), .init(dot: dot("C1"), index: 0)]
        #expect(found.map(\.members) == [Set(members)], "the rest of that line keeps it apart from the O")
    }

    @Test func lineWithoutLF_extendsToEndsOfText() {
        let root = Event.saved("A1", on: "", from: "", to: "one\ntwo three")
        let typed = Event.stated("A2", on: "A1", Edit(5, 5, "_"))
        #expect(
            open(root, typed, .saved("B1", on: "A1", from: "one\ntwo three", to: "one\ntwo three!")) == [
                "text A2 B1 'two three!/t_wo three'"
            ])
        let first = Event.stated("A2", on: "A1", Edit(2, 2, "_"))
        #expect(
            open(root, first, .saved("B1", on: "A1", from: "one\ntwo three", to: "0\none\ntwo three")) == ["text A2 B1 '0/on_e/'"]
        )
    }

    @Test func statedEditOfFullLines_isNotWidened() {
        let below = saved("B1", "one\n", "one\nnew\n")
        #expect(open(root, .stated("A2", on: "A1", Edit(0, 0, "zero\n")), below).isEmpty)
        #expect(open(root, .stated("A2", on: "A1", Edit(0, 0, "zero ")), below) == ["text A2 B1 'zero one/new/'"])
        let other = saved("B1", "four", "4")
        #expect(open(root, .stated("A2", on: "A1", Edit(4, 8, "")), other).isEmpty, "it removes what ends with LF")
        #expect(open(root, .stated("A2", on: "A1", Edit(4, 8, "2\n")), other).isEmpty)
        #expect(
            open(root, .stated("A2", on: "A1", Edit(7, 8, "\n")), saved("B1", "two", "new\ntwo")) == ["text A2 B1 'new/two/'"])
    }

    // MARK: The three exceptions

    @Test func equalEdits_doNotConflict() {
        #expect(open(root, saved("A2", "two", "2"), saved("B1", "two", "2")).isEmpty)
        #expect(open(root, saved("A2", "two\n", ""), saved("B1", "two\n", "")).isEmpty)
        #expect(open(root, .stated("A2", on: "A1", Edit(4, 8, "")), saved("B1", "two\n", "")).isEmpty)
    }

    @Test func equalEditWithExtraRemoval_conflicts() {
        let between = Event.stated("C1", on: "A1", Edit(8, 14, ""))
        let around = Event.saved("D1", on: "C1", from: base.replacing("three\n", with: ""), to: "one\nfive\n")
        let all = Event.saved("B1", on: "A1", from: base, to: "one\nfive\n")
        #expect(open(root, between, around, all) == ["text B1 D1 ''"])
        #expect(open(root, all, between, around) == ["text B1 D1 ''"])
    }

    @Test func equalInsertionsWithUnequalRemovals_conflict() {
        #expect(open(root, saved("A2", "two", "X"), saved("B1", "two", "X\ntwo")) == ["text A2 B1 'X/'"])
    }

    @Test func editOfEqualInsertions_conflictsWithBoth() {
        let (one, other) = (saved("A2", "two", "X\ntwo"), saved("B1", "two", "X\ntwo"))
        #expect(open(root, one, other).isEmpty)
        #expect(open(root, one, other, saved("C1", "two", "2")) == ["text A2 B1 C1 '2/X/'"])
    }

    @Test func insertionsOfFullLines_doNotConflict() {
        #expect(open(root, saved("A2", "two", "x\ntwo"), saved("B1", "two", "y\ntwo")).isEmpty)
        #expect(open(root, .stated("A2", on: "A1", Edit(4, 4, "x\n")), saved("B1", "two", "y\ntwo")).isEmpty)
        #expect(open(root, saved("A2", "five\n", "five\nx"), saved("B1", "five\n", "five\ny\n")).isEmpty, "no LF")
        #expect(open(root, saved("A2", "two", "x\ntwo"), saved("B1", "two", "2")) == ["text A2 B1 '2/x/'"], "one removes")
        let empty = Event.saved("A1", on: "", from: "", to: "")
        #expect(open(empty, .saved("A2", on: "A1", from: "", to: "x\n"), .saved("B1", on: "A1", from: "", to: "y\n")).isEmpty)
    }

    @Test func linesBehindUnterminatedLine_doNotConflict() {
        let root = Event.saved("A1", on: "", from: "", to: "b")
        func appended(_ name: String, _ text: String) -> Event { .saved(name, on: "A1", from: "b", to: text) }
        #expect(open(root, appended("A2", "b\nc"), appended("B1", "b\nd")).isEmpty)
        #expect(open(root, appended("A2", "b\nc"), appended("B1", "b\nd\n")).isEmpty, "one ends with LF")
        #expect(open(root, appended("A2", "b\nc"), appended("B1", "bd")) == ["text A2 B1 'bd/c'"], "one changes the line")
        #expect(open(root, appended("A2", "bd"), appended("B1", "b\nc")) == ["text A2 B1 'bd/c'"], "whoever came first")
        let long = Event.saved("A1", on: "", from: "", to: "one\ntwo three")
        let last = Event.saved("A2", on: "A1", from: "one\ntwo three", to: "one\ntwo three\nc")
        #expect(open(long, last, .stated("B1", on: "A1", Edit(7, 7, "\nX"))) == ["text A2 B1 'two/X three/c'"], "not at the end")
        let empty = Event.saved("A1", on: "", from: "", to: "")
        let (c, d) = (Event.saved("A2", on: "A1", from: "", to: "\nc"), Event.saved("B1", on: "A1", from: "", to: "\nd"))
        #expect(open(empty, c, d).isEmpty, "an empty text has no last line")
    }

    // MARK: Deletion and name

    @Test func deletionAndConcurrentWrite_conflict() {
        let gone = Event.deleted("A2", on: "A1")
        #expect(open(root, gone, saved("B1", "two", "2")) == ["deletion A2 B1 'one/2/three/four/five/'"])
        #expect(open(root, gone, .stated("B1", on: "A1").named("x")) == ["deletion A2 B1 'one/two/three/four/five/'"])
        #expect(open(root, gone, .deleted("B1", on: "A1")).isEmpty)
    }

    @Test func twoNames_conflict() {
        func named(_ dot: String, _ name: String?) -> Event { .stated(dot, on: "A1").named(name) }
        #expect(open(root, named("A2", "x"), named("B1", "y")) == ["name A2 B1 ''"])
        #expect(open(root, named("A2", "x"), named("B1", nil)) == ["name A2 B1 ''"], "clearing it is setting it to none")
        #expect(open(root, named("A2", "x"), named("B1", "x")).isEmpty)
        #expect(open(root, named("A2", nil), named("B1", nil)).isEmpty)
        #expect(open(root, named("A2", "x"), .stated("B1", on: "A1")).isEmpty)
        #expect(open(root, named("A2", "x"), .stated("A3", on: "A2").named("y")).isEmpty)
    }
}
