/// The p99 of saves while many watchers of everything have stopped reading, compared with a daemon
/// whose watchers all read.
enum Stopped {
    private static let dependents = 100
    /// Changes made before the measurement: more than the sockets and the daemon buffer for a
    /// watcher that has stopped reading.
    private static let unread = 8_192
    private static let batch = 64
    /// Number of turns of the two daemons in a round, so that both share the disk's slow phases.
    private static let turns = 32

    static func measure(_ context: Context) throws(Failure) -> [Figure] {
        let stopped = try context.daemon(in: try context.scratch())
        let free = try context.daemon(in: try context.scratch())
        let idle = try dependents(of: stopped)
        for daemon in [stopped, free] { try write(unread, to: daemon) }
        let (beside, alone) = (try SaveExchange(of: stopped.address), try SaveExchange(of: free.address))
        var answers = figure("response")
        var notifications = figure("notification")
        for _ in 0..<context.rounds {
            var (besideTimes, aloneTimes) = (ExchangeTimes(of: stopped.pid), ExchangeTimes(of: free.pid))
            for _ in 0..<turns {
                try besideTimes.add(beside, for: 2 * context.roundSeconds / Double(turns))
                try aloneTimes.add(alone, for: 2 * context.roundSeconds / Double(turns))
            }
            answers.addRound(besideTimes.slowest(\.answers), beside: aloneTimes.slowest(\.answers))
            notifications.addRound(besideTimes.slowest(\.notifications), beside: aloneTimes.slowest(\.notifications))
        }
        withExtendedLifetime(idle) {}
        for daemon in [stopped, free] { try daemon.stop() }
        return [answers, notifications]
    }

    private static func figure(_ name: String) -> Figure {
        Figure(
            "save to \(name), p99, while \(dependents) have stopped reading", .milliseconds,
            beside: Yardstick("the same while none has", reach: 1.1))
    }

    /// Opens connections that watch everything and whose lines nobody reads.
    private static func dependents(of daemon: DaemonProcess) throws(Failure) -> [Client] {
        var clients: [Client] = []
        for _ in 0..<dependents {
            let client = try daemon.client()
            _ = try client.watch(.watchNotes())
            clients.append(client)
        }
        return clients
    }

    private static func write(_ changes: Int, to daemon: DaemonProcess) throws(Failure) {
        let writer = try BatchWriter(try daemon.client(), sets: 1, notes: batch)
        let poller = try Poller()
        try poller.add(writer.descriptor, as: 0)
        for turn in 0..<(changes / batch) {
            try writer.send(turn: turn)
            while writer.waiting > 0 {
                guard !(try poller.wait(milliseconds: 60_000)).isEmpty else { throw Failure("no response arrived for a minute") }
                try writer.receive()
            }
        }
    }
}

extension ExchangeTimes {
    /// The 99th percentile in milliseconds.
    fileprivate func slowest(_ samples: KeyPath<Self, Samples>) -> Measured {
        Measured(value: self[keyPath: samples].quantile(0.99) * 1e3, cores: cores)
    }
}
