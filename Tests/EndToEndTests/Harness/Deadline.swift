import Dispatch

/// How long something may take that should happen soon. Never waited out where all is well, so it is generous.
enum Patience {
    static let seconds = 120
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
///   - body: ends soon after its task is cancelled.
func within<Value: Sendable>(
    _ what: String, seconds: Int = Patience.seconds, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
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
