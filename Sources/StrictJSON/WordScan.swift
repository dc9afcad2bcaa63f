extension UInt8 {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
}

/// Searches eight bytes at a time, as in Lamport, *Multiple Byte Processing with Full-Word
/// Instructions* (CACM 18/8, 1975).
///
/// A mask has the top bit set in each matching byte. Bytes above a match may be marked wrongly
/// because a borrow ran through them, so only the lowest mark is reliable. Words are loaded
/// little-endian, so that is the first matching byte in memory.
enum WordScan {
    static let step = 8
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    /// A mask of the bytes that equal `byte`.
    static func equal(_ word: UInt64, to byte: UInt8) -> UInt64 {
        let difference = word ^ (ones &* UInt64(byte))
        return (difference &- ones) & ~difference & tops
    }

    /// A mask of the bytes below `bound`.
    ///
    /// - Precondition: `bound` is at most 128.
    static func below(_ word: UInt64, _ bound: UInt8) -> UInt64 {
        (word &- ones &* UInt64(bound)) & ~word & tops
    }

    /// A mask of the bytes from 0x80.
    static func notASCII(_ word: UInt64) -> UInt64 {
        word & tops
    }

    /// A mask of the bytes that a string in JSON escapes: quotes, backslashes and control characters.
    static func escaped(_ word: UInt64) -> UInt64 {
        equal(word, to: .quote) | equal(word, to: .backslash) | below(word, 0x20)
    }

    /// Offset in the word of the first marked byte, 0 to 7.
    ///
    /// - Precondition: the mask is not 0.
    static func firstMarked(_ mask: UInt64) -> Int {
        mask.trailingZeroBitCount / 8
    }

    /// Offset of the first `byte` in a range; nil if there is none.
    ///
    /// - Complexity: O(distance), eight bytes per step.
    static func firstOffset(of byte: UInt8, in bytes: [UInt8], _ range: Range<Int>) -> Int? {
        bytes.withUnsafeBytes { raw in
            var offset = range.lowerBound
            while offset + step <= range.upperBound {
                let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                let found = equal(word, to: byte)
                if found != 0 { return offset + firstMarked(found) }
                offset += step
            }
            return raw[offset..<range.upperBound].firstIndex(of: byte)
        }
    }
}
