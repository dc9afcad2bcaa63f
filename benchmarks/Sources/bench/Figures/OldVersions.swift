import Foundation

/// Small requests during reads that take long to compute, or whose responses are long.
extension Fairness {
    private static let revisions = 3_000
    private static let longChain = 100_000
    /// Largest part of systemd's watchdog interval that a small request may wait: a turn of the
    /// engine takes at most as long as the slowest request that waits for it.
    private static let watchdogPart = 0.5
    private static let stopSecondsMax = 5.0

    static func oldVersions(_ context: Context) throws(Failure) -> [Figure] {
        let daemon = try context.daemon(in: try context.scratch())
        let writer = try daemon.client()
        let shapes = [
            try HistoryShape.star(of: revisions, on: writer), try HistoryShape.comb(of: revisions, on: writer),
            try HistoryShape.branch(of: revisions, on: writer), try HistoryShape.chain(of: longChain, on: writer),
        ]
        let asker = try SmallRequests(of: daemon)
        let cases = shapes.map { (versions: HistoryReads.Versions.old, shape: $0) } + [(.newestFromFirst, shapes[0])]
        var figures = cases.map { versions, shape in
            let read = versions == .old ? "old versions of \(shape.name)" : "\(shape.name), as edits from its first version"
            return CaseFigures(during: "\(HistoryReads.inFlight) reads of \(read)")
        }
        let interval = try watchdogSeconds()
        var slowest = Figure(
            "slowest small request during these reads", .milliseconds,
            beside: Yardstick("systemd's watchdog interval", reach: watchdogPart))
        let time = context.roundSeconds / 2
        for round in 0..<context.rounds {
            var alone = WaitTimes()
            try asker.ask(for: time, into: &alone)
            var longest = 0.0
            for (index, (versions, shape)) in cases.enumerated() {
                var times = WaitTimes()
                let reads = try HistoryReads(versions, of: shape, on: daemon, seed: UInt64(round))
                try asker.ask(for: time, into: &times) { () throws(Failure) in try reads.proceed() }
                times.work = reads.answered
                longest = max(longest, times.gets.greatest, times.saves.greatest)
                figures[index].addRound(times, alone: alone)
            }
            slowest.addRound(longest * 1e3, yardstick: interval * 1e3)
        }
        slowest.remarks.append(
            try daemon.secondsToStop(secondsMax: stopSecondsMax).map { "afterwards, the daemon stopped in \(Table.text($0)) s" }
                ?? "afterwards, the daemon did not stop within \(Int(stopSecondsMax)) s of SIGTERM, and was killed")
        return figures.flatMap(\.all) + [slowest]
    }

    /// The interval in which systemd restarts a daemon that does not report, from the unit.
    private static func watchdogSeconds() throws(Failure) -> Double {
        let unit = try ProcessFacts.text("\(Arguments.project)/systemd/user/notesd.service")
        let line = unit.split(separator: "\n").first { $0.hasPrefix("WatchdogSec=") }
        guard let text = line?.dropFirst("WatchdogSec=".count), text.hasSuffix("s"), let seconds = Double(text.dropLast()) else {
            throw Failure("systemd/user/notesd.service has no WatchdogSec in seconds")
        }
        return seconds
    }
}
