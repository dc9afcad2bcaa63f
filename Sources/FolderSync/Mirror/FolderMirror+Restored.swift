import Causality
import Console
import NoteTasks
import NotesClient
import NotesModel
import NotesWire

/// Stores that were restored from an older backup.
extension FolderMirror {
    /// Most files that are taken from a folder without an approval because the daemon has lost their texts.
    static let lostMax = 50

    /// Forgets the records of files that show versions that the daemon does not know. The notes would otherwise
    /// replace texts that only the files have. A file without a record is joined with its note.
    ///
    /// A restored store has a new replica id, so the daemon knows each version of its present replica.
    ///
    /// - Parameter notes: the notes to look at.
    /// - Throws: `ExitFailure` if there are many of them and no person has approved it.
    /// - Complexity: one request for each file whose version has a dot of another replica and is not that of its note.
    func forgetUnknownVersions(of notes: [Head]) async throws {
        guard let replica = await client.hello?.replica else { return }
        let suspects = notes.compactMap { note -> (path: [UInt8], record: FileRecord)? in
            guard let path = records.paths[note.id], let record = records.files[path], record.version != note.version,
                record.version.dots.contains(where: { $0.replica != replica })
            else { return nil }
            return (path, record)
        }
        var lost: [[UInt8]] = []
        try await BoundedTaskGroup.run(suspects) { [client] suspect in
            do {
                _ = try await client.note(.id(suspect.record.note), at: suspect.record.version)
                return true
            } catch ClientError.refused(let error) where error.kind == .unknownBase {
                return false
            } catch ClientError.refused {
                return true
            }
        } finished: { suspect, isKnown in
            if !isKnown { lost.append(suspect.path) }
        }
        guard isApproved || lost.count <= Self.lostMax else {
            throw ExitFailure(
                "the daemon has lost the texts of \(lost.count) files, as if an older backup was restored; "
                    + "`notesctl mirror --once --yes` gives both the lines of both", .badData)
        }
        for path in lost { try records.forget(path) }
    }
}
