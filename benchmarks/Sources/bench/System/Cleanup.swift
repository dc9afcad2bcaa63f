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

    static func add(_ step: @escaping @Sendable () -> Void) -> Ticket {
        state.withLock { state in
            state.next += 1
            state.steps[state.next] = step
            return state.next
        }
    }

    static func remove(_ ticket: Ticket) {
        state.withLock { _ = $0.steps.removeValue(forKey: ticket) }
    }

    /// SIGINT, SIGTERM and SIGHUP do the steps, the newest first, and end the process.
    static func onSignals() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number, SIG_IGN)
            state.withLock { state in
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler {
                    runAll()
                    _exit(128 + number)
                }
                source.resume()
                state.sources.append(source)
            }
        }
    }

    private static func runAll() {
        let steps = state.withLock { state in
            defer { state.steps = [:] }
            return state.steps.sorted { $0.key > $1.key }.map(\.value)
        }
        for step in steps { step() }
    }
}
