import NoteText
import Synchronization

/// Number of connections and requests of each user, and of each person for whom a user connects, over
/// all event loops. Thread-safe.
///
/// A connection for a person counts twice: for the user and for the person. So a user cannot exceed the
/// limits of the user by inventing names.
final class UserQuotas: Sendable {
    private struct Key: Hashable {
        let user: UInt32
        /// Nil for all connections of the user.
        let person: ByteString?
    }

    private struct Entry {
        let usage = UserUsage()
        var connections = 0
    }

    private let entries = Mutex<[Key: Entry]>([:])

    /// Counts a new connection of a user, or that it is for a person.
    ///
    /// - Parameters:
    ///   - user: id of the user.
    ///   - person: name of the person; nil to count the connection for the user.
    ///   - connectionsMax: limit on the connections that are counted together; nil for none.
    /// - Returns: the usage that these connections share; nil if the limit is reached. Otherwise the
    ///   caller calls `leave` once when the connection is gone.
    func enter(_ user: UInt32, for person: ByteString? = nil, connectionsMax: Int?) -> UserUsage? {
        let key = Key(user: user, person: person)
        return entries.withLock { entries in
            var entry = entries[key] ?? Entry()
            guard entry.connections < connectionsMax ?? .max else { return nil }
            entry.connections += 1
            entries[key] = entry
            return entry.usage
        }
    }

    /// Removes a connection that `enter` counted.
    func leave(_ user: UInt32, for person: ByteString? = nil) {
        let key = Key(user: user, person: person)
        entries.withLock { entries in
            guard var entry = entries[key] else { return }
            entry.connections -= 1
            entries[key] = entry.connections > 0 ? entry : nil
        }
    }
}

/// Requests of one user or person, over all connections. Thread-safe.
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
