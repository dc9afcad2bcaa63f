import NotesModel
import NotesStore
import Synchronization

/// Something to be done on the engine's thread for one who waits for it, in turn with everything else that is asked of it.
///
/// It is answered once, whatever becomes of it: one that is dropped, since the engine ends, is answered that.
package final class Errand: Sendable {
    private let body: @Sendable (isolated Engine) throws(JournalError) -> Void
    private let drop: @Sendable (RequestFailure) -> Void

    /// - Parameter answer: called once.
    init<Value: Sendable>(
        _ body: @escaping @Sendable (isolated Engine) throws(JournalError) -> Value,
        answer: @escaping @Sendable (Result<Value, RequestFailure>) -> Void
    ) {
        let once = OneShot(answer)
        self.body = { engine throws(JournalError) in
            do throws(JournalError) {
                once.call(.success(try body(engine)))
            } catch {
                // The engine ends with what is fatal, and answers nobody; who waits here must not wait for ever.
                once.call(.failure(RequestFailure(error)))
                if case .fatal = error { throw error }
            }
        }
        drop = { once.call(.failure($0)) }
    }

    deinit {
        drop(.shuttingDown)
    }

    func run(on engine: isolated Engine) throws(JournalError) {
        try body(engine)
    }
}

/// Calls what it was given the first time only.
private final class OneShot<Value: Sendable>: Sendable {
    private let answer: Mutex<(@Sendable (Value) -> Void)?>

    init(_ answer: @escaping @Sendable (Value) -> Void) {
        self.answer = Mutex(answer)
    }

    func call(_ value: Value) {
        let answer = answer.withLock { answer in
            defer { answer = nil }
            return answer
        }
        answer?(value)
    }
}

extension RequestFailure {
    init(_ error: JournalError) {
        self =
            switch error {
            case .full(let message): .storageFull(message)
            case .readOnly(let message): .readOnly(message)
            case .failed(let message), .fatal(let message): .storageFailed(message)
            }
    }
}

extension Engine {
    /// Does something in turn with what connections ask, and waits for it.
    nonisolated func runOnEngine<Value: Sendable>(
        _ body: @escaping @Sendable (isolated Engine) throws(JournalError) -> Value
    ) async throws(RequestFailure) -> Value {
        let result = await withCheckedContinuation { continuation in
            submit([.errand(Errand(body) { continuation.resume(returning: $0) })])
        }
        return try result.get()
    }
}
