/// The changes of the notes of a filter, as an `AsyncSequence` of events.
///
///     for try await event in try await client.watch(WatchNotes(filter: Filter(prefix: "work/"))) {
///         …
///     }
///
/// A watch has one consumer. If the consumer is slow, the client stops reading its socket, and the
/// daemon buffers pending changes in a bounded outbox. While a call is in flight the client
/// continues to read, so a consumer may make calls on the same client.
///
/// The watch ends when it is cancelled, when the consuming task is cancelled, or when its last
/// reference goes away.
package final class NoteWatch: AsyncSequence, Sendable {
    /// Events of the watch.
    package typealias Element = WatchEvent

    private let buffer: WatchBuffer
    private let onRelease: @Sendable () -> Void

    init(buffer: WatchBuffer, onRelease: @escaping @Sendable () -> Void) {
        self.buffer = buffer
        self.onRelease = onRelease
    }

    deinit {
        cancel()
    }

    /// Ends the watch here and in the daemon. Further calls do nothing.
    package func cancel() {
        buffer.end(nil)
        onRelease()
    }

    /// The iterator. There must be only one consumer at a time.
    package func makeAsyncIterator() -> Iterator {
        Iterator(watch: self)
    }

    /// The iterator of a watch.
    package struct Iterator: AsyncIteratorProtocol {
        let watch: NoteWatch

        /// The next event; nil at the end.
        ///
        /// - Throws: `ClientError` if the watch failed.
        package func next() async throws -> WatchEvent? {
            let event = try await watch.buffer.next()
            if event == nil { watch.onRelease() }
            return event
        }
    }
}

extension NoteWatch {
    /// Number of events that the consumer has not taken yet.
    package var held: Int { buffer.held }
}
