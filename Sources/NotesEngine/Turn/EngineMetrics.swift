import CoreMetrics
import Dependents
import Dispatch
import NotesMetrics
import NotesModel
import NotesStore

/// The metrics of the engine: counters that it increments, and gauges that it sets on request.
struct EngineMetrics {
    private let created: Counter
    private let saved: Counter
    private let merged: Counter
    private let conflicted: Counter
    private let unchanged: Counter
    private let commits: Counter
    private let batchCommits: Recorder
    private let appendSeconds: CoreMetrics.Timer
    private let backups: (done: Counter, failed: Counter, cancelled: Counter)
    private let lastBackup: Meter
    private let gauges: Gauges
    private let exposition: @Sendable () -> String

    /// Metrics that are set only when they are requested.
    private struct Gauges {
        let dependents: (synced: Meter, lagging: Meter, reset: Meter)
        let notes: (living: Meter, deleted: Meter)
        let watches, outboxBytes, lastCommit, conflictedNotes, revisions, storeBytes, logBytes, writable: Meter
    }

    init(_ metering: Metering) {
        func writes(_ outcome: String) -> Counter { metering.counter(.writes, [("outcome", outcome)]) }
        func backups(_ result: String) -> Counter { metering.counter(.backups, [("result", result)]) }
        func dependents(_ state: String) -> Meter { metering.gauge(.dependents, [("state", state)]) }
        (created, saved, merged) = (writes("created"), writes("saved"), writes("merged"))
        (conflicted, unchanged) = (writes("conflicted"), writes("unchanged"))
        commits = metering.counter(.commits)
        batchCommits = metering.histogram(.batchCommits)
        appendSeconds = metering.timer(.appendSeconds)
        self.backups = (backups("done"), backups("failed"), backups("cancelled"))
        lastBackup = metering.gauge(.lastBackup)
        gauges = Gauges(
            dependents: (dependents("synced"), dependents("lagging"), dependents("reset")),
            notes: (metering.gauge(.notes, [("state", "living")]), metering.gauge(.notes, [("state", "deleted")])),
            watches: metering.gauge(.watches), outboxBytes: metering.gauge(.outboxBytes), lastCommit: metering.gauge(.lastCommit),
            conflictedNotes: metering.gauge(.conflictedNotes), revisions: metering.gauge(.revisions),
            storeBytes: metering.gauge(.storeBytes), logBytes: metering.gauge(.logBytes), writable: metering.gauge(.writable))
        exposition = metering.exposition
    }

    /// Runs an append and records its duration and its number of commits.
    func appending(_ entries: [JournalEntry], _ append: () throws(JournalError) -> Void) throws(JournalError) {
        let start = DispatchTime.now().uptimeNanoseconds
        try append()
        appendSeconds.recordNanoseconds(Int64(clamping: DispatchTime.now().uptimeNanoseconds - start))
        var count: Int64 = 0
        for entry in entries {
            switch entry {
            case .commit: count += 1
            case .began(let skeletons, _, _): count += Int64(skeletons.count) + 1
            default: break
            }
        }
        guard count > 0 else { return }
        commits.increment(by: count)
        batchCommits.record(count)
    }

    /// Counts the outcomes of writes. Repeated operations were counted when they were executed.
    func wrote(_ responses: some Sequence<Response>) {
        for response in responses {
            switch response {
            case .created(_, replayOf: nil): created.increment()
            case .wrote(let outcome, _, isReplay: false):
                switch outcome.kind {
                case .saved: saved.increment()
                case .merged: merged.increment()
                case .conflicted: conflicted.increment()
                case .unchanged: unchanged.increment()
                }
            default: break
            }
        }
    }

    /// Counts a backup by its result.
    func backupEnded(_ result: Result<Backup, BackupFault>, at time: Timestamp) {
        switch result {
        case .success:
            backups.done.increment()
            lastBackup.set(Self.seconds(time))
        case .failure(.cancelled): backups.cancelled.increment()
        case .failure: backups.failed.increment()
        }
    }

    /// All metrics as OpenMetrics text.
    ///
    /// - Complexity: O(watches + series).
    func text(_ status: Status, _ dependents: [DependentDescription]) -> String {
        func count(_ state: DependentDescription.DependentState) -> Int { dependents.count { $0.state == state } }
        gauges.dependents.synced.set(count(.synced))
        gauges.dependents.lagging.set(count(.lagging))
        gauges.dependents.reset.set(count(.reset))
        gauges.watches.set(dependents.reduce(0) { $0 + $1.watches.count })
        gauges.outboxBytes.set(dependents.reduce(0) { $0 + $1.outboxBytes })
        let store = status.store
        gauges.notes.living.set(store.notes)
        gauges.notes.deleted.set(store.tombstones)
        gauges.conflictedNotes.set(store.conflicted)
        gauges.revisions.set(store.revisions)
        gauges.storeBytes.set(store.storeBytes)
        gauges.logBytes.set(store.walBytes)
        gauges.lastCommit.set(store.lastCommit.map(Self.seconds) ?? 0)
        gauges.writable.set(status.state == .ok ? 1 : 0)
        return exposition()
    }

    private static func seconds(_ time: Timestamp) -> Double { Double(time.milliseconds) / 1_000 }
}
