import Causality
import NoteTasks
import NotesClient
import NotesModel
import NotesWire

/// From notes to files.
extension FolderMirror {
    /// The outcome for the file of a note.
    typealias Written = (path: [UInt8], note: NoteID, outcome: Exporter.Outcome)

    /// Writes notes to their files. The record of a file lists a version before the file shows it. If the
    /// mirror is killed in between, or the power fails, a text that a program makes of it is still saved on that
    /// version.
    private func write(
        _ files: [ExportPlan.File], _ exporter: Exporter, in run: inout MirrorRun
    ) async throws -> [Written] {
        var results: [Written] = []
        var ready: [Exporter.Prepared] = []
        try await BoundedTaskGroup.run(files) {
            try await exporter.prepare($0)
        } finished: { file, preparation in
            switch preparation {
            // A program may be about to make the file anew, or has removed it. The next run decides.
            case .ready(let prepared) where prepared.content == .nothing && records.files[file.path] != nil:
                results.append((file.path, file.head.id, .skipped(Exporter.movedJustNow)))
            case .ready(let prepared): ready.append(prepared)
            case .finished(let outcome, let new):
                if let new { try records.recordAnew(file.path, new.record, new.shown, at: Clock.now()) }
                results.append((file.path, file.head.id, outcome))
            }
        }
        let replaced = ready.compactMap { prepared in records.files[prepared.file.path].map { (prepared, $0) } }
        if !replaced.isEmpty {
            try records.together(isDurable: true) {
                for (prepared, record) in replaced { try records.record(prepared.file.path, record, prepared.new.shown) }
            }
        }
        // All drafts first, so that the disk writes them together.
        let drafts = ready.map { exporter.draft($0) }
        for (prepared, draft) in zip(ready, drafts) {
            let path = prepared.file.path
            let (outcome, replaced) = exporter.carryOut(prepared, draft)
            if outcome == .written {
                try records.recordAnew(path, prepared.new.record, prepared.new.shown, at: Clock.now())
            } else if let record = exporter.records[path] {
                let former = exporter.shown[path].flatMap { ShownTextsCodec.shown($0) }
                if replaced != nil || run.joined[path] == nil { try records.record(path, record, former) }
                if let replaced { try await takeReplaced(replaced, by: prepared, in: &run) }
            }
            results.append((path, prepared.file.head.id, outcome))
        }
        return results
    }

    /// Saves the texts that a note's text replaced for a moment. A program that read the note's text in that
    /// moment has replaced the file with what it made of that, and nobody else has seen these texts.
    private func takeReplaced(_ texts: [[UInt8]], by prepared: Exporter.Prepared, in run: inout MirrorRun) async throws {
        let path = prepared.file.path
        guard let file = ImportPlan(paths: [path], prefix: prefix.bytes).taken.first else { return }
        // The exchange that took a text off the name put the one before it there.
        var before = (version: prepared.new.record.version, text: prepared.text)
        for text in texts {
            let importer = try await importer(try await notesBefore(in: &run).map(\.head), isDry: false, of: [file])
            guard case .ready(let step, let content) = importer.look(at: file, text) else { continue }
            for (path, result) in try await take(texts: [(file, step, content)], importer) { try note(path, result, in: &run) }
            try recordMoment(of: path, before.version, before.text)
            if let record = records.files[path], record.shows(text) { before = (record.version, text) }
        }
        if texts.isEmpty { try recordMoment(of: path, before.version, before.text) }
        if case .watch(let notes) = source { try await notes.refresh([prepared.file.head.id], client) }
    }

    private func recordMoment(of path: [UInt8], _ version: Version, _ text: [UInt8]) throws {
        guard let record = records.files[path], var shown = records.shown[path].flatMap({ ShownTextsCodec.shown($0) }) else {
            return
        }
        shown.putForAMoment(version, LineMarks(text), at: Clock.now().milliseconds)
        try records.record(path, record, shown)
    }

    /// Writes notes to files, and removes those of deleted and renamed notes.
    ///
    /// - Parameters:
    ///   - records: the records of the files, and the texts that this run has joined.
    ///   - shown: as in `FileRecords`.
    ///   - isOfAll: whether the plan has all notes. If not, no file is removed.
    mutating func writeFiles(
        _ plan: ExportPlan, records known: [[UInt8]: FileRecord], shown: [[UInt8]: [UInt8]], isOfAll: Bool = true,
        in run: inout MirrorRun
    ) async throws {
        for (path, reason) in plan.skipped { try run.leave(path, reason) }
        let exporter = Exporter(
            client: client, tree: tree, records: known, shown: shown.merging(run.joinedShown) { _, new in new }, isForced: false,
            isLeasing: true, bytesMax: await textBytesMax(), isExpected: !isFirstContact, prefix: prefix)
        // The former file of a note stays until its new one is written.
        var skipped = plan.skippedNotes
        let taken = plan.taken.filter { file in
            if run.untouched.contains(file.path) {
                skipped.insert(file.head.id)
                return false
            }
            guard let record = records.files[file.path], let stamp = verified[file.path] else { return true }
            return stamp != found.stamps[file.path] || record.note != file.head.id || record.version != file.head.version
        }
        var results: [Written] = []
        let texts = taken.filter { $0.head.file == nil }
        for start in stride(from: 0, to: texts.count, by: Self.writtenAtOnce) {
            results += try await write(Array(texts[start..<min(start + Self.writtenAtOnce, texts.count)]), exporter, in: &run)
        }
        results += try await writeContents(taken.filter { $0.head.file != nil }, exporter, &skipped, in: &run)
        for result in results where result.outcome.isLeft { skipped.insert(result.note) }
        let former = isOfAll ? plan.former(records.files, except: skipped).filter { !run.untouched.contains($0.path) } : []
        try await BoundedTaskGroup.run(former) {
            try await exporter.remove($0)
        } finished: { file, outcome in
            guard let outcome else { return }
            if outcome == .removed { try records.forget(file.path, isByProgram: false, at: Clock.now()) }
            results.append((file.path, file.record.note, outcome))
        }
        for (path, note, outcome) in results {
            switch outcome {
            case .written:
                (verified[path], run.recordable[path]) = (nil, nil)
                try run.report.report(path, .written, note)
            case .removed: try run.report.report(path, .removed, note)
            case .unchanged, .gone: break
            case .declined(let reason):
                if case .watch = source { run.wait(until: .now + Self.lastingPause) }
                try run.leave(path, reason, .declined)
            case .skipped(let reason):
                // Usually, a program has written the file since it was read. A reason that lasts, such as a
                // path that no file can have, must not cause a scan each second.
                guard case .watch = source else {
                    try run.leave(path, reason)
                    continue
                }
                if reason == Exporter.missingBytes {
                    run.wait(until: .now + Self.missingPause)
                    try run.leave(path, reason, .missing)
                } else {
                    run.wait(until: .now + (run.report.isKnown(reason, of: path) ? Self.lastingPause : Self.writingPause))
                    try run.leave(path, reason)
                }
            }
        }
    }
}
