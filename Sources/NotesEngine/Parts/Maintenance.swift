import Dependents
import NotesModel

/// The work on the whole store that lasts longer than a turn.
struct Maintenance {
    /// Which old texts are kept.
    var history: HistoryPolicy
    var audits: [Audit] = []
    /// The audits that are comparing files, by their connections.
    var fileAudits: [DependentID: FileAudit] = [:]
    /// The running backup.
    var backup: BackupJob?
    /// Backups that have ended and have no response yet.
    var endedBackups: [(run: BackupJob, response: Response)] = []
    /// The running compaction pass, and when the last one began, in seconds of the ticks.
    var compaction: CompactionPass?
    var compactedAt: UInt64?
    /// How far the scrub after the newest purge is.
    var purgeScrub = PurgeScrub()

    init(history: HistoryPolicy) {
        self.history = history
    }
}
