import TestKit
import Testing

/// Three to six stores and clients that write on whatever they were sent, connected by a network
/// that loses, repeats, reorders and cuts messages, with restarts, restored copies and clones. The
/// runs are checked against what the clients were sent and what was acknowledged.
///
/// `NOTESD_SEED` repeats one seed. A failure prints the shortest list of steps that still fails.
@Suite struct SimulationTests {
    @Test func replicas_loseNothing_andConverge() {
        for seed in newSeeds(500) {
            let steps = SimStep.list(seed: seed)
            guard let failure = SimWorld.failure(of: steps, seed: seed) else { continue }
            Issue.record(Comment(rawValue: report(steps, seed: seed, failure: failure)))
            return
        }
    }

    /// The checker detects deliberate faults.
    @Test(arguments: SimFault.allCases)
    func plantedFault_isFoundAndShrunk(fault: SimFault) {
        for seed in UInt64(1)...2_000 {
            let steps = SimStep.list(seed: seed)
            guard SimWorld.failure(of: steps, seed: seed, fault: fault) != nil else { continue }
            let short = shrunk(steps) { SimWorld.failure(of: $0, seed: seed, fault: fault) != nil }
            #expect(short.count <= 15, "\(fault), seed \(seed): \(short)")
            #expect(SimWorld.failure(of: short, seed: seed) == nil, "without the fault it holds")
            return
        }
        Issue.record("\(fault) was not found")
    }

    private func report(_ steps: [SimStep], seed: UInt64, failure: String) -> String {
        let short = shrunk(steps) { SimWorld.failure(of: $0, seed: seed) != nil }
        let last = SimWorld.failure(of: short, seed: seed) ?? failure
        return "seed \(seed): \(last)\n" + short.map { "    \($0)" }.joined(separator: "\n")
    }
}
