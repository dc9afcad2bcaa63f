import Causality
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

/// From files to notes.
extension FolderMirror {
    /// Deletes the notes of removed files, unless there are so many that a person has to approve it. Files
    /// that have just gone count too: removing a large folder takes a while, and its first files have then
    /// been missing for longer than its last ones.
    ///
    /// - Parameter ripe: the paths that have been missing for long enough.
    /// - Returns: false if all files are gone but not for long. Nothing may be recorded then, since the folder
    ///   would no longer count as emptied.
    func carryOut(_ gone: [FolderChanges.Gone], ripe: Set<[UInt8]>, in run: inout MirrorRun) async throws -> Bool {
        guard !gone.isEmpty else { return true }
        let others = notesWithOtherFiles(gone)
        guard !isApproved else {
            for file in gone where ripe.contains(file.path) {
                try await delete(file, hasOther: others.contains(file.record.note), in: &run)
            }
            return true
        }
        let held = try records.mirrorState()?.held ?? [:]
        let approved = try records.approvedRemovals(at: Clock.now())
        let (rest, certain) = FolderChanges.divided(gone, approved: approved, held: held, of: records.files.count)
        // All of them are reported together, as soon as the first one has been missing for long enough.
        let isDue = rest.contains { ripe.contains($0.path) || held[$0.path] == $0.removal }
        for file in rest where isDue {
            run.untouched.insert(file.path)
            try run.report.report(
                MirrorState.Waiting(
                    path: file.path, kind: .held, reason: "its file is gone, like too many others at once", removal: file.removal)
            )
        }
        if isDue { try keepWaiting(run.report) }
        for file in certain where ripe.contains(file.path) {
            try await delete(file, hasOther: others.contains(file.record.note), in: &run)
        }
        return isDue || rest.count < records.files.count || rest.isEmpty
    }

    /// The notes of removed files that have another recorded file. A mirror that is killed after a client renamed a
    /// note may leave both files, and a program that removes one of them does not delete the note.
    private func notesWithOtherFiles(_ gone: [FolderChanges.Gone]) -> Set<NoteID> {
        guard records.paths.count != records.files.count else { return [] }
        let paths = Set(gone.map(\.path))
        return Set(records.files.filter { !paths.contains($0.key) }.map(\.value.note)).intersection(gone.map(\.record.note))
    }

    /// Deletes the note of a removed file, or only forgets the file if the note has another one.
    private func delete(_ file: FolderChanges.Gone, hasOther: Bool, in run: inout MirrorRun) async throws {
        do {
            if hasOther, !NoteFileName.isText(file.path), try await settle(file, in: &run) { return }
            if hasOther { return try records.forget(file.path, isByProgram: true, at: Clock.now()) }
            let outcome = try await client.delete(file.record.note, base: file.record.version)
            try records.forget(file.path, isByProgram: true, at: Clock.now())
            run.touched.insert(file.record.note)
            let isKept = outcome.note.map { !$0.isDeleted } ?? false
            if outcome.outcome != .unchanged { try run.report.report(file.path, isKept ? .kept : .deleted, file.record.note) }
        } catch ClientError.refused(let error) where error.kind == .noteNotFound {
            try records.forget(file.path, isByProgram: true, at: Clock.now())
        } catch ClientError.refused(let error) where Self.isAboutTheNote(error.kind) {
            // The note is not based on what the file showed, so its text goes back into the folder.
            try records.forget(file.path, isByProgram: true, at: Clock.now())
            try run.report.report(file.path, .kept, file.record.note, reason: error.message)
        } catch ClientError.refused(let error) where Importer.isAboutAllWrites(error.kind) {
            run.untouched.insert(file.path)
            waitAfterRefusal(in: &run)
            let reason = "its file is gone, and its note cannot be deleted: \(error.message)"
            try run.report.report(
                MirrorState.Waiting(path: file.path, kind: .refused, reason: reason, removal: file.removal))
        } catch {
            throw explained(error, "cannot delete the note of \(file.path.pathForPeople)")
        }
    }

    /// Whether the daemon refused a write for a reason that concerns only this note.
    static func isAboutTheNote(_ kind: ErrorKind) -> Bool {
        switch kind {
        case .noteExists, .noteTooLarge, .unknownBase, .revisionGone, .invalidName: true
        default: false
        }
    }

    /// A text of a file, and the step that imports it.
    typealias Intended = (file: ImportPlan.File, step: ImportedNotes.Step, content: Importer.Content)
    /// The result for the file of a path.
    typealias Taken = (path: [UInt8], result: ImportResult)

    /// Imports files.
    private func take(_ files: [ImportPlan.File], _ importer: Importer) async throws -> [Taken] {
        var results: [Taken] = []
        var read: [Intended] = []
        for file in files {
            switch importer.look(at: file) {
            case .finished(let result): results.append((file.path, result))
            case .ready(let step, let content): read.append((file, step, content))
            }
        }
        return try await results + take(texts: read, importer)
    }

    /// Imports texts of files. Each save is recorded before it is sent, and its answer after it.
    func take(texts: [Intended], _ importer: Importer) async throws -> [Taken] {
        var results: [Taken] = []
        var ready: [Intended] = []
        var flights: [[UInt8]: SaveInFlight] = [:]
        for (file, step, content) in texts {
            let based: Importer.Content
            do {
                based = try await importer.based(file, step, content)
            } catch {
                throw explained(error, "cannot import \(file.path.pathForPeople)")
            }
            flights[file.path] = importer.intended(file, step, based)
            ready.append((file, step, based))
        }
        try records.begin(flights)
        try await BoundedTaskGroup.run(ready) {
            try await importer.take($0.file, $0.step, $0.content)
        } finished: { item, result in
            if let record = result.record {
                // Another file of the path may have been gone before this one got the text of its note.
                if result.outcome == .unchanged {
                    try records.recordAnew(item.file.path, record, result.shown, at: Clock.now())
                } else {
                    try records.record(item.file.path, record, result.shown)
                }
            }
            try records.end(item.file.path)
            results.append((item.file.path, result))
        }
        return results
    }

    /// Saves the changed files and creates notes for the new ones.
    ///
    /// - Parameter known: the notes of the files, if all files have records; nil for all notes.
    mutating func takeFiles(_ files: [ImportPlan.File], of known: [Head]? = nil, in run: inout MirrorRun) async throws {
        let notes = if let known { known } else { try await notesBefore(in: &run).map(\.head) }
        try await forgetUnknownVersions(of: notes)
        let living = Set(notes.map(\.id))
        var taken: [ImportPlan.File] = []
        for file in files where !run.untouched.contains(file.path) {
            // An older copy of a store may lack the note.
            if let record = records.files[file.path], living.contains(record.note), let stamp = verified[file.path],
                stamp == found.stamps[file.path]
            {
                continue
            }
            if mustWait(file.path, in: &run) { run.untouched.insert(file.path) } else { taken.append(file) }
        }
        try holdEmptied(&taken, in: &run)
        guard !taken.isEmpty else { return }
        let paths = Set(notes.compactMap { prefix.path(of: $0) })
        let copies = taken.filter {
            $0.isText && records.files[$0.path] == nil && !paths.contains($0.path) && ConflictCopy.origin(of: $0.path) != nil
        }
        run.untouched.formUnion(copies.map(\.path))
        taken.removeAll { run.untouched.contains($0.path) }
        let areRecorded = taken.allSatisfy { records.files[$0.path] != nil }
        let importer = try await importer(notes, isDry: false, of: areRecorded ? taken : nil)
        var results: [(path: [UInt8], result: ImportResult)] = []
        // A new file may have a text that the file of its note had. It is compared after that file is saved.
        let recorded = taken.filter { records.files[$0.path] != nil }
        for files in [recorded, taken.filter { records.files[$0.path] == nil }] {
            let texts = files.filter(\.isText)
            for start in stride(from: 0, to: texts.count, by: Self.writtenAtOnce) {
                results += try await take(Array(texts[start..<min(start + Self.writtenAtOnce, texts.count)]), importer)
            }
        }
        results += try await takeContents(taken.filter { !$0.isText }, importer, in: &run)
        for (path, result) in results {
            if result.outcome != .beingWritten { remade.remove(path) }
            if result.hasTextOfFile, let stamp = found.stamps[path], stamp.isOlder(than: stampAge, at: run.looked) {
                run.recordable[path] = stamp
            }
            let isSame = [.unchanged, .deleted].contains(result.outcome)
            if isSame || result.hasTextOfFile && !NoteFileName.isText(path) { verified[path] = found.stamps[path] }
            try note(path, result, in: &run)
        }
        for copy in copies { try await merge(copy, importer, in: &run) }
    }

    /// Reports what became of a text of a file.
    func note(_ path: [UInt8], _ result: ImportResult, in run: inout MirrorRun) throws {
        if let id = result.id, result.outcome != .unchanged { run.touched.insert(id) }
        if let taken = result.taken, result.outcome != .unchanged {
            let now = Clock.now()
            try records.tookOut(taken, of: path, at: now)
            run.report.tookOut(taken, of: path, at: now)
        }
        switch result.outcome {
        case .created: try run.report.report(path, .created, result.id)
        case .saved: try run.report.report(path, .saved, result.id)
        case .merged, .conflicted: try run.report.report(path, .merged, result.id)
        case .joined(let text):
            run.joined[path] = text
            run.joinedShown[path] = result.shown.map { ShownTextsCodec.bytes($0) }
            try run.report.report(path, .merged, result.id)
        case .unchanged, .deleted: break
        case .beingWritten:
            run.untouched.insert(path)
            if case .watch = source {
                try waitForWriter(of: path, in: &run)
            } else {
                try run.leave(path, "a program has it open for writing; the next run takes it")
            }
        case .refused(let reason):
            run.untouched.insert(path)
            waitAfterRefusal(in: &run)
            try run.leave(path, reason, .refused)
        case .skipped(let reason):
            run.untouched.insert(path)
            try run.leave(path, reason)
        }
    }

    /// The import of the folder.
    ///
    /// - Parameters:
    ///   - notes: the notes with the prefix.
    ///   - isDry: whether to write nothing.
    ///   - files: the files to import, if all of them have records; nil for any.
    func importer(_ notes: [Head], isDry: Bool, of files: [ImportPlan.File]? = nil) async throws -> Importer {
        let paths = files?.map(\.path) ?? found.paths
        let known = Dictionary(uniqueKeysWithValues: paths.compactMap { path in records.files[path].map { (path, $0) } })
        let past = ImportPolicy.Past(
            withFiles: Set(known.values.map(\.note)), gone: isDry ? [:] : try gone(among: paths),
            madeByGit: remade.filter { isMadeByGit($0) })
        return await Importer(
            client: client, tree: tree, place: place,
            notes: ImportedNotes(
                notes, isWithNameless: prefix.bytes.isEmpty,
                aliases: ExportPlan.aliasing(notes.compactMap { prefix.shortened($0) }).aliases),
            records: known,
            shown: Dictionary(uniqueKeysWithValues: paths.compactMap { path in records.shown[path].map { (path, $0) } }),
            policy: .mirror(past, isDry: isDry, isBeginning: !isFirstContact))
    }

    /// The last texts of earlier files at the new paths.
    private func gone(among paths: [[UInt8]]) throws -> [[UInt8]: GoneFile] {
        let time = Clock.now()
        return try paths.reduce(into: [:]) { gone, path in
            if records.files[path] == nil { gone[path] = try records.gone(path, at: time) }
        }
    }

    /// A watching mirror tries again what it could not save, although nothing may change meanwhile.
    func waitAfterRefusal(in run: inout MirrorRun) {
        if case .watch = source { run.wait(until: .now + Self.refusedPause) }
    }

    /// Looks soon at a file again that a program has open for writing. The state lists such a file if that
    /// lasts for longer than a save takes.
    private func waitForWriter(of path: [UInt8], in run: inout MirrorRun) throws {
        run.wait(until: .now + Self.writingPause)
        let since = writtenSince[path] ?? .now
        run.stillWritten[path] = since
        guard .now - since >= Self.writingTime else { return }
        let reason =
            "a program has it open for writing; it is saved after the program has closed it, or has not changed it "
            + "for ten seconds"
        try run.report.report(MirrorState.Waiting(path: path, kind: .writing, reason: reason))
    }
}
