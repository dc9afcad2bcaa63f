/// Times from sending a save until the writer has read the response, and until a watcher has read
/// the notification: one writer, one watcher, one save at a time.
enum Latency {
    /// Number of turns of each side in a round, a thirtieth of a second each. The disk's slow
    /// phases last for seconds, and a median over two phases would describe only one of them.
    private static let turns = 64

    static func measure(_ context: Context) throws(Failure) -> [Figure] {
        let scratch = try context.scratch()
        let disk = try DiskYardstick(in: scratch)
        let daemon = try context.daemon(in: scratch)
        let ours = try SaveExchange(of: daemon.address)
        // A first run only tells the yardsticks how long requests and notifications are.
        var first = ExchangeTimes(of: daemon.pid)
        try first.add(ours, for: 0)
        let redis = try context.redis.server(isDurable: true, context)
        let theirs = try redis.map { redis throws(Failure) in
            try RedisExchange(
                of: redis, value: [UInt8](repeating: 0x2e, count: ReplacedLine.bytes),
                payload: RedisWire.payload(forMessageOf: ours.notificationBytes, on: RedisPublisher.channel))
        }
        let echo = try EchoYardstick(requestBytes: ours.requestBytes, answerBytes: ours.notificationBytes, disk: disk)
        var figures = Moment.all.map { $0.figure(context) }
        var syncs = DiskSyncs(of: "1 kB")
        let line = [UInt8](repeating: 0x2e, count: ReplacedLine.bytes)
        let time = 2 * context.roundSeconds / Double(turns)
        for _ in 0..<context.rounds {
            var (bound, alone, times) = (Samples(), Samples(), ExchangeTimes(of: daemon.pid))
            var peerTimes = redis.map { ExchangeTimes(of: $0.pid) }
            for _ in 0..<turns {
                alone.add(try disk.run(line, for: time / 4).syncs)
                bound.add(try echo.rounds(for: time / 2))
                try times.add(ours, for: time)
                if let theirs { try peerTimes?.add(theirs, for: time) }
            }
            syncs.addRound(alone)
            for (index, moment) in Moment.all.enumerated() {
                figures[index].addRound(
                    moment.measured(times), beside: peerTimes.map(moment.measured),
                    Measured(value: bound.quantile(moment.part) * 1e3))
            }
        }
        try daemon.stop()
        return figures + syncs.all
    }

    /// A percentile of the response times or of the notification times.
    private struct Moment {
        let name: String
        let samples: @Sendable (ExchangeTimes) -> Samples
        let part: Double

        static let all = [0.5, 0.99].flatMap { part in
            [
                Moment(name: "response", samples: { $0.answers }, part: part),
                Moment(name: "notification", samples: { $0.notifications }, part: part),
            ]
        }

        /// The percentile in milliseconds.
        func measured(_ times: ExchangeTimes) -> Measured {
            Measured(value: samples(times).quantile(part) * 1e3, cores: times.cores)
        }

        func figure(_ context: Context) -> Figure {
            Figure(
                "save to \(name), p\(Int(part * 100))", .milliseconds,
                beside: context.redis.peer.yardstick("SET and PUBLISH in one write", reach: 1),
                Yardstick("write + fdatasync of the request, and a socket round trip", reach: 2))
        }
    }
}
