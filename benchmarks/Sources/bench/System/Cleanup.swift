import Dispatch
import Glibc
import Synchronization

/// Actions to undo when the program is interrupted: processes to end, directories to remove.
enum Cleanup {
    typealias Ticket = Int

    private struct State {
        var steps: [Ticket: @Sendable () -> Void] = [:]
        var next = 0
        var sources: [any DispatchSourceSignal] = []
    }

    private static let state = Mutex(State())

    /// Begins an action and registers how to undo it. After a signal, waits for the program's end
    /// instead.
    ///
    /// - Parameter begin: Returns the closure that undoes the action. Neither may call `Cleanup`.
    static func add(_ begin: () throws(Failure) -> @Sendable () -> Void) throws(Failure) -> Ticket {
        try state.withLock { state throws(Failure) in
            let step = try begin()
            state.next += 1
            state.steps[state.next] = step
            return state.next
        }
    }

    /// Undoes the action, once.
    static func perform(_ requestNumber: Ticket) {
        state.withLock { $0.steps.removeValue(forKey: requestNumber)?() }
    }

    /// Forgets an action that needs no undoing any more.
    static func remove(_ requestNumber: Ticket) {
        state.withLock { _ = $0.steps.removeValue(forKey: requestNumber) }
    }

    /// Waits for the program's end after a signal.
    static func giveWay() {
        state.withLock { _ in }
    }

    /// Makes SIGINT, SIGTERM and SIGHUP undo all actions, the newest first, and end the process.
    static func onSignals() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number, SIG_IGN)
            state.withLock { state in
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { end(128 + number) }
                source.resume()
                state.sources.append(source)
            }
        }
    }

    /// Holds the lock until the process exits, so that no other thread begins or undoes an action.
    private static func end(_ code: Int32) {
        state.withLock { state in
            for (_, step) in state.steps.sorted(by: { $0.key > $1.key }) { step() }
            _exit(code)
        }
    }
}
