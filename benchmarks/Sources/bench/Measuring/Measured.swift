import Glibc

/// A value of one round, and the cores that were busy for it where that is meaningful.
struct Measured {
    let value: Double
    var cores: Cores?
    /// Number of operations that the cores were busy for. Nil if the value is a rate over exactly
    /// that time.
    var operations: Int?

    /// Seconds of a core that the measured process spent on each operation. Nil without cores or
    /// without an operation.
    var coreSecondsEach: Double? {
        guard let cores else { return nil }
        let count = operations.map(Double.init) ?? value * cores.seconds
        return count > 0 ? cores.processSeconds / count : nil
    }
}

/// The result of a load of many operations.
struct LoadRate {
    let perSecond: Double
    let operations: Int
}

extension Measured {
    /// Measures the value that `body` returns, and the cores that a process keeps busy meanwhile.
    init(of pid: pid_t, hasChildren: Bool = false, _ body: () throws(Failure) -> Double) throws(Failure) {
        let meter = try CoreMeter(of: pid, hasChildren: hasChildren)
        value = try body()
        cores = try meter.read()
    }

    /// Measures the rate of a load, which may start and end later than the time in which the cores
    /// are counted, as that of a separate program does.
    init(
        ofLoadOn pid: pid_t, hasChildren: Bool = false, _ load: () throws(Failure) -> LoadRate
    ) throws(Failure) {
        let meter = try CoreMeter(of: pid, hasChildren: hasChildren)
        let rate = try load()
        value = rate.perSecond
        cores = try meter.read()
        operations = rate.operations
    }

    /// The mean of turns of equal length. Nil without a turn.
    init?(meanOf turns: [Measured]) {
        guard let first = turns.first else { return nil }
        value = turns.map(\.value).reduce(0, +) / Double(turns.count)
        cores = first.cores.map { first in turns.dropFirst().compactMap(\.cores).reduce(first, +) }
        let counts = turns.compactMap(\.operations)
        operations = counts.count == turns.count ? counts.reduce(0, +) : nil
    }
}
