/// The distance between the daemon and the floor program: saves, and times until the response and
/// the notification.
enum FloorDistance {
    /// Number of turns of each side in a round, so that both share the disk's slow phases.
    private static let turns = 8

    static func measure(_ context: Context) throws(Failure) -> [Figure] {
        let daemon = try context.daemon(in: try context.scratch())
        let floor = try context.floor()
        var figures: [Figure] = []
        for connections in [1, 16, 64] { figures += try saves(connections, daemon, floor, context) }
        figures += try latency(daemon, floor, context)
        try daemon.stop()
        return figures
    }

    private static func saves(
        _ connections: Int, _ daemon: DaemonProcess, _ floor: FloorProcess, _ context: Context
    ) throws(Failure) -> [Figure] {
        let title = connections == 1 ? "1 connection" : "\(connections) connections"
        var rates = Figure("durable saves, \(title)", .perSecond, yardstick: FloorProcess.name)
        var slow = Figure("save to response, \(title), p99", .milliseconds, yardstick: FloorProcess.name)
        let ours = try Savers(connections, of: daemon.address)
        let theirs = try Savers(connections, of: floor.address)
        let time = context.roundSeconds / Double(turns)
        for side in [ours, theirs] { _ = try side.run(for: time) }
        for _ in 0..<context.rounds {
            var (our, their) = (SaverTurns(), SaverTurns())
            for _ in 0..<turns {
                try our.add(ours, of: daemon.pid, for: time)
                try their.add(theirs, of: floor.pid, for: time)
            }
            guard let rate = Measured(meanOf: our.turns), let p99 = our.p99 else { continue }
            rates.addRound(rate, beside: Measured(meanOf: their.turns))
            slow.addRound(p99, beside: their.p99)
        }
        return [rates, slow]
    }

    private static func latency(
        _ daemon: DaemonProcess, _ floor: FloorProcess, _ context: Context
    ) throws(Failure) -> [Figure] {
        let parts = [0.5, 0.99]
        var figures = ["response", "notification"].map { name in
            parts.map { Figure("save to \(name), p\(Int($0 * 100))", .milliseconds, yardstick: FloorProcess.name) }
        }
        let (ours, theirs) = (try SaveExchange(of: daemon.address), try SaveExchange(of: floor.address))
        let time = context.roundSeconds / Double(turns)
        for _ in 0..<context.rounds {
            var (our, their) = (ExchangeTimes(of: daemon.pid), ExchangeTimes(of: floor.pid))
            for _ in 0..<turns {
                try our.add(ours, for: time)
                try their.add(theirs, for: time)
            }
            for (index, samples) in [(our.answers, their.answers), (our.notifications, their.notifications)].enumerated() {
                for (place, part) in parts.enumerated() {
                    figures[index][place].addRound(
                        Measured(value: samples.0.quantile(part) * 1e3, cores: our.cores),
                        beside: Measured(value: samples.1.quantile(part) * 1e3, cores: their.cores))
                }
            }
        }
        return figures.flatMap { $0 }
    }
}
