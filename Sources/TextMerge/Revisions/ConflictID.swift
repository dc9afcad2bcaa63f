import Causality

/// The name of a conflict: 16 bytes, written as 32 lower-case hexadecimal digits.
package struct ConflictID: Hashable, Comparable, Sendable {
    /// The first 8 bytes, big-endian.
    package let high: UInt64
    /// The last 8 bytes, big-endian.
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads exactly 32 lower-case hexadecimal digits; nil for anything else.
    package init?(parsing utf8: some Collection<UInt8>) {
        guard utf8.count == 32, let high = ReplicaID(parsing: utf8.prefix(16)), let low = ReplicaID(parsing: utf8.dropFirst(16))
        else { return nil }
        self.high = high.bits
        self.low = low.bits
    }

    package static func < (left: ConflictID, right: ConflictID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension ConflictID: TextForm, CustomStringConvertible {
    package var description: String { textForm }

    /// Appends the 32 digits that `init(parsing:)` reads.
    package func appendText(to utf8: inout [UInt8]) {
        appendHexadecimal(high, digits: 16, to: &utf8)
        appendHexadecimal(low, digits: 16, to: &utf8)
    }
}
