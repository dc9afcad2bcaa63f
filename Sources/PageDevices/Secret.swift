/// Keys, cookies and their hashes: 32 bytes, written in hexadecimal.
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

    package static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Reads what `hexadecimal` wrote; nil for anything else.
    package static func bytes(hexadecimal text: some StringProtocol) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count == 2 * count else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
        return bytes.count == count && hexadecimal(bytes).utf8.elementsEqual(digits) ? bytes : nil
    }
}
