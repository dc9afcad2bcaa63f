/// From the moment at which a writer sends a save to the moment at which a watcher has read the line about it: one writer, one
/// watcher, one save at a time.
enum Latency {
    static func measure(_ context: Context) throws(Failure) -> [Figure] {
        let scratch = try context.scratch()
        let disk = try DiskYardstick(in: scratch)
        let daemon = try context.daemon(in: scratch)
        let writer = try daemon.client()
        let watcher = try daemon.client()
        let made = try writer.call(.createNote(json: SampleText.json(0)))
        var pair = WriterAndWatcher(
            writer: writer, watcher: watcher, note: try made.required(Keys.id), version: try made.required(Keys.version))
        _ = try watcher.watch(.watchNotes(ids: [pair.note]))
        let sizes = try pair.save().sizes
        let echo = try EchoYardstick(requestBytes: sizes.request, answerBytes: sizes.line, disk: disk)
        let yardstick = "write + fdatasync of the request, and a socket round trip"
        var middle = Figure("save to notified, p50", .milliseconds, yardstick: yardstick + ", p50")
        var slow = Figure("save to notified, p99", .milliseconds, yardstick: yardstick + ", p99")
        for _ in 0..<context.rounds {
            let least = try echo.rounds(for: context.roundSeconds / 2)
            let meter = try CoreMeter(daemon: daemon.pid)
            var samples = Samples()
            let end = seconds() + context.roundSeconds
            while seconds() < end { samples.add(try pair.save().time) }
            let cores = try meter.read()
            middle.addRound(samples.median * 1e3, yardstick: least.median * 1e3, cores: cores)
            slow.addRound(samples.quantile(0.99) * 1e3, yardstick: least.quantile(0.99) * 1e3, cores: cores)
        }
        try daemon.stop()
        return [middle, slow]
    }
}

private struct WriterAndWatcher {
    let writer: Client
    let watcher: Client
    let note: String
    var version: String
    private var number = 0

    init(writer: Client, watcher: Client, note: String, version: String) {
        self.writer = writer
        self.watcher = watcher
        self.note = note
        self.version = version
    }

    /// Bytes that went in, and came out at the watcher's.
    struct Sizes {
        let request: Int
        let line: Int
    }

    mutating func save() throws(Failure) -> (time: Double, sizes: Sizes) {
        number += 1
        let request = Request.saveNote(note, base: version, json: SampleText.json(number))
        let requestBytes = request.line(id: number).count
        let start = seconds()
        try writer.send(request)
        let line = try watcher.next()
        let time = seconds() - start
        version = try writer.next().result().required(Keys.version)
        guard try line.required(Keys.version) == version else { throw Failure("the watcher was told of another version") }
        return (time, Sizes(request: requestBytes, line: line.line.count + 1))
    }
}
