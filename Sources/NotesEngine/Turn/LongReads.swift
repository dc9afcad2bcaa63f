import Dependents
import NotesModel
import NotesStore

/// The reads of old versions whose walks are long. Another thread executes them one after another,
/// and other connections are served meanwhile. Later requests of the same connection wait
/// (`Engine.queuedBehind`).
///
/// Only one read has its rows in memory. The rows of the others are read when their turn comes.
struct LongReads {
    /// A read that the worker executes.
    struct Running {
        let request: Request
        /// Set when the response is not needed any more.
        let stop: CancellationFlag
    }

    /// A read, and the result of its last step.
    typealias State = (read: VersionRead, result: Result<VersionRead.Step, JournalError>?)

    /// The number of reads that may wait; with more, a read is refused.
    static let waitingMax = 1_000

    /// The reads that wait for the worker, oldest first.
    private(set) var waiting: [Request] = []
    /// The read that the worker executes; nil if it is idle.
    private(set) var running: Running?
    /// The state after the worker's last step, which the engine has to take in.
    var stepped: State?

    /// Whether the engine can go on with a read.
    var hasWork: Bool { stepped != nil || running == nil && !waiting.isEmpty }

    /// Records which read the worker executes.
    mutating func begin(_ request: Request) -> CancellationFlag {
        let stop = CancellationFlag()
        running = Running(request: request, stop: stop)
        return stop
    }

    /// Ends the running read.
    mutating func end() {
        running?.stop.cancel()
        running = nil
        stepped = nil
    }

    /// Adds a read that waits for the worker.
    mutating func append(_ request: Request) {
        waiting.append(request)
    }

    /// Removes and returns the read that has waited longest.
    mutating func next() -> Request? {
        waiting.isEmpty ? nil : waiting.removeFirst()
    }

    /// Drops the read of a connection that has ended.
    mutating func forget(_ dependent: DependentID) {
        waiting.removeAll { $0.dependent == dependent }
        if running?.request.dependent == dependent { end() }
    }

    /// Removes and returns all reads.
    mutating func removeAll() -> [Request] {
        defer {
            end()
            waiting = []
        }
        return (running.map { [$0.request] } ?? []) + waiting
    }
}
