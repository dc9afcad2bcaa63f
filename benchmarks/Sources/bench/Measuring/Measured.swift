import Glibc

/// A value of one round, and the cores that were kept busy for it, where that says something.
struct Measured {
    let value: Double
    var cores: Cores?
}

extension Measured {
    /// What `body` returns, and the cores that a process keeps busy meanwhile.
    init(of pid: pid_t, hasChildren: Bool = false, _ body: () throws(Failure) -> Double) throws(Failure) {
        let meter = try CoreMeter(of: pid, hasChildren: hasChildren)
        value = try body()
        cores = try meter.read()
    }

    /// Of several turns that took the same time each. Nil where there was none.
    init?(meanOf turns: [Measured]) {
        guard let first = turns.first else { return nil }
        value = turns.map(\.value).reduce(0, +) / Double(turns.count)
        cores = first.cores.map { first in turns.dropFirst().compactMap(\.cores).reduce(first, +) }
    }
}
