import Causality
import TestKit
import Testing

@testable import TextMerge

/// Checks of the naive oracle itself, before anything is compared with it, and of the histories
/// that it is used on.
@Suite struct NaiveConflictTests {
    /// The oracle is a pure function of a closed set: revisions outside the set, which have their
    /// own items in the sequence, change nothing.
    @Test(arguments: seeds(60))
    func conflictsOfVersion_dependOnlyOnItsPast(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let history = RandomHistory(.inConflict(&generator), &generator)
        let walk = NaiveWalk(history.events)
        let all = NaiveConflicts(generator.causalOrder(history.events), naming: .cheap)
        for _ in 0..<4 {
            let named = history.events.map(\.dot).filter { _ in generator.chance(0.15) }
            let dots = walk.closure(Version(named))
            let alone = NaiveConflicts(history.events.filter { dots.contains($0.dot) }, naming: .cheap)
            #expect(all.open(in: dots) == alone.open(in: dots), "seed \(seed) at \(named)")
            #expect(all.text(in: dots) == walk.text(of: dots), "seed \(seed) at \(named)")
        }
    }

    @Test(arguments: seeds(60))
    func conflict_hasConcurrentSides_andFullLines(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let history = RandomHistory(.inConflict(&generator), &generator)
        let walk = NaiveWalk(history.events)
        let conflicts = NaiveConflicts(history.events, naming: .cheap).open(in: Set(walk.events.keys))
        let text = walk.text
        for conflict in conflicts {
            #expect(conflict.sides.count >= 2, "seed \(seed)")
            #expect(conflict.sides.allSatisfy { side in conflict.sides.allSatisfy { walk.pasts[$0]?.contains(side) == false } })
            #expect(Set(conflict.sides).isSubset(of: conflict.members.map(\.dot)), "seed \(seed)")
            #expect(conflict.range.upperBound <= text.count, "seed \(seed)")
            let (start, end) = (conflict.range.lowerBound, conflict.range.upperBound)
            #expect(start == 0 || text[start - 1] == UInt8(ascii: "\n"), "seed \(seed)")
            #expect(end == 0 || end == text.count || text[end - 1] == UInt8(ascii: "\n"), "seed \(seed)")
        }
        #expect(Set(conflicts.map(\.id)).count == conflicts.count, "components of one kind share no member; seed \(seed)")
    }

    @Test func randomHistories_haveConflictsOfAllKinds() {
        var seen: [String: Int] = [:]
        for seed in UInt64(1)...120 {
            var generator = SeededGenerator(seed: seed)
            let history = RandomHistory(.inConflict(&generator), &generator)
            let walk = NaiveWalk(history.events)
            let naive = NaiveConflicts(history.events, naming: .cheap)
            let open = naive.open(in: Set(walk.events.keys))
            for conflict in open {
                seen["\(conflict.kind)", default: 0] += 1
                if conflict.sides.count > 2 { seen["three sides", default: 0] += 1 }
            }
            if open.count(where: { $0.kind == .text }) > 1 { seen["two places", default: 0] += 1 }
            let unresolved = naive.unresolved(in: Set(walk.events.keys))
            let ids = Set(history.events.flatMap { naive.unresolved(in: walk.closure($0.parents)).map(\.id) })
            if !ids.isSubset(of: unresolved.map(\.id)) { seen["resolved or grown", default: 0] += 1 }
            if open.isEmpty, !unresolved.isEmpty { seen["hidden", default: 0] += 1 }
            for event in history.events where event.resolves.contains(where: ids.contains) { seen["resolves", default: 0] += 1 }
            for event in history.events where walk.restores(event) { seen["restores", default: 0] += 1 }
        }
        let wanted = [
            "text", "name", "deletion", "three sides", "two places", "resolved or grown", "hidden", "resolves", "restores",
        ]
        for name in wanted { #expect(seen[name, default: 0] > 0, "\(name): \(seen)") }
    }
}
