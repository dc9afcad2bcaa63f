import Foundation

/// The first saves of one writer after a start, beside those that follow: the log's file must not have to grow.
enum FirstSaves {
    /// Saves that fill less of the log than the daemon prepares, which is some 4 MB.
    private static let first = 150
    private static let later = 1_000
    /// Starts of a round.
    private static let starts = 4

    static func measure(_ context: Context) throws(Failure) -> [Figure] {
        let scratch = try context.scratch()
        let after = "the next \(later.formatted())"
        var rates = Figure("the first \(first) saves after a start, 1 connection", .perSecond, yardstick: after)
        var slow = Figure("save to response, the first \(first), p99", .milliseconds, yardstick: after)
        // A new store also has to make its tables.
        try context.daemon(in: scratch).stop()
        for _ in 0..<context.rounds {
            var (ours, theirs) = (SaverTurns(), SaverTurns())
            for _ in 0..<starts {
                let daemon = try context.daemon(in: scratch)
                let savers = try Savers(1, of: daemon.address)
                try ours.add(savers, of: daemon.pid, most: first)
                try theirs.add(savers, of: daemon.pid, most: later)
                try daemon.stop()
            }
            guard let first = Measured(meanOf: ours.turns), let p99 = ours.p99 else { continue }
            rates.addRound(first, beside: Measured(meanOf: theirs.turns))
            slow.addRound(p99, beside: theirs.p99)
        }
        return [rates, slow]
    }
}
