/// Validation of UTF-8 according to table 3-7 of the Unicode standard: no overlong forms, no
/// surrogates, nothing above U+10FFFF.
package enum UTF8Sequence {
    /// Length in bytes of the well-formed sequence at `offset`; nil if there is none.
    ///
    /// - Precondition: `offset < bytes.count`.
    static func length(at offset: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
        let lead = bytes[offset]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0x00...0x7F: return 1
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: return nil
        }
        guard offset + length <= bytes.count, second.contains(bytes[offset + 1]) else { return nil }
        for position in offset + 2..<offset + max(length, 2) where bytes[position] & 0xC0 != 0x80 { return nil }
        return length
    }

    /// Byte offset of the first ill-formed sequence; nil if there is none.
    ///
    /// - Complexity: O(n), eight bytes per step in ASCII.
    package static func firstFault(in bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBytes { raw in
            var offset = 0
            while offset < raw.count {
                if offset + WordScan.step <= raw.count,
                    WordScan.notASCII(raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) == 0
                {
                    offset += WordScan.step
                } else if let length = length(at: offset, in: raw) {
                    offset += length
                } else {
                    return offset
                }
            }
            return nil
        }
    }
}
