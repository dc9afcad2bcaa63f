import NIOCore
import Synchronization

/// What a watch has been told and its consumer has not taken yet.
///
/// One side puts in (the connection's event loop), one takes out (the consumer's task). The buffer itself refuses nothing: it
/// says that it is full, and the connection stops reading the socket until it says that there is room again. So it holds its
/// limits and what one read of the socket brought besides.
package final class WatchBuffer: Sendable {
    package struct Limits: Hashable, Sendable {
        package var events: Int
        /// Of the lines that the events came as.
        package var bytes: Int

        package init(events: Int = 1_024, bytes: Int = 4 * 1_024 * 1_024) {
            self.events = events
            self.bytes = bytes
        }
    }

    private struct State {
        var events = CircularBuffer<(event: WatchEvent, bytes: Int)>()
        var bytes = 0
        /// The consumer, where it waits; then `events` is empty.
        var consumer: CheckedContinuation<WatchEvent?, any Error>?
        var end: End?
        /// Whether the connection was told that the buffer is full, and is owed a word when there is room.
        var owesRoom = false
    }

    private enum End {
        case finished
        case failed(ClientError)
    }

    private let limits: Limits
    /// Called by the consumer's task when a full buffer is half empty again.
    private let onRoom: @Sendable () -> Void
    /// Guards all that changes: two threads meet here and nowhere else.
    private let state = Mutex(State())

    init(limits: Limits, onRoom: @escaping @Sendable () -> Void) {
        self.limits = limits
        self.onRoom = onRoom
    }

    var isFull: Bool {
        state.withLock { state in
            let isFull = state.events.count >= limits.events || state.bytes >= limits.bytes
            if isFull { state.owesRoom = true }
            return isFull
        }
    }

    /// How many events wait for the consumer.
    var held: Int { state.withLock { $0.events.count } }

    func put(_ event: WatchEvent, bytes: Int) {
        let consumer = state.withLock { state -> CheckedContinuation<WatchEvent?, any Error>? in
            guard state.end == nil else { return nil }
            if let consumer = state.consumer {
                state.consumer = nil
                return consumer
            }
            state.events.append((event, bytes))
            state.bytes += bytes
            return nil
        }
        consumer?.resume(returning: event)
    }

    /// No event follows. What is held can still be taken; then the consumer gets the error, or the end.
    func end(_ error: ClientError?) {
        let consumer = state.withLock { state -> CheckedContinuation<WatchEvent?, any Error>? in
            guard state.end == nil else { return nil }
            state.end = error.map(End.failed) ?? .finished
            defer { state.consumer = nil }
            return state.consumer
        }
        guard let consumer else { return }
        if let error { consumer.resume(throwing: error) } else { consumer.resume(returning: nil) }
    }

    /// The next event; nil at the end, and at once when the task is cancelled.
    ///
    /// - Precondition: one consumer at a time.
    func next() async throws -> WatchEvent? {
        if Task.isCancelled { return nil }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in take(continuation) }
        } onCancel: {
            end(nil)
        }
    }

    private func take(_ continuation: CheckedContinuation<WatchEvent?, any Error>) {
        let (result, hasRoom) = state.withLock { state -> (Result<WatchEvent?, any Error>?, Bool) in
            precondition(state.consumer == nil, "a watch has one consumer at a time")
            if let (event, bytes) = state.events.popFirst() {
                state.bytes -= bytes
                let hasRoom = state.owesRoom && state.events.count <= limits.events / 2 && state.bytes <= limits.bytes / 2
                if hasRoom { state.owesRoom = false }
                return (.success(event), hasRoom)
            }
            switch state.end {
            case .finished: return (.success(nil), false)
            case .failed(let error):
                // Told once; who asks again gets the end.
                state.end = .finished
                return (.failure(error), false)
            case nil:
                state.consumer = continuation
                return (nil, false)
            }
        }
        if hasRoom { onRoom() }
        if let result { continuation.resume(with: result) }
    }
}
