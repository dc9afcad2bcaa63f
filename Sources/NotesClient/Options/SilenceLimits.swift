/// How long a client waits for a daemon that is silent, counted in ticks.
///
/// Silence is counted, not measured: a client that was itself stopped or starved counts the lost time as
/// one tick, and looks at what arrived meanwhile.
package struct SilenceLimits: Hashable, Sendable {
    /// The time between two looks at the connection.
    package var tick: Duration
    /// The ticks without a byte and without a request in flight after which the client pings.
    package var beforePing: Int
    /// The ticks without a byte after which a ping counts as unanswered.
    package var forPing: Int
    /// The ticks without a byte after which another request counts as unanswered. The daemon may work on it
    /// for that long.
    package var forWork: Int

    /// The limits of an exchange with another machine: a ping after 30 seconds, which may take 20, and 120
    /// for every other request.
    package static let exchange = SilenceLimits(tick: .seconds(5), beforePing: 6, forPing: 4, forWork: 24)

    package init(tick: Duration, beforePing: Int, forPing: Int, forWork: Int) {
        self.tick = tick
        self.beforePing = beforePing
        self.forPing = forPing
        self.forWork = forWork
    }
}
