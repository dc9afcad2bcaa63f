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
    let records: FileRecords
    /// Whether a person has approved that the notes of many removed files are deleted.
    let isApproved: Bool
    var report: MirrorReport

    /// The stamps of files that had the text of their record.
    private var verified: [[UInt8]: FileStamp] = [:]
    /// When recorded files were first found missing.
    private var missingSince: [[UInt8]: ContinuousClock.Instant] = [:]
    /// The files and folders of the last scan.
    private(set) var found = NoteFiles.Found()
    /// When the next run is due if nothing changes; nil if nothing waits.
    private(set) var due: ContinuousClock.Instant?
    /// When files and records were last put on the disk.
    private var settled: ContinuousClock.Instant?
    /// Paths that the notes are not written to in this run.
    private var untouched: Set<[UInt8]> = []
    /// The texts of files that this run has joined with those of their notes.
    private var joined: [[UInt8]: FileRecord] = [:]
    /// The notes that this run has written.
    private var touched: Set<NoteID> = []

    /// How long a path must be missing before its file counts as removed. Programs that save a file by
    /// renaming another one leave it without a name for a moment.
    private var missingTime: Duration { if case .lists = source { .seconds(1) } else { .seconds(10) } }

    /// How old a change must be before a watching mirror takes a new file, or one that has become empty.
    private static let (newTime, emptyTime) = (Int64(1_000_000_000), Int64(2_000_000_000))
    private static let settlePause = Duration.seconds(60)
    /// The number of notes whose texts are in memory at the same time.
    private static let writtenAtOnce = 64
    /// How soon a file is looked at again that a program has open for writing.
    private static let writingPause = Duration.seconds(1)
    private static let refusedPause = Duration.seconds(10)
    /// How soon a note is written again that could not be written for the same reason twice.
    private static let lastingPause = Duration.seconds(60)

    init(
        _ client: any NotesAPI, _ source: Source, directory: Int32, tree: FileTree, place: [UInt8], records: FileRecords,
        isApproved: Bool, report: MirrorReport
    ) {
        (self.client, self.source, self.directory, self.tree, self.place) = (client, source, directory, tree, place)
        (self.records, self.isApproved, self.report) = (records, isApproved, report)
    }

    /// - Returns: the notes after the run.
    /// - Throws: an error that ends the run, such as a lost connection.
    mutating func bringInStep() async throws -> [NoteObject] {
        (untouched, touched, joined, due) = ([], [], [:], nil)
        try checkPlace()
        let missing = try await scan()
        clearTemporary()
        for (path, reason) in found.unreadable { try leave(path, "cannot be read: \(reason)") }
        let files = ImportPlan(paths: found.paths)
        for (path, reason) in files.left { try leave(path, reason) }
        let changes = FolderChanges(missing: missing, fresh: missing.isEmpty ? [] : fresh(among: files.taken))
        for move in changes.moves { try await carryOut(move) }
        try await carryOut(changes.gone.filter { isGone($0.path) })
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

    private func notesBefore() async throws -> [NoteObject] {
        switch source {
        case .lists: try await client.listAll()
        case .watch(let notes): notes.all
        }
    }

    private func notesAfterWriting() async throws -> [NoteObject] {
        guard case .watch(let notes) = source else { return try await client.listAll() }
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

    private mutating func wait(until instant: ContinuousClock.Instant) {
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

    /// Whether a watching mirror should wait before it takes a file: one that was made or emptied just
    /// now may be half of what a program is writing.
    private mutating func mustWait(_ path: [UInt8]) -> Bool {
        guard case .watch = source, let stamp = found.stamps[path] else { return false }
        let age = nanoseconds() - stamp.modified
        let isEmptied = stamp.bytes == 0 && records.files[path]?.bytes != 0
        let time = isEmptied ? Self.emptyTime : records.files[path] == nil ? Self.newTime : 0
        guard (0..<time).contains(age) else { return false }
        wait(until: .now + .nanoseconds(time - age))
        return true
    }

    // MARK: From files to notes

    /// Renames the note of a renamed file.
    private mutating func carryOut(_ move: FolderChanges.Move) async throws {
        guard let bytes = NoteFileName.noteName(ofPath: move.to), let text = ByteString(checkedUTF8: bytes) else { return }
        do {
            let params = SaveParams(id: move.record.note, base: move.record.version, name: .set(text))
            let outcome = try await client.save(params)
            let record = FileRecord(
                note: move.record.note, version: outcome.version, bytes: move.record.bytes, digest: move.record.digest)
            try records.record(move.to, record, records.shown[move.from].flatMap { ShownVersionsCodec.shown($0) })
            try records.forget(move.from)
            touched.insert(move.record.note)
            try report.report(move.from, .renamed, move.record.note, to: move.to)
        } catch ClientError.refused(let error) where error.kind == .noteNotFound {
            try records.forget(move.from)
        } catch ClientError.refused(let error) where Self.isAboutTheNote(error.kind) || Importer.isAboutAllWrites(error.kind) {
            untouched.formUnion([move.from, move.to])
            waitAfterRefusal()
            try leave(move.to, "its note cannot be renamed: \(error.message)")
        } catch {
            throw explained(error, "cannot rename the note of \(move.from.pathForPeople)")
        }
    }

    /// Deletes the notes of removed files, unless there are so many that a person has to approve it.
    private mutating func carryOut(_ gone: [FolderChanges.Gone]) async throws {
        if !isApproved, FolderChanges.isMany(gone: gone.count, of: records.files.count) {
            for file in gone {
                untouched.insert(file.path)
                try report.report(
                    file.path, .held, file.record.note, reason: "its file is gone, and so are \(gone.count) of all files")
            }
            return
        }
        for file in gone { try await delete(file) }
    }

    private mutating func delete(_ file: FolderChanges.Gone) async throws {
        do {
            let outcome = try await client.delete(file.record.note, base: file.record.version)
            try records.forget(file.path)
            touched.insert(file.record.note)
            let isKept = outcome.note.map { !$0.isDeleted } ?? false
            if outcome.outcome != .unchanged { try report.report(file.path, isKept ? .kept : .deleted, file.record.note) }
        } catch ClientError.refused(let error) where error.kind == .noteNotFound {
            try records.forget(file.path)
        } catch ClientError.refused(let error) where Self.isAboutTheNote(error.kind) {
            // The note is not based on what the file showed, so its text goes back into the folder.
            try records.forget(file.path)
            try report.report(file.path, .kept, file.record.note, reason: error.message)
        } catch ClientError.refused(let error) where Importer.isAboutAllWrites(error.kind) {
            untouched.insert(file.path)
            waitAfterRefusal()
            try leave(file.path, "its file is gone, and its note cannot be deleted: \(error.message)")
        } catch {
            throw explained(error, "cannot delete the note of \(file.path.pathForPeople)")
        }
    }

    /// Whether the daemon refused a write for a reason that concerns only this note.
    private static func isAboutTheNote(_ kind: ErrorKind) -> Bool {
        switch kind {
        case .noteExists, .noteTooLarge, .unknownBase, .revisionGone, .invalidName: true
        default: false
        }
    }

    /// Saves the changed files and creates notes for the new ones.
    private mutating func takeFiles(_ files: [ImportPlan.File]) async throws {
        var taken: [ImportPlan.File] = []
        for file in files where !untouched.contains(file.path) {
            if records.files[file.path] != nil, let stamp = verified[file.path], stamp == found.stamps[file.path] { continue }
            if mustWait(file.path) { untouched.insert(file.path) } else { taken.append(file) }
        }
        guard !taken.isEmpty else { return }
        let notes = try await notesBefore().map(\.head)
        let importer = Importer(
            client: client, directory: directory, place: place, bytesMax: await client.hello?.limits.noteBytesMax ?? .max,
            notes: ImportedNotes(notes), records: records.files, shown: records.shown, isReplacing: false, isDry: false,
            isWithTimes: await client.hello?.capabilities.contains("times") ?? false, isMirroring: true)
        var results: [(path: [UInt8], result: ImportResult)] = []
        try await BoundedTaskGroup.run(taken) {
            try await importer.take($0)
        } finished: { file, result in
            if let record = result.record { try records.record(file.path, record, result.shown) }
            results.append((file.path, result))
        }
        for (path, result) in results {
            if let id = result.id, result.outcome != .unchanged { touched.insert(id) }
            switch result.outcome {
            case .created: try report.report(path, .created, result.id)
            case .saved: try report.report(path, .saved, result.id)
            case .merged, .conflicted: try report.report(path, .merged, result.id)
            case .joined(let text):
                joined[path] = text
                try report.report(path, .merged, result.id)
            case .unchanged, .deleted: verified[path] = found.stamps[path]
            case .beingWritten:
                untouched.insert(path)
                if case .watch = source {
                    wait(until: .now + Self.writingPause)
                } else {
                    try leave(path, "a program has it open for writing; the next run takes it")
                }
            case .refused(let reason):
                untouched.insert(path)
                waitAfterRefusal()
                try leave(path, reason)
            case .left(let reason):
                untouched.insert(path)
                try leave(path, reason)
            }
        }
    }

    /// A watching mirror tries again what it could not save, although nothing may change meanwhile.
    private mutating func waitAfterRefusal() {
        if case .watch = source { wait(until: .now + Self.refusedPause) }
    }

    private mutating func leave(_ path: [UInt8], _ reason: String) throws {
        try report.report(path, .left, reason: reason)
    }

    // MARK: From notes to files

    /// Writes notes to their files. The record of a file lists a version before the file shows it. If the
    /// mirror is killed in between, a text that a program makes of it is still saved on that version.
    private mutating func write(
        _ files: [ExportPlan.File], _ exporter: Exporter
    ) async throws -> [(path: [UInt8], note: NoteID, outcome: Exporter.Outcome)] {
        var results: [(path: [UInt8], note: NoteID, outcome: Exporter.Outcome)] = []
        var ready: [Exporter.Prepared] = []
        try await BoundedTaskGroup.run(files) {
            try await exporter.prepare($0)
        } finished: { file, preparation in
            switch preparation {
            // A program may be about to make the file anew, or has removed it. The next run decides.
            case .ready(let prepared) where prepared.content == .nothing && records.files[file.path] != nil:
                results.append((file.path, file.head.id, .left("was moved or removed just now; the next run takes it")))
            case .ready(let prepared): ready.append(prepared)
            case .finished(let outcome, let new):
                if let new { try records.record(file.path, new.record, new.shown) }
                results.append((file.path, file.head.id, outcome))
            }
        }
        for prepared in ready {
            if let record = records.files[prepared.file.path] {
                try records.record(prepared.file.path, record, prepared.new.shown)
            }
        }
        for prepared in ready {
            let path = prepared.file.path
            let (outcome, new) = exporter.carryOut(prepared)
            if let new {
                try records.record(path, new.record, new.shown)
            } else if joined[path] == nil, let record = exporter.records[path] {
                try records.record(path, record, exporter.shown[path].flatMap { ShownVersionsCodec.shown($0) })
            }
            results.append((path, prepared.file.head.id, outcome))
        }
        return results
    }

    private mutating func writeFiles(_ notes: [Head]) async throws {
        let plan = ExportPlan(notes)
        for (path, reason) in plan.left { try leave(path, reason) }
        let exporter = Exporter(
            client: client, tree: tree, records: records.files.merging(joined) { _, new in new }, shown: records.shown,
            isForced: false, isLeasing: true)
        // The former file of a note stays until its new one is written.
        var skipped = plan.leftNotes
        let taken = plan.taken.filter { file in
            if untouched.contains(file.path) {
                skipped.insert(file.head.id)
                return false
            }
            guard let record = records.files[file.path], let stamp = verified[file.path] else { return true }
            return stamp != found.stamps[file.path] || record.note != file.head.id || record.version != file.head.version
        }
        var results: [(path: [UInt8], note: NoteID, outcome: Exporter.Outcome)] = []
        for start in stride(from: 0, to: taken.count, by: Self.writtenAtOnce) {
            for result in try await write(Array(taken[start..<min(start + Self.writtenAtOnce, taken.count)]), exporter) {
                if case .left = result.outcome { skipped.insert(result.note) }
                results.append(result)
            }
        }
        let former = plan.former(records.files, except: skipped).filter { !untouched.contains($0.path) }
        try await BoundedTaskGroup.run(former) {
            try await exporter.remove($0)
        } finished: { file, outcome in
            guard let outcome else { return }
            if outcome == .removed { try records.forget(file.path) }
            results.append((file.path, file.record.note, outcome))
        }
        for (path, note, outcome) in results {
            switch outcome {
            case .written:
                verified[path] = nil
                try report.report(path, .written, note)
            case .removed: try report.report(path, .removed, note)
            case .unchanged, .gone: break
            case .left(let reason):
                // Usually, a program has written the file since it was read. A reason that lasts, such as a
                // path that no file can have, must not cause a scan each second.
                if case .watch = source {
                    wait(until: .now + (report.isKnown(reason, of: path) ? Self.lastingPause : Self.writingPause))
                }
                try leave(path, reason)
            }
        }
    }
}
