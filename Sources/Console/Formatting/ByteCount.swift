/// Sizes for display: bytes up to 999, then at most three digits and a decimal unit such as `kB`.
package enum ByteCount {
    package static func text(_ bytes: Int) -> String {
        guard bytes >= 1_000 else { return "\(bytes) B" }
        var value = Double(bytes)
        var unit = 0
        while value >= 999.5 && unit < units.count - 1 {
            value /= 1_000
            unit += 1
        }
        let rounded = value < 9.95 ? (value * 10).rounded() / 10 : value.rounded()
        let digits = rounded < 10 && value < 9.95 ? "\(rounded)" : "\(Int(rounded))"
        return "\(digits) \(units[unit])"
    }

    /// The number of bytes that a text such as `50 MB`, `1.5GB` or `800` states; nil for any other text, and for a number that
    /// `Int` cannot hold.
    package static func bytes(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
        let names = units.map { $0.lowercased() }
        guard let power = unit.isEmpty ? 0 : names.firstIndex(of: unit), let number = Double(digits) else { return nil }
        return Int(exactly: (0..<power).reduce(number) { value, _ in value * 1_000 }.rounded())
    }

    private static let units = ["B", "kB", "MB", "GB", "TB"]
}
