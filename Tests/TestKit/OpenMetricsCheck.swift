/// A check of the rules of OpenMetrics 1.0 that apply to the daemon. It follows the specification
/// and is independent of the encoder.
package struct OpenMetricsCheck {
    /// One sample line.
    package struct Sample: Hashable {
        package let name: String
        package let labels: [String: String]
        package let value: Double
    }

    /// A metric family with its metadata and samples.
    package struct Family {
        package let name: String
        package let type: String
        package var unit: String?
        package var help: String?
        package var samples: [Sample] = []
    }

    /// A violation, with its line number from 1; 0 for the text as a whole.
    package struct Fault: Error, CustomStringConvertible {
        package let line: Int
        package let what: String
        package var description: String { "line \(line): \(what)" }
    }

    /// The families in the order of the text.
    package private(set) var families: [Family] = []
    private var line = 0

    /// Checks a text.
    ///
    /// - Throws: the first violation.
    package init(_ text: String) throws {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.popLast() == "" else { throw Fault(line: 0, what: "the last line does not end") }
        guard lines.popLast() == "# EOF" else { throw Fault(line: 0, what: "the last line is not # EOF") }
        for text in lines {
            line += 1
            if text.hasPrefix("# ") { try takeMetadata(text) } else { try takeSample(text) }
        }
        for family in families { try finish(family) }
    }

    /// The family of that name; nil when there is none.
    package func family(_ name: String) -> Family? { families.first { $0.name == name } }

    private func demand(_ holds: Bool, _ what: String) throws {
        guard holds else { throw Fault(line: line, what: what) }
    }

    private static let types = ["unknown", "gauge", "counter", "stateset", "info", "histogram", "gaugehistogram", "summary"]

    private mutating func takeMetadata(_ text: String) throws {
        let parts = text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        try demand(parts.count == 4, "metadata without a value")
        let (name, value) = (parts[2], parts[3])
        try demand(Self.isName(name), "\(name) is no name")
        if parts[1] == "TYPE" {
            try demand(family(name) == nil, "\(name) comes twice, or its lines are not together")
            try demand(Self.types.contains(value), "\(value) is no type")
            families.append(Family(name: name, type: value))
            return
        }
        guard var last = families.popLast() else { throw Fault(line: line, what: "metadata before a type") }
        try demand(last.name == name && last.samples.isEmpty, "metadata of another family, or behind its samples")
        switch parts[1] {
        case "UNIT":
            try demand(last.unit == nil && name.hasSuffix("_" + value), "the unit \(value) does not end the name \(name)")
            last.unit = value
        case "HELP":
            try demand(last.help == nil, "a second help")
            last.help = try unescaped(value)
        default: throw Fault(line: line, what: "unknown metadata \(parts[1])")
        }
        families.append(last)
    }

    private mutating func takeSample(_ text: String) throws {
        let name = String(text.prefix { $0 != "{" && $0 != " " })
        try demand(Self.isName(name), "\(name) is no name")
        var rest = text.dropFirst(name.count)
        var labels: [String: String] = [:]
        if rest.first == "{" {
            rest.removeFirst()
            while rest.first != "}" {
                let label = String(rest.prefix { $0 != "=" })
                try demand(
                    Self.isName(label) && !label.contains(":") && labels[label] == nil, "\(label) is no label, or comes twice")
                rest = rest.dropFirst(label.count + 1)
                try demand(rest.first == "\"", "a label's value is not quoted")
                rest.removeFirst()
                var value = ""
                while let next = rest.first, next != "\"" {
                    value.append(next)
                    rest.removeFirst()
                    if next == "\\", let escaped = rest.first {
                        value.append(escaped)
                        rest.removeFirst()
                    }
                }
                try demand(rest.first == "\"", "a label's value does not end")
                rest.removeFirst()
                labels[label] = try unescaped(value)
                if rest.first == "," { rest.removeFirst() } else { try demand(rest.first == "}", "labels do not end") }
            }
            rest.removeFirst()
        }
        try demand(rest.first == " ", "no space before the value")
        let value = try number(String(rest.dropFirst()))
        guard var last = families.popLast() else { throw Fault(line: line, what: "a sample before a type") }
        try demand(
            Self.suffixes(of: last.type).contains { last.name + $0 == name }, "\(name) is none of \(last.type) \(last.name)")
        let sample = Sample(name: name, labels: labels, value: value)
        try demand(!last.samples.contains { $0.name == name && $0.labels == labels }, "a sample comes twice")
        last.samples.append(sample)
        families.append(last)
    }

    private static func suffixes(of type: String) -> [String] {
        switch type {
        case "counter": ["_total", "_created"]
        case "info": ["_info"]
        case "histogram": ["_bucket", "_count", "_sum", "_created"]
        case "gauge", "unknown": [""]
        default: []
        }
    }

    private func finish(_ family: Family) throws {
        func demand(_ holds: Bool, _ what: String) throws {
            guard holds else { throw Fault(line: line, what: "\(family.name): \(what)") }
        }
        try demand(!family.samples.isEmpty, "has no samples")
        for sample in family.samples where family.type != "gauge" && !sample.name.hasSuffix("_sum") {
            try demand(sample.value >= 0 && sample.value.isFinite, "counts \(sample.value)")
        }
        if family.type == "info" { try demand(family.samples.allSatisfy { $0.value == 1 }, "is not 1") }
        guard family.type == "histogram" else { return }
        let groups = Dictionary(grouping: family.samples) { $0.labels.filter { $0.key != "le" } }
        for (_, samples) in groups {
            let buckets = samples.filter { $0.name.hasSuffix("_bucket") }
            let bounds = try buckets.map { try number($0.labels["le"] ?? "") }
            try demand(bounds.last == .infinity, "has no last bucket")
            try demand(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }, "has bounds that do not rise")
            try demand(zip(buckets, buckets.dropFirst()).allSatisfy { $0.value <= $1.value }, "has buckets that fall")
            let count = samples.first { $0.name.hasSuffix("_count") }
            try demand(count?.value == buckets.last?.value, "has a count that is not its last bucket")
            try demand(samples.contains { $0.name.hasSuffix("_sum") }, "has no sum")
        }
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(48...57).contains(first) else { return false }
        return text.utf8.allSatisfy {
            (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0) || $0 == 95 || $0 == 58
        }
    }

    private func number(_ text: String) throws -> Double {
        switch text {
        case "+Inf": return .infinity
        case "-Inf": return -.infinity
        case "NaN": return .nan
        default: break
        }
        guard text.utf8.allSatisfy({ (48...57).contains($0) || "+-.eE".utf8.contains($0) }), let value = Double(text) else {
            throw Fault(line: line, what: "\(text) is no number")
        }
        return value
    }

    private func unescaped(_ text: String) throws -> String {
        var result = ""
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\\" else {
                if scalar == "\"" { throw Fault(line: line, what: "a quote that is not escaped") }
                result.unicodeScalars.append(scalar)
                continue
            }
            switch rest.popFirst() {
            case "\\": result += "\\"
            case "\"": result += "\""
            case "n": result += "\n"
            default: throw Fault(line: line, what: "an escape that is none")
            }
        }
        return result
    }
}
