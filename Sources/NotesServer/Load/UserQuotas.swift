import Synchronization

/// Number of connections and requests of each user, over all event loops. Thread-safe.
final class UserQuotas: Sendable {
    private struct Entry {
        let usage = UserUsage()
        var connections = 0
    }

    private let entries = Mutex<[UInt32: Entry]>([:])

    /// Counts a new connection of a user.
    ///
    /// - Parameters:
    ///   - user: id of the user.
    ///   - connectionsMax: limit on the user's connections; nil for none.
    /// - Returns: the usage that all connections of the user share; nil if the limit is reached.
    ///   Otherwise the caller calls `leave` once when the connection is gone.
    func enter(_ user: UInt32, connectionsMax: Int?) -> UserUsage? {
        entries.withLock { entries in
            var entry = entries[user] ?? Entry()
            guard entry.connections < connectionsMax ?? .max else { return nil }
            entry.connections += 1
            entries[user] = entry
            return entry.usage
        }
    }

    /// Removes a connection that `enter` counted.
    func leave(_ user: UInt32) {
        entries.withLock { entries in
            guard var entry = entries[user] else { return }
            entry.connections -= 1
            entries[user] = entry.connections > 0 ? entry : nil
        }
    }
}

/// Requests of one user, over all connections. Thread-safe.
final class UserUsage: Sendable {
    private let requests = Atomic(0)

    /// Number of unanswered requests.
    var inFlight: Int { requests.load(ordering: .relaxed) }

    /// Adds a difference, which may be negative.
    func changeInFlight(by count: Int) {
        guard count != 0 else { return }
        requests.add(count, ordering: .relaxed)
    }
}
