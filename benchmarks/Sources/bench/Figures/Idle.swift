import Foundation

/// The daemon's memory for a connection that watches everything and receives nothing.
enum Idle {
    static func measure(_ context: Context) throws(Failure) -> [Figure] {
        let count = context.idle
        try ProcessFacts.openFiles(count + 256, for: "\(count) connections")
        var figure = Figure(
            "memory of an idle connection that watches, of \(count.formatted())", .bytes, beside: Yardstick("8 kB", reach: 1))
        for _ in 0..<context.rounds {
            let room = "[limits]\nconnections_max = \(4 * count)\n"
            let daemon = try DaemonProcess(program: context.program, in: try context.scratch(), settings: room)
            let before = try settledMemory(of: daemon)
            var connections: [Descriptor] = []
            for _ in 0..<count {
                let client = try daemon.client()
                _ = try client.watch(.watchNotes())
                connections.append(client.descriptor)
            }
            let after = try settledMemory(of: daemon)
            withExtendedLifetime(connections) {}
            connections = []
            try daemon.stop()
            figure.addRound(Double(after - before) / Double(count), yardstick: 8_192)
        }
        return [figure]
    }

    /// Resident bytes after half a second without work.
    private static func settledMemory(of daemon: DaemonProcess) throws(Failure) -> Int {
        pause(seconds: 0.5)
        return try ProcessFacts.memory(of: daemon.pid).rss
    }
}
