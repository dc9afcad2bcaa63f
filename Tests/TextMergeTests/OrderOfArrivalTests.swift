import Causality
import TestKit
import Testing

@testable import TextMerge

/// A view does not depend on the order in which its revisions came, also where some of them are withdrawn.
@Suite struct OrderOfArrivalTests {
    /// Between the undone edit and the save is only text that the undone revision itself inserted, in another
    /// edit. So nothing that both writers had seen separates them.
    @Test(arguments: [true, false])
    func saveBesideAnUndo_isInConflictInBothOrders(undoIsFirst: Bool) {
        let root = Event.saved("A1", on: "", from: "", to: "[1]\n")
        let undone = Event.stated("A2", on: "A1", Edit(0, 0, "[2]"), Edit(4, 4, "[3]\n"))
        let removal = Event.stated("A3", on: "A2", Edit(3, 6, ""))
        let more = Event.saved("A4", on: "A3", from: "[2]\n[3]\n", to: "[2]\n[18]\n[3]\n")
        let save = Event.saved("A5", on: "A4", from: "[2]\n[18]\n[3]\n", to: "[2]\n[18]\n[3]\n[26]")
        let undo = Event(
            dot: dot("B1"), parents: seen("A4"), edits: [], origin: .stated, withdraws: [undone.dot, more.dot])
        let history = CheckedHistory([root, undone, removal, more] + (undoIsFirst ? [undo, save] : [save, undo]))
        var view = View(naming: .cheap)
        for event in history.events { view.append(contentsOf: [event], holdsFloor: true) }
        #expect(string(view.text) == "\n[26]")
        #expect(view.conflicts.map(\.sides) == [[undone.dot, save.dot]] && view.conflicts[0].withdrawn == [undone.dot])
        history.check(&view, holds: history.dots, "")
    }

    /// The oracle compares every two revisions, whatever came first.
    @Test(arguments: seeds(400))
    func everyOrder_showsTheSameTextAndConflicts(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let history = CheckedHistory(RandomHistory(.ofSeveralEdits(&generator), &generator).events)
        for _ in 0..<4 {
            var view = View(limits: generator.chance(0.3) ? .tiny : WalkLimits(), naming: .cheap)
            let order = generator.causalOrder(history.events)
            if generator.chance(0.5) {
                view.append(contentsOf: order, holdsFloor: generator.chance(0.5))
            } else {
                for event in order { view.append(contentsOf: [event], holdsFloor: true) }
            }
            history.check(&view, holds: history.dots, "seed \(seed): \(order.map(\.dot))")
        }
    }
}
