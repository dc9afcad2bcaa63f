/// The costs of many writes in order, to compare the last tenth with the first.
struct TenthsLog {
    private let writes: Int
    private var times: [Double] = []
    private var cores: [Double] = []
    private var bytes: [Double] = []

    /// - Parameter writes: Expected number of writes. If fewer arrive, the tenths are of those.
    init(writes: Int) {
        self.writes = writes
        times.reserveCapacity(writes)
        cores.reserveCapacity(writes)
        bytes.reserveCapacity(writes)
    }

    var count: Int { times.count }
    /// Mean time of a write, in seconds.
    var mean: Double { Samples(times).mean }
    /// Mean CPU time of a write in the daemon, in seconds of a core.
    var coresMean: Double { Samples(cores).mean }
    var tenths: [Samples] { tenths(of: times) }
    /// Mean CPU time of a write in the daemon in each tenth, in milliseconds of a core.
    var coresEach: [Double] { tenths(of: cores).map { $0.mean * 1e3 } }

    /// - Parameter bytes: Length of the response.
    mutating func add(_ cost: Cost, bytes: Int) {
        times.append(cost.seconds)
        cores.append(cost.coreSeconds)
        self.bytes.append(Double(bytes))
    }

    private func tenths(of values: [Double]) -> [Samples] {
        (0..<10).map { Samples(Array(values[($0 * count / 10)..<(($0 + 1) * count / 10)])) }
    }

    var remarks: [String] {
        [
            "p50 by tenths: \(Self.list(tenths.map { $0.median * 1e3 })) ms",
            "p99 by tenths: \(Self.list(tenths.map { $0.quantile(0.99) * 1e3 })) ms",
            "bytes of a response by tenths: \(Self.list(tenths(of: bytes).map(\.mean)))",
        ]
    }

    static func list(_ values: [Double]) -> String {
        values.map(Table.text).joined(separator: " ")
    }
}
