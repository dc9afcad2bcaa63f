import Foundation

/// Several clients write into one paragraph at once: the cost of an edit in the last tenth compared
/// with one in the first.
enum Storms {
    static let paragraph = 1_024
    /// A writer looks at other writers' changes after this many writes, the least that a client
    /// must do.
    private static let lookEvery = 100
    static let saves = 0.1
    /// A storm ends after this time, and the figure says so.
    private static let secondsMax = 60.0

    /// - Parameter tell: Receives each figure as soon as it is measured; some take minutes.
    static func measure(_ context: Context, tell: (Figure) -> Void) throws(Failure) {
        for saves in [0, saves] {
            for writers in [2, 3, 6] { try storm(writers, saves: saves, context).forEach(tell) }
        }
    }

    /// Runs all writers at once, each on its own connection with one write at a time.
    private static func storm(_ count: Int, saves: Double, _ context: Context) throws(Failure) -> [Figure] {
        let daemon = try context.daemon(in: try context.scratch())
        let writes = count * context.stormWrites
        var storm = try Storm(count, of: daemon, text: Typist.paragraph(paragraph))
        try storm.run(writes: writes, lookEvery: lookEvery, saves: saves, secondsMax: secondsMax)
        try daemon.stop()
        let log = storm.log
        let title = "storm of \(count)\(mixed(saves)), an edit in the last tenth"
        var times = Figure("\(title), p50", .milliseconds, yardstick: "one in the first tenth, p50")
        times.addRound(log.tenths[9].median * 1e3, yardstick: log.tenths[0].median * 1e3)
        times.remarks = ["\(log.count.formatted()) writes\(log.count < writes ? ", then ended after \(Int(secondsMax)) s" : "")"]
        times.remarks += log.remarks
        let cores = log.coresEach
        var work = Figure(
            "\(title), CPU time", .milliseconds, yardstick: "one in the first tenth, CPU time in the daemon")
        work.addRound(cores.last ?? .nan, yardstick: cores.first ?? .nan)
        work.remarks = ["by tenths: \(TenthsLog.list(cores)) ms"]
        return [times, work]
    }

    static func mixed(_ saves: Double) -> String {
        saves > 0 ? ", \(Int(saves * 100)) % whole saves" : ""
    }
}

/// Several writers in one note.
private struct Storm {
    private struct Writer {
        let client: Client
        var typist: Typist
        var start = 0.0
        /// Writes since the writer last looked. The writers do not all look at the same time.
        var blind: Int
    }

    private var writers: [Writer] = []
    private let poller: Poller
    private let daemon: DaemonProcess
    private(set) var log = TenthsLog(writes: 0)
    /// CPU time that the daemon had used at the last response, in seconds of a core.
    private var coreSeconds = 0.0

    init(_ count: Int, of daemon: DaemonProcess, text: [UInt8]) throws(Failure) {
        self.daemon = daemon
        poller = try Poller()
        let first = try daemon.client()
        let made = try Typist(on: first, text: text, seed: 0)
        for index in 0..<count {
            let client = index == 0 ? first : try daemon.client()
            let typist = Typist(note: made.note, version: made.version, text: text, seed: UInt64(index))
            writers.append(Writer(client: client, typist: typist, blind: index * 100 / count))
            try poller.add(client.descriptor, as: index)
        }
    }

    mutating func run(writes: Int, lookEvery: Int, saves: Double, secondsMax: Double) throws(Failure) {
        log = TenthsLog(writes: writes)
        coreSeconds = try ProcessFacts.coreSeconds(of: daemon.pid)
        let end = seconds() + secondsMax
        for index in writers.indices { try write(index, saves: saves) }
        var waiting = writers.count
        while waiting > 0 {
            for index in try poller.wait(milliseconds: 1_000) {
                guard let answer = try writers[index].client.nextIfThere()?.result() else { continue }
                let time = seconds() - writers[index].start
                let used = try ProcessFacts.coreSeconds(of: daemon.pid)
                log.add(Cost(seconds: time, coreSeconds: used - coreSeconds), bytes: answer.line.count)
                coreSeconds = used
                try take(answer, by: index, lookEvery: lookEvery)
                if log.count + waiting <= writes, seconds() < end { try write(index, saves: saves) } else { waiting -= 1 }
            }
        }
    }

    private mutating func write(_ index: Int, saves: Double) throws(Failure) {
        let request = writers[index].typist.write(saves: saves)
        writers[index].start = seconds()
        try writers[index].client.send(request)
    }

    private mutating func take(_ answer: Response, by index: Int, lookEvery: Int) throws(Failure) {
        writers[index].blind += 1
        if writers[index].blind >= lookEvery {
            writers[index].blind = 0
            try writers[index].typist.look(at: answer)
        } else {
            try writers[index].typist.stay(after: answer)
        }
    }
}
