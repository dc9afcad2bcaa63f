import Causality
import NotesModel
import TestKit
import Testing

/// Which texts a plan removes, on hand-made rows.
@Suite struct CompactionPlanTests {
    /// A row whose dot is A and its number; `on` names the oldest parent. The marks: b does not cover
    /// all, c is in conflict, d is deleted, w withdraws, f is the compaction floor, t is compacted.
    private func row(
        _ number: UInt64, on parent: UInt64?, _ marks: String = "", time: Int64 = 0
    ) -> CompactionPlan.Row {
        CompactionPlan.Row(
            sequence: number, dot: Dot(replica("A"), number), oldestParent: parent, coversAll: !marks.contains("b"),
            isResolved: !marks.contains("c"), isDeleted: marks.contains("d"), isWithdrawal: marks.contains("w"),
            isCompactionFloor: marks.contains("f"), isCompacted: marks.contains("t"), time: Timestamp(milliseconds: time),
            bytes: 10)
    }

    private func result(
        _ rows: [CompactionPlan.Row], until: Int64 = 0, through: UInt64 = .max, peers: [DotSet] = []
    ) -> (compactionFloor: UInt64, isNew: Bool, removed: [UInt64])? {
        var plan = CompactionPlan()
        for row in rows.reversed() { plan.add(row) }
        let bounds = CompactionPlan.Bounds(until: Timestamp(milliseconds: until), through: through, peers: peers)
        return plan.result(within: bounds).map { ($0.compactionFloor, $0.isNew, $0.removed) }
    }

    private var chain: [CompactionPlan.Row] { (1...5).map { row($0, on: $0 == 1 ? nil : $0 - 1) } }

    @Test func chain_isCompactedBelowNewest() {
        #expect(result(chain).map { $0 == (5, true, [1, 2, 3, 4]) } == true)
        #expect(result(Array(chain.prefix(1))) == nil)
    }

    /// Below a compacted row every row is compacted: the plan neither asks for older rows nor
    /// accepts them.
    @Test func plan_stopsAtFirstCompactedRow() {
        var plan = CompactionPlan()
        plan.add(row(3, on: 2))
        #expect(plan.wantsMore)
        plan.add(row(2, on: 1, "t"))
        #expect(!plan.wantsMore)
        plan.add(row(1, on: nil))
        let bounds = CompactionPlan.Bounds(until: Timestamp(milliseconds: 0), through: .max, peers: [])
        #expect(plan.result(within: bounds) == nil)
    }

    @Test func floor_respectsBoundAgeAndPeers() {
        #expect(result(chain, through: 3).map { $0 == (3, true, [1, 2]) } == true)
        #expect(result(chain, through: 1) == nil)
        var young = chain
        young[3] = row(4, on: 3, time: 1)
        #expect(result(young).map { $0 == (3, true, [1, 2]) } == true)
        let known = DotSet((1...4).map { Dot(replica("A"), $0) })
        #expect(result(chain, peers: [known, DotSet(chain.map(\.dot))]).map { $0 == (4, true, [1, 2, 3]) } == true)
        #expect(result(chain, peers: [DotSet()]) == nil)
    }

    @Test func floor_isAResolvedCriticalVersion() {
        // 4 and 5 are concurrent; 6 is based on both and still in conflict; 7 resolves the conflict.
        let rows =
            Array(chain.prefix(3))
            + [row(4, on: 3), row(5, on: 3, "b"), row(6, on: 4, "c"), row(7, on: 6)]
        #expect(result(rows).map { $0 == (7, true, [1, 2, 3, 4, 5, 6]) } == true)
        #expect(result(Array(rows.prefix(6))).map { $0 == (3, true, [1, 2]) } == true)
        // 6 is based on 2, so every revision after 2 is concurrent with it.
        #expect(result(chain + [row(6, on: 2, "b")]).map { $0 == (2, true, [1]) } == true)
        // Two concurrent first revisions.
        #expect(result([row(1, on: nil), row(2, on: nil, "b")]) == nil)
    }

    @Test func floor_isNoDeletion_ifSomethingIsWithdrawnLater() {
        let rows = [row(1, on: nil), row(2, on: 1), row(3, on: 2, "d"), row(4, on: 3, "b"), row(5, on: 3, "b")]
        #expect(result(rows).map { $0 == (3, true, [1, 2]) } == true)
        #expect(result(rows + [row(6, on: 3, "bw")]).map { $0 == (2, true, [1]) } == true)
    }

    @Test func interruptedCompaction_continues() {
        let rows = [row(1, on: nil, "t"), row(2, on: 1, "t"), row(3, on: 2), row(4, on: 3, "f"), row(5, on: 4)]
        #expect(result(rows, through: 4).map { $0 == (4, false, [3]) } == true)
        #expect(result(rows).map { $0 == (5, true, [3, 4]) } == true)
        let done = [row(3, on: 2, "t"), row(4, on: 3, "f")]
        #expect(result(done) == nil)
        #expect(result(done + [row(5, on: 4)]).map { $0 == (5, true, [4]) } == true)
    }
}
