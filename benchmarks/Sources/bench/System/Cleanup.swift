import Dispatch
import Glibc
import Synchronization

/// What has to be undone when the measuring is interrupted: processes to end, directories to remove.
enum Cleanup {
    typealias Ticket = Int

    private struct State {
        var steps: [Ticket: @Sendable () -> Void] = [:]
        var next = 0
        var sources: [any DispatchSourceSignal] = []
    }

    private static let state = Mutex(State())

    /// Begins something that has to be undone. Where a signal has come it waits for the end instead.
    ///
    /// - Parameter begin: returns what undoes it. It does not come here itself, and neither does what it returns.
    static func add(_ begin: () throws(Failure) -> @Sendable () -> Void) throws(Failure) -> Ticket {
        try state.withLock { state throws(Failure) in
            let step = try begin()
            state.next += 1
            state.steps[state.next] = step
            return state.next
        }
    }

    /// Undoes it, once.
    static func perform(_ requestNumber: Ticket) {
        state.withLock { $0.steps.removeValue(forKey: requestNumber)?() }
    }

    /// Where there is nothing to undo any more.
    static func remove(_ requestNumber: Ticket) {
        state.withLock { _ = $0.steps.removeValue(forKey: requestNumber) }
    }

    /// Waits for the end where a signal has come.
    static func giveWay() {
        state.withLock { _ in }
    }

    /// SIGINT, SIGTERM and SIGHUP do the steps, the newest first, and end the process.
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

    /// Whoever is about to begin or undo something waits meanwhile, and nobody waits for that.
    private static func end(_ code: Int32) {
        state.withLock { state in
            for (_, step) in state.steps.sorted(by: { $0.key > $1.key }) { step() }
            _exit(code)
        }
    }
}
