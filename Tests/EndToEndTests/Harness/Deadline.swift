import Dispatch
import TestKit

/// How long something may take that should happen soon. Never waited out where all is well, so it is generous.
enum Patience {
    static let seconds = usualSeconds * factor
    static let usualSeconds = 120
    /// More where all takes longer (`scripts/races`).
    static let factor = environment("NOTESD_PATIENCE_FACTOR").flatMap { Int($0) } ?? 1
}

/// What was waited for did not happen.
struct TimedOut: Error, CustomStringConvertible {
    let what: String
    let seconds: Int

    var description: String { "\(what): not within \(seconds) s" }
}

/// Runs what is waited for, and gives it up after a time.
///
/// - Parameters:
///   - what: goes before "not within", as in `the watch's end`.
///   - seconds: times `Patience.factor`.
///   - body: ends soon after its task is cancelled.
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

/// Does something that blocks, on a thread that no task waits for.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
    }
}
