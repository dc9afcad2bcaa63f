import NoteText

/// Metrics in the older text format of Prometheus, version 0.0.4, which node_exporter's textfile
/// collector reads (prometheus.io/docs/instrumenting/exposition_formats).
///
/// It differs from OpenMetrics in the metadata of counters, which name the sample, with `_total`, and
/// in that it has no units and no end mark.
enum PrometheusText {
    /// Converts an OpenMetrics text, in which the type of a family comes before its help text.
    static func converted(_ text: ByteString) -> String {
        var counters: Set<Substring> = []
        var lines: [String] = []
        for line in String(decoding: text.utf8, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
            guard parts.count > 1, parts[0] == "#" else {
                lines.append(String(line))
                continue
            }
            guard parts.count == 4, ["TYPE", "HELP"].contains(parts[1]) else { continue }
            if parts[1] == "TYPE", parts[3] == "counter" { counters.insert(parts[2]) }
            let name = counters.contains(parts[2]) ? parts[2] + "_total" : parts[2]
            // Only OpenMetrics escapes quotation marks in help texts.
            let value = parts[1] == "HELP" ? parts[3].replacing("\\\"", with: "\"") : parts[3]
            lines.append("# \(parts[1]) \(name) \(value)")
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
