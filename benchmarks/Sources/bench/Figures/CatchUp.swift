import Foundation

/// The time for a new connection's watch to catch up with 1,000 changes, in a large and in a small
/// store.
enum CatchUp {
    /// Number of catch-ups in each store and round.
    private static let runs = 10

    static func measure(_ context: Context, _ large: FilledStore) throws(Failure) -> [Figure] {
        var small = FilledStore(scratch: try context.scratch())
        let few = try context.daemon(in: small.scratch)
        try small.create(FilledStore.firstCount, on: try few.client())
        let many = try context.daemon(in: large.scratch)
        let (fewReader, manyReader) = (try Reader(of: few, small), try Reader(of: many, large))
        let bytes = try manyReader.catchUp().bytes
        let echo = try EchoYardstick(requestBytes: manyReader.request.line(id: 1).count, answerBytes: bytes, disk: nil)
        let changes = FilledStore.firstCount.formatted()
        var figure = Figure(
            "catch-up of \(changes) changes among \(large.count.formatted()) notes", .milliseconds,
            beside: Yardstick("the same among \(small.count.formatted()) notes", reach: 1.5),
            Yardstick("a socket round trip with a response of \(bytes.formatted()) bytes, p50"))
        for _ in 0..<context.rounds {
            let least = try echo.rounds(for: context.roundSeconds / 8)
            var (fewTurns, manyTurns): ([Measured], [Measured]) = ([], [])
            for _ in 0..<runs {
                fewTurns.append(try fewReader.measured())
                manyTurns.append(try manyReader.measured())
            }
            guard let few = Measured(meanOf: fewTurns), let many = Measured(meanOf: manyTurns) else { continue }
            figure.addRound(many, beside: few, Measured(value: least.median * 1e3))
        }
        let memory = Double(try ProcessFacts.memory(of: many.pid).rss) / 1e6
        figure.remarks.append("the daemon with the larger store then uses \(Table.text(memory)) MB of memory")
        for daemon in [few, many] { try daemon.stop() }
        return [figure]
    }

    private struct Reader {
        let request: Request
        private let daemon: DaemonProcess

        /// Makes the changes, and prepares the request that catches up with them.
        init(of daemon: DaemonProcess, _ store: FilledStore) throws(Failure) {
            self.daemon = daemon
            var store = store
            request = .watchNotes(since: try store.saveFirst(on: try daemon.client()))
        }

        /// Measures one catch-up, in milliseconds.
        func measured() throws(Failure) -> Measured {
            try Measured(of: daemon.pid) { () throws(Failure) in try catchUp().time * 1e3 }
        }

        /// Catches up on a new connection. Returns the seconds from the request to `watch.synced`,
        /// and the bytes received.
        func catchUp() throws(Failure) -> (time: Double, bytes: Int) {
            let client = try daemon.client()
            let start = seconds()
            try client.send(request)
            _ = try client.next().result()
            var (lines, bytes) = (0, 0)
            while true {
                let line = try client.next()
                bytes += line.line.count + 1
                if line.isSynced { break }
                lines += 1
            }
            guard lines == FilledStore.firstCount else { throw Failure("\(lines) changes arrived") }
            return (seconds() - start, bytes)
        }
    }
}
