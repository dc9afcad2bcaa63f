/// One measured quantity with its yardsticks, all measured in the same rounds.
struct Figure {
    enum Unit: String {
        case perSecond = "/s"
        case milliseconds = "ms"
        case megabytes = "MB"
        case bytes = "B"

        /// Whether greater values are better, and with them greater ratios.
        var isBetterWhenGreater: Bool { self == .perSecond }
    }

    let name: String
    let unit: Unit
    private(set) var values = Samples()
    private(set) var yardsticks: [Yardstick]
    /// Cores that the daemon and this program kept busy while the value was measured.
    private(set) var daemonCores = Samples()
    private(set) var ownCores = Samples()
    private var eachSamples = Samples()
    /// Further observations for the reader.
    var remarks: [String] = []

    init(_ name: String, _ unit: Unit, beside yardsticks: Yardstick...) {
        self.name = name
        self.unit = unit
        self.yardsticks = yardsticks
    }

    /// Creates a figure with one yardstick and no target.
    init(_ name: String, _ unit: Unit, yardstick: String) {
        self.init(name, unit, beside: Yardstick(yardstick))
    }

    /// Seconds of a core that the daemon spends on each operation, which other work on the machine
    /// changes little. Nil if the figure is not a rate.
    var coreSecondsEach: Double? {
        unit == .perSecond && !eachSamples.isEmpty ? eachSamples.median : nil
    }

    /// Seconds of a core that a yardstick spends on each operation. Nil if the figure is not a rate or
    /// the cores of the yardstick were not measured.
    func coreSecondsEach(of yardstick: Yardstick) -> Double? {
        unit == .perSecond && !yardstick.coreSecondsEach.isEmpty ? yardstick.coreSecondsEach.median : nil
    }

    /// Whether the median ratio meets the target. Nil without a target or without a ratio.
    func isMet(_ yardstick: Yardstick) -> Bool? {
        guard let reach = yardstick.reach, !yardstick.ratios.isEmpty else { return nil }
        let ratio = yardstick.ratios.median
        return unit.isBetterWhenGreater ? ratio >= reach : ratio <= reach
    }

    /// - Parameter others: One value for each yardstick, in their order; nil if the yardstick is
    ///   missing.
    mutating func addRound(_ measured: Measured, beside others: Measured?...) {
        precondition(others.count == yardsticks.count, "a round has a value for each yardstick")
        values.add(measured.value)
        for (index, other) in others.enumerated() {
            if let other { yardsticks[index].addRound(other, beside: measured.value) }
        }
        guard let cores = measured.cores else { return }
        daemonCores.add(cores.process)
        ownCores.add(cores.own)
        if let each = measured.coreSecondsEach { eachSamples.add(each) }
    }

    /// Adds a round of a figure with one yardstick.
    mutating func addRound(_ value: Double, yardstick: Double, cores: Cores? = nil) {
        addRound(Measured(value: value, cores: cores), beside: Measured(value: yardstick))
    }
}
