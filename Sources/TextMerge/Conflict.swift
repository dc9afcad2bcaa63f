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

/// One edit of one revision, as part of a conflict. Of a deletion or a renaming the index is 0.
package struct ConflictMember: Hashable, Comparable, Sendable {
    package let dot: Dot
    /// Which of the revision's edits.
    package let index: Int

    package init(dot: Dot, index: Int) {
        self.dot = dot
        self.index = index
    }

    package static func < (left: ConflictMember, right: ConflictMember) -> Bool {
        left.dot == right.dot ? left.index < right.index : left.dot < right.dot
    }
}

/// Makes a conflict's id of what it is made of (`docs/decisions/0012-definition-of-a-conflict.md`).
package struct ConflictNaming: Sendable {
    private let hash: @Sendable ([UInt8]) -> [UInt8]

    /// - Parameter hash: SHA-256 in the product; at least 16 bytes.
    package init(hash: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        self.hash = hash
    }

    /// - Parameter least: the conflict's two least members, in order.
    package func id(_ kind: ConflictKind, least: (ConflictMember, ConflictMember)) -> ConflictID {
        var bytes = Array(kind.rawValue.utf8)
        for member in [least.0, least.1] {
            for word in [member.dot.replica.bits, member.dot.counter, UInt64(member.index)] {
                bytes += (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
            }
        }
        let digest = hash(bytes)
        precondition(digest.count >= 16, "an id has 16 bytes")
        func word(_ start: Int) -> UInt64 { digest[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        return ConflictID(high: word(0), low: word(8))
    }
}
