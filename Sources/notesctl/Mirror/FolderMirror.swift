import Causality
import Glibc
import NotesClient
import NotesModel
import NotesWire

/// Brings a folder of files and the notes in step, once.
///
/// Files come first: what was renamed, removed, changed or made in the folder is written to the notes,
/// each on the version that its file showed (`FileRecords`). Then the notes are written to the files,
/// and the files of deleted and renamed notes go. A file that a program changes meanwhile stays as it
/// is, and the next run takes it.
struct FolderMirror {
    let client: any NotesAPI
    /// Descriptor of the folder, owned by the caller.
    let directory: Int32
    let tree: FileTree
    /// The real path of the folder.
    let place: [UInt8]
    let records: FileRecords
    /// Whether a person has approved that the notes of many removed files are deleted.
    let isApproved: Bool
    var report: MirrorReport
    /// Paths that the notes are not written to in this run.
    private var untouched: Set<[UInt8]> = []

    /// How long a path must be missing before its file counts as removed. Programs that save a file by
    /// renaming another one leave it without a name for a moment.
    private static let missingTime = Duration.seconds(1)

    init(
        _ client: any NotesAPI, directory: Int32, tree: FileTree, place: [UInt8], records: FileRecords, isApproved: Bool,
        report: MirrorReport
    ) {
        (self.client, self.directory, self.tree, self.place) = (client, directory, tree, place)
        (self.records, self.isApproved, self.report) = (records, isApproved, report)
    }

    /// - Returns: the notes after the run.
    /// - Throws: an error that ends the run, such as a lost connection.
    mutating func bringInStep() async throws -> [NoteObject] {
        let (found, missing) = try await scan()
        for (path, reason) in found.unreadable { try leave(path, "cannot be read: \(reason)") }
        let files = ImportPlan(paths: found.paths)
        for (path, reason) in files.left { try leave(path, reason) }
        let changes = FolderChanges(missing: missing, fresh: missing.isEmpty ? [] : fresh(among: files.taken))
        for move in changes.moves { try await carryOut(move) }
        try await carryOut(changes.gone)
        try await takeFiles(files.taken)
        let notes = try await client.listAll()
        try await writeFiles(notes.map(\.head))
        try records.settle(directory)
        return notes
    }

    // MARK: From files to notes

    /// The files of the folder, and the recorded files that are not there.
    private func scan() async throws -> (found: NoteFiles.Found, missing: [[UInt8]: FileRecord]) {
        let found = below()
        let missing = missing(from: found)
        if missing.isEmpty { return (found, [:]) }
        try await Task.sleep(for: Self.missingTime)
        let again = below()
        return (again, self.missing(from: again).filter { missing[$0.key] != nil })
    }

    private func below() -> NoteFiles.Found {
        let folder = Descriptor(dup(directory))
        return NoteFiles.below(folder)
    }

    private func missing(from found: NoteFiles.Found) -> [[UInt8]: FileRecord] {
        let present = Set(found.paths)
        return records.files.filter { path, _ in !present.contains(path) && isAbsent(path) }
    }

    /// Whether nothing has the path. A folder that cannot be read says nothing about its files.
    private func isAbsent(_ path: [UInt8]) -> Bool {
        var status = stat()
        guard path.withCPath({ fstatat(directory, $0, &status, AT_SYMLINK_NOFOLLOW) }) != 0 else { return false }
        return errno == ENOENT || errno == ENOTDIR
    }

    private func fresh(among files: [ImportPlan.File]) -> [FolderChanges.Fresh] {
        files.compactMap { file in
            guard records.files[file.path] == nil,
                let text = try? Descriptor.open(file.path, in: directory, O_RDONLY | O_NOFOLLOW).readAll()
            else { return nil }
            return FolderChanges.Fresh(path: file.path, bytes: text.count, digest: SHA256.hash(of: text))
        }
    }

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
            try report.report(move.from, .renamed, move.record.note, to: move.to)
        } catch ClientError.refused(let error) where error.kind == .noteNotFound {
            try records.forget(move.from)
        } catch ClientError.refused(let error) where Self.isAboutTheNote(error.kind) {
            untouched.formUnion([move.from, move.to])
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
            let isKept = outcome.note.map { !$0.isDeleted } ?? false
            if outcome.outcome != .unchanged { try report.report(file.path, isKept ? .kept : .deleted, file.record.note) }
        } catch ClientError.refused(let error) where error.kind == .noteNotFound {
            try records.forget(file.path)
        } catch ClientError.refused(let error) where Self.isAboutTheNote(error.kind) {
            // The note is not based on what the file showed, so its text goes back into the folder.
            try records.forget(file.path)
            try report.report(file.path, .kept, file.record.note, reason: error.message)
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
        let notes = try await client.listAll().map(\.head)
        let importer = Importer(
            client: client, directory: directory, place: place, bytesMax: await client.hello?.limits.noteBytesMax ?? .max,
            notes: ImportedNotes(notes), records: records.files, shown: records.shown, isReplacing: false, isDry: false,
            isLeasing: true)
        let taken = files.filter { !untouched.contains($0.path) }
        var results: [(path: [UInt8], result: ImportResult)] = []
        try await BoundedTaskGroup.run(taken) {
            try await importer.take($0)
        } finished: { file, result in
            if let record = result.record { try records.record(file.path, record, result.shown) }
            results.append((file.path, result))
        }
        for (path, result) in results {
            switch result.outcome {
            case .created: try report.report(path, .created, result.id)
            case .saved: try report.report(path, .saved, result.id)
            case .merged, .conflicted: try report.report(path, .merged, result.id)
            case .unchanged, .deleted: break
            case .left(let reason):
                untouched.insert(path)
                try leave(path, reason)
            }
        }
    }

    private mutating func leave(_ path: [UInt8], _ reason: String) throws {
        try report.report(path, .left, reason: reason)
    }

    // MARK: From notes to files

    private mutating func writeFiles(_ notes: [Head]) async throws {
        let plan = ExportPlan(notes)
        for (path, reason) in plan.left { try leave(path, reason) }
        let exporter = Exporter(client: client, tree: tree, records: records.files, shown: records.shown, isForced: false)
        let taken = plan.taken.filter { !untouched.contains($0.path) }
        var results: [(path: [UInt8], note: NoteID, outcome: Exporter.Outcome)] = []
        try await BoundedTaskGroup.run(taken) {
            try await exporter.write($0)
        } finished: { file, result in
            if let new = result.new { try records.record(file.path, new.record, new.shown) }
            results.append((file.path, file.head.id, result.outcome))
        }
        try await BoundedTaskGroup.run(plan.former(records.files)) {
            try await exporter.remove($0)
        } finished: { file, outcome in
            guard let outcome else { return }
            if outcome == .removed { try records.forget(file.path) }
            results.append((file.path, file.record.note, outcome))
        }
        for (path, note, outcome) in results {
            switch outcome {
            case .written: try report.report(path, .written, note)
            case .removed: try report.report(path, .removed, note)
            case .unchanged, .gone: break
            case .left(let reason): try leave(path, reason)
            }
        }
    }
}
