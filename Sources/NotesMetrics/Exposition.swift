/// The encoder for OpenMetrics 1.0 text (prometheus.io/docs/specs/om/open_metrics_spec).
enum Exposition {
    /// Encodes metric families; omits families without series.
    static func text(_ families: [(Measure, [MetricsRegistry.Labels: MetricsRegistry.Series])]) -> String {
        var text = ""
        for (measure, series) in families where !series.isEmpty {
            head(of: measure, in: &text)
            for (labels, series) in series.sorted(by: { $0.key < $1.key }) {
                write(measure, labels.pairs.map { ($0[0], $0[1]) }, series, to: &text)
            }
        }
        return text + "# EOF\n"
    }

    private static func head(of measure: Measure, in text: inout String) {
        // Declare `info` as a gauge: collectors of the older Prometheus text format, such as
        // node_exporter, do not know the type.
        let name = measure.kind == .info ? measure.rawValue + "_info" : measure.rawValue
        text += "# TYPE \(name) \(word(measure.kind))\n"
        if let unit = measure.unit { text += "# UNIT \(name) \(unit)\n" }
        text += "# HELP \(name) \(escaped(measure.help))\n"
    }

    private static func word(_ kind: Measure.Kind) -> String {
        switch kind {
        case .info: "gauge"
        case .gauge: "gauge"
        case .counter: "counter"
        case .histogram: "histogram"
        }
    }

    private static func write(
        _ measure: Measure, _ labels: [(String, String)], _ series: MetricsRegistry.Series, to text: inout String
    ) {
        let name = measure.rawValue
        switch series {
        case .counter(let counter): sample(name + "_total", labels, counter.value, to: &text)
        case .gauge(let gauge):
            if measure.kind == .info {
                sample(name + "_info", labels, 1, to: &text)
            } else {
                sample(name, labels, gauge.value, to: &text)
            }
        case .histogram(let histogram):
            // Read the buckets once, so that the samples are consistent while other threads record.
            let counts = histogram.counts
            var sum: Int64 = 0
            for (bound, count) in zip(histogram.bounds + [.infinity], counts) {
                sum += count
                sample(name + "_bucket", labels + [("le", number(bound))], Double(sum), to: &text)
            }
            sample(name + "_count", labels, Double(sum), to: &text)
            sample(name + "_sum", labels, histogram.sum, to: &text)
        }
    }

    private static func sample(_ name: String, _ labels: [(String, String)], _ value: Double, to text: inout String) {
        text += name
        if !labels.isEmpty {
            text += "{" + labels.map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ",") + "}"
        }
        text += " \(number(value))\n"
    }

    /// A number in Swift's notation, such as `1.0` and `2.5e-05`, which is also the canonical form
    /// of histogram bounds.
    static func number(_ value: Double) -> String {
        if value == .infinity { return "+Inf" }
        if value == -.infinity { return "-Inf" }
        if value.isNaN { return "NaN" }
        return "\(value)"
    }

    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
