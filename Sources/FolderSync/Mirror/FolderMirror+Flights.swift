import NoteTasks
import NotesClient
import NotesModel
import NotesWire

/// The saves that a killed mirror, or a lost connection, left without a recorded answer.
extension FolderMirror {
    /// Sends them again. A save that the daemon has already applied has the same answer.
    func finishFlights(in run: inout MirrorRun) async throws {
        for (path, save) in records.flights.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            // The answer was recorded, or the path has another note.
            guard let record = records.files[path], record.note == save.note, !record.shows(save.text) else {
                try records.end(path)
                continue
            }
            do {
                let outcome = try await client.save(save.params)
                var shown =
                    records.shown[path].flatMap { ShownTextsCodec.shown($0) }
                    ?? ShownTexts(record.version, LineMarks(lines: []), at: save.time)
                let marks = LineMarks(save.text)
                shown.saved(
                    marks, as: outcome.version, on: shown.number(of: save.base), at: save.time,
                    isAnswered: outcome.hasAnotherText)
                try records.record(path, FileRecord(note: save.note, version: outcome.version, showing: save.text), shown)
                try records.end(path)
                run.touched.insert(save.note)
                let isMerged = outcome.outcome == .merged || outcome.outcome == .conflicted
                try run.report.report(path, isMerged ? .merged : .saved, save.note)
            } catch ClientError.refused(let error) where Self.isAboutTheNote(error.kind) || error.kind == .noteNotFound {
                try records.end(path)
            } catch ClientError.refused(let error) where Importer.isAboutAllWrites(error.kind) {
                run.untouched.insert(path)
                waitAfterRefusal(in: &run)
                try run.leave(path, error.message, .refused)
            } catch {
                throw explained(error, "cannot save \(path.pathForPeople)")
            }
        }
    }
}
