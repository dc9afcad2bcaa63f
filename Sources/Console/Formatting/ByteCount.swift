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

    private static let units = ["B", "kB", "MB", "GB", "TB"]
}
