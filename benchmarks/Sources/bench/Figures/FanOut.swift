import Foundation

/// The rate at which changes reach many watchers of all notes.
enum FanOut {
    private static let batch = 64
    private static let channel = RedisPublisher.channel

    static func measure(_ context: Context) throws(Failure) -> [Figure] {
        // Sockets of the watchers, both ends of the yardstick's, and those of Redis's subscribers.
        try ProcessFacts.openFiles(4 * context.watchers + 256, for: "\(context.watchers) watchers")
        let daemon = try context.daemon(in: try context.scratch())
        let ours = try side(of: daemon, context)
        let piece = try ours.batches.onePiece()
        let loop = try BroadcastYardstick(sockets: context.watchers, piece: piece)
        let redis = try context.redis.server(isDurable: false, context)
        let payload = RedisWire.payload(forMessageOf: piece.count / batch, on: channel)
        let theirs = try redis.map { redis throws(Failure) in try side(of: redis, payload: payload, context) }
        var figures = Figures(context)
        for _ in 0..<context.rounds {
            let bound = Measured(value: try loop.linesPerSecond(for: context.roundSeconds / 2))
            try figures.addRound(ours, theirs, bound, for: context.roundSeconds)
        }
        figures.batches.remarks.append("a piece is \(batch) lines, \(piece.count.formatted()) bytes")
        try daemon.stop()
        return figures.all
    }

    /// Returns the loads of these figures; each runs for a number of seconds.
    static func load(
        of daemon: DaemonProcess, _ context: Context
    ) throws(Failure) -> (batches: (Double) throws(Failure) -> Void, singles: (Double) throws(Failure) -> Void) {
        let side = try side(of: daemon, context)
        return (
            { time throws(Failure) in _ = try side.pacedBatches(for: time) },
            { time throws(Failure) in _ = try side.pacedSingles(for: time) }
        )
    }

    private static func side(of daemon: DaemonProcess, _ context: Context) throws(Failure) -> Side {
        let batches = try BatchWriter(try daemon.client(), sets: 2, notes: batch)
        let singles = try BatchWriter(try daemon.client(), sets: 1, notes: 1)
        var descriptors: [Descriptor] = []
        for _ in 0..<context.watchers {
            let client = try daemon.client()
            _ = try client.watch(.watchNotes())
            descriptors.append(client.descriptor)
        }
        return try Side(
            pid: daemon.pid, batches: batches, singles: singles, watchers: try WatcherPool(descriptors, of: "the daemon"))
    }

    private static func side(of redis: RedisServer, payload: [UInt8], _ context: Context) throws(Failure) -> Side {
        let watchers = context.watchers
        let batches = RedisPublisher(try redis.connection(), payload: payload, batch: batch, subscribers: watchers)
        let singles = RedisPublisher(try redis.connection(), payload: payload, batch: 1, subscribers: watchers)
        var descriptors: [Descriptor] = []
        for _ in 0..<watchers {
            let connection = try redis.connection()
            try connection.subscribe(to: channel)
            descriptors.append(connection.descriptor)
        }
        let bytes = RedisWire.message(payload, on: channel).count
        return try Side(
            pid: redis.pid, batches: batches, singles: singles,
            watchers: try WatcherPool(descriptors, of: "Redis", framing: .messages(bytes: bytes)))
    }

    /// A server with many watchers, a writer of batches, and a writer of single changes.
    private struct Side {
        let pid: Int32
        let batches: Broadcast
        let singles: Broadcast

        init(pid: Int32, batches: any BatchSender, singles: any BatchSender, watchers: WatcherPool) throws(Failure) {
            self.pid = pid
            self.batches = try Broadcast(batches, to: watchers)
            self.singles = try Broadcast(singles, to: watchers)
        }

        /// Keeps at most two batches in flight.
        func pacedBatches(for time: Double) throws(Failure) -> Written {
            let meter = try CoreMeter(of: pid)
            return Written(try batches.paced(batches: 2, for: time), cores: try meter.read())
        }

        /// Makes the next change when every watcher has received the last one.
        func pacedSingles(for time: Double) throws(Failure) -> Written {
            let meter = try CoreMeter(of: pid)
            return Written(try singles.paced(batches: 1, for: time), cores: try meter.read())
        }

        /// Sends a batch as soon as the last one is acknowledged.
        func flatOut(for time: Double) throws(Failure) -> Written {
            let meter = try CoreMeter(of: pid)
            return Written(try batches.flatOut(for: time), cores: try meter.read())
        }
    }

    /// The lines and bytes that a server wrote under a load.
    private struct Written {
        let run: Broadcast.Run
        private let cores: Cores

        init(_ run: Broadcast.Run, cores: Cores) {
            self.run = run
            self.cores = cores
        }

        private func measured(_ count: Int) -> Measured {
            Measured(value: Double(count) / run.time, cores: cores, operations: run.tally.lines)
        }

        /// The rate of lines that report one change, and of no others: all lines of a paced load.
        var singleLines: Measured { measured(run.tally.singleLines) }
        /// The rate of all lines, or of messages.
        var lines: Measured { measured(run.tally.lines) }
        /// The rate of changes that the lines report.
        var deliveries: Measured {
            Measured(value: Double(run.tally.changes) / run.time, cores: cores, operations: run.tally.changes)
        }
    }

    /// Number of bytes on the wire for each line or message.
    private struct WireBytes {
        private var (bytes, lines) = (0, 0)

        mutating func add(_ tally: WatcherPool.Tally) {
            bytes += tally.bytes
            lines += tally.lines
        }

        /// Nil without a line.
        var each: Double? { lines > 0 ? Double(bytes) / Double(lines) : nil }
    }

    private struct Figures {
        var batches: Figure
        private var singles: Figure
        private var lines: Figure
        private var deliveries: Figure
        /// Lines that reported several changes although the load is paced to prevent that.
        private var coalesced = 0
        /// With the writer flat out, per second: lines for one change, lines for several, saves.
        private var (lone, several, saves) = (Samples(), Samples(), Samples())
        private var (ourBytes, theirBytes) = (WireBytes(), WireBytes())
        private var resets = 0

        init(_ context: Context) {
            let watchers = context.watchers.formatted()
            let plain = "a plain loop, the same bytes in the same pieces"
            let redis = context.redis.peer
            let many = "\(batch) PUBLISH at a time"
            batches = Figure(
                "lines to \(watchers) watchers, \(batch) saves at a time", .perSecond,
                beside: redis.yardstick(many, reach: 2), Yardstick(plain, reach: 0.5))
            singles = Figure(
                "lines to \(watchers) watchers, one save at a time", .perSecond,
                beside: redis.yardstick("one PUBLISH at a time", reach: 1))
            lines = Figure(
                "lines to \(watchers) watchers, writer flat out", .perSecond, beside: redis.yardstick(many), Yardstick(plain))
            deliveries = Figure("deliveries (changes in those lines)", .perSecond, yardstick: plain)
        }

        mutating func addRound(_ ours: Side, _ theirs: Side?, _ bound: Measured, for time: Double) throws(Failure) {
            let many = try ours.pacedBatches(for: time)
            let manyTheirs = try theirs?.pacedBatches(for: time)
            batches.addRound(many.singleLines, beside: manyTheirs?.lines, bound)
            let one = try ours.pacedSingles(for: time)
            let oneTheirs = try theirs?.pacedSingles(for: time)
            singles.addRound(one.singleLines, beside: oneTheirs?.lines)
            for tally in [many.run.tally, one.run.tally] {
                coalesced += tally.coalescedLines
                ourBytes.add(tally)
            }
            for side in [manyTheirs, oneTheirs] { if let side { theirBytes.add(side.run.tally) } }
            let full = try ours.flatOut(for: time)
            lines.addRound(full.lines, beside: manyTheirs?.lines, bound)
            deliveries.addRound(full.deliveries, beside: bound)
            lone.add(Double(full.run.tally.singleLines) / full.run.time)
            several.add(Double(full.run.tally.coalescedLines) / full.run.time)
            saves.add(Double(full.run.sent) / full.run.time)
            resets += full.run.tally.resets
        }

        var all: [Figure] {
            var (batches, lines) = (batches, lines)
            batches.remarks.append(
                "\(coalesced == 0 ? "no line" : "\(coalesced.formatted()) lines") reported several changes; the target is none")
            if let bytes = ourBytes.each {
                let others = theirBytes.each.map { "; a message of Redis \(Table.text($0)) B" } ?? ""
                batches.remarks.append("a line has \(Table.text(bytes)) B on the wire\(others)")
            }
            lines.remarks.append(
                "lines/s that report one change: \(Int(lone.median).formatted()), for several: "
                    + "\(Int(several.median).formatted()); saves/s meanwhile: \(Int(saves.median).formatted())")
            if resets > 0 { lines.remarks.append("\(resets.formatted()) watches were reset") }
            return [batches, singles, lines, deliveries]
        }
    }
}
