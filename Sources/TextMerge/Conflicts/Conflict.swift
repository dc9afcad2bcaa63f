package import Causality

/// A place where concurrent writes conflict and that no write has resolved: a mark on the merged
/// text, which contains both sides.
package struct Conflict: Hashable, Sendable {
    /// The conflict's permanent name.
    package let id: ConflictID
    /// What the writes disagree about.
    package let kind: ConflictKind
    /// The newest dot of each branch that takes part, and every withdrawn revision that takes part;
    /// sorted, at least two.
    package let sides: [Dot]
    /// The sides that are withdrawn; sorted.
    package let withdrawn: [Dot]
    /// The lines that it spans in the text of the version asked about, in bytes: the whole text for
    /// a deletion, and the empty range at 0 for a name.
    package let range: Range<Int>

    package init(id: ConflictID, kind: ConflictKind, sides: [Dot], withdrawn: [Dot] = [], range: Range<Int>) {
        self.id = id
        self.kind = kind
        self.sides = sides
        self.withdrawn = withdrawn
        self.range = range
    }

    /// Returns a copy of this conflict that has the range `range`.
    func moved(to range: Range<Int>) -> Conflict {
        Conflict(id: id, kind: kind, sides: sides, withdrawn: withdrawn, range: range)
    }

    /// Returns a copy of this conflict whose range, in the kept sequence, is one of the text. The text
    /// is one byte shorter if it lacks the last LF. An empty range after that LF would then be inside
    /// the last line, and becomes this line.
    ///
    /// - Parameter length: the length of the text.
    /// - Complexity: O(1), or that of the text and its last line.
    func shown(in text: @autoclosure () -> [UInt8], length: Int) -> Conflict {
        guard range.upperBound > length else { return self }
        guard range.lowerBound > length else { return moved(to: range.lowerBound..<length) }
        return moved(to: (text().lastIndex(of: lineFeed) ?? -1) + 1..<length)
    }
}

/// What concurrent writes disagree about. The raw value is part of conflict ids and must not
/// change.
package enum ConflictKind: String, Hashable, Sendable, CaseIterable {
    /// Edits touch, and at least one of them was found by the line diff.
    case text
    /// Both set the name, to different values.
    case name
    /// One deletes the note and the other writes it.
    case deletion
}

/// One edit of one revision as a part of a conflict. Ordered by dot, then by index.
package struct ConflictMember: Hashable, Comparable, Sendable {
    /// The revision.
    package let dot: Dot
    /// The index of the edit in the revision's list; 0 for a deletion or a name.
    package let index: Int

    package init(dot: Dot, index: Int) {
        self.dot = dot
        self.index = index
    }

    package static func < (left: ConflictMember, right: ConflictMember) -> Bool {
        left.dot == right.dot ? left.index < right.index : left.dot < right.dot
    }
}

/// Derives a conflict's id from its kind and members
/// (`docs/decisions/conflicts.md#0012`).
///
/// The hash is a parameter so that this module depends on no cryptography.
package struct ConflictNaming: Sendable {
    private let hash: @Sendable ([UInt8]) -> [UInt8]

    /// Creates a naming.
    ///
    /// - Parameter hash: SHA-256 in the daemon; it must return at least 16 bytes.
    package init(hash: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        self.hash = hash
    }

    /// The id of a conflict.
    ///
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
