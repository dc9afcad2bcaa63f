/// Waiting times between attempts to connect: doubling, with jitter so that the clients of a
/// restarted daemon do not all reconnect at the same moment.
///
/// The n-th wait in a row is drawn evenly from the upper half of `min(first * 2^n, longest)`
/// ("equal jitter"). The lower bound protects a daemon that is down; the spread keeps clients from
/// reconnecting in step.
///
///     backoff.next(using: &generator)   // 50 to 100 ms
///     backoff.next(using: &generator)   // 100 to 200 ms
///     backoff.succeeded()               // starts again with 50 to 100 ms
package struct Backoff: Hashable, Sendable {
    /// Upper bound of the first wait.
    package let first: Duration
    /// Upper bound of every wait.
    package let longest: Duration
    /// Number of waits since the last success.
    private var attempts = 0

    /// Makes a backoff without failed attempts.
    ///
    /// - Precondition: `first` is above zero and at most `longest`.
    package init(first: Duration = .milliseconds(100), longest: Duration = .seconds(5)) {
        precondition(first > .zero && first <= longest, "a backoff starts above zero and does not shrink")
        self.first = first
        self.longest = longest
    }

    /// The time to wait before the next attempt.
    package mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        var bound = first
        for _ in 0..<attempts where bound < longest { bound *= 2 }
        bound = min(bound, longest)
        attempts += 1
        let half = bound / 2
        return half + half * Double.random(in: 0...1, using: &generator)
    }

    /// Resets the backoff after a successful attempt.
    package mutating func succeeded() {
        attempts = 0
    }
}
