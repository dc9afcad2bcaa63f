package import Causality
package import NoteText
package import TextMerge

/// A note at its compaction floor, for a store that lacks revisions below it: their texts are gone, so
/// they cannot be sent. A store that takes it knows all dots of the note up to the floor.
///
/// Example: a note was written in A1 and A2 and purged in A3. A store that has nothing of it gets
///
///     floor   A3, which has the parent A2
///     below   A1, A2
///     text    the text at A3
///
/// The store then has a row for each of A1, A2 and A3, and shows the text. `skeletons(besides:)` gives
/// the rows of A1 and A2.
package struct NoteBeginning: Hashable, Sendable {
    /// The revision at the floor. Every other revision of the note is in its past or has it in its own.
    package let floor: LinkedRevision
    /// The dots of the revisions in the past of the floor.
    package let below: DotSet
    /// The revisions of `below` that a purge erased: all if the floor is a purge, and none if the note was
    /// never purged.
    package let erased: DotSet
    /// The text at the floor; empty if the note is deleted.
    package let text: [UInt8]
    /// The name at the floor; nil if the note has none or is deleted.
    package let name: NoteName?
    /// See `ViewFloor.lastLine`.
    package let lastLine: LastLineFeed
    /// Whether the note is deleted at the floor.
    package let isDeleted: Bool
    /// See `Head.created`.
    package let created: Timestamp

    /// Maximum number of revisions below the floor: each becomes a row in one transaction.
    package static let belowMax = 20_000
    /// Maximum size of the text and the floor's edits, in bytes: both are sent in one line.
    package static let bytesMax = 12 << 20

    package init(
        floor: LinkedRevision, below: DotSet, erased: DotSet = DotSet(), text: [UInt8], name: NoteName?,
        lastLine: LastLineFeed, isDeleted: Bool, created: Timestamp
    ) {
        self.floor = floor
        self.below = below
        self.erased = erased
        self.text = text
        self.name = name
        self.lastLine = lastLine
        self.isDeleted = isDeleted
        self.created = created
    }

    /// The note.
    package var note: NoteID { floor.note }
    /// The dot of the floor.
    package var dot: Dot { floor.dot }
    /// Whether the floor is a purge. A store that takes it erases what it has below.
    package var isPurge: Bool { floor.content.mark?.kind == .purge }

    /// Whether a store that has these revisions of the note, and no others, must erase them: each is below
    /// a purge that the store does not have.
    package func erases(_ own: DotSet) -> Bool {
        isPurge ? below.isSuperset(of: own) : erased.isSuperset(of: own) && erased != own
    }

    /// Whether a store that has these revisions of the note, and no others, loses none of their text if it goes
    /// on from the floor, and needs it: the store lacks revisions whose texts its peer has compacted.
    package func continues(_ own: DotSet) -> Bool {
        !isPurge && erased.isEmpty && below.isSuperset(of: own) && !floor.content.parents.dots.allSatisfy(own.contains)
    }

    /// The dots of all revisions up to the floor.
    package var dots: DotSet {
        var dots = below
        dots.insert(dot)
        return dots
    }

    /// The size of the text and the floor's edits, in bytes.
    package var textBytes: Int { floor.content.edits.reduce(text.count) { $0 + $1.replacement.count } }
    /// The size at which a page counts it, in bytes. It includes each revision below: the sender reads its
    /// row, and the receiver writes one.
    package var byteCount: Int { textBytes + PageLimit.revisionOverheadBytes + 16 * below.count }

    /// The note as it is at the floor, or with later revisions.
    ///
    /// - Complexity: O(bytes of the text + ranges of `below` + revisions).
    package func note(at sequence: UInt64, with tail: [Revision] = []) -> Note {
        var vector = VersionVector()
        for replica in below.replicas {
            if let last = below.ranges(of: replica).last { vector.record(Dot(replica, last.upperBound)) }
        }
        for dot in [dot] + tail.map(\.dot) { vector.record(dot) }
        let content = floor.content
        return Note(
            NoteRecord(
                id: note, created: created, vector: vector, sequence: sequence,
                floor: NoteRecord.Floor(
                    dot: dot, ViewFloor(text: text, lastLine: lastLine, isDeleted: isDeleted, conflicts: []), name: name,
                    author: content.author, time: content.time, modified: content.modified, isPurge: isPurge),
                tail: tail, endsAtCompactionFloor: true))
    }
}

/// A revision below a floor of which only the dot is known.
package struct Skeleton: Hashable, Sendable {
    /// The revision without its edits.
    package let revision: Revision
    /// Whether every earlier revision of the note is in its past.
    package let coversAll: Bool
    /// The hash that the floor has for it as its parent; 0 for any other one.
    package let hash: RevisionHash
}

extension NoteBeginning {
    /// The revisions below the floor that a store lacks, in the order in which it commits them.
    ///
    /// Their true parents are not known. So they form a chain on what the store has, and the parents of
    /// the floor follow side by side: then the floor is above all, as in every other store. If the floor
    /// does not set the name, its parents do. If it undoes one of them, all below it do: what is undone sets no
    /// name, and the first revision of a note cannot be undone.
    ///
    /// Example: the store has A1, and the floor D1 has the parents B2 and C1.
    ///
    ///     below A1, B1, B2, C1   →   B1 on A1, then B2 on B1 and C1 on B1
    ///
    /// - Parameter known: the dots and the version of the note in the store; nothing if it has none.
    /// - Complexity: O(dots below the floor).
    package func skeletons(besides known: (dots: DotSet, version: Version) = (DotSet(), .nothing)) -> [Skeleton] {
        let content = floor.content
        let parents = Dictionary(zip(content.parents.dots, floor.parentHashes)) { hash, _ in hash }
        var (chain, last): ([Dot], [Dot]) = ([], [])
        for replica in below.replicas {
            for range in below.ranges(of: replica) {
                for counter in range {
                    let dot = Dot(replica, counter)
                    guard !known.dots.contains(dot) else { continue }
                    if parents[dot] == nil { chain.append(dot) } else { last.append(dot) }
                }
            }
        }
        let name = isPurge || isDeleted ? nil : name
        let chainName = content.withdraws.contains { parents[$0] != nil } ? name : nil
        let held = known.version.dots.filter { parents[$0] != nil }
        var top = Version(known.version.dots.filter { parents[$0] == nil })
        var skeletons: [Skeleton] = []
        for dot in chain {
            skeletons.append(
                skeleton(
                    dot, on: top, coversAll: held.isEmpty, isFirst: skeletons.isEmpty && known.dots.isEmpty, name: chainName))
            top = Version(dot)
        }
        for (index, dot) in last.enumerated() {
            skeletons.append(
                skeleton(
                    dot, on: top, coversAll: held.isEmpty && index == 0, isFirst: skeletons.isEmpty && known.dots.isEmpty,
                    hash: parents[dot], name: name))
        }
        return skeletons
    }

    private func skeleton(
        _ dot: Dot, on parents: Version, coversAll: Bool, isFirst: Bool, hash: RevisionHash? = nil, name: NoteName? = nil
    ) -> Skeleton {
        let content = floor.content
        return Skeleton(
            revision: Revision(
                note: note, dot: dot, parents: parents, edits: [], origin: .stated, name: name.map { .set($0) } ?? .unchanged,
                author: Author(user: content.author.user, label: nil), time: isFirst ? created : content.time),
            coversAll: coversAll, hash: hash ?? RevisionHash(bits: 0))
    }
}
