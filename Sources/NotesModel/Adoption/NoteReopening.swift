package import Causality
import NoteText
package import TextMerge

/// The way back of texts that compaction removed, because another store wrote on what is below the
/// compaction floor. A peer has these texts. The store leaves their dots out of what it says that it
/// knows, collects what the peer then sends, and derives again what its rows contain.
///
///     compaction floor at 4, and a peer's X was written on 2
///     rows      1 2 3 4 5        1, 2 and 3 have no text
///     lacks     1 2 3            the peer sends them, whole, or 3 and the beginning of the note at 2
///     result    texts for 1, 2 and 3; no floor, or the floor at 2; then X fits
///
/// Each revision must have the hash that the row kept, and all together must give the text at the floor.
/// So a peer cannot put other texts in their place.
package struct NoteReopening: Sendable {
    /// The text of one row.
    package struct Text: Hashable, Sendable {
        /// The commit sequence number of the row.
        package let sequence: UInt64
        /// The edits that turn the text at the parents into the own text (`Commit.textEdits`).
        package let edits: [Edit]
        /// The whole own text, if the row stores it.
        package let text: [UInt8]?
        /// Whether the own text is that of a file.
        package let isFile: Bool
        /// Whether the row becomes the compaction floor.
        package let isFloor: Bool
    }

    private enum Stage: Sendable {
        case collecting
        /// Rows are adopted again, from `first` to `next`. If `first` is not 0, the beginning is below.
        case replaying(WorkingCopy, first: Int, next: Int)
        case done
        case failed
    }

    /// The note.
    package let note: NoteID
    /// The dots of the revisions whose texts compaction removed.
    package let lacks: DotSet
    /// The bytes of the collected texts.
    package private(set) var bytes = 0
    /// The derived texts that are not written yet, oldest first.
    package private(set) var texts: [Text] = []
    private let past: CompactedPast
    private let hashes: [Dot: RevisionHash]
    private var revisions: [Dot: LinkedRevision] = [:]
    private var beginning: NoteBeginning?
    private var stage = Stage.collecting

    /// Nil if no text can come back: each one that is missing was erased.
    package init?(_ note: NoteID, _ past: CompactedPast) {
        let lacks = DotSet(past.rows.filter { $0.isCompacted && !$0.isErased }.map(\.dot))
        guard lacks.count > 0 else { return nil }
        (self.note, self.past, self.lacks) = (note, past, lacks)
        hashes = Dictionary(past.rows.lazy.filter { !$0.isErased }.map { ($0.dot, $0.hash) }) { first, _ in first }
    }

    /// Whether the texts cannot come back: they do not fit each other.
    package var hasFailed: Bool { if case .failed = stage { true } else { false } }
    /// Whether texts may still be taken.
    package var isCollecting: Bool { if case .collecting = stage { true } else { false } }
    /// Whether all texts are derived.
    package var isDone: Bool { if case .done = stage { true } else { false } }
    /// Whether `run` would do anything.
    package var isReady: Bool {
        switch stage {
        case .collecting: start != nil
        case .replaying: true
        case .done, .failed: false
        }
    }

    /// The dots up to the floor whose texts the store still has. The caller supplies their revisions with
    /// `take` before `run`.
    package var kept: [Dot] { past.rows.filter { !$0.isCompacted }.map(\.dot) }
    /// The number of commits up to the floor.
    package var rowCount: Int { past.rows.count }
    /// The commits that have their texts and are floors: the newest one, and others if the last compaction did not
    /// get that far.
    package var floors: [UInt64] { past.rows.filter { $0.isFloor && !$0.isCompacted }.map(\.sequence) }

    /// Takes a revision. Returns false if it is not one of the note's rows, or has another content.
    ///
    /// - Complexity: O(bytes of the revision).
    package mutating func take(_ revision: LinkedRevision) -> Bool {
        guard revision.note == note, hashes[revision.dot] == RevisionHash(of: revision) else { return false }
        guard case .collecting = stage, revisions.updateValue(revision, forKey: revision.dot) == nil else { return true }
        bytes += revision.content.edits.reduce(64) { $0 + $1.replacement.count }
        return true
    }

    /// Takes a beginning of the note.
    package mutating func take(_ beginning: NoteBeginning) {
        guard case .collecting = stage, beginning.note == note, lacks.contains(beginning.dot) else { return }
        self.beginning = beginning
        bytes += beginning.byteCount
    }

    /// The row from which all texts are there; nil while some are missing.
    private var start: Int? {
        let first = (past.rows.lastIndex { $0.isCompacted && revisions[$0.dot] == nil } ?? -1) + 1
        if first == 0 { return 0 }
        guard let beginning, let floor = past.rows.firstIndex(where: { $0.dot == beginning.dot }), floor >= first - 1,
            past.rows[floor].mayBeFloor, beginning.below == DotSet(past.rows[..<floor].map(\.dot))
        else { return nil }
        return floor
    }

    /// Derives the texts of some rows.
    ///
    /// - Precondition: `isReady`, and the revisions of `kept` were taken.
    /// - Complexity: that of adopting `rowsMax` revisions.
    package mutating func run(rowsMax: Int, _ limits: ModelLimits) {
        if case .collecting = stage, let start { begin(at: start, limits) }
        guard case .replaying(var copy, let first, var next) = stage else { return }
        // The copy must be held once, or each revision would copy the walk's state.
        stage = .collecting
        let end = min(next + rowsMax, past.rows.count)
        while next < end {
            guard let accepted = adopt(past.rows[next], &copy) ?? again(next, after: first, &copy, limits) else {
                stage = .failed
                return
            }
            if next == past.rows.count - 1, accepted.text != past.floorText {
                stage = .failed
                return
            }
            let row = past.rows[next]
            if row.isCompacted {
                texts.append(
                    Text(
                        sequence: row.sequence, edits: accepted.textEdits, text: row.storesText ? accepted.text : nil,
                        isFile: FileContent.isFile(accepted.text), isFloor: false))
            }
            next += 1
        }
        stage = next < past.rows.count ? .replaying(copy, first: first, next: next) : .done
    }

    /// The texts of the newest rows that are not written yet, newest first.
    ///
    /// - Precondition: `isDone`.
    package func newestTexts(_ countMax: Int) -> [Text] { texts.suffix(countMax).reversed() }

    /// Removes the texts of the newest rows once they are written.
    package mutating func removeNewestTexts(_ count: Int) { texts.removeLast(count) }

    private mutating func begin(at start: Int, _ limits: ModelLimits) {
        var copy = WorkingCopy(limits: limits)
        let row = past.rows[start]
        guard let beginning, start > 0 else {
            copy.supply(loaded: nil, for: note, downTo: .start)
            stage = .replaying(copy, first: 0, next: 0)
            return
        }
        guard RevisionHash(of: beginning.floor) == row.hash else {
            stage = .failed
            return
        }
        copy.supply(loaded: beginning.note(at: row.sequence), for: note, downTo: .start)
        texts.append(
            Text(
                sequence: row.sequence, edits: beginning.floor.content.edits, text: beginning.text,
                isFile: FileContent.isFile(beginning.text), isFloor: true))
        stage = .replaying(copy, first: start + 1, next: start + 1)
    }

    /// Adopts the revision of a row. Nil if it does not fit, or the copy has to reach further down.
    private func adopt(_ row: CompactedPast.Row, _ copy: inout WorkingCopy) -> Accepted? {
        guard let revision = revisions[row.dot], case .accepted(let accepted) = copy.adopt(revision.content) else { return nil }
        return accepted
    }

    /// Adopts the revision of a row with a copy that reaches down to the first one, for an undo.
    private func again(_ next: Int, after first: Int, _ copy: inout WorkingCopy, _ limits: ModelLimits) -> Accepted? {
        guard next > first else { return nil }
        let tail = past.rows[first..<next].compactMap { revisions[$0.dot]?.content }
        let sequence = past.rows[next - 1].sequence
        copy = WorkingCopy(limits: limits)
        copy.supply(loaded: whole(tail, at: sequence, isFromStart: first == 0), for: note, downTo: .start)
        return adopt(past.rows[next], &copy)
    }

    private func whole(_ tail: [Revision], at sequence: UInt64, isFromStart: Bool) -> Note? {
        guard isFromStart, let oldest = tail.first else { return beginning?.note(at: sequence, with: tail) }
        var vector = VersionVector()
        for revision in tail { vector.record(revision.dot) }
        return Note(
            NoteRecord(id: note, created: oldest.modified, vector: vector, sequence: sequence, floor: nil, tail: tail))
    }
}
