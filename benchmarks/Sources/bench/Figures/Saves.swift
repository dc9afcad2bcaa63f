/// Durable saves per second: each connection saves its own note on the note's newest version, and
/// waits for the response.
enum Saves {
    /// Number of turns of each side in a round, so that all share the disk's slow phases.
    private static let turns = 4

    static func measure(_ context: Context) throws(Failure) -> [Figure] {
        let scratch = try context.scratch()
        let rivals = Rivals(
            disk: try DiskYardstick(in: scratch), daemon: try context.daemon(in: scratch),
            redis: try context.redis.server(isDurable: true, context), postgres: try context.postgres.server(context))
        let figures = [
            try figure(of: 1, rivals, reaches: (redis: nil, postgres: 2), context),
            try figure(of: 64, rivals, reaches: (redis: 1, postgres: 10), context),
        ]
        try rivals.daemon.stop()
        return figures
    }

    private static func figure(
        of connections: Int, _ rivals: Rivals, reaches: (redis: Double?, postgres: Double?), _ context: Context
    ) throws(Failure) -> Figure {
        let isOne = connections == 1
        var figure = Figure(
            "durable saves, \(connections) \(isOne ? "connection" : "connections")", .perSecond,
            beside: context.redis.peer.yardstick("redis-benchmark -t set", reach: reaches.redis),
            context.postgres.peer.yardstick("pgbench", reach: reaches.postgres),
            Yardstick("write + fdatasync of \(isOne ? "1 kB" : "\(connections) × 1 kB, times \(connections)")"))
        let savers = try Savers(connections, of: rivals.daemon)
        let time = context.roundSeconds / Double(turns)
        _ = try savers.perSecond(for: time)
        for _ in 0..<context.rounds {
            var round = Round()
            for _ in 0..<turns { try round.addTurn(of: savers, connections, rivals, for: time) }
            round.end(in: &figure)
        }
        return figure
    }

    private struct Rivals {
        let disk: DiskYardstick
        let daemon: DaemonProcess
        let redis: RedisServer?
        let postgres: PostgresServer?
    }

    /// The turns of each side.
    private struct Round {
        private var (ours, sets, rows, syncs): ([Measured], [Measured], [Measured], [Measured]) = ([], [], [], [])

        mutating func addTurn(
            of savers: Savers, _ connections: Int, _ rivals: Rivals, for time: Double
        ) throws(Failure) {
            let bytes = [UInt8](repeating: 0x2e, count: connections * SampleText.kilobyte.bytes)
            syncs.append(Measured(value: try rivals.disk.perSecond(bytes, for: time / 2) * Double(connections)))
            ours.append(try Measured(of: rivals.daemon.pid) { () throws(Failure) in try savers.perSecond(for: time) })
            if let redis = rivals.redis {
                sets.append(
                    try Measured(of: redis.pid) { () throws(Failure) in
                        try redis.setsPerSecond(connections: connections, for: time)
                    })
            }
            if let postgres = rivals.postgres {
                rows.append(
                    try Measured(of: postgres.pid, hasChildren: true) { () throws(Failure) in
                        try postgres.savesPerSecond(connections: connections, for: time)
                    })
            }
        }

        func end(in figure: inout Figure) {
            guard let ours = Measured(meanOf: ours) else { return }
            figure.addRound(ours, beside: Measured(meanOf: sets), Measured(meanOf: rows), Measured(meanOf: syncs))
        }
    }
}

/// Connections that each save their own note over and over.
final class Savers {
    private struct Saver {
        let client: Client
        let note: String
        var version: String
        var number: Int
    }

    private var savers: [Saver] = []
    private let poller: Poller

    init(_ count: Int, of daemon: DaemonProcess) throws(Failure) {
        poller = try Poller()
        for index in 0..<count {
            let client = try daemon.client()
            let made = try client.call(.createNote(json: SampleText.kilobyte.json(0)))
            savers.append(
                Saver(client: client, note: try made.required(Keys.id), version: try made.required(Keys.version), number: index))
            try poller.add(client.descriptor, as: index)
        }
    }

    /// Saves on all connections until the time is over and every last save is acknowledged.
    func perSecond(for time: Double) throws(Failure) -> Double {
        let start = seconds()
        for index in savers.indices { try save(index) }
        var (waiting, answered) = (savers.count, 0)
        while waiting > 0 {
            for index in try poller.wait(milliseconds: 1_000) {
                guard let answer = try savers[index].client.nextIfThere() else { continue }
                savers[index].version = try answer.result().required(Keys.version)
                answered += 1
                if seconds() - start < time { try save(index) } else { waiting -= 1 }
            }
        }
        return Double(answered) / (seconds() - start)
    }

    private func save(_ index: Int) throws(Failure) {
        savers[index].number += savers.count
        let saver = savers[index]
        try saver.client.send(.saveNote(saver.note, base: saver.version, json: SampleText.kilobyte.json(saver.number)))
    }
}
