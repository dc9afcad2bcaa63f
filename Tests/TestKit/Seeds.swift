import Glibc

/// The seeds of a property test: only `NOTESD_SEED` if it is set (to repeat a failure), otherwise
/// `count` consecutive seeds from a fixed first one, times `NOTESD_SEEDS_FACTOR` (20 for `make
/// soak`, below 1 for a quick run).
package func seeds(_ count: Int) -> [UInt64] {
    if let text = environment("NOTESD_SEED"), let seed = UInt64(text) { return [seed] }
    let factor = environment("NOTESD_SEEDS_FACTOR").flatMap { Double($0) } ?? 1
    return (0..<UInt64(max(1, Double(count) * factor))).map { $0 + 1 }
}

/// Whether a seed is among the `count` seeds that always run, which are known to exercise what
/// their test is about. Additional seeds, which `make soak` runs, may not.
package func isUsual(_ seed: UInt64, of count: Int) -> Bool { (1...UInt64(count)).contains(seed) }

/// The seeds of a test that covers new ground each day: like `seeds`, but starting at
/// `NOTESD_SEEDS_FIRST` if it is set. CI derives that from the date and prints it; failures name
/// their seed.
package func newSeeds(_ count: Int) -> [UInt64] {
    let first = environment("NOTESD_SEEDS_FIRST").flatMap { UInt64($0) } ?? 1
    return seeds(count).map { environment("NOTESD_SEED") == nil ? first &+ $0 - 1 : $0 }
}

/// The value of an environment variable; nil when it is not set.
package func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}
