import Foundation

/// A chart of the ratios relative to their targets, as an SVG: a bar from the target to the median,
/// and a line from the least to the greatest round.
///
/// All bars have the same direction, whatever the unit: to the right of the target is better. The
/// scale is logarithmic and covers at least a tenth to ten times the target. The colours follow the
/// reader's preference for light or dark; the text repeats what they mean.
struct Chart {
    private struct Bar {
        let figure: String
        let beside: String
        let words: String
        /// As a multiple of the target; greater is better.
        let median: Double
        let least: Double
        let greatest: Double

        /// Nil without a target or without a ratio.
        init?(_ yardstick: Yardstick, of figure: Figure) {
            guard let reach = yardstick.reach, let words = Table.reach(yardstick, of: figure),
                let verdict = Table.verdict(yardstick, of: figure)
            else { return nil }
            let ratios = yardstick.ratios
            let isRate = figure.unit.isBetterWhenGreater
            self.figure = figure.name
            beside = yardstick.name
            self.words = "\(Table.text(ratios.median))×, \(words): \(verdict)"
            median = isRate ? ratios.median / reach : reach / ratios.median
            least = isRate ? ratios.least / reach : reach / ratios.greatest
            greatest = isRate ? ratios.greatest / reach : reach / ratios.least
        }

        var isMet: Bool { median >= 1 }
    }

    private let bars: [Bar]
    /// Powers of ten that the scale covers on either side.
    private let decades: Int

    // In pixels.
    private static let (width, labels, values, rowHeight, top) = (1_040.0, 430.0, 190.0, 38.0, 64.0)
    private static let plot = labels...(width - values)

    init(_ figures: [Figure]) {
        bars = figures.flatMap { figure in figure.yardsticks.compactMap { Bar($0, of: figure) } }
        let farthest = bars.flatMap { [$0.least, $0.greatest] }.map { abs(Self.log10($0)) }.max() ?? 1
        decades = max(1, min(4, Int(farthest.rounded(.up))))
    }

    var svg: String {
        let height = Self.top + Double(bars.count) * Self.rowHeight + 16
        let size = "\(SVGText.number(Self.width)) \(SVGText.number(height))"
        let rows = bars.enumerated().map { row($1, at: Self.top + Double($0) * Self.rowHeight) }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size)" role="img" aria-labelledby="title">
            <title id="title">\(SVGText.escaped(Self.title))</title>
            <style>
            svg { background: #ffffff; font: 13px system-ui, sans-serif; }
            text { fill: #1f2328; } .small { fill: #59636e; font-size: 11px; }
            .grid { stroke: #d1d9e0; } .target { stroke: #1f2328; stroke-width: 2; } .spread { stroke: #1f2328; stroke-width: 1.5; }
            .met { fill: #2a78d6; } .missed { fill: #d9731a; }
            @media (prefers-color-scheme: dark) {
            svg { background: #0d1117; } text { fill: #f0f6fc; } .small { fill: #9198a1; }
            .grid { stroke: #30363d; } .target { stroke: #f0f6fc; } .spread { stroke: #f0f6fc; }
            }
            </style>
            <text x="12" y="24">\(SVGText.escaped(Self.title))</text>
            \(scale(to: height - 16))
            \(rows.joined(separator: "\n"))
            </svg>

            """
    }

    private static let title = "Ratios relative to their targets: right of the line is better than the target"

    private func scale(to bottom: Double) -> String {
        let powers = Array(-decades...decades)
        return powers.map { power in
            let place = SVGText.number(x(at: Double(power)))
            let name = power == 0 ? "target" : power > 0 ? "\(Self.ten(to: power))×" : "1/\(Self.ten(to: -power))"
            let kind = power == 0 ? "target" : "grid"
            return """
                <text class="small" x="\(place)" y="46" text-anchor="middle">\(name)</text>
                <line class="\(kind)" x1="\(place)" y1="52" x2="\(place)" y2="\(SVGText.number(bottom))"/>
                """
        }.joined(separator: "\n")
    }

    private func row(_ bar: Bar, at top: Double) -> String {
        let (reach, end) = (x(at: 0), x(of: bar.median))
        let (least, greatest) = (SVGText.number(x(of: bar.least)), SVGText.number(x(of: bar.greatest)))
        let (left, length) = (SVGText.number(min(reach, end)), SVGText.number(max(1, abs(end - reach))))
        let middle = SVGText.number(top + 16)
        let ends = [least, greatest].map { place in
            """
            <line class="spread" x1="\(place)" y1="\(SVGText.number(top + 11))" x2="\(place)" y2="\(SVGText.number(top + 21))"/>
            """
        }
        return """
            <text x="12" y="\(SVGText.number(top + 14))">\(SVGText.escaped(bar.figure))</text>
            <text class="small" x="12" y="\(SVGText.number(top + 28))">vs \(SVGText.escaped(bar.beside))</text>
            <rect class="\(bar.isMet ? "met" : "missed")" x="\(left)" y="\(SVGText.number(top + 7))" width="\(length)" height="18" rx="2"/>
            <line class="spread" x1="\(least)" y1="\(middle)" x2="\(greatest)" y2="\(middle)"/>
            \(ends.joined(separator: "\n"))
            <text x="\(SVGText.number(Self.plot.upperBound + 12))" y="\(SVGText.number(top + 20))">\(SVGText.escaped(bar.words))</text>
            """
    }

    /// Position of a multiple of the target, clipped to the scale.
    private func x(of times: Double) -> Double {
        x(at: max(-Double(decades), min(Double(decades), Self.log10(times))))
    }

    private func x(at power: Double) -> Double {
        let room = Self.plot.upperBound - Self.plot.lowerBound - 48
        return Self.plot.lowerBound + 24 + room * (power / Double(decades) + 1) / 2
    }

    /// Decimal logarithm, clipped to ±9; -9 for values that are not positive.
    private static func log10(_ value: Double) -> Double {
        value > 0 ? max(-9, min(9, Foundation.log10(value))) : -9
    }

    private static func ten(to power: Int) -> Int {
        (0..<power).reduce(1) { value, _ in value * 10 }
    }
}
