import NotesModel
import NotesWire

/// The state of one run of a mirror. `FolderMirror` holds what lasts from run to run.
struct MirrorRun {
    /// Counts and prints what the run does.
    var report: MirrorReport
    /// When the next run is due if nothing changes; nil if nothing waits.
    private(set) var due: ContinuousClock.Instant?

    /// The time before the last look, in nanoseconds since 1970.
    var looked: Int64 = 0
    /// The paths that have changed since the last run; nil if everything was scanned.
    var dirty: Set<[UInt8]>?
    /// Whether the last look found that folders have come or gone.
    var hasOtherFolders = false
    /// The notes that the run has listed.
    var listed: [NoteObject]?

    /// Paths that the notes are not written to.
    var untouched: Set<[UInt8]> = []
    /// The notes that the run has written.
    var touched: Set<NoteID> = []
    /// The texts of files that the run has joined with those of their notes.
    var joined: [[UInt8]: FileRecord] = [:]
    /// Which versions these files have shown, as in `FileRecords`.
    var joinedShown: [[UInt8]: [UInt8]] = [:]
    /// The stamps that the run may record.
    var recordable: [[UInt8]: FileStamp] = [:]
    /// When the files were first found open for writing that are so in this run.
    var stillWritten: [[UInt8]: ContinuousClock.Instant] = [:]

    init(of mirror: FolderMirror, _ report: MirrorReport) {
        self.report = report
        dirty = mirror.folder == nil ? nil : []
    }

    mutating func wait(until instant: ContinuousClock.Instant) {
        due = due.map { min($0, instant) } ?? instant
    }

    mutating func leave(_ path: [UInt8], _ reason: String, _ kind: MirrorState.Waiting.Kind = .skipped) throws {
        try report.report(MirrorState.Waiting(path: path, kind: kind, reason: reason))
    }
}
