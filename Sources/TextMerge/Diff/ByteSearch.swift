import Glibc

/// Comparing and searching texts many bytes at a time. Every save does this several times with the
/// whole text, and a loop over single bytes takes ten times as long.
extension Array where Element == UInt8 {
    /// Whether the bytes are the same. Equivalent to `==`, but faster.
    package func isSame(as other: [UInt8]) -> Bool {
        count == other.count && commonPrefix(with: other) == count
    }

    /// The number of bytes that both begin with.
    ///
    /// - Complexity: O(bytes in common).
    func commonPrefix(with other: [UInt8]) -> Int {
        let longest = Swift.min(count, other.count)
        return withUnsafeBytes { left in
            other.withUnsafeBytes { right in
                var common = 0
                while longest - common >= 8 {
                    let difference = left.word(at: common) ^ right.word(at: common)
                    if difference != 0 { return common + difference.trailingZeroBitCount / 8 }
                    common += 8
                }
                while common < longest, left[common] == right[common] { common += 1 }
                return common
            }
        }
    }

    /// The number of bytes that both end with.
    ///
    /// - Complexity: O(bytes in common).
    func commonSuffix(with other: [UInt8]) -> Int {
        let longest = Swift.min(count, other.count)
        return withUnsafeBytes { left in
            other.withUnsafeBytes { right in
                var common = 0
                while longest - common >= 8 {
                    let difference = left.word(at: left.count - common - 8) ^ right.word(at: right.count - common - 8)
                    if difference != 0 { return common + difference.leadingZeroBitCount / 8 }
                    common += 8
                }
                while common < longest, left[left.count - 1 - common] == right[right.count - 1 - common] { common += 1 }
                return common
            }
        }
    }

    /// The offset of the first occurrence of a byte at or after `start`; nil if there is none.
    ///
    /// - Precondition: `0 <= start <= count`.
    /// - Complexity: O(bytes searched).
    package func firstOffset(of byte: UInt8, from start: Int = 0) -> Int? {
        withUnsafeBytes { bytes in
            guard start < bytes.count, let base = bytes.baseAddress else { return nil }
            return memchr(base + start, Int32(byte), bytes.count - start).map { UnsafeRawPointer($0) - base }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Eight bytes as a number, the first byte being the lowest.
    fileprivate func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
