import Dependents
import Dispatch
import Logging
import NotesModel
import NotesStore
import Synchronization

extension Engine {
    /// Begins a backup, on a thread of its own. It has all that was answered before, since that is committed.
    func backUp(_ copy: StoreCopy, to path: ByteString?, _ request: Request) {
        let run = BackupJob(dependent: request.dependent, requestNumber: request.requestNumber)
        backup = run
        let now = now()
        run.start {
            let result = Result { () throws(BackupFault) in
                try copy.write(to: path.map { "\($0)" }, now: now, end: { run.asked }) { done, total in
                    self.enqueue { engine throws(JournalError) in engine.deliver(.progress(done: done, total: total), of: run) }
                }
            }
            self.enqueue { engine throws(JournalError) in engine.ended(run, result) }
        }
    }

    /// Does something in turn with what connections ask, and waits for nothing.
    private nonisolated func enqueue(_ body: @escaping @Sendable (isolated Engine) throws(JournalError) -> Void) {
        submit([.errand(Errand(body, answer: { _ in }))])
    }

    private func deliver(_ answer: Response, of run: BackupJob) {
        var mail = Mail()
        mail.answer(answer, requestNumber: run.requestNumber, to: run.dependent)
        outputSink.deliver(mail.parcels)
    }

    /// What waits behind it is taken when the turn that hears of it is over: later requests of the same connection may be in that turn.
    func ended(_ run: BackupJob, _ result: Result<Backup, BackupFault>) {
        backup = nil
        noteCache.journal.copyEnded()
        metrics.backupEnded(result, at: now())
        switch result {
        case .success(let backup):
            logger.info("a backup was completed", metadata: ["path": "\(backup.path)", "bytes": "\(backup.bytes)"])
            endedBackups.append((run, .backedUp(backup)))
        case .failure(let fault):
            if fault != .cancelled { logger.warning("a backup failed", metadata: ["error": "\(fault)"]) }
            endedBackups.append((run, .failed(.backup(fault))))
        }
    }

    /// Answers those that have ended. Not within a turn.
    func answerBackups() throws(JournalError) {
        while !endedBackups.isEmpty {
            let (run, answer) = endedBackups.removeFirst()
            try release(run.dependent, requestNumber: run.requestNumber, answer)
        }
    }
}

/// A backup under way, on a thread of its own.
final class BackupJob: Sendable {
    let dependent: DependentID
    let requestNumber: UInt64
    private let end = Mutex<BackupEnd?>(nil)
    private let work = DispatchGroup()

    init(dependent: DependentID, requestNumber: UInt64) {
        self.dependent = dependent
        self.requestNumber = requestNumber
    }

    func start(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "notesd.backup", qos: .utility).async(group: work, execute: body)
    }

    /// Whether it is to end, and why.
    var asked: BackupEnd? { end.withLock { $0 } }

    /// Asks it to end soon. The first reason stands.
    func end(_ reason: BackupEnd) {
        end.withLock { $0 = $0 ?? reason }
    }

    /// Returns when it has ended.
    func wait() {
        work.wait()
    }
}
