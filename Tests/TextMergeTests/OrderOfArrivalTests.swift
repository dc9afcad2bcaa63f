import BitCollections
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

    /// A withdrawal may name another one and one that names that. The order in which these stop and start to
    /// be effective must not matter.
    @Test(arguments: seeds(300))
    func countsOfWithdrawals_areThoseOfTheVersion(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var (withdrawals, counts) = (Withdrawals(), WithdrawalCounts())
        let count = generator.pick([5, 8, 12])
        for ordinal in 2..<count {
            let names = (0..<generator.pick([1, 2, 3])).map { _ in generator.below(ordinal) }
            _ = withdrawals.record(ordinal, naming: Set(names).sorted())
            _ = counts.move(ordinal, by: 1, withdrawals)
            #expect(counts.withdrawn == withdrawals.withdrawn(within: nil), "seed \(seed)")
        }
        var here = BitSet(0..<count)
        for _ in 0..<4 {
            // A withdrawal has what it names in its past.
            let heads = (0..<count).filter { _ in generator.chance(0.4) }
            let version = BitSet(heads + withdrawals.reach(of: heads))
            for ordinal in here.subtracting(version).reversed() where withdrawals.isWithdrawal(ordinal) {
                _ = counts.move(ordinal, by: -1, withdrawals)
            }
            for ordinal in version.subtracting(here) where withdrawals.isWithdrawal(ordinal) {
                _ = counts.move(ordinal, by: 1, withdrawals)
            }
            here = version
            #expect(counts.withdrawn == withdrawals.withdrawn(within: here), "seed \(seed)")
        }
    }

    /// The redo E1 names the undo C1 and the redo D1, so what C1 names counts with and without E1.
    @Test(arguments: [true, false]) func redoOfAnUndoAndItsRedo_leavesOlderVersions(undoneIsDeletion: Bool) {
        func undo(_ name: String, on parent: String, of names: String...) -> Event {
            Event(dot: dot(name), parents: seen(parent), edits: [], origin: .stated, withdraws: names.map { dot($0) })
        }
        let root = Event.saved("A1", on: "", from: "", to: "a\nb\n")
        let change = Event.saved("B1", on: "A1", from: "a\nb\n", to: "X\nb\n")
        let undone = undoneIsDeletion ? Event.deleted("B1", on: "A1") : change
        let undos = [undo("C1", on: "B1", of: "B1"), undo("D1", on: "C1", of: "C1"), undo("E1", on: "D1", of: "C1", "D1")]
        let late = Event.saved("F1", on: "D1", from: undoneIsDeletion ? "" : "X\nb\n", to: "Y\nb\n")
        for order in [[root, undone] + undos + [late], [root, undone, undos[0], undos[1], late, undos[2]]] {
            var view = View(naming: .cheap)
            for event in order { view.append(contentsOf: [event], holdsFloor: true) }
            let history = CheckedHistory(order)
            #expect(string(view.text) == "Y\nb\n")
            history.check(&view, holds: history.dots, "")
            history.check(&view, at: seen("D1"), "")
            #expect(string(view.text(at: seen("D1"))) == (undoneIsDeletion ? "" : "X\nb\n"))
            #expect(view.withdrawn(at: seen("D1")) == [dot("C1")])
        }
    }
}
