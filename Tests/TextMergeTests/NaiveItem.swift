import Causality
import TextMerge

/// One byte that some writer inserted.
final class NaiveItem {
    struct Copy {
        let inserter: Dot
        /// The revisions that removed it, each with those that keep the line which it was removed with.
        var removers: [Dot: Set<Dot>] = [:]

        /// Whether a version shows it, given the revisions that count in the version.
        func isVisible(in counting: Set<Dot>) -> Bool {
            counting.contains(inserter) && removers.allSatisfy { !counting.contains($0) || !$1.isDisjoint(with: counting) }
        }
    }

    let byte: UInt8
    let event: Event
    let replacement: [UInt8]
    /// Whether its edit is of whole lines.
    let isOfLines: Bool
    /// Whether it is the first item of an insertion at the start of a line that its writer saw.
    let startsLine: Bool
    let left: NaiveItem?
    let right: NaiveItem?
    var copies: [Copy]

    init(
        _ byte: UInt8, _ event: Event, _ replacement: [UInt8], isOfLines: Bool, startsLine: Bool, left: NaiveItem?,
        right: NaiveItem?
    ) {
        (self.byte, self.event, self.replacement, self.left, self.right) = (byte, event, replacement, left, right)
        self.isOfLines = isOfLines
        self.startsLine = startsLine
        copies = [Copy(inserter: event.dot)]
    }

    /// Whether the revision removed a copy of it.
    func isRemoved(by dot: Dot) -> Bool {
        copies.contains { $0.removers[dot] != nil }
    }

    func isKnown(in past: Set<Dot>) -> Bool {
        copies.contains { past.contains($0.inserter) }
    }

    /// Whether a version shows it, given the revisions that count in the version.
    func isVisible(in counting: Set<Dot>) -> Bool {
        copies.contains { $0.isVisible(in: counting) }
    }

    /// The order of two insertions with the same origins.
    func precedes(_ other: NaiveItem) -> Bool {
        switch (event.origin, other.event.origin) {
        case (.stated, .found): return false
        case (.found, .stated): return true
        case (.found, .found) where replacement != other.replacement:
            return replacement.lexicographicallyPrecedes(other.replacement)
        case (.stated, .stated) where isOfLines != other.isOfLines: return isOfLines
        default: return event.dot < other.event.dot
        }
    }
}

/// The copies of a line that a line edit removed, or that an edit within lines keeps.
struct NaiveLine {
    struct Copy: Hashable {
        let item: ObjectIdentifier
        let inserter: Dot
    }

    /// The edit; its index is -1 for the old text that a write which restores the note removes.
    let member: ConflictMember
    let items: [NaiveItem]
    let copies: Set<Copy>
    /// Whether the edit is in conflict with a stated one that keeps the line.
    let conflicts: Bool

    init(_ member: ConflictMember, _ items: ArraySlice<NaiveItem>, _ now: Set<Dot>, conflicts: Bool = false) {
        (self.member, self.items, self.conflicts) = (member, Array(items), conflicts)
        copies = items.reduce(into: []) { copies, item in
            for copy in item.copies where copy.isVisible(in: now) {
                copies.insert(Copy(item: ObjectIdentifier(item), inserter: copy.inserter))
            }
        }
    }
}
