#if canImport(Glibc)
    import Glibc
#endif

/// The seeds of a property test: `NOTESD_SEED` alone where it is set (to repeat a failure), otherwise `count` in a row from
/// a fixed first one, times `NOTESD_SEEDS_FACTOR` (20 for `make soak`, below 1 for a quick look).
package func seeds(_ count: Int) -> [UInt64] {
    if let text = environment("NOTESD_SEED"), let seed = UInt64(text) { return [seed] }
    let factor = environment("NOTESD_SEEDS_FACTOR").flatMap { Double($0) } ?? 1
    return (0..<UInt64(max(1, Double(count) * factor))).map { $0 + 1 }
}

/// Whether a seed is one of the `count` that are always tried, of which it is known that they meet what their test is about. Of others,
/// which `make soak` tries besides, one may happen not to.
package func isUsual(_ seed: UInt64, of count: Int) -> Bool { (1...UInt64(count)).contains(seed) }

/// The seeds of a test that is to meet something new each day: as `seeds`, but from `NOTESD_SEEDS_FIRST` on where it is set. CI
/// sets it by the date and prints it; what fails names its seed.
package func newSeeds(_ count: Int) -> [UInt64] {
    let first = environment("NOTESD_SEEDS_FIRST").flatMap { UInt64($0) } ?? 1
    return seeds(count).map { environment("NOTESD_SEED") == nil ? first &+ $0 - 1 : $0 }
}

package func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}
