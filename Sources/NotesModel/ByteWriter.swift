/// Appends numbers and byte strings in the form that canonical encodings use: unsigned LEB128 numbers, counted bytes.
package struct ByteWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// - Parameter capacity: about how many bytes there will be.
    package init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    package mutating func byte(_ byte: UInt8) {
        bytes.append(byte)
    }

    package mutating func number(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Small magnitudes of either sign in few bytes (zigzag).
    package mutating func signed(_ number: Int64) {
        self.number(UInt64(bitPattern: number << 1 ^ number >> 63))
    }

    package mutating func word(_ word: UInt64) {
        withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func counted(_ counted: [UInt8]) {
        number(UInt64(counted.count))
        bytes.append(contentsOf: counted)
    }
}

/// Reads what `ByteWriter` wrote; nil, once and from then on, where the bytes are not of that form.
package struct ByteReader {
    private let bytes: [UInt8]
    private var offset = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var isAtEnd: Bool { offset == bytes.count }

    package mutating func byte() -> UInt8? {
        guard offset < bytes.count else { return nil }
        offset += 1
        return bytes[offset - 1]
    }

    /// Only the shortest form of a number is one: two encodings of one revision would be two hashes.
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

    package mutating func signed() -> Int64? {
        number().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
    }

    package mutating func word() -> UInt64? {
        guard bytes.count - offset >= 8 else { return nil }
        defer { offset += 8 }
        return bytes[offset..<offset + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }

    package mutating func counted() -> [UInt8]? {
        guard let count = number(), count <= UInt64(bytes.count - offset) else { return nil }
        defer { offset += Int(count) }
        return Array(bytes[offset..<offset + Int(count)])
    }

    /// A count of things of at least one byte each, so that a hostile count cannot ask for more memory than was sent.
    package mutating func count() -> Int? {
        guard let count = number(), count <= UInt64(bytes.count - offset) else { return nil }
        return Int(count)
    }
}
