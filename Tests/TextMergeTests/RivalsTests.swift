import Causality
import TestKit
import Testing

@testable import TextMerge

@Suite struct RivalsTests {
    /// Also if some revisions lack more of the newest one's past than one past block covers.
    @Test(arguments: seeds(30))
    func having_matchesTheGraph(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let graph = graph(of: 30 + random.below(300), &random)
        let newest = graph.count - 1
        let past = Set(graph.past(of: Version(graph.dots[newest])))
        let beside = (0..<newest).filter { !past.contains($0) }
        let bystanders = Rivals(concurrent: beside, with: newest, of: graph)
        for ordinal in (0..<newest).shuffled(using: &random) {
            let having = bystanders.having(ordinal)
            for (number, other) in beside.enumerated() where other != ordinal {
                #expect(
                    having.contains(number) == graph.covers(Version(graph.dots[other]), graph.dots[ordinal]),
                    "seed \(seed): \(other) has \(ordinal)")
            }
            #expect(bystanders.number(of: ordinal).map { !having.contains($0) } ?? true, "seed \(seed)")
        }
    }

    /// A past so long that it needs more blocks than are kept.
    @Test func having_isTheSameAfterEviction() {
        var graph = RevisionGraph()
        graph.insert(dot("A1"), parents: .nothing)
        graph.insert(dot("B1"), parents: seen("A1"))
        for counter in 2...4_400 { graph.insert(dot("A\(counter)"), parents: seen("A\(counter - 1)")) }
        graph.insert(dot("C1"), parents: seen("A2000"))
        graph.insert(dot("A4401"), parents: seen("A4400"))
        let newest = graph.count - 1
        let beside = [1, newest - 1]
        let bystanders = Rivals(concurrent: beside, with: newest, of: graph)
        for start in 2..<4 {
            for ordinal in stride(from: start, to: newest - 1, by: 64) {
                let having = bystanders.having(ordinal)
                #expect(!having.contains(0), "B1 has \(ordinal)")
                #expect(having.contains(1) == (ordinal <= 2_000), "C1 has \(ordinal)")
            }
        }
    }

    /// Several writers who see each other's revisions now and then; above a floor or from the
    /// start.
    private func graph(of count: Int, _ random: inout SeededGenerator) -> RevisionGraph {
        let floor = random.chance(0.5) ? Version(Dot(replica("F"), 1)) : .nothing
        var graph = RevisionGraph(floor: floor)
        var shown = [Version](repeating: floor, count: 2 + random.below(4))
        let looks = random.pick([0.01, 0.05, 0.3])
        for counter in 1...count {
            let writer = random.below(shown.count)
            if random.chance(looks) { shown[writer] = graph.join(shown[writer], random.pick(shown)) }
            let dot = Dot(replica("A"), UInt64(counter))
            graph.insert(dot, parents: shown[writer])
            shown[writer] = Version(dot)
        }
        return graph
    }
}
