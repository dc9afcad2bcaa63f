import Causality
import TestKit
import Testing

@testable import TextMerge

/// Examples of undo that are easy to get wrong. The base is `milk` and `bread`, one item a line.
@Suite struct UndoCaseTests {
    private static let base = "milk\nbread\n"
    private let root = Event.saved("A1", on: "", from: "", to: base)

    private func undo(_ name: String, on parents: String, of names: String...) -> Event {
        Event(dot: dot(name), parents: seen(parents), edits: [], origin: .stated, withdraws: names.map { dot($0) })
    }

    /// The text and the open conflicts, checked against the naive oracle.
    private func result(_ events: Event...) -> [String] {
        let walk = NaiveWalk(events)
        let text = string(walk.text).replacing("\n", with: "/")
        return [walk.isDeleted(Set(events.map(\.dot))) ? "deleted" : text]
            + conflicts(events).map { conflict in
                let sides = zip(conflict.sides, conflict.sideTexts.isEmpty ? conflict.sides.map { _ in [] } : conflict.sideTexts)
                let texts = sides.map { dot, text in
                    let shown = string(text).replacing("\n", with: "/")
                    return conflict.withdrawn.contains(dot) ? "(\(shown))" : shown
                }
                return "\(conflict.kind): \(texts.joined(separator: " "))"
            }.sorted()
    }

    @Test func undoneLineThatAnotherWriterChanged_isAConflict() {
        let oat = Event.saved("A2", on: "A1", from: Self.base, to: "oat milk\nbread\n")
        let more = Event.saved("B1", on: "A2", from: "oat milk\nbread\n", to: "oat milk, two bottles\nbread\n")
        let both = "oat milk, two bottles/milk/bread/"
        #expect(result(root, oat, more, undo("A3", on: "B1", of: "A2")) == [both, "text: (milk/) oat milk, two bottles/"])
    }

    @Test func undoneLineThatAnotherWriterTypedIn_isAConflict() {
        let eggs = Event.stated("A2", on: "A1", Edit(5, 5, "eggs\n"))
        let ten = Event.stated("B1", on: "A2", Edit(9, 9, ", ten"))
        #expect(
            result(root, eggs, ten, undo("A3", on: "B1", of: "A2")) == ["milk/, tenbread/", "text: (bread/) eggs, ten/bread/"])
    }

    @Test func undoBesideAChangeOfTheLine_isAConflict() {
        let oat = Event.saved("A2", on: "A1", from: Self.base, to: "oat\nbread\n")
        let two = Event.saved("B1", on: "A2", from: "oat\nbread\n", to: "oat, two\nbread\n")
        #expect(result(root, oat, undo("A3", on: "A2", of: "A2"), two) == ["oat, two/milk/bread/", "text: (milk/) oat, two/"])
    }

    @Test func redoOfARemoval_keepsWhatWasTypedMeanwhile() {
        let gone = Event.saved("A2", on: "A1", from: Self.base, to: "bread\n")
        let typed = Event.stated("B1", on: "A3", Edit(4, 4, ", two"))
        let events = result(root, gone, undo("A3", on: "A2", of: "A2"), typed, undo("A4", on: "B1", of: "A3"))
        #expect(events == ["milk, two/bread/", "text:  milk, two/"])
    }

    @Test func redoOfAChange_conflictsWithWhatWasSavedMeanwhile() {
        let oat = Event.saved("A2", on: "A1", from: Self.base, to: "oat milk\nbread\n")
        let two = Event.saved("B1", on: "A3", from: Self.base, to: "milk, two\nbread\n")
        let events = result(root, oat, undo("A3", on: "A2", of: "A2"), two, undo("A4", on: "B1", of: "A3"))
        #expect(events == ["oat milk/milk, two/bread/", "text: oat milk/ milk, two/"])
    }

    private var oat: Event { .saved("A2", on: "A1", from: Self.base, to: "oat\nbread\n") }
    private var soy: Event { .saved("B1", on: "A1", from: Self.base, to: "soy\nbread\n") }
    private let both = "oat\nsoy\nbread\n"

    @Test func undoOfOneOfTwoRivals_leavesTheOther() {
        #expect(result(root, oat, soy) == ["oat/soy/bread/", "text: oat/ soy/"])
        #expect(result(root, oat, soy, undo("A3", on: "A2 B1", of: "A2")) == ["soy/bread/"])
        let redo = undo("A4", on: "A3", of: "A3")
        #expect(result(root, oat, soy, undo("A3", on: "A2 B1", of: "A2"), redo) == ["oat/soy/bread/", "text: oat/ soy/"])
    }

    @Test func undoOfOneOfTwoResolutions_leavesItResolved() {
        let one = Event.saved("A3", on: "A2 B1", from: both, to: "oat\nbread\n")
        let other = Event.saved("B2", on: "A2 B1", from: both, to: "oat\nbread\n")
        #expect(result(root, oat, soy, one, other, undo("A4", on: "A3 B2", of: "A3")) == ["oat/bread/"])
    }

    @Test func undoOfAResolution_opensTheConflictWithThoseWhoJoined() {
        let resolved = Event.saved("A3", on: "A2 B1", from: both, to: "oat\nbread\n")
        let rice = Event.saved("C1", on: "A1", from: Self.base, to: "rice\nbread\n")
        let events = result(root, oat, soy, resolved, rice, undo("A4", on: "A3 C1", of: "A3"))
        #expect(events == ["oat/rice/soy/bread/", "text: oat/ soy/ rice/"])
    }

    @Test func undoOfAResolutionThatWasRewritten_opensTwoConflicts() {
        let resolved = Event.saved("A3", on: "A2 B1", from: both, to: "oat\nbread\n")
        let almond = Event.saved("D1", on: "A3", from: "oat\nbread\n", to: "almond\nbread\n")
        let found = conflicts([root, oat, soy, resolved, almond, undo("A4", on: "D1", of: "A3")])
        let first = conflicts([root, oat, soy]).map(\.id)
        #expect(found.count == 2 && found.map(\.id).contains(first[0]))
    }

    @Test func undoOfADeletion_afterARestore_keepsTheNewText() {
        let restored = Event.saved("B1", on: "A2", from: "", to: "new\n")
        #expect(result(root, .deleted("A2", on: "A1"), restored, undo("A3", on: "B1", of: "A2")) == ["new/"])
        #expect(result(root, .deleted("A2", on: "A1"), undo("A3", on: "A2", of: "A2")) == ["milk/bread/"])
    }

    @Test func deletionBesideAnUndoneWrite_deletes() {
        let gone = Event.deleted("A2", on: "A1")
        #expect(result(root, gone, soy, undo("B2", on: "A2 B1", of: "B1")) == ["deleted"])
        #expect(result(root, oat, undo("A3", on: "A2", of: "A2"), .deleted("B1", on: "A2")) == ["deleted"])
    }

    @Test func undoOfTheFinalLineFeed_leavesTheLineBelow() {
        let root = Event.saved("A1", on: "", from: "", to: "milk")
        let ended = Event.saved("A2", on: "A1", from: "milk", to: "milk\n")
        let eggs = Event.saved("B1", on: "A2", from: "milk\n", to: "milk\neggs\n")
        #expect(result(root, ended, undo("A3", on: "A2", of: "A2")) == ["milk"])
        #expect(result(root, ended, eggs, undo("A3", on: "B1", of: "A2")) == ["milk/eggs/"])
    }

    /// A line added behind a changed line stays behind it when the change is undone.
    @Test func undoneChange_keepsTheOrderOfLaterLines() {
        let rye = Event.saved("A2", on: "A1", from: Self.base, to: "milk\nrye\n")
        let eggs = Event.saved("B1", on: "A2", from: "milk\nrye\n", to: "milk\nrye\neggs\n")
        #expect(result(root, rye, eggs, undo("A3", on: "B1", of: "A2")).first == "milk/bread/eggs/")
        let typed = Event.stated("B1", on: "A2", Edit(9, 9, "eggs\n"))
        #expect(result(root, rye, typed, undo("A3", on: "B1", of: "A2")).first == "milk/bread/eggs/")
    }

    /// A line that comes back is before what was added in its place.
    @Test func redoneText_returnsToItsOldPlace() {
        let gone = Event.saved("A2", on: "A1", from: Self.base, to: "bread\n")
        let back = undo("A3", on: "A2", of: "A2")
        let tea = Event.saved("B1", on: "A2", from: "bread\n", to: "tea\nbread\n")
        #expect(result(root, gone, tea, back).first == "milk/tea/bread/")
    }
}
