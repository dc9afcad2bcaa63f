import TestKit
import Testing

extension EndToEnd {
    @Suite struct ConcurrentWritersTests {
        /// Ten clients write the same and different notes concurrently, on bases of any age, while
        /// five clients watch.
        @Test func nothingAcknowledgedIsMissing_andEveryWatcherEndsWithTheNewest() async throws {
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
