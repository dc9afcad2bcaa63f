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

/// Decides when a silent connection is pinged, and when it is given up.
///
/// A byte from the daemon and a byte that it takes both end a silence. So a long line is never cut while it
/// moves, in whichever direction.
struct SilenceMonitor {
    /// The oldest request in flight. The daemon answers in order, so only this one can be overdue.
    enum Awaited: Hashable, CaseIterable {
        case nothing, ping, work
    }

    enum Action: Hashable {
        case nothing, ping, giveUp
    }

    let limits: SilenceLimits
    /// Whole ticks without a byte.
    private var silentTicks = 0
    /// Whether a byte moved since the last tick.
    private var hasMoved = true

    init(limits: SilenceLimits) {
        self.limits = limits
    }

    /// A byte came or was taken, or the first request after none went out.
    mutating func moved() { hasMoved = true }

    mutating func tick(_ awaited: Awaited) -> Action {
        // The silence began within this tick, so that the limits are the shortest waits.
        silentTicks = hasMoved ? 0 : silentTicks + 1
        hasMoved = false
        switch awaited {
        case .nothing:
            guard silentTicks >= limits.beforePing else { return .nothing }
            hasMoved = true
            return .ping
        case .ping: return silentTicks >= limits.forPing ? .giveUp : .nothing
        case .work: return silentTicks >= limits.forWork ? .giveUp : .nothing
        }
    }
}
