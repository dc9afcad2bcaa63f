import Foundation
import Synchronization

/// Another client on its own thread that does as much as it can while requests of others are timed.
final class Bustle: Sendable {
    /// One step of the load, repeated. Created and run on the client's thread.
    typealias Step = () throws(Failure) -> Void

    /// Name for figures, such as `a flood of saves`.
    let name: String

    private struct State {
        var isOn = false
        var steps = 0
        var failure: Failure?
    }

    private let state = Mutex(State())
    private let begins = DispatchSemaphore(value: 0)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// - Parameter prepare: Returns the step. Runs on the client's thread before this initializer
    ///   returns.
    init(_ name: String, _ prepare: @escaping @Sendable () throws(Failure) -> Step) throws(Failure) {
        self.name = name
        Thread.detachNewThread { self.live(prepare) }
        hasEnded.wait()
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    private func live(_ prepare: () throws(Failure) -> Step) {
        do throws(Failure) {
            let step = try prepare()
            while true {
                hasEnded.signal()
                begins.wait()
                while state.withLock({ $0.isOn }) {
                    try step()
                    state.withLock { $0.steps += 1 }
                }
            }
        } catch {
            state.withLock { $0.failure = error }
            // Later calls of `during` fail immediately.
            for _ in 0..<2 { hasEnded.signal() }
        }
    }

    /// Runs the load while `body` runs. Returns the number of steps completed.
    func during(_ body: () throws(Failure) -> Void) throws(Failure) -> Int {
        state.withLock { state in
            state.isOn = true
            state.steps = 0
        }
        begins.signal()
        defer { state.withLock { $0.isOn = false } }
        // Lets the load get well under way.
        pause(seconds: 0.01)
        try body()
        state.withLock { $0.isOn = false }
        hasEnded.wait()
        let (steps, failure) = state.withLock { ($0.steps, $0.failure) }
        if let failure { throw Failure("\(name): \(failure)") }
        return steps
    }
}
