import Foundation

/// A store with very many notes: filling it, listing it, and catching up with it.
struct LargeStore {
    let scratch: Scratch
    /// The first notes, with their newest versions.
    private var notes: [(id: String, version: String)] = []
    private static let caughtUp = 1_000
    private static let page = 100

    init(_ context: Context) throws(Failure) {
        scratch = try context.scratch()
    }

    /// Creates the notes on one connection that has 256 requests on their way, as an import would.
    mutating func fill(_ context: Context) throws(Failure) -> [Figure] {
        let inFlight = 256
        let disk = try DiskYardstick(in: scratch)
        let daemon = try context.daemon(in: scratch)
        let client = try daemon.client()
        var figure = Figure(
            "notes created, \(inFlight) requests in flight", .perSecond,
            yardstick: "write + fdatasync of \(inFlight) × 1 kB, times \(inFlight)")
        let bytes = [UInt8](repeating: 0x2e, count: inFlight * SampleText.bytes)
        for round in 0..<context.rounds {
            let syncs = try disk.perSecond(bytes, for: context.roundSeconds / 4)
            let meter = try CoreMeter(daemon: daemon.pid)
            let start = seconds()
            let range = (round * context.notes / context.rounds)..<((round + 1) * context.notes / context.rounds)
            try create(range, on: client, inFlight: inFlight)
            let rate = Double(range.count) / (seconds() - start)
            figure.addRound(rate, yardstick: syncs * Double(inFlight), cores: try meter.read())
        }
        let size = try daemon.stop()
        var room = Figure("store on disk, per note", .bytes, yardstick: "the text of a note")
        room.addRound(Double(size) / Double(context.notes), yardstick: Double(SampleText.bytes))
        return [figure, room]
    }

    private mutating func create(_ range: Range<Int>, on client: Client, inFlight: Int) throws(Failure) {
        var (sent, answered) = (range.lowerBound, range.lowerBound)
        while answered < range.upperBound {
            // Half of what may be on its way at a time, so that neither side waits for the other.
            if sent - answered <= inFlight / 2, sent < range.upperBound {
                let next = sent..<min(sent + inFlight / 2, range.upperBound)
                try client.send(next.map { .createNote(json: SampleText.json($0), name: "bench/\($0 / 1_000)/\($0)") })
                sent = next.upperBound
            }
            let made = try client.next().result()
            answered += 1
            if notes.count < Self.caughtUp {
                notes.append((try made.required(Keys.id), try made.required(Keys.version)))
            }
        }
    }

    /// Pages of a list, and a watch that goes on from a cursor 1,000 changes ago.
    func read(_ context: Context) throws(Failure) -> [Figure] {
        let daemon = try context.daemon(in: scratch)
        let client = try daemon.client()
        let middle = try pageInTheMiddle(client, of: context)
        let list = try measureList(middle, on: client, of: daemon, context)
        let catchUp = try measureCatchUp(client, of: daemon, context)
        let memory = Double(try ProcessFacts.memory(of: daemon.pid).rss) / 1e6
        try daemon.stop()
        var last = catchUp
        last.remarks.append("the daemon has \(memory.formatted(.number.precision(.fractionLength(1)))) MB of memory behind this")
        return [list, last]
    }

    /// Where the page half-way through the list starts.
    private func pageInTheMiddle(_ client: Client, of context: Context) throws(Failure) -> String {
        var next: String?
        for _ in 0..<(context.notes / 2 / Self.page) {
            next = try client.call(.listNotes(limit: Self.page, after: next)).required(Keys.next)
        }
        return next ?? ""
    }

    private func measureList(
        _ middle: String, on client: Client, of daemon: DaemonProcess, _ context: Context
    ) throws(Failure) -> Figure {
        let request = Request.listNotes(limit: Self.page, after: middle)
        let answer = try client.call(request)
        let echo = try EchoYardstick(
            requestBytes: request.line(id: 1).count, answerBytes: answer.line.count + 1, disk: nil)
        var figure = Figure(
            "page of \(Self.page) among \(context.notes.formatted()) notes, p50", .milliseconds,
            yardstick: "a socket round trip with an answer of \(answer.line.count.formatted()) bytes, p50")
        for _ in 0..<context.rounds {
            let least = try echo.rounds(for: context.roundSeconds / 8)
            let meter = try CoreMeter(daemon: daemon.pid)
            var samples = Samples()
            let end = seconds() + context.roundSeconds / 2
            while seconds() < end {
                let start = seconds()
                _ = try client.call(request)
                samples.add(seconds() - start)
            }
            figure.addRound(samples.median * 1e3, yardstick: least.median * 1e3, cores: try meter.read())
        }
        return figure
    }

    private func measureCatchUp(
        _ client: Client, of daemon: DaemonProcess, _ context: Context
    ) throws(Failure) -> Figure {
        let cursor = try client.call(.watchNotes(ids: [notes[0].id])).required(Keys.cursor)
        for start in stride(from: 0, to: notes.count, by: Self.page) {
            let some = notes[start..<min(start + Self.page, notes.count)]
            try client.send(some.map { .saveNote($0.id, base: $0.version, json: SampleText.json(999_999)) })
            var answers = 0
            while answers < some.count {
                let line = try client.next()
                if !line.isNotification {
                    _ = try line.result()
                    answers += 1
                }
            }
        }
        let request = Request.watchNotes(since: cursor)
        let bytes = try catchUp(request, daemon, changes: notes.count).bytes
        let echo = try EchoYardstick(requestBytes: request.line(id: 1).count, answerBytes: bytes, disk: nil)
        var figure = Figure(
            "catch-up of \(notes.count.formatted()) changes among \(context.notes.formatted()) notes", .milliseconds,
            yardstick: "a socket round trip with an answer of \(bytes.formatted()) bytes")
        for _ in 0..<context.rounds {
            let least = try echo.rounds(for: context.roundSeconds / 8)
            var samples = Samples()
            let meter = try CoreMeter(daemon: daemon.pid)
            for _ in 0..<5 { samples.add(try catchUp(request, daemon, changes: notes.count).time) }
            figure.addRound(samples.median * 1e3, yardstick: least.median * 1e3, cores: try meter.read())
        }
        return figure
    }

    /// From the request to the line that says that all has come, on a connection of its own.
    private func catchUp(
        _ request: Request, _ daemon: DaemonProcess, changes: Int
    ) throws(Failure) -> (time: Double, bytes: Int) {
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
        guard lines == changes else { throw Failure("\(lines) of \(changes) changes came") }
        return (seconds() - start, bytes)
    }
}
