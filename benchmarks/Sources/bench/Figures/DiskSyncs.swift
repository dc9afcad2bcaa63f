/// How long the disk's own `fdatasync` takes, at p50 and p99 of each round: the part of a save's
/// time that no server can avoid.
struct DiskSyncs {
    private var figures: [(part: Double, figure: Figure)]

    /// - Parameter bytes: Words for the number of bytes written before each sync.
    init(of bytes: String) {
        figures = [0.5, 0.99].map { part in
            (part, Figure("the disk's own fdatasync of \(bytes), p\(Int(part * 100))", .milliseconds))
        }
    }

    /// - Parameter syncs: Durations in seconds.
    mutating func addRound(_ syncs: Samples) {
        for index in figures.indices {
            figures[index].figure.addRound(Measured(value: syncs.quantile(figures[index].part) * 1e3))
        }
    }

    var all: [Figure] { figures.map(\.figure) }
}
