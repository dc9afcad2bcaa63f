import Foundation

/// Durable saves per second: each connection saves its own note on the note's newest version, and
/// waits for the response.
enum Saves {
    /// Number of turns of each side in a round, so that all share the disk's slow phases.
    private static let turns = 4
    /// PostgreSQL's turn of a round; `pgbench` measures for a whole second or longer.
    private static let postgresTurn = 2

    static func measure(_ context: Context) throws(Failure) -> [Figure] {
        let scratch = try context.scratch()
        let rivals = Rivals(
            disk: try DiskYardstick(in: scratch), daemon: try context.daemon(in: scratch),
            redis: try context.redis.server(isDurable: true, context), postgres: try context.postgres.server(context),
            etcd: try context.etcd.server(context), floor: try context.floor())
        let cases = [
            Case(connections: 1, redisReach: 1, slowReach: nil),
            Case(connections: 16, redisReach: 1, slowReach: nil),
            Case(connections: 64, redisReach: 0.7, slowReach: 3),
        ]
        var figures: [Figure] = []
        for one in cases { figures += try self.figures(of: one, rivals, context) }
        try rivals.daemon.stop()
        return figures
    }

    /// A number of connections with its targets.
    private struct Case {
        let connections: Int
        /// Targets for the rate, as multiples of the peers' rates.
        let redisReach: Double
        let postgresReach = 1.0
        let etcdReach = 1.0
        /// Target for the p99, as a multiple of that of Redis.
        let slowReach: Double?

        var title: String { connections == 1 ? "1 connection" : "\(connections) connections" }
        /// The bytes of one write of the disk yardstick.
        var bytes: String { connections == 1 ? "1 kB" : "\(connections) × 1 kB" }
    }

    private static func figures(of one: Case, _ rivals: Rivals, _ context: Context) throws(Failure) -> [Figure] {
        var figures = CaseFigures(one, context)
        let sides = Sides(
            savers: try Savers(one.connections, of: rivals.daemon.address),
            setters: try rivals.redis.map { redis throws(Failure) in try Savers(one.connections, of: redis) },
            putters: try rivals.etcd.map { etcd throws(Failure) in try Savers(one.connections, of: etcd) },
            floored: try Savers(one.connections, of: rivals.floor.address))
        let time = context.roundSeconds / Double(turns)
        for side in [sides.savers, sides.setters, sides.putters, sides.floored] { _ = try side?.run(for: time) }
        for _ in 0..<context.rounds {
            var round = Round()
            for turn in 0..<turns { try round.addTurn(of: sides, rivals, measuresPostgres: turn == postgresTurn, for: time) }
            figures.add(round)
        }
        return figures.all
    }

    private struct Rivals {
        let disk: DiskYardstick
        let daemon: DaemonProcess
        let redis: RedisServer?
        let postgres: PostgresServer?
        let etcd: EtcdServer?
        let floor: FloorProcess
    }

    /// The connections that the benchmark itself drives.
    private struct Sides {
        let savers: Savers
        let setters: Savers?
        let putters: Savers?
        let floored: Savers
    }

    /// The turns of each side.
    private struct Round {
        private(set) var (ours, theirs, puts, floor) = (SaverTurns(), SaverTurns(), SaverTurns(), SaverTurns())
        private(set) var (sets, rows, disk): ([Measured], [Measured], [Measured]) = ([], [], [])
        /// Durations of the disk's syncs, in seconds.
        private(set) var syncs = Samples()

        mutating func addTurn(
            of sides: Sides, _ rivals: Rivals, measuresPostgres: Bool, for time: Double
        ) throws(Failure) {
            let connections = sides.savers.count
            let bytes = [UInt8](repeating: 0x2e, count: connections * ReplacedLine.bytes)
            let run = try rivals.disk.run(bytes, for: time / 2)
            disk.append(Measured(value: run.perSecond * Double(connections)))
            syncs.add(run.syncs)
            try ours.add(sides.savers, of: rivals.daemon.pid, for: time)
            if let redis = rivals.redis, let setters = sides.setters {
                sets.append(
                    try Measured(ofLoadOn: redis.pid) { () throws(Failure) in
                        try redis.sets(connections: connections, for: time)
                    })
                try theirs.add(setters, of: redis.pid, for: time)
            }
            if let etcd = rivals.etcd, let putters = sides.putters { try puts.add(putters, of: etcd.pid, for: time) }
            try floor.add(sides.floored, of: rivals.floor.pid, for: time)
            if measuresPostgres, let postgres = rivals.postgres {
                rows.append(
                    try Measured(ofLoadOn: postgres.pid, hasChildren: true) { () throws(Failure) in
                        try postgres.saves(connections: connections, for: time)
                    })
            }
        }
    }

    private struct CaseFigures {
        private var rates: Figure
        private var slow: Figure
        private var syncs: DiskSyncs
        /// Bytes of files that each server changes for a save.
        private var (ourBytes, theirBytes, etcdBytes, floorBytes) = (Samples(), Samples(), Samples(), Samples())

        init(_ one: Case, _ context: Context) {
            let redis = context.redis.peer
            let set = "SET, the same load generator"
            let etcd = context.etcd.peer
            let puts = "Put over gRPC, the same load generator"
            rates = Figure(
                "durable saves, \(one.title)", .perSecond,
                beside: redis.yardstick("redis-benchmark -t set", reach: one.redisReach), redis.yardstick(set),
                context.postgres.peer.yardstick("pgbench", reach: one.postgresReach),
                etcd.yardstick(puts, reach: one.etcdReach), Yardstick(FloorProcess.name),
                Yardstick(
                    "write + fdatasync of \(one.bytes)" + (one.connections == 1 ? "" : ", times \(one.connections)")))
            syncs = DiskSyncs(of: one.bytes)
            slow = Figure(
                "save to response, \(one.title), p99", .milliseconds, beside: redis.yardstick(set, reach: one.slowReach),
                etcd.yardstick(puts), Yardstick(FloorProcess.name))
        }

        mutating func add(_ round: Round) {
            guard let ours = Measured(meanOf: round.ours.turns), let p99 = round.ours.p99 else { return }
            rates.addRound(
                ours, beside: Measured(meanOf: round.sets), Measured(meanOf: round.theirs.turns),
                Measured(meanOf: round.rows), Measured(meanOf: round.puts.turns), Measured(meanOf: round.floor.turns),
                Measured(meanOf: round.disk))
            syncs.addRound(round.syncs)
            slow.addRound(p99, beside: round.theirs.p99, round.puts.p99, round.floor.p99)
            if let bytes = round.ours.bytesEach { ourBytes.add(bytes) }
            if let bytes = round.theirs.bytesEach { theirBytes.add(bytes) }
            if let bytes = round.puts.bytesEach { etcdBytes.add(bytes) }
            if let bytes = round.floor.bytesEach { floorBytes.add(bytes) }
        }

        var all: [Figure] {
            var rates = rates
            let others = [("Redis", theirBytes), ("etcd", etcdBytes)].filter { !$1.isEmpty }
                .map { ", \($0) \(Table.text($1.median)) B" }.joined()
            rates.remarks.append(
                "each save replaces \(ReplacedLine.bytes.formatted()) B; pages of files changed for it: "
                    + "\(Table.text(ourBytes.median)) B\(others), \(FloorProcess.name) \(Table.text(floorBytes.median)) B")
            return [rates, slow] + syncs.all
        }
    }
}
