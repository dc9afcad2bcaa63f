import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

/// Files that are no texts: pictures, documents, any bytes. Texts go before them, and a run takes only so many of them
/// that texts are not held up for long.
extension FolderMirror {
    /// How long a watching mirror takes files, or writes them, before it looks at the texts again.
    static let contentsTime = Duration.seconds(1)
    /// How soon the mirror asks again for bytes that are not in the store.
    static let missingPause = Duration.seconds(3)
    /// How long a file must not have changed before it is taken, in nanoseconds.
    static let contentQuietTime: Int64 = 2_000_000_000

    /// Gives notes the bytes of files.
    func takeContents(_ files: [ImportPlan.File], _ importer: Importer, in run: inout MirrorRun) async throws -> [Taken] {
        var results: [Taken] = []
        let end = ContinuousClock.now + Self.contentsTime
        for file in files {
            guard !isLater(end, file.path, in: &run) else { continue }
            let result = try await importer.take(file)
            if let record = result.record {
                if result.outcome == .unchanged {
                    try records.recordAnew(file.path, record, nil, at: Clock.now())
                } else {
                    try records.record(file.path, record)
                }
            }
            results.append((file.path, result))
        }
        return results
    }

    /// Gives files the bytes of notes.
    ///
    /// - Parameter later: gets the notes whose files the next run writes.
    func writeContents(
        _ files: [ExportPlan.File], _ exporter: Exporter, _ later: inout Set<NoteID>, in run: inout MirrorRun
    ) async throws -> [Written] {
        var results: [Written] = []
        let end = ContinuousClock.now + Self.contentsTime
        let absent = try await client.absent(Set(files.compactMap { $0.head.file?.hash }))
        for file in files {
            if let content = file.head.file, absent.hashes.contains(content.hash), records.files[file.path]?.content != content {
                let limit = absent.limit(declining: content)
                let outcome = limit.map { Exporter.Outcome.declined(DeclinedFile.reason(above: $0)) }
                results.append((file.path, file.head.id, outcome ?? .skipped(Exporter.missingBytes)))
                continue
            }
            guard !isLater(end, file.path, in: &run) else {
                later.insert(file.head.id)
                continue
            }
            let written = try await exporter.writeContents(of: file)
            // The record of the note's own file comes last: it lists the version for which the others are there.
            for written in written.reversed() {
                if let new = written.new { try records.recordAnew(written.path, new.record, nil, at: Clock.now()) }
                results.append((written.path, file.head.id, written.outcome))
            }
        }
        return results
    }

    /// Settles a file with several contents of which a program has removed one: the note gets the other one.
    ///
    /// - Returns: whether the file was one of several.
    func settle(_ file: FolderChanges.Gone, in run: inout MirrorRun) async throws -> Bool {
        let note = try await client.note(.id(file.record.note))
        let contents = FileContent.all(of: note.text ?? [])
        guard !note.head.isDeleted, contents.count > 1, contents.contains(file.record.content) else { return false }
        let rest = contents.filter { $0 != file.record.content }
        if rest.count == 1 {
            do {
                _ = try await client.save(SaveNote(id: file.record.note, base: file.record.version, file: rest[0]))
                run.touched.insert(file.record.note)
                try run.report.report(file.path, .saved, file.record.note)
            } catch ClientError.refused(let error) where error.kind == .fileMissing {
                // The store has lost the other one, so both stay, and the removed file comes back.
            }
        }
        try records.forget(file.path)
        return true
    }

    /// Whether a recorded file shows a further content of a note that has several.
    func isCopy(_ path: [UInt8], _ record: FileRecord) -> Bool {
        guard !NoteFileName.isText(path), ContentCopy.isPath(path, of: record.content) else { return false }
        // A note of its own can have such a name.
        return records.files.contains { $0.value.note == record.note && $0.key != path }
    }

    /// Whether the time of a run is over. Then the next run takes the file.
    private func isLater(_ end: ContinuousClock.Instant, _ path: [UInt8], in run: inout MirrorRun) -> Bool {
        guard case .watch = source, .now > end else { return false }
        run.untouched.insert(path)
        run.wait(until: .now)
        return true
    }

    /// Forgets the records of files that the folder no longer shows.
    func forgetOthers() throws {
        for (path, record) in records.files where !NoteFileName.isText(path) {
            if files.omission(of: path, bytes: record.bytes) != nil { try records.forget(path) }
        }
    }
}
