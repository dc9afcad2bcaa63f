package import NotesModel

/// An input of the engine. Inputs are taken in order of arrival.
package enum Input: Sendable {
    /// A request of a connection.
    case request(Request)
    /// The connection has written all lines that it was handed. Reported once for each output with
    /// notifications or presence, and once for each `lagging`.
    case drained(DependentID)
    /// The connection did not accept all lines of a broadcast. It keeps the rest, and those of later
    /// broadcasts, in order.
    case lagging(DependentID)
    /// An event loop has passed a broadcast to its connections. `weight` is that of its part.
    case broadcastWritten(weight: Int)
    /// The connection has ended; nothing is sent to it any more.
    case released(DependentID)
    /// A job of a caller that is not a connection.
    case errand(Errand)
    /// A monotonic time in seconds, sent now and then, for timers such as bookmarks of idle
    /// watches.
    case tick(seconds: Int)
}
