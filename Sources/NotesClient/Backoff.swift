/// How long to wait before the next attempt to connect: doubling, with jitter, so that many clients of one daemon do not come
/// back at the same moment.
///
/// The n-th wait in a row is drawn evenly from the upper half of `min(first * 2^n, longest)` ("equal jitter": never so short
/// that a dead daemon is hammered, never so equal that clients march in step).
///
///     backoff.next(using: &generator)   // 50 to 100 ms
///     backoff.next(using: &generator)   // 100 to 200 ms
///     backoff.succeeded()               // and from the start again
package struct Backoff: Hashable, Sendable {
    /// Upper bound of the first wait.
    package let first: Duration
    /// Upper bound of every wait.
    package let longest: Duration
    /// Waits since the last success.
    private var attempts = 0

    /// - Precondition: `first` is above zero and at most `longest`.
    package init(first: Duration = .milliseconds(100), longest: Duration = .seconds(5)) {
        precondition(first > .zero && first <= longest, "a backoff starts above zero and does not shrink")
        self.first = first
        self.longest = longest
    }

    package mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        var bound = first
        for _ in 0..<attempts where bound < longest { bound *= 2 }
        bound = min(bound, longest)
        attempts += 1
        let half = bound / 2
        return half + half * Double.random(in: 0...1, using: &generator)
    }

    package mutating func succeeded() {
        attempts = 0
    }
}
