import Foundation

/// The figures as lines of a table.
enum Table {
    static let heading = row(
        "figure, and its yardsticks", "median", "least–greatest", "cores", "bench", "ratio", "least–greatest", "target", "")

    /// The lines of one figure.
    static func lines(_ figure: Figure) -> String {
        var lines = [row(figure.name, cells(figure.values, figure.unit, figure.daemonCores, figure.ownCores))]
        lines += figure.yardsticks.map { line($0, of: figure) }
        var remarks = figure.remarks
        if let each = figure.coreSecondsEach {
            let others = figure.yardsticks.compactMap { yardstick in
                figure.coreSecondsEach(of: yardstick).map { "; \(text($0 * 1e6)) µs in \(yardstick.name)" }
            }
            remarks.append("\(text(each * 1e6)) µs of a core each in the daemon\(others.joined())")
        }
        lines += remarks.map { "      \($0)" }
        return lines.joined(separator: "\n")
    }

    private static func line(_ yardstick: Yardstick, of figure: Figure) -> String {
        let name = "    \(yardstick.name)"
        if let lack = yardstick.lack { return "\(name): skipped, \(lack)" }
        let values = cells(yardstick.values, figure.unit, yardstick.processCores, yardstick.ownCores)
        let ratio = [text(yardstick.ratios.median) + "×", spread(yardstick.ratios)]
        return row(name, values + ratio + [reach(yardstick, of: figure) ?? "", verdict(yardstick, of: figure) ?? ""])
    }

    /// The target, such as `≥ 2`; nil without one.
    static func reach(_ yardstick: Yardstick, of figure: Figure) -> String? {
        yardstick.reach.map { "\(figure.unit.isBetterWhenGreater ? "≥" : "≤") \(number($0, digits: 0...2))" }
    }

    static func verdict(_ yardstick: Yardstick, of figure: Figure) -> String? {
        figure.isMet(yardstick).map { $0 ? "met" : "not met" }
    }

    private static func cells(_ values: Samples, _ unit: Figure.Unit, _ process: Samples, _ own: Samples) -> [String] {
        let median = text(values.median) + (unit == .perSecond ? "/s" : " \(unit.rawValue)")
        return [median, spread(values), process.isEmpty ? "" : text(process.median), own.isEmpty ? "" : text(own.median)]
    }

    private static func row(_ name: String, _ columns: [String]) -> String {
        let padded = zip(columns, [14, 19, 6, 6, 8, 14, 7, 8]).map { column, width in
            String(repeating: " ", count: max(0, width - column.count)) + column
        }
        let room = String(repeating: " ", count: max(0, 66 - name.count))
        return ([name + room] + padded).joined(separator: " ")
    }

    private static func row(_ name: String, _ columns: String...) -> String {
        row(name, columns)
    }

    private static func spread(_ samples: Samples) -> String {
        samples.least == samples.greatest ? "" : "\(text(samples.least))–\(text(samples.greatest))"
    }

    /// The value with three significant digits, or with all digits before the point.
    static func text(_ value: Double) -> String {
        let digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3
        return number(value, digits: digits...digits)
    }

    private static func number(_ value: Double, digits: ClosedRange<Int>) -> String {
        value.formatted(
            .number.precision(.fractionLength(digits)).locale(Locale(identifier: "en_US_POSIX")).grouping(.automatic))
    }
}
