import TestKit
import Testing

extension Trait where Self == ConditionTrait {
    /// For a test that takes minutes with debug programs. It runs with `NOTESD_TESTS=all`, which `make verify` sets and for which
    /// it starts the release programs.
    static var long: Self {
        .enabled(if: environment("NOTESD_TESTS") == "all", "takes minutes; `make verify` runs it")
    }
}
