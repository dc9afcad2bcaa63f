/// What a figure is compared with: another program that does the same work on the same machine in
/// the same round, or a fixed limit.
struct Yardstick {
    let name: String
    /// Target for the ratio: a lower bound for rates, an upper bound for anything else. Nil without
    /// a target.
    let reach: Double?
    /// Reason why the yardstick is missing; nil if it is present.
    let lack: String?
    private(set) var values = Samples()
    /// The figure's value over the yardstick's, for each round.
    private(set) var ratios = Samples()
    /// Cores that the yardstick and this program kept busy.
    private(set) var processCores = Samples()
    private(set) var ownCores = Samples()
    /// Seconds of a core that the yardstick spent on each operation, for each round.
    private(set) var coreSecondsEach = Samples()

    init(_ name: String, reach: Double? = nil, lack: String? = nil) {
        self.name = name
        self.reach = reach
        self.lack = lack
    }

    mutating func addRound(_ measured: Measured, beside value: Double) {
        values.add(measured.value)
        ratios.add(value / measured.value)
        guard let cores = measured.cores else { return }
        processCores.add(cores.process)
        ownCores.add(cores.own)
        if let each = measured.coreSecondsEach { coreSecondsEach.add(each) }
    }
}
