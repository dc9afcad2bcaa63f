import Causality
import TestKit
import Testing

@testable import TextMerge

/// The view finds exactly the conflicts of the definition, however it received the revisions.
@Suite struct ConflictLawTests {
    /// Every third history has withdrawals.
    private func history(_ seed: UInt64, _ generator: inout SeededGenerator) -> CheckedHistory {
        generator = SeededGenerator(seed: seed)
        let options: RandomHistory.Options = seed % 3 == 0 ? .withUndo(&generator) : .inConflict(&generator)
        return CheckedHistory(RandomHistory(options, &generator).events)
    }

    @Test(arguments: seeds(200))
    func conflicts_matchTheDefinition(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let history = history(seed, &generator)
        for limits in [WalkLimits(), .tiny] {
            var view = View(limits: limits, naming: .cheap)
            view.append(contentsOf: history.events)
            history.check(&view, holds: history.dots, "seed \(seed)")
            view.walk?.checkInvariants()
        }
    }

    /// In small pieces, so that the floor rises; the conflicts are checked after each piece.
    @Test(arguments: seeds(100))
    func anyOrderOfArrival_findsTheSameConflicts(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let history = history(seed, &generator)
        for order in [history.events, generator.causalOrder(history.events)] {
            var view = View(limits: generator.chance(0.5) ? .tiny : WalkLimits(), naming: .cheap)
            var dots: Set<Dot> = []
            for piece in history.walk.pieces(of: order, length: { generator.pick([1, 1, 2, 4]) }) {
                view.append(contentsOf: piece)
                dots.formUnion(piece.map(\.dot))
                history.check(&view, holds: dots, "seed \(seed) with \(dots.count)")
                if generator.chance(0.3) { checkVersions(&view, history, &generator, seed) }
            }
            checkVersions(&view, history, &generator, seed)
            view.walk?.checkInvariants()
        }
    }

    /// One revision at a time, with the floor held, as for a caller that is about to append below
    /// the newest version.
    @Test(arguments: seeds(60))
    func heldFloor_changesNothing(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let history = history(seed, &generator)
        var view = View(limits: generator.chance(0.5) ? .tiny : WalkLimits(), naming: .cheap)
        var dots: Set<Dot> = []
        for event in history.events {
            view.append(contentsOf: [event], holdsFloor: true)
            dots.insert(event.dot)
            history.check(&view, holds: dots, "seed \(seed) with \(dots.count)")
        }
        checkVersions(&view, history, &generator, seed)
    }

    /// A view made from a text and the conflicts unresolved there continues like one that has all
    /// revisions.
    ///
    /// At a deleted version no conflict is open, but a conflict of names may be unresolved; it is
    /// passed on too.
    @Test(arguments: seeds(200))
    func viewFromCriticalVersion_keepsItsConflicts(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let history = history(seed, &generator)
        checkFloors(of: history, &generator, seed)
    }

    /// Also while writers type in its conflicts and take back what they typed.
    @Test(arguments: seeds(200))
    func viewAmongTypists_keepsItsConflicts(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let history = CheckedHistory(RandomHistory(.typing(&generator), &generator).events)
        checkFloors(of: history, &generator, seed)
    }

    private func checkFloors(of history: CheckedHistory, _ generator: inout SeededGenerator, _ seed: UInt64) {
        for floor in history.walk.criticalDots(in: history.dots) where generator.chance(0.5) {
            let below = history.walk.closure(Version(floor))
            let unresolved = history.naive.unresolved(in: below)
            // A view that walks a withdrawal starts where no conflict is unresolved (`View.canWithdraw`).
            let mayWithdraw = history.events.contains { $0.isWithdrawal && !below.contains($0.dot) }
            guard unresolved.isEmpty || !mayWithdraw else { continue }
            var view = View(
                floor: floor, text: history.naive.text(in: below), lastLine: history.naive.lastLineFeed(in: below),
                isDeleted: history.walk.isDeleted(below),
                conflicts: unresolved.map(KeptConflict.init), naming: .cheap)
            history.check(&view, holds: below, "seed \(seed) at the floor \(floor)")
            var dots = below
            let later = generator.causalOrder(above: below, history.events)
            for piece in history.walk.pieces(of: later, length: { generator.pick([1, 3, 100]) }) {
                view.append(contentsOf: piece)
                dots.formUnion(piece.map(\.dot))
                history.check(&view, holds: dots, "seed \(seed) above the floor \(floor)")
            }
            checkVersions(&view, history, &generator, seed)
        }
    }

    /// Queries about old versions move branches; the merged text stays the same.
    @Test(arguments: seeds(50))
    func queryingConflicts_changesNothing(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let history = history(seed, &generator)
        var view = View(limits: .tiny, naming: .cheap)
        view.append(contentsOf: history.events)
        for _ in 0..<3 {
            checkVersions(&view, history, &generator, seed)
            history.check(&view, holds: history.dots, "seed \(seed)")
        }
        view.walk?.checkInvariants()
    }

    /// The versions that every writer saw and had after its write, and some joined versions, if the
    /// view knows them.
    private func checkVersions(
        _ view: inout View, _ history: CheckedHistory, _ generator: inout SeededGenerator, _ seed: UInt64
    ) {
        let place = "seed \(seed)"
        let known = history.events.filter { view.knows($0.dot) }
        for event in known where generator.chance(0.5) {
            history.check(&view, at: Version(event.dot), place)
            if view.knows(event.parents), !event.parents.isNothing { history.check(&view, at: event.parents, place) }
        }
        for _ in 0..<3 where view.graph.count > 0 {
            let asked = view.graph.dots.filter { _ in generator.chance(0.25) } + [generator.pick(view.graph.dots)]
            history.check(&view, at: view.graph.reduce(Version(asked)), place)
        }
    }
}

extension ConflictLawTests {
    /// A write that has seen everything and leaves a conflict open changed another place or typed in its
    /// lines: members and sides stay the same. So do their texts if it did not change which lines these
    /// are. At other versions the texts of the sides may span more lines, or fewer.
    @Test(arguments: seeds(300))
    func writeOnNewestVersion_keepsSideTexts(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let history = history(seed, &generator)
        for event in history.events where !event.parents.isNothing && !event.isWithdrawal {
            let past = history.walk.closure(event.parents)
            // A deleted note hides what is unresolved; a write that restores the note shows it
            // again.
            guard !history.walk.isDeleted(past) else { continue }
            let before = history.naive.open(in: past)
            for conflict in history.naive.open(in: history.walk.closure(Version(event.dot))) {
                let same = before.first { $0.id == conflict.id }
                let says = [conflict.base] + conflict.sideTexts
                #expect(same?.members == conflict.members && same?.sides == conflict.sides, "seed \(seed) at \(event.dot)")
                guard !event.edits.changeLines(of: conflict.range) else { continue }
                #expect(same.map { [$0.base] + $0.sideTexts } == says, "seed \(seed) at \(event.dot): \(conflict)")
            }
        }
    }
}
