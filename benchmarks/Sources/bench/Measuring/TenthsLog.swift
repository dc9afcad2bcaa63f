/// What many writes cost, in their order: does one in the last tenth cost what one in the first did?
struct TenthsLog {
    private let writes: Int
    private var times: [Double] = []
    private var cores: [Double] = []
    private var bytes: [Double] = []

    /// - Parameter writes: how many there will be. There may come fewer; tenths are of those that came.
    init(writes: Int) {
        self.writes = writes
        times.reserveCapacity(writes)
        cores.reserveCapacity(writes)
        bytes.reserveCapacity(writes)
    }

    var count: Int { times.count }
    /// In seconds.
    var mean: Double { Samples(times).mean }
    /// In seconds of a core.
    var coresMean: Double { Samples(cores).mean }
    var tenths: [Samples] { tenths(of: times) }
    /// The daemon's milliseconds of a core, a write, in each tenth.
    var coresEach: [Double] { tenths(of: cores).map { $0.mean * 1e3 } }

    /// - Parameter bytes: of the answer.
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
            "bytes of an answer by tenths: \(Self.list(tenths(of: bytes).map(\.mean)))",
        ]
    }

    static func list(_ values: [Double]) -> String {
        values.map(Table.text).joined(separator: " ")
    }
}
