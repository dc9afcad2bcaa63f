import Causality
import TestKit
import Testing

/// `RevisionGraph` compared with the definition in sets, on random histories of three stores.
@Suite struct GraphLawTests {
    @Test(arguments: seeds(60))
    func siblingsAndPasts_matchPlainSets(seed: UInt64) {
        var stores = RandomStores(seed: seed)
        for step in 0..<40 {
            let store = stores.step()
            let (graph, naive) = (stores.graphs[store], stores.naive[store])
            graph.checkInvariants()
            #expect(graph.siblings == naive.siblings, "seed \(seed) step \(step)")
            #expect(Set(graph.dots) == Set(naive.pasts.keys), "seed \(seed) step \(step)")
        }
        for store in 0..<3 {
            let (graph, naive) = (stores.graphs[store], stores.naive[store])
            for _ in 0..<10 {
                let version = stores.someVersion(of: store)
                let covered = naive.closure(version)
                #expect(Set(graph.past(of: version).map { graph.dots[$0] }) == covered, "seed \(seed)")
                for dot in graph.dots {
                    #expect(graph.covers(version, dot) == covered.contains(dot), "seed \(seed)")
                }
                #expect(graph.covered(graph.dots + [Dot(ReplicaID(bits: 1 << 50), 1)], by: version) == covered, "seed \(seed)")
            }
        }
    }

    /// Queried in any order, also while the graph grows.
    @Test(arguments: seeds(60))
    func descendants_matchNaiveClosure(seed: UInt64) {
        var stores = RandomStores(seed: seed)
        var descendants: [Int: Descendants] = [:]
        for _ in 0..<40 {
            _ = stores.step()
            let (graph, naive) = (stores.graphs[0], stores.naive[0])
            guard graph.count > 0 else { continue }
            let ordinal = stores.generator.below(graph.count)
            for _ in 0..<3 {
                let version = stores.someVersion(of: 0)
                #expect(
                    descendants[ordinal, default: Descendants(of: ordinal)].contain(version, of: graph)
                        == naive.closure(version).contains(graph.dots[ordinal]), "seed \(seed)")
            }
        }
    }

    /// One byte for each revision from the one in question up to the newest that a query named.
    @Test func descendants_useMemoryUpToNewestQuery() {
        var graph = RevisionGraph()
        for counter in 1...10 { graph.insert(dot("A\(counter)"), parents: graph.siblings) }
        var descendants = Descendants(of: 2)
        #expect(descendants.residentBytes == 1)
        #expect(descendants.contain(seen("A8"), of: graph) == true)
        #expect(descendants.residentBytes == 6)
        #expect(descendants.contain(seen("A2"), of: graph) == false)
        #expect(descendants.residentBytes == 6)
    }

    /// No dot of the floor is in the past of another one, and all are in the past of every revision
    /// above.
    @Test func floorOfSeveralDots_isItsOwnReduction() {
        let floor = seen("A1 B1")
        var graph = RevisionGraph(floor: floor)
        #expect(graph.reduce(floor) == floor)
        graph.insert(dot("A2"), parents: floor)
        #expect(graph.reduce(floor) == floor)
        #expect(graph.reduce(seen("A1 A2")) == seen("A2"))
    }

    @Test(arguments: seeds(60))
    func reduceJoinAndDifference_matchPlainSets(seed: UInt64) {
        var stores = RandomStores(seed: seed)
        for _ in 0..<40 { _ = stores.step() }
        for store in 0..<3 {
            let (graph, naive) = (stores.graphs[store], stores.naive[store])
            for _ in 0..<10 {
                let (left, right) = (stores.someVersion(of: store), stores.someVersion(of: store))
                let (leftSet, rightSet) = (naive.closure(left), naive.closure(right))
                #expect(graph.reduce(left) == naive.maximal(leftSet), "seed \(seed)")
                #expect(graph.join(left, right) == naive.maximal(leftSet.union(rightSet)), "seed \(seed)")
                #expect(graph.commonPast(left, right) == naive.maximal(leftSet.intersection(rightSet)), "seed \(seed)")
                let (onlyLeft, onlyRight) = graph.difference(left, right)
                #expect(onlyLeft == onlyLeft.sorted() && onlyRight == onlyRight.sorted(), "seed \(seed)")
                #expect(Set(onlyLeft.map { graph.dots[$0] }) == leftSet.subtracting(rightSet), "seed \(seed)")
                #expect(Set(onlyRight.map { graph.dots[$0] }) == rightSet.subtracting(leftSet), "seed \(seed)")
                #expect(onlyLeft.count + onlyRight.count == Set(onlyLeft + onlyRight).count, "seed \(seed)")
            }
        }
    }

    @Test(arguments: seeds(60))
    func oldestMissed_matchesPlainSets(seed: UInt64) {
        var stores = RandomStores(seed: seed)
        for _ in 0..<40 { _ = stores.step() }
        for count in [0, 1, 2, 5] {
            let (graph, naive) = (stores.graphs[0], stores.naive[0])
            let version = stores.someVersion(of: 0)
            let others = (0..<count).map { _ in stores.someVersion(of: 0) }
            let covered = naive.closure(version)
            let missed = others.reduce(into: Set<Dot>()) { $0.formUnion(covered.subtracting(naive.closure($1))) }
            #expect(
                graph.oldestMissed(of: version, by: others) == missed.compactMap(graph.ordinal).min(),
                "seed \(seed), \(count) others")
        }
        for (ordinal, dot) in stores.graphs[0].dots.enumerated() {
            #expect(stores.graphs[0].isSibling(ordinal) == stores.naive[0].siblings.dots.contains(dot), "seed \(seed)")
        }
    }

    @Test(arguments: seeds(60))
    func limitedDifference_isTheSameOrNil(seed: UInt64) {
        var stores = RandomStores(seed: seed)
        for _ in 0..<40 { _ = stores.step() }
        let (left, right) = (stores.someVersion(of: 0), stores.someVersion(of: 0))
        let full = stores.graphs[0].difference(left, right)
        for limit in 0...stores.graphs[0].count {
            let limited = stores.graphs[0].difference(left, right, visitsMax: limit)
            if let limited {
                #expect(limited.onlyLeft == full.onlyLeft && limited.onlyRight == full.onlyRight, "seed \(seed)")
            } else {
                #expect(limit < stores.graphs[0].count, "no revision is visited twice; seed \(seed)")
            }
        }
    }

    @Test(arguments: seeds(60))
    func sync_isCommutativeAssociativeAndIdempotent(seed: UInt64) {
        var stores = RandomStores(seed: seed)
        for _ in 0..<30 { _ = stores.step() }
        let graphs = stores.graphs
        func synced(_ left: RevisionGraph, _ right: RevisionGraph) -> RevisionGraph {
            var result = left
            result.sync(right)
            result.checkInvariants()
            return result
        }
        let (a, b, c) = (graphs[0], graphs[1], graphs[2])
        #expect(same(synced(a, b), synced(b, a)), "seed \(seed)")
        #expect(same(synced(synced(a, b), c), synced(a, synced(b, c))), "seed \(seed)")
        #expect(same(synced(a, a), a), "seed \(seed)")
        #expect(same(synced(synced(a, b), b), synced(a, b)), "seed \(seed)")
    }

    /// `siblings = (a ∩ b) ∪ {s ∈ a | s ∉ known(b)} ∪ {s ∈ b | s ∉ known(a)}`.
    @Test(arguments: seeds(60))
    func sync_followsTheFormula(seed: UInt64) {
        var stores = RandomStores(seed: seed)
        for _ in 0..<30 { _ = stores.step() }
        let (a, b) = (stores.graphs[0], stores.graphs[1])
        let (left, right) = (Set(a.siblings.dots), Set(b.siblings.dots))
        let expected = left.intersection(right)
            .union(left.filter { !b.knows($0) })
            .union(right.filter { !a.knows($0) })
        var union = a
        union.sync(b)
        #expect(union.siblings == Version(expected), "seed \(seed)")
    }

    /// `parents = maximal(base); siblings = {s | s ∉ past(d)} ∪ {d}; the writer's new version = d`.
    @Test(arguments: seeds(60))
    func put_followsTheFormula(seed: UInt64) {
        var stores = RandomStores(seed: seed)
        for _ in 0..<20 { _ = stores.step() }
        var graph = stores.graphs[0]
        let base = stores.someVersion(of: 0)
        let past = stores.naive[0].closure(base)
        let before = graph.siblings
        let new = dot("F9")
        #expect(graph.put(new, base: base) == Version(new), "seed \(seed)")
        #expect(graph.parents(of: new) == stores.naive[0].maximal(past), "seed \(seed)")
        #expect(graph.siblings == Version(before.dots.filter { !past.contains($0) } + [new]), "seed \(seed)")
    }

    /// A graph that starts at a critical version gives the same results as the whole graph, for
    /// revisions that both hold.
    @Test(arguments: seeds(60))
    func graphAboveFloor_matchesFullGraph(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var whole = RevisionGraph()
        for counter in 1...5 {
            let parents = Version(whole.dots.filter { _ in generator.chance(0.3) }.prefix(1))
            whole.insert(dot("A\(counter)"), parents: parents)
        }
        let floor = dot("F1")
        whole.insert(floor, parents: whole.siblings)
        var above = RevisionGraph(floor: Version(floor))
        for counter in 1...20 {
            let held = [floor] + above.dots
            let parents = above.reduce(Version([generator.pick(held)] + held.filter { _ in generator.chance(0.15) }))
            #expect(parents == whole.reduce(parents), "seed \(seed)")
            let new = Dot(replica(generator.pick(["B", "C", "D"])), UInt64(counter))
            above.insert(new, parents: parents)
            whole.insert(new, parents: parents)
            above.checkInvariants()
            #expect(above.siblings == whole.siblings, "seed \(seed)")
        }
        let held = [floor] + above.dots
        for _ in 0..<20 {
            let left = Version([generator.pick(held)] + held.filter { _ in generator.chance(0.1) })
            let right = Version([generator.pick(held)] + held.filter { _ in generator.chance(0.1) })
            #expect(above.join(left, right) == whole.join(left, right), "seed \(seed)")
            for dot in held { #expect(above.covers(left, dot) == whole.covers(left, dot), "seed \(seed)") }
            let some = held.filter { _ in generator.chance(0.5) }
            #expect(above.covered(some, by: left) == whole.covered(some, by: left), "seed \(seed)")
            let (inAbove, inWhole) = (above.difference(left, right), whole.difference(left, right))
            #expect(inAbove.onlyLeft.map { above.dots[$0] } == inWhole.onlyLeft.map { whole.dots[$0] }, "seed \(seed)")
            #expect(inAbove.onlyRight.map { above.dots[$0] } == inWhole.onlyRight.map { whole.dots[$0] }, "seed \(seed)")
        }
    }

    /// Equal as sets of revisions with their parents, regardless of the order of arrival.
    private func same(_ left: RevisionGraph, _ right: RevisionGraph) -> Bool {
        left.siblings == right.siblings && Set(left.dots) == Set(right.dots)
            && left.dots.allSatisfy { left.parents(of: $0) == right.parents(of: $0) }
    }
}
