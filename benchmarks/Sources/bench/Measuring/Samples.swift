/// Measured values in order of arrival.
struct Samples {
    private(set) var values: [Double]

    init(_ values: [Double] = []) {
        self.values = values
    }

    mutating func add(_ value: Double) {
        values.append(value)
    }

    mutating func add(_ others: Samples) {
        values += others.values
    }

    var isEmpty: Bool { values.isEmpty }
    var mean: Double { values.reduce(0, +) / Double(values.count) }
    var median: Double { quantile(0.5) }
    var least: Double { values.min() ?? .nan }
    var greatest: Double { values.max() ?? .nan }

    /// The value that `part` of all values are at or below, by nearest rank. NaN without values.
    func quantile(_ part: Double) -> Double {
        guard !values.isEmpty else { return .nan }
        let rank = Int((part * Double(values.count)).rounded(.up)) - 1
        return values.sorted()[max(0, min(values.count - 1, rank))]
    }
}
