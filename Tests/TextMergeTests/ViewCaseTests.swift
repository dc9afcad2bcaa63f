import Causality
import TestKit
import Testing

@testable import TextMerge

/// The merged text and the open conflicts in the cases of `docs/causality.md` §4, by number. `open`
/// compares the view with the definition, with the revisions appended together and one by one.
@Suite struct ViewCaseTests {
    private let x = Event.saved("A1", on: "", from: "", to: "x\n")
    private let y = Event.saved("A2", on: "A1", from: "x\n", to: "y\n")
    private let z = Event.saved("A3", on: "A1", from: "x\n", to: "z\n")

    private let base = "one\ntwo\nthree\n"
    private let equal = "one\nTWO two\nthree\n"
    private var root: Event { .saved("A1", on: "", from: "", to: base) }
    private var left: Event { .saved("A2", on: "A1", from: base, to: equal) }
    private var right: Event { .saved("B1", on: "A1", from: base, to: equal) }

    @Test func case01_firstWrite() {
        #expect(shown(x) == "x\n")
        #expect(open(x).isEmpty)
    }

    @Test func case02_sequentialWrite() {
        #expect(shown(x, y) == "y\n")
        #expect(open(x, y).isEmpty)
    }

    @Test func case03_editsOfSameLine_areBothShownInConflict() {
        #expect(shown(x, y, z) == "y\nz\n")
        #expect(shown(x, z, y) == "y\nz\n")
        #expect(open(x, y, z) == ["text A2 A3 'y/z/'"])
    }

    @Test func case04_responseVersion_showsItsWritersText() {
        var view = View()
        view.append(contentsOf: [x, y, z])
        #expect(string(view.text(at: seen("A2"))) == "y\n")
        #expect(string(view.text(at: seen("A3"))) == "z\n")
        #expect(view.conflicts(at: seen("A3")).isEmpty, "who was shown one side was shown no conflict")
    }

    @Test func case05_secondWriteOfASide_replacesIt() {
        let next = Event.saved("A4", on: "A3", from: "z\n", to: "z2\n")
        #expect(shown(x, y, z, next) == "y\nz2\n")
        #expect(open(x, y, z, next) == ["text A2 A4 'y/z2/'"])
    }

    @Test func case06_writeAfterSeeingBoth_resolvesConflict() {
        let resolved = Event.saved("A4", on: "A2 A3", from: "y\nz\n", to: "w\n")
        #expect(shown(x, y, z, resolved) == "w\n")
        #expect(open(x, y, z, resolved).isEmpty)
    }

    @Test func case07_blindWrite_removesNothing() {
        let blind = Event.saved("A2", on: "", from: "", to: "y\n")
        #expect(shown(x, blind) == "x\ny\n")
        #expect(open(x, blind).isEmpty, "both only insert whole lines")
    }

    @Test func case08_blindWriteBesideSequentialWrites() {
        let blind = Event.saved("A2", on: "", from: "", to: "y\n")
        #expect(shown(x, blind, z) == "z\ny\n")
        #expect(open(x, blind, z) == ["text A2 A3 'z/y/'"])
    }

    @Test func case09_staleBuffer_removesNothingUnseen() {
        let newer = Event.saved("A3", on: "A2", from: "y\n", to: "y2\n")
        let old = Event.saved("A4", on: "A1", from: "x\n", to: "z\n")
        #expect(shown(x, y, newer, old) == "y2\nz\n")
        #expect(open(x, y, newer, old) == ["text A3 A4 'y2/z/'"])
    }

    @Test func case10_repeatedWrite_isShownOnce() {
        let again = Event.saved("A3", on: "A1", from: "x\n", to: "y\n")
        #expect(shown(x, y, again) == "y\n")
        #expect(open(x, y, again).isEmpty)
    }

    @Test func case11_writersOneReadLate_haveOneConflict() {
        var view = View()
        var lastRead = Version.nothing
        for counter in 1...40 {
            let read = view.version
            let edits = LineDiff.edits(from: view.text(at: lastRead), to: bytes("\(counter)\n"))
            view.append(
                contentsOf: [Event(dot: dot("A\(counter)"), parents: lastRead, edits: edits, origin: .found)], holdsFloor: true)
            #expect(string(view.text).contains("\(counter)\n"))
            #expect(view.version.dots.count <= 2 && view.conflicts.count <= 1, "\(counter)")
            lastRead = read
        }
    }

    @Test func case12_deletedIsEmpty() {
        var view = View()
        view.append(root)
        view.append(.deleted("A2", on: "A1"))
        #expect(view.text.isEmpty && view.isDeleted && view.conflicts.isEmpty)
        #expect(view.floor == seen("A1"), "the text must stay, in case the deletion is undone")
    }

    @Test func case13_editBesideDeletion_restoresNote() {
        let (gone, edited) = (Event.deleted("A2", on: "A1"), Event.stated("A3", on: "A1", Edit(0, 0, "zero\n")))
        #expect(shown(root, gone, edited) == "zero\none\ntwo\nthree\n")
        #expect(open(root, gone, edited) == ["deletion A2 A3 'zero/one/two/three/'"])
        #expect(shown(root, gone, .stated("A3", on: "A1")) == base, "a mere renaming too")
    }

    @Test func case14_oppositeOrder_isTheSame() {
        let (edited, gone) = (Event.stated("A2", on: "A1", Edit(0, 0, "zero\n")), Event.deleted("A3", on: "A1"))
        #expect(shown(root, edited, gone) == "zero\none\ntwo\nthree\n")
        #expect(open(root, edited, gone) == ["deletion A2 A3 'zero/one/two/three/'"])
    }

    @Test func case15_twoDeletions_areOne() {
        var view = View()
        view.append(contentsOf: [root, .deleted("A2", on: "A1"), .deleted("B1", on: "A1")])
        #expect(view.text.isEmpty && view.isDeleted && view.conflicts.isEmpty)
        view.append(.saved("A3", on: "A2 B1", from: "", to: "new\n"))
        #expect(string(view.text) == "new\n")
        #expect(!view.isDeleted && view.floor == seen("A3"))
    }

    @Test func case16_restorationAfterDeletion_replacesText() {
        let gone = Event.deleted("A2", on: "A1")
        let back = Event.saved("A3", on: "A2", from: "", to: "new\n")
        #expect(shown(root, gone, back) == "new\n")
        #expect(open(root, gone, back).isEmpty)
        let blind = Event.stated("B1", on: "A1", Edit(3, 3, "!"))
        #expect(shown(root, gone, back, blind) == "new\none!\n", "the line that somebody typed in meanwhile")
        #expect(shown(root, blind, gone, back) == "new\none!\n")
    }

    @Test func case17_blindCreation_isShown() {
        let gone = Event.deleted("A2", on: "A1")
        let blind = Event.saved("A3", on: "", from: "", to: "new\n")
        #expect(shown(root, gone, blind) == "new\none\ntwo\nthree\n")
        #expect(open(root, gone, blind) == ["deletion A2 A3 'new/one/two/three/'"])
    }
}

// MARK: - The writes of two replicas

extension ViewCaseTests {
    private var beside: Event { .saved("B1", on: "A1", from: "x\n", to: "z\n") }

    @Test func case20_editsOnTwoReplicas() {
        #expect(shown(x, y, beside) == "y\nz\n")
        #expect(open(x, y, beside) == ["text A2 B1 'y/z/'"])
    }

    @Test func case22_resolution_isTheSameEverywhere() {
        let resolved = Event.saved("A3", on: "A2 B1", from: "y\nz\n", to: "w\n")
        #expect(shown(x, y, beside, resolved) == "w\n")
        #expect(shown(x, beside, y, resolved) == "w\n")
        #expect(open(x, beside, y, resolved).isEmpty)
    }

    @Test func case23_differentResolutions_conflict() {
        let one = Event.saved("A3", on: "A2 B1", from: "y\nz\n", to: "v\n")
        let other = Event.saved("B2", on: "A2 B1", from: "y\nz\n", to: "w\n")
        #expect(shown(x, y, beside, one, other) == "v\nw\n")
        #expect(open(x, y, beside, one, other) == ["text A3 B2 'v/w/'"])
    }

    @Test func case24_equalResolutions_areShownOnce() {
        let one = Event.saved("A3", on: "A2 B1", from: "y\nz\n", to: "w\n")
        let other = Event.saved("B2", on: "A2 B1", from: "y\nz\n", to: "w\n")
        #expect(shown(x, y, beside, one, other) == "w\n")
        #expect(open(x, y, beside, one, other).isEmpty)
        #expect(shown(root, left, right) == equal)
    }

    @Test func case25_resolutionBesideEditOfASide_conflictsAgain() {
        let resolved = Event.saved("A3", on: "A2 B1", from: "y\nz\n", to: "w\n")
        let edited = Event.saved("B2", on: "B1", from: "z\n", to: "z2\n")
        #expect(shown(x, y, beside, resolved, edited) == "w\nz2\n")
        #expect(open(x, y, beside, resolved, edited) == ["text A3 B2 'w/z2/'"])
    }

    @Test func case30_versionWithMissingParents_isNotKnown() {
        var view = View()
        view.append(x)
        #expect(!view.knows(seen("A2")) && !view.knows(seen("A1 B1")) && view.knows(seen("A1")))
    }

    @Test func case38_writeAfterSeeingOne_resolvesNothing() {
        let half = Event.saved("A3", on: "A2", from: "y\n", to: "w\n")
        #expect(shown(x, y, beside, half) == "w\nz\n")
        #expect(open(x, y, beside, half) == ["text A3 B1 'w/z/'"])
    }

    @Test func case40_editOfOneOfTwoEqualSaves_conflicts() {
        let w = Event.saved("B2", on: "B1", from: equal, to: "one\nw\nthree\n")
        #expect(shown(root, left, right, w) == "one\nw\nTWO two\nthree\n", "A's copy was shown to nobody who removed it")
        #expect(open(root, left, right) == [])
        #expect(open(root, left, right, w) == ["text A2 B2 'w/TWO two/'"])
    }
}
