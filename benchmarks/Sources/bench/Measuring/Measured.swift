import Glibc

/// A value of one round, and the cores that were busy for it where that is meaningful.
struct Measured {
    let value: Double
    var cores: Cores?
}

extension Measured {
    /// Measures the value that `body` returns, and the cores that a process keeps busy meanwhile.
    init(of pid: pid_t, hasChildren: Bool = false, _ body: () throws(Failure) -> Double) throws(Failure) {
        let meter = try CoreMeter(of: pid, hasChildren: hasChildren)
        value = try body()
        cores = try meter.read()
    }

    /// The mean of turns of equal length. Nil without a turn.
    init?(meanOf turns: [Measured]) {
        guard let first = turns.first else { return nil }
        value = turns.map(\.value).reduce(0, +) / Double(turns.count)
        cores = first.cores.map { first in turns.dropFirst().compactMap(\.cores).reduce(first, +) }
    }
}
