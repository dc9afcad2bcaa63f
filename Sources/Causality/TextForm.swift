/// A value with a text form of ASCII characters, none of which a JSON string escapes.
///
/// A line may contain thousands of these forms, so they are appended to its bytes without a `String`
/// for each.
package protocol TextForm {
    /// Appends the text form.
    func appendText(to utf8: inout [UInt8])
}

extension TextForm {
    /// The text form.
    package var textForm: String {
        var utf8: [UInt8] = []
        appendText(to: &utf8)
        return String(decoding: utf8, as: UTF8.self)
    }
}

/// Appends the last `digits` hexadecimal digits of a number, in lower case.
///
/// - Precondition: `digits` is at most 16.
package func appendHexadecimal(_ number: UInt64, digits: Int, to utf8: inout [UInt8]) {
    let text = (hexadecimal(number >> 32).bigEndian, hexadecimal(number & 0xFFFF_FFFF).bigEndian)
    withUnsafeBytes(of: text) { utf8.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[(16 - digits)...])) }
}

/// The eight hexadecimal digits of a number below 2^32, the first one in the top byte. All are computed
/// at once, because a line may have tens of thousands of them.
private func hexadecimal(_ number: UInt64) -> UInt64 {
    var digits = (number << 16 | number) & 0x0000_FFFF_0000_FFFF
    digits = (digits << 8 | digits) & 0x00FF_00FF_00FF_00FF
    digits = (digits << 4 | digits) & 0x0F0F_0F0F_0F0F_0F0F
    let ones: UInt64 = 0x0101_0101_0101_0101
    let areLetters = (digits &+ 6 &* ones) >> 4 & ones
    return digits &+ UInt64(UInt8(ascii: "0")) &* ones &+ areLetters &* UInt64(UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
}

/// The number that at most 16 lower-case hexadecimal digits denote; nil if there is any other byte.
package func hexadecimalWord(_ digits: UnsafeBufferPointer<UInt8>) -> UInt64? {
    var word: UInt64 = 0
    for digit in digits {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): word = word << 4 | UInt64(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): word = word << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
        default: return nil
        }
    }
    return word
}
