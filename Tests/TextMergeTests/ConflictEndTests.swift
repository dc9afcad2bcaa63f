import Causality
import TestKit
import Testing

@testable import TextMerge

/// Named examples of what one conflict is and of how it ends, one for each sentence of
/// `docs/decisions/conflicts.md#0012`.
@Suite struct ConflictEndTests {
    private let base = "one\ntwo\nthree\nfour\nfive\n"
    private var root: Event { .saved("A1", on: "", from: "", to: base) }
    private var left: Event { saved("A2", "two", "TWO") }
    private var right: Event { saved("B1", "two", "2") }
    /// The merged text of root, left and right: the conflict spans 4..<10.
    private let both = "one\n2\nTWO\nthree\nfour\nfive\n"

    private func saved(_ name: String, _ old: String, _ new: String) -> Event {
        .saved(name, on: "A1", from: base, to: base.replacing(old, with: new))
    }

    /// The conflicts that are open after one more revision follows the two.
    private func after(_ events: Event...) -> [String] {
        let texts = conflicts([root, left, right] + events).filter { $0.kind == .text }
        return texts.map { conflict in conflict.sides.map { "\($0.replica.description.prefix(1))\($0.counter)" }.joined() }
    }

    private func id(_ events: Event...) -> ConflictID {
        let open = conflicts(events)
        #expect(open.count == 1)
        return open.first?.id ?? ConflictID(high: 0, low: 0)
    }

    // MARK: One conflict

    @Test func pairsSharingAnEdit_areOneConflict() {
        #expect(open(root, left, saved("B1", "three", "3"), saved("C1", "four", "4")) == ["text A2 B1 C1 'TWO/3/4/'"])
    }

    @Test func pairsWithoutSharedEdit_areSeveralConflicts() {
        let one = Event.saved("A2", on: "A1", from: base, to: "1\ntwo\nthree\nfour\n5\n")
        let other = Event.saved("B1", on: "A1", from: base, to: "I\ntwo\nthree\nfour\nV\n")
        #expect(open(root, one, other) == ["text A2 B1 '1/I/'", "text A2 B1 '5/V/'"])
        let gone = Event.deleted("C1", on: "A1").named("x")
        let shown = open(root, left.named("y"), right, gone)
        #expect(shown.map { $0.prefix { $0 != " " } } == ["deletion", "name", "text"], "one of each kind: \(shown)")
    }

    @Test func sides_areTheNewestDotsOfEachBranch() {
        let on = base.replacing("two", with: "TWO")
        let next = Event.saved("A3", on: "A2", from: on, to: on.replacing("TWO", with: "Two"))
        #expect(open(root, left, next, right) == ["text A3 B1 '2/Two/'"])
        let found = conflicts([root, left, next, right]).first
        #expect(found?.members.count == 3)
        #expect(found?.base == bytes("two\n"), "what the pasts of all members show")
        #expect(found?.sideTexts == [bytes("Two\n"), bytes("2\n")])
    }

    @Test func id_derivesFromTwoLeastMembers() {
        let two = (ConflictMember(dot: dot("A2"), index: 0), ConflictMember(dot: dot("B1"), index: 0))
        #expect(id(root, left, right) == ConflictNaming.cheap.id(.text, least: two))
        #expect(id(root, left, right, saved("C1", "three", "3")) == ConflictNaming.cheap.id(.text, least: two))
        let split = Event.stated("A2", on: "A1", Edit(4, 5, "T"), Edit(6, 7, "O"))
        let own = (ConflictMember(dot: dot("A2"), index: 0), ConflictMember(dot: dot("A2"), index: 1))
        #expect(id(root, split, right) == ConflictNaming.cheap.id(.text, least: own))
        #expect(id(root, .deleted("A2", on: "A1"), right) == ConflictNaming.cheap.id(.deletion, least: two))
    }

    @Test func range_coversFullLines() {
        let root = Event.saved("A1", on: "", from: "", to: "a\nb")
        let (c, d) = (
            Event.saved("A2", on: "A1", from: "a\nb", to: "a\nb\nc"), Event.saved("B1", on: "A1", from: "a\nb", to: "a\nbd")
        )
        #expect(open(root, c, d) == ["text A2 B1 'bd/c'"], "left to the line's start, right to the text's end")
        let typed = Event.stated("A2", on: "A1", Edit(5, 6, "W"))
        #expect(open(self.root, typed, saved("B1", "two\n", "2\ntwo\n")) == ["text A2 B1 '2/tWo/'"], "right through the LF")
    }

    @Test func emptyRange_isAPosition() {
        let (one, other) = (saved("A2", "two\n", ""), saved("B1", "two\nthree\n", ""))
        #expect(conflicts([root, one, other]).map(\.range) == [4..<4])
        #expect(open(root, one, other, .stated("C1", on: "A2 B1", Edit(4, 4, "x\n"))).isEmpty)
        #expect(open(root, one, other, .stated("C1", on: "A2 B1", Edit(3, 3, "x"))) == ["text A2 B1 ''"])
    }

    @Test func emptyRangeBelowFloor_staysEmptyAboveIt() {
        let (one, other) = (saved("A2", "two\n", ""), saved("B1", "two\nthree\n", ""))
        let before = Event.stated("C1", on: "A2 B1", Edit(3, 3, "x"))
        let beside = [Event.stated("D1", on: "C1", Edit(0, 0, "y")), Event.stated("E1", on: "C1", Edit(11, 11, "z"))]
        #expect(conflicts([root, one, other, before] + beside).map(\.range) == [6..<6])
    }

    @Test func sides_canReplaceTheRange() {
        let pairs = [
            (left, right), (saved("A2", "two\nthree\n", ""), saved("B1", "three\nfour\n", "X\n")),
            (.stated("A2", on: "A1", Edit(2, 5, "")), saved("B1", "three", "3")),
            (saved("A2", "five", "V"), saved("B1", "five", "5")),
        ]
        for (one, other) in pairs {
            let found = conflicts([root, one, other])
            #expect(found.count == 1)
            guard let conflict = found.first else { continue }
            let text = NaiveWalk([root, one, other]).text
            for (side, event) in zip(conflict.sideTexts, [one, other]) {
                let put = [Edit(start: conflict.range.lowerBound, end: conflict.range.upperBound, replacement: side)]
                #expect(string(put.applied(to: text)) == string(NaiveWalk([root, event]).text))
            }
            let put = [Edit(start: conflict.range.lowerBound, end: conflict.range.upperBound, replacement: conflict.base)]
            #expect(string(put.applied(to: text)) == base)
        }
    }

    /// One writer saw the deletion mark and a concurrent renaming, the other saw only the mark.
    /// What both saw is the mark, which has an empty text.
    @Test func base_isTextSeenByAllWriters() {
        let renamed = Event.saved("B1", on: "A1", from: base, to: base).named("x")
        let one = Event.saved("C1", on: "A2 B1", from: base, to: base.replacing("one", with: "ONE"))
        let other = Event.saved("A3", on: "A2", from: "", to: "new\n")
        let found = conflicts([root, .deleted("A2", on: "A1"), renamed, one, other])
        #expect(found.map(\.kind) == [.text])
        #expect(found.map(\.base) == [[]])
    }

    // MARK: How it ends

    /// The first removes a line feed; the others lines, words or letters.
    @Test func removalOfItsBytes_resolves() {
        #expect(string(NaiveWalk([root, left, right]).text) == both)
        #expect(conflicts([root, left, right]).map(\.range) == [4..<10])
        for edit in [Edit(5, 6, ""), Edit(5, 8, ""), Edit(0, 20, ""), Edit(4, 6, ""), Edit(6, 9, "II"), Edit(7, 8, "")] {
            #expect(after(.stated("C1", on: "A2 B1", edit)).isEmpty, "\(edit)")
        }
    }

    @Test func saveOfRange_resolves() {
        for changed in ["one\nTwo\n", "one\n2\nx\nTWO\n", "one\n2!\nTWO\n", "2\nTWO\n", "ONE\n2\nTWO\n"] {
            let text = changed + "three\nfour\nfive\n"
            #expect(after(.saved("C1", on: "A2 B1", from: both, to: text)).isEmpty, "\(changed)")
        }
    }

    /// A writer who types in its lines, or between them, may not have looked at it.
    @Test func typingInItsLines_leavesItOpen() {
        for (edit, shown) in [
            (Edit(6, 6, "!"), "2/!TWO/"), (Edit(6, 6, "x\n"), "2/x/TWO/"), (Edit(4, 4, "x"), "x2/TWO/"),
            (Edit(10, 10, "x"), "2/TWO/"),
            (Edit(7, 7, "\n"), "2/T/WO/"), (Edit(0, 4, ""), "2/TWO/"), (Edit(10, 15, "3"), "2/TWO/"),
        ] {
            #expect(open(root, left, right, .stated("C1", on: "A2 B1", edit)) == ["text A2 B1 '\(shown)'"], "\(edit)")
        }
    }

    @Test func removalOfWhatWasTypedInIt_leavesItOpen() {
        let typed = Event.stated("C1", on: "A2 B1", Edit(6, 6, "!!"))
        let removed = Event.stated("C2", on: "C1", Edit(6, 7, ""))
        #expect(open(root, left, right, typed, removed) == ["text A2 B1 '2/!TWO/'"])
        #expect(open(root, left, right, typed, .stated("C2", on: "C1", Edit(6, 9, ""))).isEmpty, "and one letter of its own")
        let beside = Event.stated("D1", on: "C1", Edit(0, 0, "x"))
        #expect(open(root, left, right, typed, removed, beside) == ["text A2 B1 '2/!TWO/'"], "also from a floor")
    }

    /// Two writers each remove a part of it, and each leaves a part. Both have resolved it.
    @Test func removalsOfItsParts_resolve() {
        let events = [Event.stated("C1", on: "A2 B1", Edit(4, 6, "")), .stated("D1", on: "A2 B1", Edit(6, 10, ""))]
        #expect(after(events[0], events[1]).isEmpty)
    }

    @Test func editElsewhere_doesNotResolve() {
        for edit in [Edit(3, 3, "!"), Edit(0, 3, ""), Edit(11, 11, "!"), Edit(11, 25, ""), Edit(6, 6, "")] {
            #expect(after(.stated("C1", on: "A2 B1", edit)) == ["a2b1"], "\(edit)")
        }
        let grown = Event.stated("C1", on: "A2 B1", Edit(0, 1, "ONE, O"))
        #expect(open(root, left, right, grown) == ["text A2 B1 '2/TWO/'"], "the range moves along")
    }

    @Test func linesBeside_leaveItOpen() {
        for edit in [Edit(4, 4, "x\n"), Edit(10, 10, "x\ny\n")] {
            let beside = Event.stated("C1", on: "A2 B1", edit)
            #expect(open(root, left, right, beside) == ["text A2 B1 '2/TWO/'"], "\(edit)")
        }
        let saved = Event.saved("C1", on: "A2 B1", from: both, to: both.replacing("three", with: "x\nthree"))
        #expect(open(root, left, right, saved) == ["text A2 B1 '2/TWO/'"])
    }

    /// A note whose last line is in conflict, with and without an LF at the end, and lines that are
    /// added at the end.
    @Test(arguments: ["", "\n"])
    func linesAtTheEnd_leaveItOpen(end: String) {
        let (base, both) = ("one\ntwo" + end, "one\n2\nTWO" + end)
        let events = [
            Event.saved("A1", on: "", from: "", to: base), .saved("A2", on: "A1", from: base, to: "one\nTWO" + end),
            .saved("B1", on: "A1", from: base, to: "one\n2" + end),
        ]
        #expect(string(NaiveWalk(events).text) == both)
        for added in ["\nx", "\nx\n"] {
            let text = "one\n2\nTWO" + added
            let appended = Event.saved("C1", on: "A2 B1", from: both, to: text)
            let again = Event.saved("D1", on: "C1", from: text, to: "one\n2\nTWO\nx\ny\n")
            #expect(conflicts(events + [appended]).map(\.range) == [4..<10])
            #expect(conflicts(events + [appended, again]).map(\.range) == [4..<10])
        }
        // Only the end of the last line changes, so that line does.
        let ended = Event.saved("C1", on: "A2 B1", from: both, to: end.isEmpty ? both + "\n" : "one\n2\nTWO")
        #expect(conflicts(events + [ended]).isEmpty)
    }

    /// C removed a line after the conflict's visible lines. A line that is added there is no part of
    /// the conflict, and stays when a side is put in its place.
    @Test func linesBesideRemovedOnes_areNoPartOfIt() throws {
        let events = [root, left, saved("C1", "two\nthree\n", "")]
        let text = string(NaiveWalk(events).text)
        #expect(text == "one\nTWO\nfour\nfive\n")
        let beside = Event.saved("D1", on: "A2 C1", from: text, to: text.replacing("four", with: "x\nfour"))
        let conflict = try #require(conflicts(events + [beside]).first)
        #expect(conflict.range == 4..<8)
        #expect(conflict.sideTexts.map(string) == ["TWO\nthree\n", ""])
    }

    @Test func writeWithoutSeeingAllSides_doesNotResolve() {
        let on = base.replacing("two", with: "TWO")
        #expect(after(.saved("C1", on: "A2", from: on, to: on.replacing("TWO", with: "Two"))) == ["b1c1"])
        #expect(after(.saved("C1", on: "A2", from: on, to: on.replacing("five", with: "5"))) == ["a2b1"])
    }

    @Test func versionWithoutResolution_hasOpenConflict() {
        let below = Event.saved("C1", on: "A2 B1", from: both, to: both.replacing("five", with: "5"))
        let text = both.replacing("five", with: "5")
        let resolving = Event.saved("C2", on: "C1", from: text, to: text.replacing("2\nTWO\n", with: "II\n"))
        let beside = Event.saved("D1", on: "C1", from: text, to: text.replacing("5", with: "V"))
        #expect(open(root, left, right, below, beside) == ["text A2 B1 '2/TWO/'"])
        #expect(open(root, left, right, below, resolving, beside).isEmpty, "and at D1 it is open, which is looked at, too")
    }

    @Test func resolves_resolvesConflictsInItsPast() {
        let conflict = id(root, left, right)
        #expect(after(.stated("C1", on: "A2 B1").resolving(conflict)).isEmpty)
        #expect(after(.deleted("C1", on: "A2 B1").resolving(conflict), .stated("D1", on: "A2 B1")).isEmpty)
        #expect(after(.stated("C1", on: "A2").resolving(conflict)) == ["a2b1"], "not seen")
        #expect(after(.stated("C1", on: "A2 B1").resolving(ConflictID(high: 1, low: 2))) == ["a2b1"], "not there")
    }

    @Test func tombstone_hidesTextConflict_withoutResolving() {
        let gone = Event.deleted("C1", on: "A2 B1")
        #expect(open(root, left, right, gone).isEmpty)
        let beside = open(root, left, right, gone, .stated("D1", on: "A2 B1"))
        #expect(beside.count == 2 && beside.last == "text A2 B1 '2/TWO/'", "it comes back with the text: \(beside)")
        #expect(beside.first?.hasPrefix("deletion C1 D1") == true)
    }

    /// The text and its conflicts must stay, in case the deletion is undone.
    @Test func tombstone_isNoFloor() {
        let events = [root, left.named("y"), right.named("z"), .deleted("C1", on: "A2 B1")]
        var view = View(naming: .cheap)
        view.append(contentsOf: events)
        #expect(view.floor == version("A1") && view.conflicts.isEmpty)
        #expect(Set(view.keptConflicts.map(\.conflict.kind)) == [.text, .name])
        #expect(conflicts(events + [.deleted("C2", on: "C1"), .deleted("D1", on: "C1")]).isEmpty)
    }

    @Test func restoration_resolvesAllTextConflicts() {
        let gone = Event.deleted("C1", on: "A2 B1")
        let back = Event.stated("C2", on: "C1", Edit(0, 0, "new\n"))
        #expect(open(root, left, right, gone, back).isEmpty)
        #expect(after(gone, back, .stated("D1", on: "A2 B1", Edit(25, 25, "!"))).isEmpty, "beside another write too")
        #expect(after(gone, .stated("C2", on: "C1"), .stated("D1", on: "A2 B1", Edit(25, 25, "!"))).isEmpty, "without edits too")
    }

    @Test func deletionConflict_endsWithTextDeletionOrRestoration() {
        let gone = Event.deleted("A2", on: "A1")
        let kinds = { (events: [Event]) in conflicts([root, gone, right] + events).map(\.kind) }
        #expect(kinds([]) == [.deletion])
        #expect(kinds([.stated("C1", on: "A2 B1", Edit(22, 22, "!"))]).isEmpty)
        #expect(kinds([.stated("C1", on: "A2 B1").named("x")]) == [.deletion])
        #expect(kinds([.stated("C1", on: "A2 B1", Edit(3, 3, ""))]) == [.deletion])
        #expect(kinds([.stated("C1", on: "A2", Edit(0, 0, "x"))]).contains(.deletion), "not seen")
        #expect(kinds([.stated("C1", on: "A2 B1").resolving(id(root, gone, right))]).isEmpty)
        let again = conflicts([root, gone, right, .deleted("C1", on: "A2 B1"), .stated("D1", on: "A2 B1")])
        #expect(again.map(\.sides) == [[dot("C1"), dot("D1")]], "only the new deletion is in question")
        let back = Event.stated("C2", on: "C1", Edit(0, 0, "new"))
        #expect(kinds([.deleted("B2", on: "B1"), .deleted("C1", on: "A2 B2"), back]).isEmpty)
        #expect(kinds([.deleted("B2", on: "B1"), .stated("C1", on: "A2 B2")]).isEmpty, "restoring without an edit")
    }

    @Test func nameConflict_endsWithNewName() {
        let (x, y) = (Event.stated("A2", on: "A1").named("x"), Event.stated("B1", on: "A1").named("y"))
        #expect(open(root, x, y, .stated("C1", on: "A2 B1").named("x")).isEmpty, "to one of the two")
        #expect(open(root, x, y, .stated("C1", on: "A2 B1").named(nil)).isEmpty)
        #expect(open(root, x, y, .stated("C1", on: "A2 B1", Edit(0, 24, ""))) == ["name A2 B1 ''"])
        #expect(open(root, x, y, .stated("C1", on: "B1").named("z")) == ["name A2 C1 ''"])
        #expect(open(root, x, y, .stated("C1", on: "A2 B1").resolving(id(root, x, y))).isEmpty)
    }

    /// In the daemon, a restoring write always sets the name; the definition does not require it.
    @Test func nameConflict_returnsWithRestoredNote() {
        let (x, y) = (Event.stated("A2", on: "A1").named("x"), Event.stated("B1", on: "A1").named("y"))
        let gone = Event.deleted("C1", on: "A2 B1")
        #expect(open(root, x, y, gone).isEmpty)
        #expect(open(root, x, y, gone, .stated("C2", on: "C1", Edit(0, 0, "new"))) == ["name A2 B1 ''"])
        #expect(open(root, x, y, gone, .stated("C2", on: "C1", Edit(0, 0, "new")).named(nil)).isEmpty)
    }

    @Test func resolution_isPermanent() {
        let solved = Event.stated("C1", on: "A2 B1", Edit(4, 10, "Two\n"))
        let elsewhere = Event.stated("D1", on: "A2 B1", Edit(11, 11, "!"))
        #expect(after(solved, elsewhere).isEmpty, "in every version that has the one who resolved")
        let history = CheckedHistory([root, left, right, solved, elsewhere])
        #expect(history.naive.open(in: history.walk.closure(seen("D1"))).map(\.sides) == [[dot("A2"), dot("B1")]])
    }

    @Test func otherConflicts_stayOpen() {
        let one = Event.saved("A2", on: "A1", from: base, to: "1\ntwo\nthree\nfour\n5\n")
        let other = Event.saved("B1", on: "A1", from: base, to: "I\ntwo\nthree\nfour\nV\n")
        #expect(open(root, one, other, .stated("C1", on: "A2 B1", Edit(0, 2, ""))) == ["text A2 B1 '5/V/'"])
    }

    @Test func thirdConcurrentWrite_conflictsAgain() {
        let solved = Event.saved("C1", on: "A2 B1", from: both, to: both.replacing("2\nTWO", with: "Two"))
        let third = saved("D1", "two", "zwei")
        #expect(open(root, left, right, solved, third) == ["text C1 D1 'Two/zwei/'"])
        let later = Event.stated("C2", on: "C1 D1", Edit(4, 8, ""))
        #expect(open(root, left, right, solved, third, later).isEmpty)
    }

    /// Its two least members are those of the resolved conflict. The id reflects where a conflict
    /// began, not how far it extends.
    @Test func reopenedConflict_mayReuseItsID() {
        let solved = Event.saved("C1", on: "A2 B1", from: both, to: both.replacing("2\nTWO", with: "Two"))
        #expect(id(root, left, right, solved, saved("D1", "two", "zwei")) == id(root, left, right))
    }

    // MARK: From below the floor

    /// Before the first byte there is no item that the range could be tied to.
    @Test func emptyRangeAtStart_staysThere() {
        let empty = Conflict(id: ConflictID(high: 1, low: 2), kind: .text, sides: [dot("A1"), dot("B1")], range: 0..<0)
        var view = View(
            floor: dot("C1"), text: bytes(base), isDeleted: false, conflicts: [KeptConflict(empty, own: [])], naming: .cheap)
        let end = bytes(base).count
        view.append(contentsOf: [
            .stated("A3", on: "C1", Edit(end, end, "six\n")), .stated("B3", on: "C1", Edit(end, end, "6\n")),
        ])
        #expect(view.conflicts == [empty])
        #expect(view.conflicts(at: seen("A3")) == [empty])
    }
}
