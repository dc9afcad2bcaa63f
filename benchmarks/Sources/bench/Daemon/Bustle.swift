import Foundation
import Synchronization

/// Another client, on a thread of its own, that does all it can for as long as it is let: what others wait meanwhile is measured.
final class Bustle: Sendable {
    /// Something that is done over and over. Made and used on the client's thread.
    typealias Step = () throws(Failure) -> Void

    /// Such as `a flood of saves`.
    let name: String

    private struct State {
        var isOn = false
        var steps = 0
        var failure: Failure?
    }

    private let state = Mutex(State())
    private let begins = DispatchSemaphore(value: 0)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// - Parameter prepare: makes what is done. Called on the client's thread, before this returns.
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
            // Whoever asks from now on is told at once.
            for _ in 0..<2 { hasEnded.signal() }
        }
    }

    /// Lets it go on while `body` runs. Returns how often it was done meanwhile.
    func during(_ body: () throws(Failure) -> Void) throws(Failure) -> Int {
        state.withLock { state in
            state.isOn = true
            state.steps = 0
        }
        begins.signal()
        defer { state.withLock { $0.isOn = false } }
        // It is well under way.
        pause(seconds: 0.01)
        try body()
        state.withLock { $0.isOn = false }
        hasEnded.wait()
        let (steps, failure) = state.withLock { ($0.steps, $0.failure) }
        if let failure { throw Failure("\(name): \(failure)") }
        return steps
    }
}
