/// Times of many writes in their order, and what the daemon used meanwhile: does the last tenth cost what the first did?
struct TenthsLog {
    private let writes: Int
    private var times = Samples()
    private var bytes = 0
    /// Behind each tenth: seconds of a core that the daemon has used, and bytes that it has answered.
    private var marks: [(cores: Double, bytes: Int)] = []

    /// - Parameter writes: how many there will be.
    init(writes: Int) {
        self.writes = writes
    }

    var count: Int { times.values.count }
    var mean: Double { times.mean }

    mutating func add(_ time: Double, bytes: Int, of daemon: DaemonProcess) throws(Failure) {
        if count * 10 >= writes * marks.count { marks.append((try ProcessFacts.coreSeconds(of: daemon.pid), self.bytes)) }
        times.add(time)
        self.bytes += bytes
        if count == writes { marks.append((try ProcessFacts.coreSeconds(of: daemon.pid), self.bytes)) }
    }

    /// Of those that came.
    var tenths: [Samples] {
        (0..<10).map { tenth in
            var samples = Samples()
            for time in times.values[(tenth * count / 10)..<((tenth + 1) * count / 10)] { samples.add(time) }
            return samples
        }
    }

    /// The daemon's milliseconds of a core, a write, in each tenth of those that should come.
    private var coresEach: [Double] {
        zip(marks, marks.dropFirst()).map { ($1.cores - $0.cores) / Double(writes) * 1e4 }
    }

    private var bytesEach: [Double] {
        zip(marks, marks.dropFirst()).map { Double($1.bytes - $0.bytes) / Double(writes) * 10 }
    }

    var remarks: [String] {
        [
            "p50 by tenths: \(list(tenths.map { $0.median * 1e3 })) ms",
            "p99 by tenths: \(list(tenths.map { $0.quantile(0.99) * 1e3 })) ms",
            "the daemon's time of a core each, by tenths: \(list(coresEach)) ms",
            "bytes an answer, by tenths: \(list(bytesEach))",
        ]
    }

    func remarks(beside alone: Samples) -> [String] {
        let ratios = tenths.map { $0.mean / alone.mean }
        return ["times the edit of one alone, by tenths: \(list(ratios))"] + remarks
    }

    private func list(_ values: [Double]) -> String {
        values.map(Report.text).joined(separator: " ")
    }
}
