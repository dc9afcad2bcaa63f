import Foundation

/// Several write into one paragraph at once: what an edit costs at the end beside what it cost at the start.
enum Storms {
    static let paragraph = 1_024
    /// So often must a writer look, at least, and just so often do they.
    private static let lookEvery = 100
    static let saves = 0.1
    /// A storm that takes longer ends there, and it is said.
    private static let secondsMax = 60.0

    /// - Parameter tell: takes each figure as it comes: some take minutes.
    static func measure(_ context: Context, tell: (Figure) -> Void) throws(Failure) {
        for saves in [0, saves] {
            for writers in [2, 3, 6] { try storm(writers, saves: saves, context).forEach(tell) }
        }
    }

    /// Each on a connection of its own, one write at a time each, all at once.
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
        times.remarks = ["\(log.count.formatted()) writes\(log.count < writes ? ", all that came in \(Int(secondsMax)) s" : "")"]
        times.remarks += log.remarks
        let cores = log.coresEach
        var work = Figure(
            "\(title), time of a core", .milliseconds, yardstick: "one in the first tenth, the daemon's time of a core")
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
        /// Writes since it last looked. They do not all look at the same time.
        var blind: Int
    }

    private var writers: [Writer] = []
    private let poller: Poller
    private let daemon: DaemonProcess
    private(set) var log = TenthsLog(writes: 0)
    /// What the daemon had used when the last answer came.
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
