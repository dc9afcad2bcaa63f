import Dependents
import Dispatch
import Logging
import NotesModel
import NotesStore
import Synchronization

extension Engine {
    /// Begins a backup, on a thread of its own. It has all that was answered before, since that is committed.
    func backUp(_ copy: StoreCopy, to path: ByteString?, _ request: Request) {
        let run = BackupRun(dependent: request.dependent, ticket: request.ticket)
        backup = run
        let now = now()
        run.start {
            let result = Result { () throws(BackupFault) in
                try copy.write(to: path.map { "\($0)" }, now: now, end: { run.asked }) { done, total in
                    self.later { engine throws(JournalError) in engine.tell(.progress(done: done, total: total), of: run) }
                }
            }
            self.later { engine throws(JournalError) in engine.ended(run, result) }
        }
    }

    /// Does something in turn with what connections ask, and waits for nothing.
    private nonisolated func later(_ body: @escaping @Sendable (isolated Engine) throws(JournalError) -> Void) {
        submit([.errand(Errand(body, answer: { _ in }))])
    }

    private func tell(_ answer: Answer, of run: BackupRun) {
        var mail = Mail()
        mail.answer(answer, ticket: run.ticket, to: run.dependent)
        courier.deliver(mail.parcels)
    }

    /// What waits behind it is taken when the turn that hears of it is over: later requests of the same connection may be in that turn.
    func ended(_ run: BackupRun, _ result: Result<Backup, BackupFault>) {
        backup = nil
        library.journal.copyEnded()
        metrics.backupEnded(result, at: now())
        switch result {
        case .success(let backup):
            logger.info("the store was copied", metadata: ["path": "\(backup.path)", "bytes": "\(backup.bytes)"])
            endedBackups.append((run, .backedUp(backup)))
        case .failure(let fault):
            if fault != .cancelled { logger.warning("there is no backup", metadata: ["error": "\(fault)"]) }
            endedBackups.append((run, .failed(.backup(fault))))
        }
    }

    /// Answers those that have ended. Not within a turn.
    func answerBackups() throws(JournalError) {
        while !endedBackups.isEmpty {
            let (run, answer) = endedBackups.removeFirst()
            try release(run.dependent, ticket: run.ticket, answer)
        }
    }
}

/// A backup under way, on a thread of its own.
final class BackupRun: Sendable {
    let dependent: DependentID
    let ticket: UInt64
    private let end = Mutex<BackupEnd?>(nil)
    private let work = DispatchGroup()

    init(dependent: DependentID, ticket: UInt64) {
        self.dependent = dependent
        self.ticket = ticket
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
