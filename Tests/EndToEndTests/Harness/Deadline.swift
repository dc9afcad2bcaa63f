import Dispatch
import TestKit

/// Time limits for events that should happen soon. They are generous, because a passing test never
/// waits for them.
enum Patience {
    static let seconds = usualSeconds * factor
    static let usualSeconds = 120
    /// A factor for slow builds (`scripts/races`).
    static let factor = environment("NOTESD_PATIENCE_FACTOR").flatMap { Int($0) } ?? 1
}

/// The error for an event that did not happen in time.
struct TimedOut: Error, CustomStringConvertible {
    let what: String
    let seconds: Int

    var description: String { "\(what): not within \(seconds) s" }
}

/// Runs an operation with a time limit.
///
/// - Parameters:
///   - what: the subject of the message before "not within", such as `the watch's end`.
///   - seconds: multiplied by `Patience.factor`.
///   - body: must end soon after its task is cancelled.
func within<Value: Sendable>(
    _ what: String, seconds: Int = Patience.usualSeconds, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let seconds = seconds * Patience.factor
    return try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask(operation: body)
        group.addTask {
            try await Task.sleep(for: .seconds(seconds))
            throw TimedOut(what: what, seconds: seconds)
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw CancellationError() }
        return value
    }
}

/// Runs a blocking operation on a separate thread, so that it blocks no task.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
    }
}
