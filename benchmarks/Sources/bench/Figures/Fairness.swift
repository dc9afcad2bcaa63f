import Foundation

/// What one client's small requests wait while another does as much as it is let.
enum Fairness {
    /// In the store, for who watches all of it, or lists all of it.
    private static let notes = 100_000
    /// The most that a small request should wait, in milliseconds. docs/decisions/0006 says what it is made of.
    private static let bound = 50.0
    /// All cases take so many turns in a round, so that the disk's moods are shared.
    private static let turns = 4

    static func measure(_ context: Context) throws(Failure) -> [Figure] {
        var store = FilledStore(scratch: try context.scratch())
        let daemon = try context.daemon(in: store.scratch)
        try store.create(min(notes, context.notes), on: try daemon.client())
        // Long notes lie in a store of their own, so that snapshots and exports are of many short ones.
        let longs = try context.daemon(in: try context.scratch())
        let (asker, longsAsker) = (try SmallRequests(of: daemon), try SmallRequests(of: longs))
        let (many, few) = (daemon.address, longs.address)
        let others = [
            (try Bustle.flood(many), asker), (try Bustle.mixedFlood(many), asker),
            (try Bustle.snapshots(many, of: store.count), asker), (try Bustle.export(many, of: store.count), asker),
            (try Bustle.longSaves(few), longsAsker), (try Bustle.longEdits(few), longsAsker),
        ]
        var figures = others.map { CaseFigures(beside: $0.0.name) }
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
                    // What it has begun is done.
                    pause(seconds: 0.05)
                }
            }
            for index in others.indices { figures[index].addRound(beside[index], alone: alone) }
        }
        for daemon in [daemon, longs] { try daemon.stop() }
        return figures.flatMap(\.all)
    }

    /// How long small requests waited for their answers, in seconds, and what another did meanwhile.
    private struct WaitTimes {
        var gets = Samples()
        var saves = Samples()
        /// How often the other was done.
        var work = 0

        mutating func add(_ more: WaitTimes) {
            gets.add(more.gets)
            saves.add(more.saves)
            work += more.work
        }
    }

    /// One client that reads and saves a note of 1 kB in turns, one request at a time.
    private final class SmallRequests {
        private let client: Client
        private let note: String
        private var version: String
        private var number = 0

        init(of daemon: DaemonProcess) throws(Failure) {
            client = try daemon.client()
            let made = try client.call(.createNote(json: SampleText.kilobyte.json(0)))
            note = try made.required(Keys.id)
            version = try made.required(Keys.version)
        }

        func ask(for time: Double, into times: inout WaitTimes) throws(Failure) {
            let end = seconds() + time
            repeat {
                number += 1
                let start = seconds()
                _ = try client.call(.getNote(note))
                let middle = seconds()
                version = try client.call(.saveNote(note, base: version, json: SampleText.kilobyte.json(number)))
                    .required(Keys.version)
                times.gets.add(middle - start)
                times.saves.add(seconds() - middle)
            } while seconds() < end
        }
    }

    /// What is shown of one case.
    private struct CaseFigures {
        private struct Merged {
            var figure: Figure
            let samples: @Sendable (WaitTimes) -> Samples
            let part: Double
        }

        private var shown: [Merged] = []
        private var slowest = 0.0
        private var asked = 0
        private var work = 0

        init(beside other: String) {
            let requests: [(String, @Sendable (WaitTimes) -> Samples)] = [("note.get", \.gets), ("note.save", \.saves)]
            for (name, samples) in requests {
                let p50 = Figure("\(name), p50, beside \(other)", .milliseconds, yardstick: "the same alone")
                let p99 = Figure(
                    "\(name), p99, beside \(other)", .milliseconds, beside: Yardstick("the same alone"),
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
                "the slowest of \(asked.formatted()) took \(Table.text(slowest * 1e3)) ms; the other was done \(work.formatted()) times"
            )
            return figures
        }
    }
}
