import Causality
import TestKit
import Testing

@testable import TextMerge

/// The laws of undo on random histories (`docs/causality.md`, "Undo").
@Suite struct UndoLawTests {
    /// What a version shows, as far as an undo may change it.
    private struct Shown: Equatable {
        let text: [UInt8]
        let isDeleted: Bool
        let conflicts: [Conflict]

        init(_ view: View) {
            (text, isDeleted, conflicts) = (view.text, view.isDeleted, view.conflicts)
        }
    }

    /// A history, and the versions and views that the laws speak of.
    private struct Trial {
        let events: [Event]
        let walk: NaiveWalk
        var generator: SeededGenerator

        init(seed: UInt64) {
            generator = SeededGenerator(seed: seed)
            events = RandomHistory(.withUndo(&generator), &generator).events
            walk = NaiveWalk(events)
        }

        var all: Set<Dot> { Set(walk.events.keys) }
        var version: Version { Version(walk.maximal(all).sorted()) }
        /// The revisions that may be withdrawn.
        var candidates: [Dot] { events.filter { !$0.parents.isNothing }.map(\.dot) }
        var withdrawn: Set<Dot> { walk.withdrawn(all) }

        func shown(_ more: [Event] = [], without dot: Dot? = nil) -> Shown {
            var view = View(naming: .cheap)
            view.append(contentsOf: events.filter { $0.dot != dot } + more)
            return Shown(view)
        }

        func undo(_ name: String, of dots: [Dot], on version: Version) -> Event {
            Event(dot: TestKit.dot(name), parents: version, edits: [], origin: .stated, withdraws: dots)
        }
    }

    @Test(arguments: seeds(150))
    func undoOfTheNewest_isAsIfItHadNeverBeen(seed: UInt64) {
        let trial = Trial(seed: seed)
        for dot in trial.candidates where trial.version.dots.contains(dot) && !trial.withdrawn.contains(dot) {
            let undo = trial.undo("F1", of: [dot], on: trial.version)
            #expect(trial.shown([undo]) == trial.shown(without: dot), "seed \(seed): \(dot)")
        }
    }

    @Test(arguments: seeds(150))
    func redo_showsWhatWasShown(seed: UInt64) {
        var trial = Trial(seed: seed)
        let before = trial.shown()
        for dot in trial.candidates where !trial.withdrawn.contains(dot) && trial.generator.chance(0.4) {
            let undo = trial.undo("F1", of: [dot], on: trial.version)
            let redo = trial.undo("F2", of: [undo.dot], on: Version(undo.dot))
            #expect(trial.shown([undo, redo]) == before, "seed \(seed): \(dot)")
        }
    }

    @Test(arguments: seeds(150))
    func concurrentUndos_areOne_andBothMustBeUndone(seed: UInt64) {
        var trial = Trial(seed: seed)
        let before = trial.shown()
        for dot in trial.candidates where !trial.withdrawn.contains(dot) && trial.generator.chance(0.4) {
            let one = trial.undo("E1", of: [dot], on: trial.version)
            let other = trial.undo("F1", of: [dot], on: trial.version)
            #expect(trial.shown([one, other]) == trial.shown([one]), "seed \(seed): \(dot)")
            let redo = trial.undo("E2", of: [one.dot], on: Version([one.dot, other.dot]))
            #expect(trial.shown([one, other, redo]) == trial.shown([other]), "seed \(seed): \(dot)")
            let both = trial.undo("F3", of: [other.dot], on: Version(redo.dot))
            #expect(trial.shown([one, other, redo, both]) == before, "seed \(seed): \(dot)")
        }
    }

    /// Only bytes that the undone revision inserted, or whose line it kept, disappear. Only bytes that it
    /// removed and no other counting revision did come back.
    @Test(arguments: seeds(100))
    func undo_leavesWhatOthersWrote(seed: UInt64) {
        let trial = Trial(seed: seed)
        guard !trial.walk.isDeleted(trial.all) else { return }
        let items = trial.walk.replay(trial.all).items
        for dot in trial.candidates where !trial.withdrawn.contains(dot) && trial.walk.events[dot]?.isWithdrawal == false {
            let undo = trial.undo("F1", of: [dot], on: trial.version)
            let after = NaiveWalk(trial.events + [undo])
            guard !after.isDeleted(trial.all.union([undo.dot])) else { continue }
            let (before, now) = (trial.walk.counting(trial.all), after.counting(trial.all.union([undo.dot])))
            for item in items where item.isVisible(in: before) != item.isVisible(in: now) {
                let isHidden = item.isVisible(in: before)
                let isOwn = item.copies.filter { before.contains($0.inserter) }.contains { $0.inserter == dot }
                let isKept = item.copies.contains { $0.removers.contains { $0.value.contains(dot) } }
                #expect(isHidden ? isOwn || isKept : item.isRemoved(by: dot), "seed \(seed): \(dot)")
            }
            // The view agrees with the naive walk about which these are.
            #expect(trial.shown([undo]).text == after.text, "seed \(seed): \(dot)")
        }
    }

    @Test(arguments: seeds(100))
    func textsOfEarlierVersions_neverChange(seed: UInt64) {
        var trial = Trial(seed: seed)
        guard let dot = trial.candidates.last else { return }
        var view = View(limits: trial.generator.chance(0.5) ? .tiny : WalkLimits(), naming: .cheap)
        view.append(contentsOf: trial.events, holdsFloor: true)
        let versions = trial.events.map { Version($0.dot) }
        let before = versions.map { view.text(at: $0) }
        view.append(contentsOf: [trial.undo("F1", of: [dot], on: trial.version)], holdsFloor: true)
        #expect(versions.map { view.text(at: $0) } == before, "seed \(seed)")
        view.walk?.checkInvariants()
    }

    @Test(arguments: seeds(100))
    func anyOrderOfArrival_showsTheSame(seed: UInt64) {
        var trial = Trial(seed: seed)
        let before = trial.shown()
        for limits in [WalkLimits(), .tiny] {
            var view = View(limits: limits, naming: .cheap)
            let order = trial.generator.causalOrder(trial.events)
            for piece in trial.walk.pieces(of: order, length: { trial.generator.pick([1, 2, 5]) }) {
                view.append(contentsOf: piece)
            }
            #expect(Shown(view) == before, "seed \(seed)")
            view.walk?.checkInvariants()
            view.graph.checkInvariants()
        }
    }

    /// Undoing the revision that resolved a conflict opens it again, under its id, if no other
    /// counting revision resolved it.
    @Test(arguments: seeds(150))
    func undoOfAResolution_opensTheConflict(seed: UInt64) {
        let trial = Trial(seed: seed)
        let before = NaiveConflicts(trial.events, naming: .cheap)
        for dot in trial.candidates where trial.version.dots.contains(dot) && !trial.withdrawn.contains(dot) {
            guard let past = trial.walk.pasts[dot], past == trial.all.subtracting([dot]) else { continue }
            let undo = trial.undo("F1", of: [dot], on: trial.version)
            let open = Set(before.open(in: past).map(\.id))
            #expect(Set(trial.shown([undo]).conflicts.map(\.id)) == open, "seed \(seed): \(dot)")
        }
    }
}
