package import Dependents
import Dispatch
import NIOCore
import NIOPosix
package import NotesEngine
package import NotesModel
import Synchronization

/// The event loops and their connections. Routes the engine's output to the loop of each
/// connection.
///
/// `deliver` submits one task to each loop that has output.
package final class ConnectionRouter: OutputSink {
    let group: MultiThreadedEventLoopGroup
    private let loops: [any EventLoop]
    private let tables: [NIOLoopBoundBox<ConnectionTable>]
    private let numbers: DependentIDAllocator
    /// Names of the users that connect.
    let directory: UserNameCache
    /// Yields the engine's message if it fails. Ends without a value if the server stops.
    let failures: AsyncStream<String>
    private let failureReport: AsyncStream<String>.Continuation
    private let firstFailure = Mutex<(any Error)?>(nil)
    /// The first error that ended the server or occurred while it stopped; nil for none.
    var failure: (any Error)? { firstFailure.withLock { $0 } }

    /// Starts the event loops.
    ///
    /// - Parameters:
    ///   - configuration: limits and access at start.
    ///   - threads: number of event loops; at least one is started.
    ///   - drawNoteID: generates ids of notes for clients that choose none. Called on any loop.
    package init(configuration: ServerConfiguration, threads: Int, drawNoteID: @escaping @Sendable () -> NoteID) {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: max(1, threads))
        self.group = group
        loops = Array(group.makeIterator())
        let numbers = DependentIDAllocator(loops: loops.count)
        self.numbers = numbers
        directory = UserNameCache(name: configuration.userName)
        let userQuotas = UserQuotas()
        let load = MemoryAccount(configuration.limits)
        tables = loops.enumerated().map { index, loop in
            NIOLoopBoundBox.makeBoxSendingValue(
                ConnectionTable(
                    eventLoop: loop, index: index, numbers: numbers, load: load, userQuotas: userQuotas,
                    configuration: configuration,
                    drawNoteID: drawNoteID),
                eventLoop: loop)
        }
        (failures, failureReport) = AsyncStream.makeStream(of: String.self)
    }

    /// Routes the output of one turn. Called on the engine's thread; does not block.
    package func deliver(_ outputs: [ConnectionOutput]) {
        guard !outputs.isEmpty else { return }
        guard tables.count > 1 else {
            loops[0].execute { [table = tables[0]] in table.value.deliver(outputs) }
            return
        }
        var sorted = [[ConnectionOutput]](repeating: [], count: tables.count)
        for output in outputs {
            sorted[numbers.loop(of: output.dependent)].append(output)
        }
        for (index, outputs) in sorted.enumerated() where !outputs.isEmpty {
            loops[index].execute { [table = tables[index]] in table.value.deliver(outputs) }
        }
    }

    /// Routes the same changes to many connections. Called on the engine's thread; does not block.
    package func broadcast(_ changes: RenderedChanges, to recipients: [Broadcast.Recipient]) {
        guard tables.count > 1 else {
            loops[0].execute { [table = tables[0]] in table.value.broadcast(changes, to: recipients) }
            return
        }
        var sorted = [[Broadcast.Recipient]](repeating: [], count: tables.count)
        for recipient in recipients { sorted[numbers.loop(of: recipient.dependent)].append(recipient) }
        for (index, recipients) in sorted.enumerated() where !recipients.isEmpty {
            loops[index].execute { [table = tables[index]] in table.value.broadcast(changes, to: recipients) }
        }
    }

    /// Closes all connections without responses and lets the server end with an `EngineFailure`.
    package func engineFailed(_ message: String) {
        for (loop, table) in zip(loops, tables) {
            loop.execute { table.value.closeAll() }
        }
        firstFailure.withLock { $0 = $0 ?? EngineFailure(message: message) }
        failureReport.yield(message)
        failureReport.finish()
    }

    /// Stops the server gracefully, because no client can connect any more.
    func listeningFailed(_ error: ListenError) {
        firstFailure.withLock { $0 = $0 ?? error }
        failureReport.finish()
    }

    /// Ends `failures` without a value.
    func stopWaitingForFailures() {
        failureReport.finish()
    }

    /// The connections of a loop; nil for a loop of another group.
    ///
    /// - Precondition: called on that loop.
    func table(of eventLoop: any EventLoop) -> ConnectionTable? {
        for (loop, table) in zip(loops, tables) where loop === eventLoop { return table.value }
        return nil
    }

    /// Calls `body` with every table on its loop, one loop after another. Returns when all calls
    /// have returned.
    func onEachLoop(_ body: @escaping @Sendable (ConnectionTable) -> Void) async {
        for (loop, table) in zip(loops, tables) {
            // A loop that has shut down accepts no tasks and has no connections.
            try? await loop.submit { body(table.value) }.get()
        }
    }

    /// Number of open connections on all loops.
    func connectionCount() async -> Int {
        var count = 0
        for (loop, table) in zip(loops, tables) {
            count += (try? await loop.submit { table.value.count }.get()) ?? 0
        }
        return count
    }
}
