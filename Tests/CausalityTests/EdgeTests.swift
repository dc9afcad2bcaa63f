import Causality
import TestKit
import Testing

/// What random histories seldom produce: extreme counters, equal dots, the floor, and how far down
/// a difference looks.
@Suite struct EdgeTests {
    /// A chain of A's revisions, with chains of B's and C's revisions on its end.
    private func fork(_ shared: UInt64, _ left: UInt64, _ right: UInt64) -> RevisionGraph {
        var graph = RevisionGraph()
        var end = Version.nothing
        for counter in 1...shared { end = graph.put(Dot(replica("A"), counter), base: end) }
        for (letter, count) in [("B", left), ("C", right)] as [(Character, UInt64)] {
            var base = end
            for counter in 1...count { base = graph.put(Dot(replica(letter), counter), base: base) }
        }
        return graph
    }

    /// Only the revisions that one side has are visited.
    @Test(arguments: [(1, 1), (3, 2), (1, 7), (40, 30)] as [(UInt64, UInt64)])
    func difference_stopsAboveFirstCommonRevision(left: UInt64, right: UInt64) {
        let graph = fork(100, left, right)
        let (one, other) = (Version(Dot(replica("B"), left)), Version(Dot(replica("C"), right)))
        let enough = Int(left + right)
        #expect(graph.difference(one, other, visitsMax: enough - 1) == nil)
        let found = graph.difference(one, other, visitsMax: enough)
        #expect(found?.onlyLeft.count == Int(left) && found?.onlyRight.count == Int(right))
    }

    @Test func differenceFromPast_visitsOnlyTheDifference() {
        let graph = fork(50, 3, 1)
        #expect(graph.difference(seen("B3"), seen("A50"), visitsMax: 3)?.onlyLeft.count == 3)
        #expect(graph.difference(seen("B3"), seen("A50"), visitsMax: 2) == nil)
    }

    /// One descent takes 63 versions.
    @Test func oldestMissed_asksEveryVersion() {
        let graph = fork(50, 1, 1)
        for count in 1...130 {
            let others = [Version](repeating: graph.siblings, count: count - 1) + [seen("A40")]
            #expect(graph.oldestMissed(of: graph.siblings, by: others) == 40, "\(count) versions")
        }
    }

    @Test func commonPast_withTheFloor_isTheFloor() {
        var graph = RevisionGraph(floor: seen("A1"))
        graph.insert(dot("A2"), parents: seen("A1"))
        graph.insert(dot("B1"), parents: seen("A1"))
        graph.insert(dot("A3"), parents: seen("A2 B1"))
        for above in ["A1", "A2", "B1", "A2 B1", "A3"] {
            #expect(graph.commonPast(seen("A1"), seen(above)) == seen("A1"))
            #expect(graph.commonPast(seen(above), seen("A1")) == seen("A1"))
        }
        #expect(graph.commonPast(seen("A2"), seen("B1")) == seen("A1"))
    }

    @Test func unknownDot_isNotCovered() {
        var graph = RevisionGraph(floor: seen("A1"))
        graph.insert(dot("A2"), parents: seen("A1"))
        #expect(graph.covers(seen("A2"), dot("A1")) && graph.covers(seen("A1"), dot("A1")))
        #expect(!graph.covers(seen("A2"), dot("A3")) && !graph.covers(seen("A2"), dot("B1")))
        #expect(!graph.covers(.nothing, dot("A1")) && !graph.covers(.nothing, dot("A2")))
    }

    @Test func description_hasRanges() {
        var set = DotSet([dot("A7"), dot("B2")])
        set.insert(1...3, of: replica("A"))
        #expect("\(set)" == "aaaaaaaaaaaaaaaa:1-3,7 bbbbbbbbbbbbbbbb:2")
    }

    @Test func dots_areNotBeforeThemselves() {
        let dots = ["A1", "A2", "B1", "B9", "C2"].map { dot($0) }
        for (place, left) in dots.enumerated() {
            for (otherPlace, right) in dots.enumerated() {
                #expect((left < right) == (place < otherPlace))
                #expect((left.replica < right.replica) == (left.replica.description < right.replica.description))
            }
        }
    }

    /// One more than an `Int` can count.
    @Test func count_isCappedAtIntMax() {
        var set = DotSet()
        set.insert(1...Dot.counterMax, of: replica("A"))
        #expect(set.count == Int.max)
        set.insert(dot("B1"))
        #expect(set.count == Int.max)
        set.insert(dot("C5"))
        #expect(set.count == Int.max)
    }
}
