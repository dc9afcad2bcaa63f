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
