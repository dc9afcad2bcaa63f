import NotesModel
import NotesStore

/// A job that runs on the engine's thread, in order with the other inputs, for a caller that waits
/// for its result.
///
/// Its result arrives exactly once. If the engine ends and drops the job, the result is
/// `shuttingDown`.
package final class Errand: Sendable {
    private let body: @Sendable (isolated Engine) throws(JournalError) -> Void
    private let drop: @Sendable (RequestFailure) -> Void

    /// - Parameter completion: receives the result, called once.
    init<Value: Sendable>(
        _ body: @escaping @Sendable (isolated Engine) throws(JournalError) -> Value,
        completion: @escaping @Sendable (Result<Value, RequestFailure>) -> Void
    ) {
        let once = OneShot(completion)
        self.body = { engine throws(JournalError) in
            do throws(JournalError) {
                once.call(.success(try body(engine)))
            } catch {
                // A fatal error ends the engine without responses; this caller must not wait
                // forever.
                once.call(.failure(RequestFailure(error)))
                if case .fatal = error { throw error }
            }
        }
        drop = { once.call(.failure($0)) }
    }

    deinit {
        drop(.shuttingDown)
    }

    /// Executes the job.
    func run(on engine: isolated Engine) throws(JournalError) {
        try body(engine)
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
    /// Runs a body in order with the inputs of connections, and waits for its result.
    nonisolated func runOnEngine<Value: Sendable>(
        _ body: @escaping @Sendable (isolated Engine) throws(JournalError) -> Value
    ) async throws(RequestFailure) -> Value {
        let result = await withCheckedContinuation { continuation in
            submit([.errand(Errand(body) { continuation.resume(returning: $0) })])
        }
        return try result.get()
    }
}
