import Causality
import Console
import Glibc
import NoteTasks
package import NotesClient
import NotesModel
import NotesWire

/// Brings a folder of files and the notes in step, as often as it is called.
///
/// In each run, files come first: what was renamed, removed, changed or made in the folder is written to
/// the notes, each on a version that its file showed (`FileRecords`). Then the notes are written to the
/// files, and the files of deleted and renamed notes go. A file that a program changes meanwhile stays
/// as it is, and the next run takes it.
package struct FolderMirror {
    /// Where the notes come from.
    package enum Source {
        /// Lists, in each run.
        case lists
        /// A watch.
        case watch(MirroredNotes)
    }

    let client: any NotesAPI
    let source: Source
    /// Descriptor of the folder, owned by the caller.
    let directory: Int32
    let tree: FileTree
    /// The real path of the folder.
    let place: [UInt8]
    /// The part of the names that the paths leave out. Notes without it have no file.
    let prefix: NamePrefix
    /// Folders below that have mirrors of their own, as in `MirrorRecords.folders(below:)`. Their files are no
    /// notes of this one.
    let omitted: [[UInt8]: Bool]
    /// Which files besides the texts are notes.
    let files: FileChoice
    let records: FileRecords
    /// Whether a person has approved that the notes of many removed files are deleted.
    let isApproved: Bool
    /// Whether the folder and the notes have not been in step yet. Then files and notes of equal names have
    /// been there for long, and no program waits for a file.
    var isFirstContact = false

    /// The stamps of files that had the text of their record.
    var verified: [[UInt8]: FileStamp]
    /// The age of a stamp that may be recorded, in nanoseconds.
    let stampAge: Int64
    /// When recorded files were first found missing.
    var missingSince: [[UInt8]: ContinuousClock.Instant] = [:]
    /// The patterns of the folder's `IgnoreFile` at the last scan.
    var ignored: [String] = []
    /// The files and folders that the last run found.
    var found = NoteFiles.Found()
    /// Reports what changes in the folder; nil if each run has to scan all of it.
    let folder: FolderWatch?
    /// When the whole folder was scanned last; nil if it was not.
    var scanned: ContinuousClock.Instant?
    /// The files that were deleted and made anew between two looks, until they are imported.
    var remade: Set<[UInt8]> = []
    /// The recorded files that the last run has not found to have the texts of their records; nil if the
    /// next run has to look at everything.
    var unverified: Set<[UInt8]>?
    /// When files and records were last put on the disk.
    var settled: ContinuousClock.Instant?
    /// When files were first found open for writing that were so in the last run.
    var writtenSince: [[UInt8]: ContinuousClock.Instant] = [:]
    /// The repairs of links that wait for other programs.
    var repairs: [PendingRepair] = []
    /// Whether the renames of each look are an operation of their own for `op`.
    package var isRecording = false

    /// How long a path must be missing before its file counts as removed. Programs that save a file by
    /// renaming another one leave it without a name for a moment.
    let missingTime: Duration

    /// How old a change must be before a watching mirror takes a new file, or one that has become empty.
    static let (newTime, emptyTime) = (Int64(1_000_000_000), Int64(2_000_000_000))
    private static let settlePause = Duration.seconds(60)
    /// How long changes are looked at one by one before the whole folder is scanned again. A file that is
    /// changed through a mapping or another hard link causes no event.
    static let scanPause = Duration.seconds(60)
    /// Most changed files and notes that a run looks at one by one.
    static let entriesMax = 64
    /// The number of notes whose texts are in memory at the same time.
    static let writtenAtOnce = 64
    /// How soon a file is looked at again that a program has open for writing.
    static let writingPause = Duration.seconds(1)
    /// How long a program must have a file open for writing before the state lists the file.
    static let writingTime = Duration.seconds(2)
    static let refusedPause = Duration.seconds(10)
    /// How soon a note is written again that could not be written for the same reason twice.
    static let lastingPause = Duration.seconds(60)

    /// - Parameters:
    ///   - missingTime: see the property; nil for ten seconds, or one without a watch.
    ///   - stampAge: see the property.
    package init(
        _ client: any NotesAPI, _ source: Source, directory: Int32, tree: FileTree, place: [UInt8], prefix: NamePrefix = .none,
        omitted: [[UInt8]: Bool] = [:], files: FileChoice = .none, records: FileRecords, isApproved: Bool,
        missingTime: Duration? = nil,
        stampAge: Int64 = FileStamp.recordedAge, folder: FolderWatch? = nil
    ) {
        if case .lists = source {
            self.missingTime = missingTime ?? .seconds(1)
        } else {
            self.missingTime = missingTime ?? .seconds(10)
        }
        self.files = files
        (self.folder, self.stampAge, verified) = (folder, stampAge, records.stamps)
        (self.client, self.source, self.directory, self.tree, self.place) = (client, source, directory, tree, place)
        (self.prefix, self.omitted, self.records, self.isApproved) = (prefix, omitted, records, isApproved)
    }

    /// Makes one run that nothing follows, and records its result for `mirror status`.
    ///
    /// - Parameter report: counts and prints what the run does.
    /// - Returns: the report, and the numbers of notes after the run.
    /// - Throws: as `bringInStep(in:)`, or `ExitFailure` if the result cannot be recorded.
    package mutating func bringInStep(_ report: MirrorReport) async throws -> (report: MirrorReport, notes: MirrorTally) {
        var run = MirrorRun(of: self, report)
        let notes = try await bringInStep(in: &run)
        try keepState(notes, run.report)
        return (run.report, notes)
    }

    /// - Parameter run: a new run.
    /// - Returns: the numbers of notes after the run.
    /// - Throws: an error that ends the run, such as a lost connection.
    mutating func bringInStep(in run: inout MirrorRun) async throws -> MirrorTally {
        defer { writtenSince = run.stillWritten }
        try checkPlace()
        if case .watch(let notes) = source, notes.isInterrupted {
            throw ExitFailure("the connection to the daemon is lost; changes wait until it is back", .noDaemon)
        }
        if let entries = changedEntries(in: &run) { return try await bringInStep(entries, in: &run) }
        try await finishFlights(in: &run)
        let missing = try await scan(in: &run)
        await clearTemporary()
        for (path, reason) in found.unreadable { try run.leave(path, "cannot be read: \(reason)") }
        let recorded = records.files
        let files = ImportPlan(paths: found.paths, prefix: prefix.bytes) { recorded[$0] != nil }
        for (path, reason) in files.skipped { try run.leave(path, reason) }
        // A further content of a file that gets another name becomes a note of its own.
        let copies = missing.filter { isCopy($0.key, $0.value) }
        let changes = FolderChanges(
            missing: missing.filter { copies[$0.key] == nil }, fresh: fresh(among: files.taken, missing),
            changed: changed(among: files.taken, missing),
            records: records.files, inodes: missing.keys.reduce(into: [:]) { $0[$1] = records.stamps[$1]?.inode })
        try await carryOut(changes, in: &run)
        let gone = changes.gone + copies.map { FolderChanges.Gone(path: $0.key, record: $0.value) }
        guard try await carryOut(gone, ripe: Set(gone.map(\.path).filter { isGone($0, in: &run) }), in: &run)
        else {
            return tally(try await notesBefore(in: &run))
        }
        try await takeFiles(files.taken, in: &run)
        try await repairLinks(in: &run)
        let notes = try await notesAfterWriting(run)
        var plan = ExportPlan.aliasing(notes.compactMap { prefix.shortened($0.head) })
        plan.leaveOut(below: found.ofOtherMirrors, sharing: omitted)
        plan.leaveOut(selection.excludes)
        try await writeFiles(
            plan, records: records.files.merging(run.joined) { _, new in new }, shown: records.shown, in: &run)
        try settle(in: &run)
        isFirstContact = false
        if run.report.waiting.isEmpty, run.untouched.isEmpty, missing.isEmpty {
            unverified = Set(records.files.keys.filter { verified[$0] == nil || verified[$0] != found.stamps[$0] })
        }
        return tally(notes)
    }

    func tally(_ notes: [NoteObject]) -> MirrorTally {
        MirrorTally(notes: notes.count, conflicts: notes.count { !$0.conflicts.isEmpty })
    }

    /// Puts files and records on the disk. This writes everything that the file system has in memory,
    /// so a watching mirror does it once a minute at most.
    mutating func settle(in run: inout MirrorRun) throws {
        try records.keep(run.recordable)
        try records.removeOldGone(at: Clock.now())
        guard records.isUnsettled else { return }
        if case .watch = source, let settled, .now - settled < Self.settlePause {
            return run.wait(until: settled + Self.settlePause)
        }
        try records.settle(directory)
        settled = .now
    }

    func notesBefore(in run: inout MirrorRun) async throws -> [NoteObject] {
        if case .watch(let notes) = source { return notes.all }
        let notes = try await client.listAll(prefix.filter(files)).filter { files.shows($0.head) }
        run.listed = notes
        return notes
    }

    private func notesAfterWriting(_ run: MirrorRun) async throws -> [NoteObject] {
        guard case .watch(let notes) = source else {
            if run.touched.isEmpty, let listed = run.listed { return listed }
            return try await client.listAll(prefix.filter(files)).filter { files.shows($0.head) }
        }
        try await notes.refresh(run.touched, client)
        return notes.all
    }
}
