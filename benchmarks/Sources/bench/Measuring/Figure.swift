/// One thing that is measured, beside yardsticks that the same machine was held to in the same round.
struct Figure {
    enum Unit: String {
        case perSecond = "/s"
        case milliseconds = "ms"
        case megabytes = "MB"
        case bytes = "B"

        /// Whether more of it is better. Ratios are this over that whatever the unit, so it says which way a reach goes.
        var isBetterWhenGreater: Bool { self == .perSecond }
    }

    let name: String
    let unit: Unit
    private(set) var values = Samples()
    private(set) var yardsticks: [Yardstick]
    /// Cores that the daemon and this program kept busy while the value was measured.
    private(set) var daemonCores = Samples()
    private(set) var ownCores = Samples()
    /// What else was seen, for a person.
    var remarks: [String] = []

    init(_ name: String, _ unit: Unit, beside yardsticks: Yardstick...) {
        self.name = name
        self.unit = unit
        self.yardsticks = yardsticks
    }

    /// Beside one thing, with nothing to reach.
    init(_ name: String, _ unit: Unit, yardstick: String) {
        self.init(name, unit, beside: Yardstick(yardstick))
    }

    /// What the daemon spends on each, in seconds of a core: a machine that is busy with other things changes it little. Nil where
    /// it makes no sense.
    var coreSecondsEach: Double? {
        guard unit == .perSecond, !daemonCores.isEmpty else { return nil }
        var each = Samples()
        for (cores, rate) in zip(daemonCores.values, values.values) { each.add(cores / rate) }
        return each.median
    }

    /// Whether the median of the ratios gets as far as it should. Nil where nobody asked, or nothing was there to stand beside.
    func isMet(_ yardstick: Yardstick) -> Bool? {
        guard let reach = yardstick.reach, !yardstick.ratios.isEmpty else { return nil }
        let ratio = yardstick.ratios.median
        return unit.isBetterWhenGreater ? ratio >= reach : ratio <= reach
    }

    /// - Parameter others: one for each yardstick, in their order; nil where it lacks what it needs.
    mutating func addRound(_ measured: Measured, beside others: Measured?...) {
        precondition(others.count == yardsticks.count, "a round has a value for each yardstick")
        values.add(measured.value)
        for (index, other) in others.enumerated() {
            if let other { yardsticks[index].addRound(other, beside: measured.value) }
        }
        guard let cores = measured.cores else { return }
        daemonCores.add(cores.process)
        ownCores.add(cores.own)
    }

    /// Beside one thing.
    mutating func addRound(_ value: Double, yardstick: Double, cores: Cores? = nil) {
        addRound(Measured(value: value, cores: cores), beside: Measured(value: yardstick))
    }
}
