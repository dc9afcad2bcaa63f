import NotesModel

/// The filters in use, each once, so that thousands of watches with the same few are matched once a change.
///
/// Invariant: `indices` names the row of every filter that has users, and no other; a row without users is free.
struct FilterTable: Sendable {
    private struct Row: Sendable {
        var filter: Filter
        var users: Int
        /// For each change of the batch that is told of.
        var passages: [FilterTransition] = []
        /// Nil where none of them concerns a watch of the filter that had been told all before; and between two batches.
        var changeBatch: ChangeBatch?
        /// Who is told it at once, by what their lines show.
        var recipients: [WatchDetail: [Broadcast.Recipient]] = [:]
    }

    private var rows: [Row] = []
    private var indices: [Filter: Int] = [:]
    private var free: [Int] = []

    var isInUse: Bool { !indices.isEmpty }

    /// - Returns: the row, and the filter as it is kept there, so that equal ones share their storage.
    mutating func retain(_ filter: Filter) -> (index: Int, filter: Filter) {
        if let index = indices[filter] {
            rows[index].users += 1
            return (index, rows[index].filter)
        }
        let row = Row(filter: filter, users: 1)
        let index: Int
        if let reused = free.popLast() {
            index = reused
            rows[index] = row
        } else {
            index = rows.count
            rows.append(row)
        }
        indices[filter] = index
        return (index, filter)
    }

    /// - Precondition: the row is retained.
    mutating func release(_ index: Int) {
        rows[index].users -= 1
        guard rows[index].users == 0 else { return }
        indices[rows[index].filter] = nil
        rows[index] = Row(filter: Filter(), users: 0)
        free.append(index)
    }

    /// Works out what each change did in the eyes of each filter.
    ///
    /// - Precondition: what was told of the batch before was taken (`takeBroadcasts`).
    /// - Complexity: O(filters in use × changes).
    mutating func match(_ changes: [Change], _ committed: [CommittedNote], _ limits: DependentLimits) {
        for index in rows.indices where rows[index].users > 0 {
            let filter = rows[index].filter
            rows[index].passages.removeAll(keepingCapacity: true)
            for change in changes { rows[index].passages.append(FilterTransition(change, under: filter)) }
            guard rows[index].passages.contains(where: \.isCovered) else { continue }
            rows[index].changeBatch = ChangeBatch(of: changes, committed, rows[index].passages, filter, limits)
        }
    }

    /// Of the batch that was matched last.
    func passages(under index: Int) -> [FilterTransition] {
        rows[index].passages
    }

    /// Whether the change of that number brought its note into a filter in use, or out of one.
    ///
    /// - Complexity: O(filters in use).
    func isCrossing(_ change: Int) -> Bool {
        rows.contains { $0.users > 0 && $0.passages[change].before.matches != $0.passages[change].after.matches }
    }

    /// For each row, whether it is in use and one of the notes is in its filter.
    ///
    /// - Complexity: O(filters in use × heads).
    func covering(anyOf heads: [Head]) -> [Bool] {
        rows.map { row in row.users > 0 && heads.contains(where: row.filter.matches) }
    }

    /// Of the same; nil where it concerns no watch that had been told all before.
    func changeBatch(under index: Int) -> ChangeBatch? {
        rows[index].changeBatch
    }

    mutating func deliverBroadcasts(_ recipient: Broadcast.Recipient, under index: Int, _ include: WatchDetail) {
        rows[index].recipients[include, default: []].append(recipient)
    }

    /// What was told at once of the batch. Lets go of it.
    mutating func takeBroadcasts() -> [Broadcast] {
        var broadcasts: [Broadcast] = []
        for index in rows.indices {
            guard let changeBatch = rows[index].changeBatch.take() else { continue }
            for include in WatchDetail.allCases {
                guard let recipients = rows[index].recipients[include] else { continue }
                broadcasts.append(Broadcast(changeBatch: changeBatch, include: include, recipients: recipients))
            }
            rows[index].recipients.removeAll(keepingCapacity: true)
        }
        return broadcasts
    }
}
