/// The name of one run of the daemon on a store: 64 random bits, drawn before the run creates its
/// first dot.
///
/// A run never uses the id of another run. So nothing that can be copied, restored, cloned or
/// rolled back can make a dot repeat. Written as 16 lower-case hexadecimal digits, and ordered as
/// that text, which is the order of the numbers.
package struct ReplicaID: Hashable, Comparable, Sendable {
    /// The id as a number.
    package let bits: UInt64

    /// Creates an id from its number.
    package init(bits: UInt64) {
        self.bits = bits
    }

    /// Parses exactly 16 lower-case hexadecimal digits; nil for anything else.
    package init?(parsing utf8: some Collection<UInt8>) {
        guard utf8.count == Self.textBytes, let bits = utf8.withContiguousBytes(hexadecimalWord) else { return nil }
        self.bits = bits
    }

    /// The length of the text form, in bytes.
    package static let textBytes = 16

    package static func < (left: ReplicaID, right: ReplicaID) -> Bool {
        left.bits < right.bits
    }
}

extension ReplicaID: TextForm, CustomStringConvertible {
    package var description: String { textForm }

    /// Appends the text form that `init(parsing:)` reads.
    package func appendText(to utf8: inout [UInt8]) {
        appendHexadecimal(bits, digits: Self.textBytes, to: &utf8)
    }
}
