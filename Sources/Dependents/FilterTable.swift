import NotesModel

/// The filters in use, each once. Thousands of watches with a few distinct filters then cost one
/// match of each filter per change.
///
/// Invariant: `indices` contains the row of every filter with users, and no other; a row without
/// users is free.
struct FilterTable: Sendable {
    /// One filter with its users and its results for the batch that was matched last.
    private struct Row: Sendable {
        var filter: Filter
        /// The number of watches with this filter.
        var users: Int
        /// The transition of each change of the batch.
        var transitions: [FilterTransition] = []
        /// The shared lines of the batch. Nil if no change concerns a watch of the filter with
        /// nothing pending; also nil between two batches.
        var changeBatch: ChangeBatch?
        /// The receivers of the immediate broadcast, by the index of the detail of their lines.
        var recipients = Row.noRecipients

        static let noRecipients = [[Broadcast.Recipient]](repeating: [], count: WatchDetail.allCases.count)
    }

    private var rows: [Row] = []
    private var indices: [Filter: Int] = [:]
    /// The rows without users.
    private var free: [Int] = []

    /// Whether any filter has users.
    var isInUse: Bool { !indices.isEmpty }

    /// Adds a user of a filter.
    ///
    /// - Returns: the row, and the filter as stored there, so that equal filters share their
    ///   storage.
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

    /// Removes a user of a row.
    ///
    /// - Precondition: the row is retained.
    mutating func release(_ index: Int) {
        rows[index].users -= 1
        guard rows[index].users == 0 else { return }
        indices[rows[index].filter] = nil
        rows[index] = Row(filter: Filter(), users: 0)
        free.append(index)
    }

    /// Computes the transition of each change under each filter in use.
    ///
    /// - Precondition: the broadcasts of the previous batch were taken (`takeBroadcasts`).
    /// - Complexity: O(filters in use × changes).
    mutating func match(_ changes: [Change], _ limits: DependentLimits) {
        for index in rows.indices where rows[index].users > 0 {
            let filter = rows[index].filter
            rows[index].transitions.removeAll(keepingCapacity: true)
            for change in changes { rows[index].transitions.append(FilterTransition(change, under: filter)) }
            guard rows[index].transitions.contains(where: \.isCovered) else { continue }
            rows[index].changeBatch = ChangeBatch(of: changes, rows[index].transitions, filter, limits)
        }
    }

    /// The transitions of the batch that was matched last.
    func transitions(under index: Int) -> [FilterTransition] {
        rows[index].transitions
    }

    /// Whether the change with that index moved its note into or out of a filter in use.
    ///
    /// - Complexity: O(filters in use).
    func isCrossing(_ change: Int) -> Bool {
        rows.contains { $0.users > 0 && $0.transitions[change].before.matches != $0.transitions[change].after.matches }
    }

    /// For each row, whether it is in use and any of the heads matches its filter.
    ///
    /// - Complexity: O(filters in use × heads).
    func covering(anyOf heads: [Head]) -> [Bool] {
        rows.map { row in row.users > 0 && heads.contains(where: row.filter.matches) }
    }

    /// The shared lines of the batch that was matched last; nil if no change concerns a watch with
    /// nothing pending.
    func changeBatch(under index: Int) -> ChangeBatch? {
        rows[index].changeBatch
    }

    /// Adds a receiver of the immediate broadcast of a row.
    mutating func addRecipient(_ recipient: Broadcast.Recipient, under index: Int, _ include: WatchDetail) {
        rows[index].recipients[include.index].append(recipient)
    }

    /// Removes and returns the immediate broadcasts of the batch.
    mutating func takeBroadcasts() -> [Broadcast] {
        var broadcasts: [Broadcast] = []
        for index in rows.indices {
            guard let changeBatch = rows[index].changeBatch.take() else { continue }
            for include in WatchDetail.allCases where !rows[index].recipients[include.index].isEmpty {
                let recipients = rows[index].recipients[include.index]
                broadcasts.append(Broadcast(changeBatch: changeBatch, include: include, recipients: recipients))
            }
            rows[index].recipients = Row.noRecipients
        }
        return broadcasts
    }
}
