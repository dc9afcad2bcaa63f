import Causality
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

/// Renamed files.
extension FolderMirror {
    /// Renames the notes of renamed files: a chain, from its end, or a ring.
    ///
    /// The names of notes are unique. In a ring, one note gives up its name first. The records change after
    /// the last rename, so that a mirror that is killed in between finds the same ring again. Each write has
    /// an `op` that the ring determines, so the next run does not repeat what this one did.
    ///
    /// - Parameter client: the client that renames.
    func carryOut(_ moves: [FolderChanges.Move], isRing: Bool, _ client: any NotesAPI, in run: inout MirrorRun) async throws {
        guard isRing, let first = moves.first else {
            for move in moves { try await carryOut(move, client, in: &run) }
            return
        }
        let paths = moves.flatMap { [$0.from, $0.to] }
        do {
            let cleared = try await client.save(
                SaveNote(id: first.record.note, base: first.record.version, name: .clear, op: op(first, "clear")))
            var renamed: [(move: FolderChanges.Move, version: Version)] = []
            // The first note's old name is free now: that of the file that was renamed onto its path.
            for move in moves.dropFirst() + [first] {
                let base = move == first ? cleared.version : move.record.version
                guard let name = prefix.name(ofPath: move.to) else { continue }
                let outcome = try await client.save(
                    SaveNote(id: move.record.note, base: base, name: .set(name), op: op(move, "name")))
                renamed.append((move, outcome.version))
            }
            let shown = records.shown
            try records.together { for (move, version) in renamed { try record(move, version, shown[move.from], in: &run) } }
        } catch ClientError.refused(let error)
            where Self.isAboutTheNote(error.kind) || error.kind == .noteNotFound
            || Importer.isAboutAllWrites(error.kind)
        {
            try refuse(first, error, paths, in: &run)
        } catch {
            throw explained(error, "cannot rename the note of \(first.from.pathForPeople)")
        }
    }

    /// Renames the note of a renamed file.
    private func carryOut(_ move: FolderChanges.Move, _ client: any NotesAPI, in run: inout MirrorRun) async throws {
        guard let name = prefix.name(ofPath: move.to) else { return }
        do {
            let outcome = try await client.save(SaveNote(id: move.record.note, base: move.record.version, name: .set(name)))
            try record(move, outcome.version, records.shown[move.from], in: &run)
            try records.forget(move.from, isByProgram: true, at: Clock.now())
        } catch ClientError.refused(let error) where error.kind == .noteNotFound {
            try records.forget(move.from, isByProgram: true, at: Clock.now())
        } catch ClientError.refused(let error) where Self.isAboutTheNote(error.kind) || Importer.isAboutAllWrites(error.kind) {
            try refuse(move, error, [move.from, move.to], in: &run)
        } catch {
            throw explained(error, "cannot rename the note of \(move.from.pathForPeople)")
        }
    }

    private func record(_ move: FolderChanges.Move, _ version: Version, _ shown: [UInt8]?, in run: inout MirrorRun) throws {
        let record = FileRecord(note: move.record.note, version: version, content: move.record.content)
        try records.record(move.to, record, shown.flatMap { ShownTextsCodec.shown($0) })
        run.touched.insert(move.record.note)
        try run.report.report(move.from, .renamed, move.record.note, to: move.to)
    }

    private func refuse(_ move: FolderChanges.Move, _ error: WireError, _ paths: [[UInt8]], in run: inout MirrorRun) throws {
        run.untouched.formUnion(paths)
        waitAfterRefusal(in: &run)
        let isForAll = Importer.isAboutAllWrites(error.kind)
        try run.leave(move.to, "its note cannot be renamed: \(error.message)", isForAll ? .refused : .skipped)
    }

    private func op(_ move: FolderChanges.Move, _ step: String) -> ByteString {
        Importer.op([
            place, move.from, move.to, move.record.note.bytes, Array(move.record.version.description.utf8), Array(step.utf8),
        ])
    }
}
