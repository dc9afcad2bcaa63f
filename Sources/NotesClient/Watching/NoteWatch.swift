/// What happens to the notes of a filter, as an `AsyncSequence` of events.
///
///     for try await event in try await client.watch(WatchParams(filter: Filter(prefix: "work/"))) {
///         …
///     }
///
/// It has one consumer. When that is slow, the client stops reading its socket, and the daemon keeps what waits in an outbox of
/// its own that is bounded too. (A call in flight makes the client read on until it is answered, so a consumer may call the
/// same client.) It ends when it is cancelled, when the consuming task is, or when nobody holds it any more.
package final class NoteWatch: AsyncSequence, Sendable {
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

    /// Ends the watch; the daemon is told. More than once does nothing.
    package func cancel() {
        buffer.end(nil)
        onRelease()
    }

    package func makeAsyncIterator() -> Iterator {
        Iterator(watch: self)
    }

    package struct Iterator: AsyncIteratorProtocol {
        let watch: NoteWatch

        package func next() async throws -> WatchEvent? {
            let event = try await watch.buffer.next()
            if event == nil { watch.onRelease() }
            return event
        }
    }
}

extension NoteWatch {
    /// How many events wait for the consumer.
    package var held: Int { buffer.held }
}
