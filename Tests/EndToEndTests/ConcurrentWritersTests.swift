import TestKit
import Testing

extension EndToEnd {
    @Suite(.long) struct ConcurrentWritersTests {
        /// Ten write the same and different notes at once, on bases of any age, while five watch.
        @Test func acknowledgedWrites_arriveAtEveryWatcher() async throws {
            for seed in seeds(2) {
                try await DaemonProcess.run { daemon in
                    let fleet = Fleet(daemon: daemon, seed: seed)
                    _ = try await within("seed \(seed): ten writers and five watchers", seconds: 300) {
                        try await fleet.run(goesOn: { $0 < 60 }, disturbance: {})
                    }
                }
            }
        }
    }
}
