import NIOCore
import Synchronization

/// The events of a watch that its consumer has not taken yet.
///
/// The connection's event loop puts events in, and the consumer's task takes them out. The buffer
/// never rejects an event. It reports that it is full, and the connection stops reading the socket
/// until the buffer reports room again. So it may exceed its limits by the contents of one read.
package final class WatchBuffer: Sendable {
    private struct State {
        var events = CircularBuffer<(event: WatchEvent, bytes: Int)>()
        var bytes = 0
        /// The suspended consumer. If it is set, `events` is empty.
        var consumer: CheckedContinuation<WatchEvent?, any Error>?
        var end: End?
        /// Whether the connection saw a full buffer and must be notified when there is room.
        var owesRoom = false
    }

    private enum End {
        case finished
        case failed(ClientError)
    }

    private let limits: BufferLimits
    /// Called on the consumer's task when a full buffer is half empty again.
    private let onRoom: @Sendable () -> Void
    /// All mutable state. The only place where the two threads meet.
    private let state = Mutex(State())

    init(limits: BufferLimits, onRoom: @escaping @Sendable () -> Void) {
        self.limits = limits
        self.onRoom = onRoom
    }

    /// Whether a limit is reached. If so, `onRoom` will be called later.
    var isFull: Bool {
        state.withLock { state in
            let isFull = state.events.count >= limits.events || state.bytes >= limits.bytes
            if isFull { state.owesRoom = true }
            return isFull
        }
    }

    /// Number of events that the consumer has not taken yet.
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

    /// Ends the buffer. The consumer can still take the remaining events; then it gets the error or
    /// the end.
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

    /// The next event; nil at the end, or at once if the task is cancelled.
    ///
    /// - Precondition: there is only one consumer at a time.
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
                // The error is thrown once; later calls return the end.
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
