import NIOCore

/// The connections of one event loop that have not sent hello, oldest first. If there are too many,
/// the user with the most of them loses one.
struct PendingHandshakes {
    private struct PendingHandshake {
        let connection: ConnectionHandler
        let user: UInt32
        let since: NIODeadline
    }

    private var waiting = CircularBuffer<PendingHandshake>()

    /// Time for which a connection is not closed in favour of another of the same user. A client
    /// usually sends hello soon after it connects.
    private static let grace = TimeAmount.seconds(1)

    var count: Int { waiting.count }

    /// Adds a new connection.
    mutating func append(_ connection: ConnectionHandler, user: UInt32) {
        waiting.append(PendingHandshake(connection: connection, user: user, since: .now()))
    }

    /// Removes a connection that has sent hello or is gone.
    ///
    /// - Complexity: O(older connections).
    mutating func remove(_ connection: ConnectionHandler) {
        guard let index = waiting.firstIndex(where: { $0.connection === connection }) else { return }
        waiting.remove(at: index)
    }

    /// Removes the oldest connection of the user with the most, to make room for a new one. The
    /// new connection counts for its user. The caller closes the returned connection.
    ///
    /// - Parameter user: id of the user of the new connection.
    /// - Returns: nil if the new connection must be refused instead.
    /// - Complexity: O(count).
    mutating func makeRoom(for user: UInt32) -> ConnectionHandler? {
        var counts: [UInt32: Int] = [user: 1]
        for pending in waiting { counts[pending.user, default: 0] += 1 }
        guard let largest = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else { return nil }
        guard let index = waiting.firstIndex(where: { $0.user == largest }) else { return nil }
        guard largest != user || waiting[index].since + Self.grace <= .now() else { return nil }
        return waiting.remove(at: index).connection
    }
}
