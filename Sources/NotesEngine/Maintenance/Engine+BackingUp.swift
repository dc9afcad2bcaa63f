import Dependents
import Dispatch
import Logging
import NoteText
import NotesModel
import NotesStore
import Synchronization

extension Engine {
    /// Starts a backup. Returns the response if it is refused.
    func beginBackup(to path: ByteString?, _ request: Request) -> Response? {
        guard maintenance.backup == nil else { return .failed(.backupUnderWay) }
        guard let copy = noteCache.journal.copy else { return .failed(.backup(.failed("this store is not on disk"))) }
        queuedBehind[request.dependent] = []
        backUp(copy, to: path, request)
        return nil
    }

    /// Runs a backup on a separate thread. The backup contains everything that was acknowledged
    /// before.
    private func backUp(_ copy: StoreCopy, to path: ByteString?, _ request: Request) {
        let run = BackupJob(dependent: request.dependent, requestNumber: request.requestNumber)
        maintenance.backup = run
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

    private func deliver(_ response: Response, of run: BackupJob) {
        var output = TurnOutput()
        output.respond(response, requestNumber: run.requestNumber, to: run.dependent)
        outputSink.deliver(output.connections)
    }

    /// Records the end of a backup. Requests that wait for it are executed after this turn, since
    /// the turn may contain later requests of the same connection.
    func ended(_ run: BackupJob, _ result: Result<Backup, BackupFault>) {
        maintenance.backup = nil
        noteCache.journal.copyEnded()
        metrics.backupEnded(result, at: now())
        switch result {
        case .success(let backup):
            logger.info("a backup was completed", metadata: ["path": "\(backup.path)", "bytes": "\(backup.bytes)"])
            maintenance.endedBackups.append((run, .backedUp(backup)))
        case .failure(let fault):
            if fault != .cancelled { logger.warning("a backup failed", metadata: ["error": "\(fault)"]) }
            maintenance.endedBackups.append((run, .failed(.backup(fault))))
        }
    }

    /// Sends the responses to backups that have ended. Not called within a turn.
    func deliverBackupResponses() throws(JournalError) {
        while !maintenance.endedBackups.isEmpty {
            let (run, response) = maintenance.endedBackups.removeFirst()
            try release(run.dependent, requestNumber: run.requestNumber, response)
        }
    }
}
