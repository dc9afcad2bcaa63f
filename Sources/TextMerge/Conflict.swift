package import Causality

/// A place where concurrent writes touched, and that nobody has settled yet: a mark on the shown text, which holds both sides.
package struct Conflict: Hashable, Sendable {
    package let id: ConflictID
    package let kind: ConflictKind
    /// The newest dot of each branch that takes part; sorted, at least two.
    package let sides: [Dot]
    /// The lines that it spans in the shown text, in bytes; all of it for a deletion, nothing at its start for a name.
    package let range: Range<Int>

    package init(id: ConflictID, kind: ConflictKind, sides: [Dot], range: Range<Int>) {
        self.id = id
        self.kind = kind
        self.sides = sides
        self.range = range
    }
}

package enum ConflictKind: String, Hashable, Sendable, CaseIterable {
    /// Edits touch, and at least one of them was found by a diff.
    case text
    /// Both rename the note, differently.
    case name
    /// One deletes the note and the other writes it.
    case deletion
}

/// The name of a conflict: 16 bytes, written as 32 lower-case hexadecimal digits.
package struct ConflictID: Hashable, Comparable, Sendable {
    package let high: UInt64
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

extension ConflictID: CustomStringConvertible {
    package var description: String { "\(ReplicaID(bits: high))\(ReplicaID(bits: low))" }
}
