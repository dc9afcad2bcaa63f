import Glibc

/// Scans the bytes of a line from left to right, as fast as the C library can.
///
/// A step that fails returns false or nil and does not move.
struct ByteScanner {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    /// Skips a word if it is next; returns whether it was.
    mutating func pass(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard bytes.count - position >= count, let start = bytes.baseAddress,
            memcmp(start + position, word.utf8Start, count) == 0
        else { return false }
        position += count
        return true
    }

    /// Skips to the end of the next occurrence of a word.
    ///
    /// - Complexity: O(bytes), with one comparison per byte that equals the word's first.
    mutating func pass(through word: StaticString) -> Bool {
        let start = position
        while let base = bytes.baseAddress,
            let place = memchr(base + position, Int32(word.utf8Start.pointee), bytes.count - position)
        {
            position = UnsafeRawPointer(place) - base
            if pass(word) { return true }
            position += 1
        }
        position = start
        return false
    }

    /// Reads a number without sign, fraction or leading zeros that fits in 63 bits.
    mutating func number() -> UInt64? {
        let start = position
        var value: UInt64 = 0
        while position < bytes.count, position - start < 19 {
            let digit = bytes[position] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            value = value &* 10 &+ UInt64(digit)
            position += 1
        }
        let isWritten = position == start + 1 || position > start && bytes[start] != UInt8(ascii: "0")
        if !isWritten { position = start }
        return isWritten ? value : nil
    }

    /// Reads up to the next occurrence of a byte and skips that byte.
    mutating func field(before end: Unicode.Scalar) -> UnsafeRawBufferPointer? {
        guard let start = bytes.baseAddress,
            let place = memchr(start + position, Int32(end.value), bytes.count - position)
        else { return nil }
        let length = UnsafeRawPointer(place) - (start + position)
        defer { position += length + 1 }
        return UnsafeRawBufferPointer(start: start + position, count: length)
    }

    /// Whether the rest of the line ends with a word.
    func ends(with word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard bytes.count - position >= count, let start = bytes.baseAddress else { return false }
        return memcmp(start + bytes.count - count, word.utf8Start, count) == 0
    }
}
