import Synchronization

/// What each user takes of the service, over all event loops. Any thread may ask and tell.
final class UserQuotas: Sendable {
    private struct Entry {
        let usage = UserUsage()
        var connections = 0
    }

    private let entries = Mutex<[UInt32: Entry]>([:])

    /// Counts one more connection of a user.
    ///
    /// - Parameter connectionsMax: how many he may have; nil for any number.
    /// - Returns: nil where he has as many already. Otherwise `leave` is called for it, once.
    func enter(_ user: UInt32, connectionsMax: Int?) -> UserUsage? {
        entries.withLock { entries in
            var entry = entries[user] ?? Entry()
            guard entry.connections < connectionsMax ?? .max else { return nil }
            entry.connections += 1
            entries[user] = entry
            return entry.usage
        }
    }

    func leave(_ user: UInt32) {
        entries.withLock { entries in
            guard var entry = entries[user] else { return }
            entry.connections -= 1
            entries[user] = entry.connections > 0 ? entry : nil
        }
    }
}

/// What the connections of one user take together.
final class UserUsage: Sendable {
    private let requests = Atomic(0)

    /// Requests that wait for their answers.
    var inFlight: Int { requests.load(ordering: .relaxed) }

    func changeInFlight(by count: Int) {
        guard count != 0 else { return }
        requests.add(count, ordering: .relaxed)
    }
}
