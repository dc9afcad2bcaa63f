/// What a figure stands beside: the same done by something else, on the same machine in the same round.
struct Yardstick {
    let name: String
    /// How far the ratio should get: at least so far for a rate, at most for anything else. Nil: nobody asked for it.
    let reach: Double?
    /// Why there is nothing to stand beside; nil where there is.
    let lack: String?
    private(set) var values = Samples()
    /// Of each round: the figure's value over this one's.
    private(set) var ratios = Samples()
    /// Cores that it and this program kept busy for it.
    private(set) var processCores = Samples()
    private(set) var ownCores = Samples()

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
    }
}
