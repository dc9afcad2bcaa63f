import Glibc

/// Goes through the bytes of a line from the left, as fast as the C library can.
///
/// Every step that does not find what it wants says so and stays where it is.
struct ByteScanner {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    /// Whether that stands here; it is passed.
    mutating func pass(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard bytes.count - position >= count, let start = bytes.baseAddress,
            memcmp(start + position, word.utf8Start, count) == 0
        else { return false }
        position += count
        return true
    }

    /// Goes behind the next such word.
    ///
    /// - Complexity: O(bytes), with one step for each byte that is like the word's first.
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

    /// A number without sign, fraction and leading zeros that fits 63 bits.
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

    /// What stands before the next such byte, which is passed too.
    mutating func field(before end: Unicode.Scalar) -> UnsafeRawBufferPointer? {
        guard let start = bytes.baseAddress,
            let place = memchr(start + position, Int32(end.value), bytes.count - position)
        else { return nil }
        let length = UnsafeRawPointer(place) - (start + position)
        defer { position += length + 1 }
        return UnsafeRawBufferPointer(start: start + position, count: length)
    }

    /// What stands here up to the end, if that word ends it.
    func ends(with word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard bytes.count - position >= count, let start = bytes.baseAddress else { return false }
        return memcmp(start + bytes.count - count, word.utf8Start, count) == 0
    }
}
