import Foundation

/// One never looks at what another writes, for 10,000 edits: what each edit costs both, beside what it costs when only one writes.
enum NeverLooking {
    private static let writes = 10_000
    /// What takes longer ends there, and it is said.
    private static let secondsMax = 150.0

    /// - Parameter tell: takes each figure as it comes: some take minutes.
    static func measure(_ context: Context, tell: (Figure) -> Void) throws(Failure) {
        for saves in [0, Storms.saves] { try measure(saves: saves, context).forEach(tell) }
    }

    /// One goes on from its own text alone, the other looks after each of its writes. They take turns.
    private static func measure(saves: Double, _ context: Context) throws(Failure) -> [Figure] {
        let daemon = try context.daemon(in: try context.scratch())
        let text = Typist.paragraph(Storms.paragraph)
        let alone = try sequential(saves: saves, of: daemon, text: text)
        let blindClient = try daemon.client()
        let lookingClient = try daemon.client()
        var blind = try Typist(on: blindClient, text: text, seed: 1)
        var looking = Typist(note: blind.note, version: blind.version, text: text, seed: 2)
        var (blindLog, lookingLog) = (TenthsLog(writes: writes), TenthsLog(writes: writes))
        let end = seconds() + secondsMax
        for _ in 0..<writes where seconds() < end {
            let own = try Cost.of(blind.write(saves: saves), on: blindClient, of: daemon)
            try blind.stay(after: own.answer)
            blindLog.add(own.cost, bytes: own.answer.line.count)
            let other = try Cost.of(looking.write(saves: saves), on: lookingClient, of: daemon)
            try looking.look(at: other.answer)
            lookingLog.add(other.cost, bytes: other.answer.line.count)
        }
        try daemon.stop()
        return [("one who never looks", blindLog), ("one beside who never looks", lookingLog)].flatMap { name, log in
            let title = "\(name)\(Storms.mixed(saves)), an edit"
            var times = Figure("\(title), mean", .milliseconds, yardstick: "an edit when only one writes, mean")
            times.addRound(log.mean * 1e3, yardstick: alone.mean * 1e3)
            times.remarks = [
                "\(log.count.formatted()) writes\(log.count < writes ? ", all that came in \(Int(secondsMax)) s" : "")"
            ]
            times.remarks += log.remarks
            var work = Figure("\(title), time of a core", .milliseconds, yardstick: "the same when only one writes")
            work.addRound(log.coresMean * 1e3, yardstick: alone.coresMean * 1e3)
            let ratios = log.coresEach.map { $0 / alone.coresMean / 1e3 }
            work.remarks = ["times that of one who writes alone, by tenths: \(TenthsLog.list(ratios))"]
            return [times, work]
        }
    }

    /// One alone, before.
    private static func sequential(saves: Double, of daemon: DaemonProcess, text: [UInt8]) throws(Failure) -> TenthsLog {
        let client = try daemon.client()
        var typist = try Typist(on: client, text: text, seed: 3)
        var log = TenthsLog(writes: 2_000)
        for _ in 0..<2_000 {
            let write = try Cost.of(typist.write(saves: saves), on: client, of: daemon)
            try typist.stay(after: write.answer)
            log.add(write.cost, bytes: write.answer.line.count)
        }
        return log
    }
}
