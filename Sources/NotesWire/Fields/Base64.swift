/// Base64 as in RFC 4648 §4, with padding.
package enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// The value of each digit; 255 for any other byte.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    /// Encodes bytes.
    ///
    /// - Complexity: O(bytes).
    package static func text(of bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group: UInt32 = 0
            for place in 0..<3 { group = group << 8 | (place < count ? UInt32(bytes[start + place]) : 0) }
            for place in 0..<4 {
                text.append(place <= count ? digits[Int(group >> UInt32(18 - 6 * place) & 63)] : padding)
            }
        }
        return text
    }

    /// Decodes a text strictly; nil for one that `text(of:)` does not produce, such as one with white
    /// space, without padding, or with bits beyond the last byte.
    ///
    /// - Complexity: O(bytes).
    package static func bytes(of text: [UInt8]) -> [UInt8]? {
        guard text.count.isMultiple(of: 4) else { return nil }
        let padded = text.suffix(2).reduce(0) { $0 + ($1 == padding ? 1 : 0) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        let digits = text.dropLast(padded)
        var (group, bits): (UInt32, UInt32) = (0, 0)
        for digit in digits {
            let value = values[Int(digit)]
            guard value < 64 else { return nil }
            (group, bits) = (group << 6 | UInt32(value), bits + 6)
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: group >> bits))
                group &= 1 << bits - 1
            }
        }
        return group == 0 && bits == UInt32(padded) * 2 ? bytes : nil
    }
}
