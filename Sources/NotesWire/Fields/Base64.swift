/// Base64 as in RFC 4648 §4, with padding.
///
/// Files travel in it, so both directions take about a nanosecond a byte: the tables and the bytes are read through
/// pointers.
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
        let whole = bytes.count / 3
        return Array(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text, count in
            digits.withUnsafeBufferPointer { digits in
                bytes.withUnsafeBufferPointer { bytes in
                    func write(_ group: Int, _ value: UInt32) {
                        for place in 0..<4 { text[4 * group + place] = digits[Int(value >> UInt32(18 - 6 * place) & 63)] }
                    }
                    for group in 0..<whole {
                        let start = 3 * group
                        write(
                            group, UInt32(bytes[start]) << 16 | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2]))
                    }
                    count = 4 * whole
                    guard bytes.count > 3 * whole else { return }
                    let second = bytes.count == 3 * whole + 2 ? UInt32(bytes[3 * whole + 1]) : 0
                    write(whole, UInt32(bytes[3 * whole]) << 16 | second << 8)
                    if bytes.count == 3 * whole + 1 { text[4 * whole + 2] = padding }
                    text[4 * whole + 3] = padding
                    count += 4
                }
            }
        }
    }

    /// Decodes a text strictly; nil for one that `text(of:)` does not produce, such as one with white
    /// space, without padding, or with bits beyond the last byte.
    ///
    /// - Complexity: O(bytes).
    package static func bytes(of text: [UInt8]) -> [UInt8]? {
        guard text.count.isMultiple(of: 4) else { return nil }
        let padded = text.suffix(2).reduce(0) { $0 + ($1 == padding ? 1 : 0) }
        let whole = text.count / 4 - (padded > 0 ? 1 : 0)
        var isText = true
        let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3) { bytes, count in
            values.withUnsafeBufferPointer { values in
                text.withUnsafeBufferPointer { text in
                    var found: UInt8 = 0
                    for group in 0..<whole {
                        let start = 4 * group
                        let (first, second) = (values[Int(text[start])], values[Int(text[start + 1])])
                        let (third, fourth) = (values[Int(text[start + 2])], values[Int(text[start + 3])])
                        found |= first | second | third | fourth
                        bytes[3 * group] = first << 2 | second >> 4
                        bytes[3 * group + 1] = second << 4 | third >> 2
                        bytes[3 * group + 2] = third << 6 | fourth
                    }
                    count = 3 * whole
                    if padded > 0 {
                        let start = 4 * whole
                        let (first, second) = (values[Int(text[start])], values[Int(text[start + 1])])
                        let third = padded == 1 ? values[Int(text[start + 2])] : 0
                        found |= first | second | third
                        // Bits beyond the last byte are 0. A `=` before the padding has no value.
                        isText = (padded == 2 ? second << 4 : third << 6) == 0
                        bytes[count] = first << 2 | second >> 4
                        if padded == 1 { bytes[count + 1] = second << 4 | third >> 2 }
                        count += 3 - padded
                    }
                    isText = isText && found < 64
                }
            }
        }
        return isText ? bytes : nil
    }
}
