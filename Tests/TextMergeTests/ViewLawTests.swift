import Causality
import TestKit
import Testing

@testable import TextMerge

/// The laws of the merged text on random histories, compared with the naive walk.
@Suite struct ViewLawTests {
    @Test(arguments: seeds(600))
    func view_matchesNaiveWalk(seed: UInt64) {
        let history = RandomHistory(seed: seed)
        var view = View()
        view.append(contentsOf: history.events)
        let naive = NaiveWalk(history.events)
        #expect(string(view.text) == string(naive.text) && view.text == naive.text, "seed \(seed)")
        #expect(view.isDeleted == naive.isDeleted(Set(naive.events.keys)), "seed \(seed)")
        view.walk?.checkInvariants()
        view.graph.checkInvariants()
    }

    @Test(arguments: seeds(200))
    func anyOrderOfArrival_showsTheSame(seed: UInt64) {
        let history = RandomHistory(seed: seed)
        var generator = SeededGenerator(seed: seed)
        var first = View()
        first.append(contentsOf: history.events)
        for limits in [WalkLimits(), .tiny] {
            let order = generator.causalOrder(history.events)
            var view = View(limits: limits)
            appendInPieces(order, to: &view, &generator)
            #expect(view.text == first.text, "seed \(seed)")
            #expect(view.version == first.version, "seed \(seed)")
            #expect(view.isDeleted == first.isDeleted, "seed \(seed)")
            view.walk?.checkInvariants()
        }
    }

    @Test(arguments: seeds(200))
    func textAtAnyVersion_matchesItsPast(seed: UInt64) {
        let history = RandomHistory(seed: seed)
        var generator = SeededGenerator(seed: seed)
        let naive = NaiveWalk(history.events)
        var view = View(limits: generator.chance(0.5) ? .tiny : WalkLimits())
        view.append(contentsOf: history.events)
        let before = view.text
        for _ in 0..<6 where view.graph.count > 0 {
            let dots = view.graph.dots
            let asked = view.graph.reduce(Version(dots.filter { _ in generator.chance(0.2) } + [generator.pick(dots)]))
            let past = naive.closure(asked)
            #expect(view.text(at: asked) == naive.text(of: past), "seed \(seed) at \(asked)")
            #expect(view.isDeleted(at: asked) == naive.isDeleted(past), "seed \(seed) at \(asked)")
        }
        #expect(view.text == before, "asking changes nothing; seed \(seed)")
        #expect(view.text(at: view.floor) == naive.text(of: naive.closure(view.floor)), "seed \(seed)")
        view.walk?.checkInvariants()
    }

    /// As the daemon queries: for the text at the base, and often at the new version.
    @Test(arguments: seeds(200))
    func readsDuringWriting_showTheirPast(seed: UInt64) {
        let history = RandomHistory(seed: seed)
        var generator = SeededGenerator(seed: seed)
        let naive = NaiveWalk(history.events)
        var view = View(limits: generator.chance(0.5) ? .tiny : WalkLimits())
        for event in history.events {
            let base = naive.closure(event.parents)
            #expect(view.text(at: event.parents) == naive.text(of: base), "seed \(seed) before \(event.dot)")
            view.append(contentsOf: [event], holdsFloor: true)
            guard generator.chance(0.7) else { continue }
            let own = Version(event.dot)
            #expect(view.text(at: own) == naive.text(of: naive.closure(own)), "seed \(seed) after \(event.dot)")
        }
        view.walk?.checkInvariants()
    }

    /// Also the law that what is prepared for a revision is the text at its past: the generator
    /// made the edits for that text.
    @Test(arguments: seeds(300))
    func writersVersion_showsItsText(seed: UInt64) {
        let history = RandomHistory(seed: seed)
        var view = View()
        view.append(contentsOf: history.events)
        for dot in view.graph.dots {
            #expect(view.text(at: Version(dot)) == history.written[dot], "seed \(seed) at \(dot)")
        }
    }

    /// Ten writers who seldom see each other: they share branches, and blocks divide.
    @Test(arguments: seeds(4))
    func manyWritersAndLongRuns_matchNaiveWalk(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var options = RandomHistory.Options()
        (options.writers, options.writes, options.blind, options.deletions) = (10, 120, 0.95, 0)
        options.saves = generator.pick([0, 0.2])
        let history = RandomHistory(options, &generator)
        var view = View()
        view.append(contentsOf: history.events)
        #expect(view.text == NaiveWalk(history.events).text, "seed \(seed)")
        view.walk?.checkInvariants()
    }

    @Test(arguments: seeds(200))
    func copyOfView_isIndependent(seed: UInt64) {
        let history = RandomHistory(seed: seed)
        var view = View()
        let half = history.events.count / 2
        view.append(contentsOf: Array(history.events[..<half]))
        let before = view.text
        let kept = view
        let next = history.events[half]
        guard view.knows(next.parents) else { return }
        view.append(next)
        #expect(kept.text == before && !kept.knows(next.dot), "seed \(seed)")
        #expect(view.knows(next.dot), "seed \(seed)")
    }

    @Test(arguments: seeds(300))
    func mergeWithNoOrEqualChange_isTheChange(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let (base, changed) = (randomText(&generator), randomText(&generator))
        let root = Event.saved("A1", on: "", from: "", to: base)
        let left = Event.saved("A2", on: "A1", from: base, to: changed)
        let right = Event.saved("B1", on: "A1", from: base, to: changed)
        let unchangedLeft = Event.saved("A2", on: "A1", from: base, to: base)
        let unchangedRight = Event.saved("B1", on: "A1", from: base, to: base)
        #expect(shown(root, left, unchangedRight) == changed, "m(b,x,b) = x; seed \(seed)")
        #expect(shown(root, unchangedLeft, right) == changed, "m(b,b,y) = y; seed \(seed)")
        #expect(shown(root, left, right) == changed, "m(b,x,x) = x; seed \(seed)")
    }

    private func randomText(_ generator: inout SeededGenerator) -> String {
        var lines = (0..<generator.below(8)).map { _ in generator.pick(["a", "b", "c", "é", ""]) }
        if generator.chance(0.7) { lines.append("") }
        return lines.joined(separator: "\n")
    }

    /// Appends in pieces. A cut is only made if no later event has a parent below the floor that
    /// the piece produces.
    private func appendInPieces(_ events: [Event], to view: inout View, _ generator: inout SeededGenerator) {
        let naive = NaiveWalk(events)
        var rest = events[...]
        while !rest.isEmpty {
            var length = 1 + generator.below(3)
            while true {
                var attempt = view
                attempt.append(contentsOf: Array(rest.prefix(length)))
                let later = rest.dropFirst(length)
                let floor = Set(attempt.floor.dots)
                if later.allSatisfy({ floor.isSubset(of: naive.pasts[$0.dot] ?? []) }) {
                    view = attempt
                    rest = later
                    break
                }
                length += 1
            }
        }
    }
}
