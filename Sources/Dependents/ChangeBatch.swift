package import NotesModel

/// What one batch of commits says to every watch of one filter that had been told all before, and has no part in it: made once and
/// shared, so that a watch costs the same however many changes there are.
///
/// It is what an imaginary watch of that filter is told, so that no rule stands twice. Several may wait for one watch, as long as no two
/// are about one note; otherwise the watch takes in change by change what it still has to hear (`Outbox`).
package final class ChangeBatch: Sendable {
    /// In the order of their commits.
    package let notes: [Note]
    /// What the imaginary watch's outbox held.
    let entries: [OutboxEntry]
    /// The commit before the batch.
    let after: UInt64
    /// The newest commit that is told of.
    package let through: UInt64
    /// No less than what the notes show.
    let textBytes: Int
    /// Whose changes these are.
    private let authors: Set<DependentID>

    /// One line to be, but for the watch and its number.
    package struct Note: Sendable {
        package let kind: ChangeKind
        package let note: NoteID
        package let to: UInt64
        package let from: UInt64
        package let changes: Int
        package let origin: Origin?
    }

    /// - Precondition: there are changes, and a passage under the filter for each.
    /// - Complexity: O(changes).
    init(of changes: [Change], _ committed: [CommittedNote], _ passages: [FilterTransition], _ filter: Filter, _ limits: DependentLimits) {
        after = committed[0].sequence - 1
        authors = Set(committed.compactMap { $0.origin?.dependent })
        var watch = Watch(following: filter, from: after)
        let everything = Quota(bytes: .max, pageNotesMax: 1)
        _ = watch.committed(committed, passages, to: Self.nobody, movesMax: limits.movesMax, quota: everything)
        entries = watch.outbox.waiting
        let context = Watch.WatchContext(
            dependent: Self.nobody, newest: committed[committed.count - 1].sequence, now: 0, quota: everything,
            idleSecondsMax: .max)
        let recent = RecentCommits(newest: after)
        var notes: [Note] = []
        while case .line(.changed(let line)) = watch.next(context, recent) {
            notes.append(
                Note(
                    kind: line.kind, note: line.note, to: line.to, from: line.from, changes: line.changes, origin: line.origin))
        }
        self.notes = notes
        through = watch.position
        textBytes = changes.reduce(0) { $0 + $1.after.bytes }
    }

    /// Connections are numbered from 1.
    private static let nobody = DependentID(0)

    /// Whether a dependent may be told all of it at once, with what such a line shows.
    func suits(_ dependent: DependentID, _ include: WatchDetail, within limits: DependentLimits) -> Bool {
        notes.count <= limits.changeBatchNotesMax && (include == .meta || textBytes <= limits.changeBatchBytesMax)
            && !authors.contains(dependent)
    }
}

extension ChangeBatch: Hashable {
    package static func == (left: ChangeBatch, right: ChangeBatch) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A bulletin as one watch is told it: a line for each of its notes, numbered from `seq` on. Each line's cursor is its commit alone: the
/// batch is one transaction, so no store has a part of it, and of the notes of others that wait the watch had told what was before.
package struct NumberedChangeBatch: Hashable, Sendable {
    package let watch: WatchID
    package let seq: UInt64
    package let include: WatchDetail
    package let changeBatch: ChangeBatch
}

extension ChangeBatch {
    /// The lines that a watch is told, numbered from `seq` on.
    ///
    /// - Complexity: O(notes).
    package func lines(showing include: WatchDetail, to watch: WatchID = WatchID(0), from seq: UInt64 = 0) -> [ChangedLine] {
        notes.enumerated().map { index, note in
            ChangedLine(
                watch: watch, seq: seq + UInt64(index), kind: note.kind, note: note.note, to: note.to, from: note.from,
                include: include, changes: note.changes, origin: note.origin, cursor: WatchPosition(note.to, newest: note.to))
        }
    }
}

/// A bulletin with all who are told it at once, in a line for each of its notes.
package struct Broadcast: Sendable {
    package let changeBatch: ChangeBatch
    package let include: WatchDetail
    package let recipients: [Recipient]

    package struct Recipient: Hashable, Sendable {
        package let dependent: DependentID
        package let watch: WatchID
        /// Of the first line.
        package let seq: UInt64
    }
}
