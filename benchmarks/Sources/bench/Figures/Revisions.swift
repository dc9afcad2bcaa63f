import Foundation

/// The cost of an edit by the number of revisions of its note: a note of 1 kB, one connection, one
/// edit at a time.
enum Revisions {
    private static let some = 1_000
    private static let many = 100_000
    private static let inFlight = 64

    static func measure(_ context: Context) throws(Failure) -> [Figure] {
        let scratch = try context.scratch()
        let disk = try DiskYardstick(in: scratch)
        let daemon = try context.daemon(in: scratch)
        let client = try daemon.client()
        var after1000 = try typed(some, on: client)
        var after100000 = try typed(many, on: client)
        var new = try Typist(on: client, text: Typist.paragraph(SampleText.kilobyte.bytes), seed: 1)
        let request = new.write()
        let answer = try client.call(request)
        let echo = try EchoYardstick(requestBytes: request.line(id: 1).count, answerBytes: answer.line.count + 1, disk: disk)
        let same = "the same after 1 revision, in the same round"
        var figures = [
            Figure(
                "an edit after 1 revision, p50", .milliseconds,
                yardstick: "write + fdatasync of the request, and a socket round trip, p50"),
            Figure("an edit after \(some.formatted()) revisions, p50", .milliseconds, yardstick: same),
            Figure("an edit after \(many.formatted()) revisions, p50", .milliseconds, yardstick: same),
        ]
        var cores = [Samples(), Samples(), Samples()]
        for round in 0..<context.rounds {
            let least = try echo.rounds(for: context.roundSeconds / 4)
            var costs: [[Cost]] = [[], [], []]
            let end = seconds() + context.roundSeconds
            // The notes alternate, so that a busy moment of the machine affects all of them.
            while seconds() < end {
                var fresh = try Typist(on: client, text: Typist.paragraph(SampleText.kilobyte.bytes), seed: UInt64(round))
                costs[0].append(try edit(&fresh, on: client, of: daemon))
                costs[1].append(try edit(&after1000, on: client, of: daemon))
                costs[2].append(try edit(&after100000, on: client, of: daemon))
            }
            let times = costs.map { Samples($0.map(\.seconds)).median * 1e3 }
            figures[0].addRound(times[0], yardstick: least.median * 1e3)
            for index in [1, 2] { figures[index].addRound(times[index], yardstick: times[0]) }
            for index in cores.indices { cores[index].add(Samples(costs[index].map(\.coreSeconds)).median * 1e6) }
        }
        for index in figures.indices {
            figures[index].remarks = ["\(Table.text(cores[index].median)) µs of a core each in the daemon, p50"]
        }
        try daemon.stop()
        return figures + [try firstView(of: after1000, after100000, behind: new, in: scratch, context)]
    }

    /// The first view of a note after a start, when the daemon has nothing of it in memory.
    private static func firstView(
        of few: Typist, _ many: Typist, behind new: Typist, in scratch: Scratch, _ context: Context
    ) throws(Failure) -> Figure {
        var figure = Figure(
            "first view after a start, \(self.many.formatted()) revisions", .milliseconds,
            yardstick: "the same, \(some.formatted()) revisions")
        for _ in 0..<min(context.rounds, 3) {
            let daemon = try context.daemon(in: scratch)
            let client = try daemon.client()
            // Pays the cost that only the very first view has.
            _ = try client.call(.getNote(new.note))
            var times: [Double] = []
            for typist in [few, many] {
                let start = seconds()
                _ = try client.call(.getNote(typist.note))
                times.append(seconds() - start)
            }
            figure.addRound(times[1] * 1e3, yardstick: times[0] * 1e3)
            try daemon.stop()
        }
        return figure
    }

    private static func edit(
        _ typist: inout Typist, on client: Client, of daemon: DaemonProcess
    ) throws(Failure) -> Cost {
        let written = try Cost.of(typist.write(), on: client, of: daemon)
        try typist.stay(after: written.answer)
        return written.cost
    }

    /// Creates a note with so many revisions.
    private static func typed(_ count: Int, on client: Client) throws(Failure) -> Typist {
        var typist = try Typist(on: client, text: Typist.paragraph(SampleText.kilobyte.bytes), seed: UInt64(count))
        let foretold = try Foretold(after: typist.version)
        for start in stride(from: 0, to: count, by: inFlight) {
            let range = start..<min(start + inFlight, count)
            var requests: [Request] = []
            for number in range {
                requests.append(typist.write())
                typist.goOn(from: foretold.version(after: number + 1))
            }
            try client.send(requests)
            for number in range { try foretold.check(try client.next(), isWrite: number + 1) }
        }
        return typist
    }
}
