import Causality
import Glibc
import NotesClient
import NotesModel
import NotesWire

/// Brings a folder of files and the notes in step, as often as it is called.
///
/// In each run, files come first: what was renamed, removed, changed or made in the folder is written to
/// the notes, each on a version that its file showed (`FileRecords`). Then the notes are written to the
/// files, and the files of deleted and renamed notes go. A file that a program changes meanwhile stays
/// as it is, and the next run takes it.
struct FolderMirror {
    /// Where the notes come from.
    enum Source {
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
    /// Folders below that have mirrors of their own. Their files are no notes of this one.
    let omitted: Set<[UInt8]>
    let records: FileRecords
    /// Whether a person has approved that the notes of many removed files are deleted.
    let isApproved: Bool
    var report: MirrorReport

    /// The stamps of files that had the text of their record.
    var verified: [[UInt8]: FileStamp] = [:]
    /// When recorded files were first found missing.
    private var missingSince: [[UInt8]: ContinuousClock.Instant] = [:]
    /// The files and folders of the last scan.
    private(set) var found = NoteFiles.Found()
    /// When the next run is due if nothing changes; nil if nothing waits.
    private(set) var due: ContinuousClock.Instant?
    /// When files and records were last put on the disk.
    private var settled: ContinuousClock.Instant?
    /// Paths that the notes are not written to in this run.
    var untouched: Set<[UInt8]> = []
    /// The texts of files that this run has joined with those of their notes.
    var joined: [[UInt8]: FileRecord] = [:]
    /// When files were first found open for writing: those of the last run, and those of this run.
    var (writtenSince, stillWritten): ([[UInt8]: ContinuousClock.Instant], [[UInt8]: ContinuousClock.Instant]) = ([:], [:])
    /// The notes that this run has written.
    var touched: Set<NoteID> = []

    /// How long a path must be missing before its file counts as removed. Programs that save a file by
    /// renaming another one leave it without a name for a moment.
    let missingTime: Duration

    /// How old a change must be before a watching mirror takes a new file, or one that has become empty.
    private static let (newTime, emptyTime) = (Int64(1_000_000_000), Int64(2_000_000_000))
    private static let settlePause = Duration.seconds(60)
    /// The number of notes whose texts are in memory at the same time.
    static let writtenAtOnce = 64
    /// How soon a file is looked at again that a program has open for writing.
    static let writingPause = Duration.seconds(1)
    /// How long a program must have a file open for writing before the state lists the file.
    static let writingTime = Duration.seconds(2)
    static let refusedPause = Duration.seconds(10)
    /// How soon a note is written again that could not be written for the same reason twice.
    static let lastingPause = Duration.seconds(60)

    /// - Parameter missingTime: see the property; nil for ten seconds, or one without a watch.
    init(
        _ client: any NotesAPI, _ source: Source, directory: Int32, tree: FileTree, place: [UInt8], prefix: NamePrefix = .none,
        omitted: Set<[UInt8]> = [], records: FileRecords, isApproved: Bool, report: MirrorReport, missingTime: Duration? = nil
    ) {
        if case .lists = source {
            self.missingTime = missingTime ?? .seconds(1)
        } else {
            self.missingTime = missingTime ?? .seconds(10)
        }
        (self.client, self.source, self.directory, self.tree, self.place) = (client, source, directory, tree, place)
        (self.prefix, self.omitted, self.records, self.isApproved, self.report) = (prefix, omitted, records, isApproved, report)
    }

    /// - Returns: the notes after the run.
    /// - Throws: an error that ends the run, such as a lost connection.
    mutating func bringInStep() async throws -> [NoteObject] {
        (untouched, touched, joined, due) = ([], [], [:], nil)
        (writtenSince, stillWritten) = (stillWritten, [:])
        try checkPlace()
        if case .watch(let notes) = source, notes.isInterrupted {
            throw ExitFailure("the connection to the daemon is lost; changes wait until it is back", .noDaemon)
        }
        try await finishFlights()
        let missing = try await scan()
        clearTemporary()
        for (path, reason) in found.unreadable { try leave(path, "cannot be read: \(reason)") }
        let files = ImportPlan(paths: found.paths, prefix: prefix.bytes)
        for (path, reason) in files.left { try leave(path, reason) }
        let changes = FolderChanges(
            missing: missing, fresh: missing.isEmpty ? [] : fresh(among: files.taken),
            changed: changed(among: files.taken, missing),
            records: records.files)
        for group in changes.groups { try await carryOut(group.moves, isRing: group.isRing) }
        guard try await carryOut(changes.gone, ripe: Set(changes.gone.map(\.path).filter { isGone($0) })) else {
            return try await notesBefore()
        }
        try await takeFiles(files.taken)
        let notes = try await notesAfterWriting()
        try await writeFiles(notes.map(\.head))
        try settle()
        return notes
    }

    /// Puts files and records on the disk. This writes everything that the file system has in memory,
    /// so a watching mirror does it once a minute at most.
    private mutating func settle() throws {
        guard records.isUnsettled else { return }
        if case .watch = source, let settled, .now - settled < Self.settlePause {
            return wait(until: settled + Self.settlePause)
        }
        try records.settle(directory)
        settled = .now
    }

    func notesBefore() async throws -> [NoteObject] {
        switch source {
        case .lists: try await client.listAll(prefix.filter)
        case .watch(let notes): notes.all
        }
    }

    private func notesAfterWriting() async throws -> [NoteObject] {
        guard case .watch(let notes) = source else { return try await client.listAll(prefix.filter) }
        try await notes.refresh(touched, client)
        return notes.all
    }

    // MARK: Looking

    /// Scans the folder.
    ///
    /// - Returns: the recorded files that are not there. Those that have not been missing for long wait.
    private mutating func scan() async throws -> [[UInt8]: FileRecord] {
        let start = nanoseconds()
        found = look()
        var missing = missing()
        if !missing.isEmpty, case .lists = source {
            try await Task.sleep(for: missingTime)
            found = look()
            missing = self.missing().filter { missing[$0.key] != nil }
        }
        missingSince = missingSince.filter { missing[$0.key] != nil }
        for path in missing.keys where missingSince[path] == nil { missingSince[path] = .now }
        // A stamp that is too new proves nothing in the next run.
        verified = verified.filter { path, stamp in found.stamps[path] == stamp && stamp.isTrusted(at: start) }
        return missing
    }

    private func missing() -> [[UInt8]: FileRecord] {
        let present = Set(found.paths)
        return records.files.filter { path, _ in !present.contains(path) && isAbsent(path) }
    }

    /// Whether a missing file has been missing for long enough; if not, it waits for another run.
    private mutating func isGone(_ path: [UInt8]) -> Bool {
        guard case .watch = source, let since = missingSince[path] else { return true }
        if .now - since >= missingTime { return true }
        untouched.insert(path)
        wait(until: since + missingTime)
        return false
    }

    mutating func wait(until instant: ContinuousClock.Instant) {
        due = due.map { min($0, instant) } ?? instant
    }

    private func fresh(among files: [ImportPlan.File]) -> [FolderChanges.Fresh] {
        files.compactMap { file in
            guard records.files[file.path] == nil,
                let text = try? Descriptor.open(file.path, in: directory, O_RDONLY | O_NOFOLLOW).readAll()
            else { return nil }
            return FolderChanges.Fresh(path: file.path, bytes: text.count, digest: SHA256.hash(of: text))
        }
    }

    /// The recorded files with another text than their records, as far as they may have that of another
    /// one: a file whose size no other record has is not read.
    private func changed(among files: [ImportPlan.File], _ missing: [[UInt8]: FileRecord]) -> [FolderChanges.Fresh] {
        let suspects = files.compactMap { file -> (path: [UInt8], bytes: Int, record: FileRecord)? in
            guard let record = records.files[file.path], let stamp = found.stamps[file.path], verified[file.path] != stamp else {
                return nil
            }
            return (file.path, stamp.bytes, record)
        }
        let sizes = (suspects.map(\.record) + missing.values).reduce(into: [:]) { $0[$1.bytes, default: 0] += 1 }
        return suspects.compactMap { suspect in
            guard sizes[suspect.bytes, default: 0] > (suspect.record.bytes == suspect.bytes ? 1 : 0),
                let text = try? Descriptor.open(suspect.path, in: directory, O_RDONLY | O_NOFOLLOW).readAll(),
                !suspect.record.shows(text)
            else { return nil }
            return FolderChanges.Fresh(path: suspect.path, bytes: text.count, digest: SHA256.hash(of: text))
        }
    }

    /// Whether a watching mirror should wait before it takes a file: one that was made or emptied just
    /// now may be half of what a program is writing.
    mutating func mustWait(_ path: [UInt8]) -> Bool {
        guard case .watch = source, let stamp = found.stamps[path] else { return false }
        let age = nanoseconds().minus(clamping: stamp.modified)
        let isEmptied = stamp.bytes == 0 && records.files[path]?.bytes != 0
        let time = isEmptied ? Self.emptyTime : records.files[path] == nil ? Self.newTime : 0
        guard (0..<time).contains(age) else { return false }
        wait(until: .now + .nanoseconds(time - age))
        return true
    }
}
