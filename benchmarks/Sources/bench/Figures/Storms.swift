import Foundation

/// Many write into one paragraph at once: what an edit costs at the end beside what it cost at the start; and what it costs when
/// one never looks at what another writes, beside what it costs when only one writes.
enum Storms {
    private static let paragraph = 1_024
    /// So often must a writer look, at least, and just so often do they.
    private static let lookEvery = 100
    private static let edits = 18_000
    private static let blindEdits = 10_000
    private static let saves = 0.1
    /// A storm that takes longer ends there, and it is said.
    private static let secondsMax = 120.0

    static func measure(_ context: Context) throws(Failure) -> [Figure] {
        var figures: [Figure] = []
        for saves in [0, saves] {
            for writers in [2, 3, 6] { figures.append(try storm(writers, saves: saves, context)) }
        }
        for saves in [0, saves] { figures += try oneWhoNeverLooks(saves: saves, context) }
        return figures
    }

    /// Each on a connection of its own, one write at a time each, all at once.
    private static func storm(_ count: Int, saves: Double, _ context: Context) throws(Failure) -> Figure {
        let daemon = try context.daemon(in: try context.scratch())
        var storm = try Storm(count, of: daemon, text: Typist.paragraph(paragraph))
        try storm.run(writes: edits, lookEvery: lookEvery, saves: saves, secondsMax: secondsMax)
        try daemon.stop()
        let title = "storm of \(count) writers\(mixed(saves)), an edit in the last tenth, p50"
        var figure = Figure(title, .milliseconds, yardstick: "one in the first tenth, p50")
        let tenths = storm.log.tenths
        figure.addRound(tenths[9].median * 1e3, yardstick: tenths[0].median * 1e3)
        figure.remarks =
            [
                "\(storm.log.count.formatted()) writes\(storm.log.count < edits ? ", all that came in \(Int(secondsMax)) s" : "")"
            ] + storm.log.remarks
        return figure
    }

    /// One goes on from its own text alone, the other looks after each of its writes. They take turns.
    private static func oneWhoNeverLooks(saves: Double, _ context: Context) throws(Failure) -> [Figure] {
        let daemon = try context.daemon(in: try context.scratch())
        let text = Typist.paragraph(paragraph)
        let alone = try sequential(saves: saves, on: try daemon.client(), text: text)
        let blindClient = try daemon.client()
        let lookingClient = try daemon.client()
        var blind = try Typist(on: blindClient, text: text, seed: 1)
        var looking = Typist(note: blind.note, version: blind.version, text: text, seed: 2)
        var (blindLog, lookingLog) = (TenthsLog(writes: blindEdits), TenthsLog(writes: blindEdits))
        let end = seconds() + secondsMax * 2
        for _ in 0..<blindEdits where seconds() < end {
            let own = try timed(blind.write(saves: saves), on: blindClient)
            try blind.stay(after: own.answer)
            try blindLog.add(own.time, bytes: own.answer.line.count, of: daemon)
            let other = try timed(looking.write(saves: saves), on: lookingClient)
            try looking.look(at: other.answer)
            try lookingLog.add(other.time, bytes: other.answer.line.count, of: daemon)
        }
        try daemon.stop()
        let ended =
            blindLog.count < blindEdits
            ? ["only \(blindLog.count.formatted()) writes of each came in \(Int(secondsMax * 2)) s"] : []
        return [("one who never looks", blindLog), ("one who writes beside it", lookingLog)].map { name, log in
            var figure = Figure(
                "\(name)\(mixed(saves)), an edit, mean", .milliseconds, yardstick: "an edit when only one writes, mean")
            figure.addRound(log.mean * 1e3, yardstick: alone.mean * 1e3)
            figure.remarks = ended + log.remarks(beside: alone)
            return figure
        }
    }

    /// One alone, before.
    private static func sequential(saves: Double, on client: Client, text: [UInt8]) throws(Failure) -> Samples {
        var typist = try Typist(on: client, text: text, seed: 3)
        var samples = Samples()
        for _ in 0..<2_000 {
            let write = try timed(typist.write(saves: saves), on: client)
            try typist.stay(after: write.answer)
            samples.add(write.time)
        }
        return samples
    }

    private static func timed(_ request: Request, on client: Client) throws(Failure) -> (time: Double, answer: Answer) {
        let start = seconds()
        let answer = try client.call(request)
        return (seconds() - start, answer)
    }

    private static func mixed(_ saves: Double) -> String {
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
        let end = seconds() + secondsMax
        for index in writers.indices { try write(index, saves: saves) }
        var waiting = writers.count
        while waiting > 0 {
            for index in try poller.wait(milliseconds: 1_000) {
                guard let answer = try writers[index].client.nextIfThere()?.result() else { continue }
                try log.add(seconds() - writers[index].start, bytes: answer.line.count, of: daemon)
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

    private mutating func take(_ answer: Answer, by index: Int, lookEvery: Int) throws(Failure) {
        writers[index].blind += 1
        if writers[index].blind >= lookEvery {
            writers[index].blind = 0
            try writers[index].typist.look(at: answer)
        } else {
            try writers[index].typist.stay(after: answer)
        }
    }
}
