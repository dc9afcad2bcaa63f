/// The sizes at which the buffer of a watch is full.
package struct BufferLimits: Hashable, Sendable {
    /// Number of events.
    package var events: Int
    /// Size of the lines that carried the events, in bytes.
    package var bytes: Int

    package init(events: Int = 1_024, bytes: Int = 4 * 1_024 * 1_024) {
        self.events = events
        self.bytes = bytes
    }
}
