import Foundation

/// The results as JSON.
struct Report: Encodable {
    let machine: Machine
    let peers: [Peer]
    let figures: [Figure]

    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(self)
    }
}

extension Samples: Encodable {
    func encode(to encoder: any Encoder) throws {
        try values.encode(to: encoder)
    }
}

extension Figure: Encodable {
    private enum Key: String, CodingKey {
        case name, unit, values, daemonCores, benchCores, coreSecondsEach, remarks, yardsticks
    }

    func encode(to encoder: any Encoder) throws {
        var written = encoder.container(keyedBy: Key.self)
        try written.encode(name, forKey: .name)
        try written.encode(unit.rawValue, forKey: .unit)
        try written.encode(values, forKey: .values)
        try written.encode(daemonCores, forKey: .daemonCores)
        try written.encode(ownCores, forKey: .benchCores)
        try written.encodeIfPresent(coreSecondsEach, forKey: .coreSecondsEach)
        try written.encode(remarks, forKey: .remarks)
        try written.encode(yardsticks.map { WrittenYardstick($0, of: self) }, forKey: .yardsticks)
    }
}

/// The JSON form of a yardstick.
private struct WrittenYardstick: Encodable {
    let name: String
    let values: Samples
    let ratios: Samples
    let ratioMedian: Double?
    /// The target, such as `≥ 2`.
    let reach: String?
    let isMet: Bool?
    let lack: String?
    let cores: Samples
    let benchCores: Samples
    let coreSecondsEach: Double?

    init(_ yardstick: Yardstick, of figure: Figure) {
        name = yardstick.name
        values = yardstick.values
        ratios = yardstick.ratios
        ratioMedian = yardstick.ratios.isEmpty ? nil : yardstick.ratios.median
        reach = Table.reach(yardstick, of: figure)
        isMet = figure.isMet(yardstick)
        lack = yardstick.lack
        cores = yardstick.processCores
        benchCores = yardstick.ownCores
        coreSecondsEach = figure.coreSecondsEach(of: yardstick)
    }
}
