import Dependents
import Dispatch
import NIOCore
import NIOPosix
package import NotesEngine
package import NotesModel
import Synchronization

/// The event loops with their connections; the engine's way to them.
///
/// `deliver` hops once to each loop that has something to be written.
package final class ConnectionRouter: OutputSink {
    let group: MultiThreadedEventLoopGroup
    private let loops: [any EventLoop]
    private let tables: [NIOLoopBoundBox<ConnectionTable>]
    private let numbers: DependentIDAllocator
    let directory: UserNameCache
    /// What the engine said when it could not go on; ends with nothing said where the server stops.
    let failures: AsyncStream<String>
    private let failureReport: AsyncStream<String>.Continuation
    private let firstFailure = Mutex<(any Error)?>(nil)
    /// Why the server ends by itself, or what its stopping met.
    var failure: (any Error)? { firstFailure.withLock { $0 } }

    /// - Parameters:
    ///   - threads: how many event loops.
    ///   - drawNoteID: ids for notes whose client chose none; called on any loop.
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
                    eventLoop: loop, index: index, numbers: numbers, load: load, userQuotas: userQuotas, configuration: configuration,
                    drawNoteID: drawNoteID),
                eventLoop: loop)
        }
        (failures, failureReport) = AsyncStream.makeStream(of: String.self)
    }

    package func deliver(_ parcels: [Parcel]) {
        guard !parcels.isEmpty else { return }
        guard tables.count > 1 else {
            loops[0].execute { [table = tables[0]] in table.value.deliver(parcels) }
            return
        }
        var sorted = [[Parcel]](repeating: [], count: tables.count)
        for parcel in parcels {
            sorted[numbers.loop(of: parcel.dependent)].append(parcel)
        }
        for (index, parcels) in sorted.enumerated() where !parcels.isEmpty {
            loops[index].execute { [table = tables[index]] in table.value.deliver(parcels) }
        }
    }

    package func broadcast(_ told: RenderedBroadcast) {
        guard tables.count > 1 else {
            loops[0].execute { [table = tables[0]] in table.value.broadcast(told) }
            return
        }
        var sorted = [[Broadcast.Recipient]](repeating: [], count: tables.count)
        for recipient in told.recipients { sorted[numbers.loop(of: recipient.dependent)].append(recipient) }
        for (index, recipients) in sorted.enumerated() where !recipients.isEmpty {
            let part = RenderedBroadcast(changes: told.changes, cursor: told.cursor, recipients: recipients)
            loops[index].execute { [table = tables[index]] in table.value.broadcast(part) }
        }
    }

    package func engineFailed(_ message: String) {
        for (loop, table) in zip(loops, tables) {
            loop.execute { table.value.closeAll() }
        }
        firstFailure.withLock { $0 = $0 ?? EngineFailure(message: message) }
        failureReport.yield(message)
        failureReport.finish()
    }

    /// Nobody gets in any more, so the server stops, as it does when it is told to.
    func listeningFailed(_ error: ListenError) {
        firstFailure.withLock { $0 = $0 ?? error }
        failureReport.finish()
    }

    func stopWaitingForFailures() {
        failureReport.finish()
    }

    /// - Precondition: called on that loop, which is one of the group's.
    func table(of eventLoop: any EventLoop) -> ConnectionTable? {
        for (loop, table) in zip(loops, tables) where loop === eventLoop { return table.value }
        return nil
    }

    /// Does something with every table, on its loop; returns when all have.
    func onEachLoop(_ body: @escaping @Sendable (ConnectionTable) -> Void) async {
        for (loop, table) in zip(loops, tables) {
            // A loop that takes no more work has no connections any more.
            try? await loop.submit { body(table.value) }.get()
        }
    }

    func connectionCount() async -> Int {
        var count = 0
        for (loop, table) in zip(loops, tables) {
            count += (try? await loop.submit { table.value.count }.get()) ?? 0
        }
        return count
    }
}
