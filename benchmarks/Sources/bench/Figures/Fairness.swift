import Foundation

/// How long one client's small requests wait while another client does as much as the daemon lets
/// it.
enum Fairness {
    /// Number of notes in the store that the other client watches or exports.
    private static let notes = 100_000
    /// Target for the p99 of a small request, in milliseconds, from the limits of an engine turn.
    private static let bound = 50.0
    /// Number of turns of each case in a round, so that all cases share the disk's slow phases.
    private static let turns = 4

    static func measure(_ context: Context) throws(Failure) -> [Figure] {
        var store = FilledStore(scratch: try context.scratch())
        let daemon = try context.daemon(in: store.scratch)
        try store.create(min(notes, context.notes), on: try daemon.client())
        // Long notes are in a separate store, so that snapshots and exports contain many short
        // notes.
        let longs = try context.daemon(in: try context.scratch())
        let (asker, longsAsker) = (try SmallRequests(of: daemon), try SmallRequests(of: longs))
        let (many, few) = (daemon.address, longs.address)
        let others = [
            (try Bustle.flood(many), asker), (try Bustle.mixedFlood(many), asker),
            (try Bustle.snapshots(many, of: store.count), asker), (try Bustle.export(many, of: store.count), asker),
            (try Bustle.longSaves(few), longsAsker), (try Bustle.longEdits(few), longsAsker),
        ]
        var figures = others.map { CaseFigures(during: $0.0.name) }
        let time = context.roundSeconds / Double(turns)
        for _ in 0..<context.rounds {
            var alone = WaitTimes()
            var beside = others.map { _ in WaitTimes() }
            for _ in 0..<turns {
                try asker.ask(for: time, into: &alone)
                for (index, (other, asker)) in others.enumerated() {
                    var times = WaitTimes()
                    let work = try other.during { () throws(Failure) in try asker.ask(for: time, into: &times) }
                    times.work = work
                    beside[index].add(times)
                    // Lets the requests in flight finish.
                    pause(seconds: 0.05)
                }
            }
            for index in others.indices { figures[index].addRound(beside[index], alone: alone) }
        }
        for daemon in [daemon, longs] { try daemon.stop() }
        return figures.flatMap(\.all) + (try oldVersions(context))
    }

    /// The figures of one case.
    struct CaseFigures {
        private struct Merged {
            var figure: Figure
            let samples: @Sendable (WaitTimes) -> Samples
            let part: Double
        }

        private var shown: [Merged] = []
        /// The longest wait in seconds.
        private(set) var slowest = 0.0
        private var asked = 0
        private var work = 0

        init(during other: String) {
            let requests: [(String, @Sendable (WaitTimes) -> Samples)] = [("note.get", \.gets), ("note.save", \.saves)]
            for (name, samples) in requests {
                let p50 = Figure("\(name), p50, during \(other)", .milliseconds, yardstick: "the same alone")
                let p99 = Figure(
                    "\(name), p99, during \(other)", .milliseconds, beside: Yardstick("the same alone"),
                    Yardstick("\(Int(bound)) ms", reach: 1))
                shown += [Merged(figure: p50, samples: samples, part: 0.5), Merged(figure: p99, samples: samples, part: 0.99)]
            }
        }

        mutating func addRound(_ beside: WaitTimes, alone: WaitTimes) {
            work += beside.work
            asked += beside.gets.values.count + beside.saves.values.count
            slowest = max(slowest, beside.gets.greatest, beside.saves.greatest)
            for index in shown.indices {
                let (samples, part) = (shown[index].samples, shown[index].part)
                let value = Measured(value: samples(beside).quantile(part) * 1e3)
                let other = Measured(value: samples(alone).quantile(part) * 1e3)
                if part > 0.5 {
                    shown[index].figure.addRound(value, beside: other, Measured(value: bound))
                } else {
                    shown[index].figure.addRound(value, beside: other)
                }
            }
        }

        var all: [Figure] {
            var figures = shown.map(\.figure)
            figures[figures.count - 1].remarks.append(
                "the slowest of \(asked.formatted()) took \(Table.text(slowest * 1e3)) ms; the other client did \(work.formatted()) steps"
            )
            return figures
        }
    }
}
