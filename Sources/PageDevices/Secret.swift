/// Keys and cookies: 32 random bytes, written in base64url.
package enum Secret {
    static let count = 32

    /// A new one, from the system's generator.
    package static func random() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Whether two hashes are equal, in a time that does not depend on where they differ.
    package static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Writes a secret in base64url without padding.
    package static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var (bits, count) = (0, 0)
        for byte in bytes {
            (bits, count) = (bits << 8 | Int(byte), count + 8)
            while count >= 6 {
                count -= 6
                text.append(digits[bits >> count & 63])
            }
            bits &= (1 << count) - 1
        }
        if count > 0 { text.append(digits[bits << (6 - count) & 63]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads a secret; nil if the text is none.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (bits, count) = (0, 0)
        guard text.utf8.count == (Self.count * 8 + 5) / 6 else { return nil }
        for digit in text.utf8 {
            guard let value = digits.firstIndex(of: digit) else { return nil }
            (bits, count) = (bits << 6 | value, count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(bits >> count & 255))
            }
            bits &= (1 << count) - 1
        }
        return bits == 0 ? bytes : nil
    }

    package static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    static func bytes(hexadecimal text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count == 2 * count else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).map {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
        return bytes.contains(nil) ? nil : bytes.compactMap { $0 }
    }
}
