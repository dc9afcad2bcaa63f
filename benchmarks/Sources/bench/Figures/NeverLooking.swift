import Foundation

/// The cost of edits when one writer never reads another's changes, for 10,000 edits, compared with
/// the cost for a writer alone.
enum NeverLooking {
    private static let writes = 10_000
    /// A run ends after this time, and the figure says so.
    private static let secondsMax = 150.0

    /// - Parameter tell: Receives each figure as soon as it is measured; some take minutes.
    static func measure(_ context: Context, tell: (Figure) -> Void) throws(Failure) {
        for saves in [0, Storms.saves] { try measure(saves: saves, context).forEach(tell) }
    }

    /// Alternates a writer that continues from its own text alone with one that looks after each
    /// write.
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
        return [("a writer that never looks", blindLog), ("the other writer", lookingLog)].flatMap { name, log in
            let title = "\(name)\(Storms.mixed(saves)), an edit"
            var times = Figure("\(title), mean", .milliseconds, yardstick: "an edit of a writer alone, mean")
            times.addRound(log.mean * 1e3, yardstick: alone.mean * 1e3)
            times.remarks = [
                "\(log.count.formatted()) writes\(log.count < writes ? ", then ended after \(Int(secondsMax)) s" : "")"
            ]
            times.remarks += log.remarks
            var work = Figure("\(title), CPU time", .milliseconds, yardstick: "the same of a writer alone")
            work.addRound(log.coresMean * 1e3, yardstick: alone.coresMean * 1e3)
            let ratios = log.coresEach.map { $0 / alone.coresMean / 1e3 }
            work.remarks = ["times a writer alone, by tenths: \(TenthsLog.list(ratios))"]
            return [times, work]
        }
    }

    /// The costs of a writer alone, as the yardstick.
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
