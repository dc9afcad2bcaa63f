/// One thing that is measured, beside a yardstick that the same machine was held to in the same round.
struct Figure {
    enum Unit: String {
        case perSecond = "/s"
        case milliseconds = "ms"
        case megabytes = "MB"
        case bytes = "B"
    }

    let name: String
    let unit: Unit
    /// What the yardstick does.
    let yardstick: String
    private(set) var values = Samples()
    private(set) var yardsticks = Samples()
    /// Of each round: the value over the yardstick's.
    private(set) var ratios = Samples()
    /// Cores that the daemon and this program kept busy while the value was measured.
    private(set) var daemonCores = Samples()
    private(set) var ownCores = Samples()
    /// What else was seen, for a person.
    var remarks: [String] = []

    init(_ name: String, _ unit: Unit, yardstick: String) {
        self.name = name
        self.unit = unit
        self.yardstick = yardstick
    }

    /// What the daemon spends on each, in seconds of a core: a machine that is busy with other things changes it little. Nil where
    /// it makes no sense.
    var coreSecondsEach: Double? {
        guard unit == .perSecond, !daemonCores.isEmpty else { return nil }
        var each = Samples()
        for (cores, rate) in zip(daemonCores.values, values.values) { each.add(cores / rate) }
        return each.median
    }

    mutating func addRound(_ value: Double, yardstick: Double, cores: Cores? = nil) {
        values.add(value)
        yardsticks.add(yardstick)
        ratios.add(value / yardstick)
        guard let cores else { return }
        daemonCores.add(cores.daemon)
        ownCores.add(cores.own)
    }
}
