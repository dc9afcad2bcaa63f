/// A writer for canonical encodings: unsigned LEB128 numbers, big-endian words and counted bytes.
package struct ByteWriter {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8] = []

    /// Creates an empty writer.
    package init() {}

    /// Creates an empty writer.
    ///
    /// - Parameter capacity: the approximate number of bytes to reserve.
    package init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    /// Writes one byte.
    package mutating func byte(_ byte: UInt8) {
        bytes.append(byte)
    }

    /// Writes an unsigned LEB128 number in its shortest form, 1 to 10 bytes.
    package mutating func number(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Writes a signed number in zigzag form, which encodes small magnitudes of either sign in few
    /// bytes.
    package mutating func signed(_ number: Int64) {
        self.number(UInt64(bitPattern: number << 1 ^ number >> 63))
    }

    /// Writes 8 bytes, big-endian.
    package mutating func word(_ word: UInt64) {
        withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Writes the number of bytes, then the bytes.
    package mutating func counted(_ counted: [UInt8]) {
        number(UInt64(counted.count))
        bytes.append(contentsOf: counted)
    }
}

/// A reader for the output of `ByteWriter`. Each method returns nil if the bytes at the current
/// position do not have the expected form; after that, the reader must not be used further.
package struct ByteReader {
    private let bytes: [UInt8]
    private var offset = 0

    /// Creates a reader at the first byte.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether all bytes were read.
    package var isAtEnd: Bool { offset == bytes.count }

    /// Reads one byte.
    package mutating func byte() -> UInt8? {
        guard offset < bytes.count else { return nil }
        offset += 1
        return bytes[offset - 1]
    }

    /// Reads a number. It accepts only the shortest form, because two encodings of one revision
    /// would have two hashes.
    package mutating func number() -> UInt64? {
        var result: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = byte() else { return nil }
            let group = UInt64(byte & 0x7F)
            guard shift < 63 || group <= 1 else { return nil }
            result |= group << shift
            if byte < 0x80 { return byte == 0 && shift > 0 ? nil : result }
        }
        return nil
    }

    /// Reads a number in zigzag form.
    package mutating func signed() -> Int64? {
        number().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
    }

    /// Reads 8 bytes, big-endian.
    package mutating func word() -> UInt64? {
        guard bytes.count - offset >= 8 else { return nil }
        defer { offset += 8 }
        return bytes[offset..<offset + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Reads a count and that number of bytes.
    package mutating func counted() -> [UInt8]? {
        guard let count = number(), count <= UInt64(bytes.count - offset) else { return nil }
        defer { offset += Int(count) }
        return Array(bytes[offset..<offset + Int(count)])
    }

    /// Reads the count of a list whose elements take at least one byte each. It rejects a count
    /// greater than the number of remaining bytes, so that hostile input cannot cause a large
    /// allocation.
    package mutating func count() -> Int? {
        guard let count = number(), count <= UInt64(bytes.count - offset) else { return nil }
        return Int(count)
    }
}
