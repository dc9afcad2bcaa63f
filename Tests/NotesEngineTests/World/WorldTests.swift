import TestKit
import Testing

/// Everything that a store offers, mixed: writes of all kinds by clients of several stores, exchange over
/// connections that break, restarts, kills, failing disks, backups, restored and cloned stores, purges,
/// compaction, lost indexes and audits.
///
/// `NOTESD_SEED` repeats one seed. The first failure ends the test, and prints the shortest list of steps that
/// still fails.
@Suite struct WorldTests {
    @Test func stores_keepTheirWord() async throws { try await run(54, hasFiles: false) }

    /// The same with files: uploads in parts, folders that fail, and disks that change bytes.
    @Test func storesWithFiles_keepTheirWord() async throws { try await run(16, hasFiles: true) }

    private func run(_ count: Int, hasFiles: Bool) async throws {
        for seed in newSeeds(count) {
            let steps = WorldStep.list(seed: seed, hasFiles: hasFiles)
            guard let failure = try await World.failure(of: steps, seed: seed, hasFiles: hasFiles) else { continue }
            Issue.record(Comment(rawValue: try await report(steps, seed: seed, failure: failure, hasFiles: hasFiles)))
            return
        }
    }

    private func report(_ steps: [WorldStep], seed: UInt64, failure: String, hasFiles: Bool) async throws -> String {
        var shrinking = Shrinking(steps, attemptsMax: 400)
        var last = failure
        while let shorter = shrinking.next() {
            guard let failure = try await World.failure(of: shorter, seed: seed, hasFiles: hasFiles) else { continue }
            last = failure
            shrinking.failed()
        }
        return "seed \(seed): \(last)\n" + shrinking.steps.map { "    \($0)" }.joined(separator: "\n")
    }
}
