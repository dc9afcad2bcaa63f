import NIOCore

/// The connections of one event loop that have not said hello, oldest first. Whoever has many of them makes room for others.
struct PendingHandshakes {
    private struct PendingHandshake {
        let connection: ConnectionHandler
        let user: UInt32
        let since: NIODeadline
    }

    private var waiting = CircularBuffer<PendingHandshake>()

    /// For so long nobody is sent away for another of the same user: a client that has just connected says hello in a moment.
    private static let grace = TimeAmount.seconds(1)

    var count: Int { waiting.count }

    mutating func append(_ connection: ConnectionHandler, user: UInt32) {
        waiting.append(PendingHandshake(connection: connection, user: user, since: .now()))
    }

    /// It has said hello, or is gone.
    ///
    /// - Complexity: O(those that are older).
    mutating func remove(_ connection: ConnectionHandler) {
        guard let index = waiting.firstIndex(where: { $0.connection === connection }) else { return }
        waiting.remove(at: index)
    }

    /// Takes out one that has to go for another: the oldest of the user who has most of them.
    ///
    /// - Parameter user: who comes.
    /// - Returns: nil where nobody has to go for him.
    /// - Complexity: O(count).
    mutating func makeRoom(for user: UInt32) -> ConnectionHandler? {
        var counts: [UInt32: Int] = [user: 1]
        for stranger in waiting { counts[stranger.user, default: 0] += 1 }
        guard let crowd = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else { return nil }
        guard let index = waiting.firstIndex(where: { $0.user == crowd }) else { return nil }
        guard crowd != user || waiting[index].since + Self.grace <= .now() else { return nil }
        return waiting.remove(at: index).connection
    }
}
