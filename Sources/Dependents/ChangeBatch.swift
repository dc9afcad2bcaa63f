package import NotesModel

/// The lines that one batch of commits produces for every watch of one filter that has nothing
/// pending and no part in the changes. It is built once and shared, so that a watch costs the same
/// however many changes the batch has.
///
/// The lines are those of an imaginary watch of that filter, so each rule is implemented once.
/// Several batches may be pending for one watch as long as no two are about one note; otherwise the
/// watch takes in its pending changes one by one (`Outbox`).
package final class ChangeBatch: Sendable {
    /// The lines in the order of their commits, as the imaginary watch got them.
    package let lines: [ChangedLine]
    /// The entries of the imaginary watch's outbox.
    let entries: [OutboxEntry]
    /// The commit before the batch.
    let after: UInt64
    /// The newest commit that the lines report.
    package let through: UInt64
    /// An upper bound of the bytes of text in the lines.
    let textBytes: Int
    /// The dependents that made these changes.
    private let authors: Set<DependentID>

    /// Builds the lines of a batch.
    ///
    /// - Precondition: there are changes, and a transition under the filter for each.
    /// - Complexity: O(changes).
    init(
        of changes: [Change], _ transitions: [FilterTransition], _ filter: Filter, _ limits: DependentLimits
    ) {
        after = changes[0].sequence - 1
        authors = Set(changes.compactMap { $0.origin?.dependent })
        var watch = Watch(following: filter, from: after)
        let everything = Quota(bytes: .max, pageNotesMax: 1)
        _ = watch.committed(changes, transitions, to: Self.nobody, movesMax: limits.movesMax, quota: everything)
        entries = watch.outbox.waiting
        let context = Watch.WatchContext(
            dependent: Self.nobody, newest: changes[changes.count - 1].sequence, now: 0, quota: everything,
            idleSecondsMax: .max)
        let recent = RecentCommits(newest: after)
        var lines: [ChangedLine] = []
        while case .line(.changed(let line)) = watch.next(context, recent) { lines.append(line) }
        self.lines = lines
        through = watch.position
        textBytes = changes.reduce(0) { $0 + $1.after.bytes }
    }

    /// The number of lines.
    var count: Int { lines.count }
    /// Whether there are none. The filter may cover a note only between two of the commits.
    var isEmpty: Bool { lines.isEmpty }

    /// The lines for a watch, numbered from `seq`.
    ///
    /// - Complexity: O(lines).
    package func lines(showing include: WatchDetail, to watch: WatchID = WatchID(0), from seq: UInt64 = 0) -> [ChangedLine] {
        lines.enumerated().map { index, line in
            var line = line
            (line.watch, line.seq, line.include) = (watch, seq + UInt64(index), include)
            line.cursor = WatchPosition(line.to, newest: line.to)
            return line
        }
    }

    /// The id of no connection: connections are numbered from 1.
    private static let nobody = DependentID(0)

    /// Whether the batch may be sent to a dependent as a whole: it is within the limits for that
    /// amount of detail, and the dependent made none of the changes.
    func suits(_ dependent: DependentID, _ include: WatchDetail, within limits: DependentLimits) -> Bool {
        count <= limits.changeBatchNotesMax && (include == .meta || textBytes <= limits.changeBatchBytesMax)
            && !authors.contains(dependent)
    }
}

extension ChangeBatch: Hashable {
    package static func == (left: ChangeBatch, right: ChangeBatch) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A shared batch as one watch receives it: one line for each note, numbered from `seq`. The cursor
/// of each line is its commit alone. That is valid in every store: the batch is one transaction, so
/// no store has part of it, and the watch had sent everything before it.
package struct NumberedChangeBatch: Hashable, Sendable {
    /// The watch that receives the lines.
    package let watch: WatchID
    /// The number of the first line.
    package let seq: UInt64
    /// How much of each note the lines contain.
    package let include: WatchDetail
    /// The shared lines.
    package let changeBatch: ChangeBatch
}

/// A shared batch and the dependents that receive it immediately.
package struct Broadcast: Sendable {
    /// The shared lines.
    package let changeBatch: ChangeBatch
    /// How much of each note the lines contain.
    package let include: WatchDetail
    /// The receivers, in ascending order of their ids.
    package let recipients: [Recipient]

    /// A receiver with its only watch.
    package struct Recipient: Hashable, Sendable {
        /// The dependent that receives the lines.
        package let dependent: DependentID
        /// Its only watch.
        package let watch: WatchID
        /// The number of the first line within the watch.
        package let seq: UInt64
    }
}
