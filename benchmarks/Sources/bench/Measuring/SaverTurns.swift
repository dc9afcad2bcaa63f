/// A server's turns under the benchmark's own load.
struct SaverTurns {
    private(set) var turns: [Measured] = []
    /// Times until the response, in seconds.
    private(set) var times = Samples()
    private var writtenBytes = 0

    mutating func add(_ savers: Savers, of pid: Int32, for time: Double = .infinity, most: Int = .max) throws(Failure) {
        let written = try ProcessFacts.writtenBytes(of: pid)
        turns.append(try Measured(ofLoadOn: pid) { () throws(Failure) in try savers.run(for: time, most: most) })
        writtenBytes += try ProcessFacts.writtenBytes(of: pid) - written
        times.add(savers.times)
    }

    /// Nil without a turn.
    var bytesEach: Double? { times.isEmpty ? nil : Double(writtenBytes) / Double(times.values.count) }

    /// The p99 in milliseconds. Nil without a turn.
    var p99: Measured? {
        times.isEmpty
            ? nil : Measured(value: times.quantile(0.99) * 1e3, cores: Measured(meanOf: turns)?.cores)
    }
}
