/// A 64-bit digest. Equal bytes have equal digests; a collision among the few thousand digests of a
/// test is less likely than a hardware fault.
struct Digest: Hashable, Sendable {
    private let word: UInt64

    private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// - Complexity: O(bytes / 8), so that an unoptimised test can digest every line.
    init(_ bytes: UnsafeRawBufferPointer) {
        var word = UInt64(bytes.count) &* Self.multiplier
        var offset = 0
        while offset + 8 <= bytes.count {
            word = (word ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* Self.multiplier
            word ^= word >> 32
            offset += 8
        }
        var tail: UInt64 = 0
        while offset < bytes.count {
            tail = tail << 8 | UInt64(bytes[offset])
            offset += 1
        }
        word = (word ^ tail) &* Self.multiplier
        self.word = word ^ word >> 32
    }

    init(_ text: String) {
        self = Array(text.utf8).withUnsafeBytes { Digest($0) }
    }
}
