import Foundation

/// The figures as a table for people and as JSON for programs.
struct Report {
    let machine: Machine
    let figures: [Figure]

    static let heading = row("figure", "median", "least–greatest", "yardstick", "ratio", "least–greatest", "daemon", "bench")

    /// The lines of one figure.
    static func lines(_ figure: Figure) -> String {
        let unit = figure.unit == .perSecond ? "/s" : " \(figure.unit.rawValue)"
        let one = figure.values.values.count < 2
        let first = row(
            figure.name, text(figure.values.median) + unit, one ? "" : spread(figure.values),
            text(figure.yardsticks.median) + unit, text(figure.ratios.median) + "×", one ? "" : spread(figure.ratios),
            figure.daemonCores.isEmpty ? "" : text(figure.daemonCores.median),
            figure.ownCores.isEmpty ? "" : text(figure.ownCores.median))
        var remarks = ["beside: \(figure.yardstick)"] + figure.remarks
        if let each = figure.coreSecondsEach { remarks.append("\(text(each * 1e6)) µs of a core each, in the daemon") }
        return ([first] + remarks.map { "    \($0)" }).joined(separator: "\n")
    }

    private static func row(_ columns: String...) -> String {
        zip(columns, [56, 14, 19, 14, 8, 14, 7, 6]).map { column, width in
            let padding = String(repeating: " ", count: max(0, width - column.count))
            return width == 56 ? column + padding : padding + column
        }.joined(separator: " ")
    }

    private static func spread(_ samples: Samples) -> String {
        "\(text(samples.least))–\(text(samples.greatest))"
    }

    /// Three digits, or all before the point.
    static func text(_ value: Double) -> String {
        let digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3
        return value.formatted(
            .number.precision(.fractionLength(digits)).locale(Locale(identifier: "en_US_POSIX")).grouping(.automatic))
    }

    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(Written(machine: machine, figures: figures.map(Written.Entry.init)))
    }

    /// As it is written.
    private struct Written: Encodable {
        let machine: Machine
        let figures: [Entry]

        struct Entry: Encodable {
            let name: String
            let unit: String
            let yardstick: String
            let values: [Double]
            let yardsticks: [Double]
            let ratios: [Double]
            let ratioMedian: Double
            let daemonCores: [Double]
            let benchCores: [Double]
            let coreSecondsEach: Double?
            let remarks: [String]

            init(_ figure: Figure) {
                name = figure.name
                unit = figure.unit.rawValue
                yardstick = figure.yardstick
                values = figure.values.values
                yardsticks = figure.yardsticks.values
                ratios = figure.ratios.values
                ratioMedian = figure.ratios.median
                daemonCores = figure.daemonCores.values
                benchCores = figure.ownCores.values
                coreSecondsEach = figure.coreSecondsEach
                remarks = figure.remarks
            }
        }
    }
}
