/// Decoding of the escapes in RFC 8259 §7.
enum JSONEscape {
    /// Length of `\uXXXX` in bytes.
    static let unitBytes = 6

    /// The byte that a backslash followed by `byte` denotes; nil for `\u` and for invalid escapes.
    static func plain(_ byte: UInt8) -> UInt8? {
        switch byte {
        case .quote, .backslash, UInt8(ascii: "/"): byte
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): .lineFeed
        case UInt8(ascii: "r"): .carriageReturn
        case UInt8(ascii: "t"): .tab
        default: nil
        }
    }

    /// The UTF-16 code unit of the `\uXXXX` at `offset`; nil if there is none.
    static func unit(at offset: Int, in bytes: [UInt8]) -> UInt16? {
        guard offset + unitBytes <= bytes.count, bytes[offset] == .backslash, bytes[offset + 1] == UInt8(ascii: "u") else {
            return nil
        }
        var unit: UInt16 = 0
        for position in offset + 2..<offset + unitBytes {
            guard let digit = hexDigit(bytes[position]) else { return nil }
            unit = unit << 4 | digit
        }
        return unit
    }

    private static func hexDigit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// The bytes that the inside of a validated string denotes.
    ///
    /// - Precondition: `JSONString` accepted the string. In any other string, invalid escapes are
    ///   left out.
    /// - Complexity: O(length).
    static func decode(_ range: Range<Int>, of bytes: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(range.count)
        var offset = range.lowerBound
        while offset < range.upperBound {
            let escape = WordScan.firstOffset(of: .backslash, in: bytes, offset..<range.upperBound) ?? range.upperBound
            decoded.append(contentsOf: bytes[offset..<escape])
            guard escape + 1 < range.upperBound else { break }
            if let byte = plain(bytes[escape + 1]) {
                decoded.append(byte)
                offset = escape + 2
            } else {
                offset = appendCharacter(at: escape, of: bytes, to: &decoded)
            }
        }
        return decoded
    }

    /// Appends the character that a `\uXXXX`, or a surrogate pair of them, denotes. Returns the
    /// offset after it.
    private static func appendCharacter(at offset: Int, of bytes: [UInt8], to decoded: inout [UInt8]) -> Int {
        guard let unit = unit(at: offset, in: bytes) else { return offset + 2 }
        var value = UInt32(unit)
        var end = offset + unitBytes
        if UTF16.isLeadSurrogate(unit), let trail = Self.unit(at: end, in: bytes), UTF16.isTrailSurrogate(trail) {
            value = 0x10000 + (value & 0x3FF) << 10 + UInt32(trail) & 0x3FF
            end += unitBytes
        }
        if let scalar = Unicode.Scalar(value) {
            decoded.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
        return end
    }
}
