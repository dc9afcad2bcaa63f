import Causality
import NotesClient
import NotesModel
import NotesWire

/// Conflict copies, which programs for synchronisation make of a file.
extension Importer {
    /// A conflict copy whose text the note of its file has.
    struct MergedCopy: Sendable {
        let note: NoteID
        let text: [UInt8]
    }

    enum CopyResult: Sendable {
        case merged(MergedCopy)
        /// The daemon refuses all writes, with the reason.
        case refused(String)
        /// Skipped, with the reason; nil if the next run tries again.
        case skipped(String?)
    }

    /// Saves a conflict copy as a text of the note of its file, based on the text that both programs had.
    ///
    /// - Parameters:
    ///   - copy: the conflict copy.
    ///   - origin: the record of the file of which it is a copy, and the texts that this file has had.
    /// - Throws: as `take(_:)`.
    func merge(_ copy: ImportPlan.File, into origin: (record: FileRecord, shown: ShownTexts)) async throws -> CopyResult {
        let content: Content
        switch look(at: copy) {
        case .ready(_, let read): content = read
        case .finished(let result):
            if case .skipped(let reason) = result.outcome { return .skipped(reason) }
            return .skipped(nil)
        }
        let id = origin.record.note
        do {
            let listed = origin.shown.entries.compactMap { entry in
                entry.version.map { CopyBase.Candidate(version: $0, text: entry.text) }
            }
            let older = try await olderTexts(of: id, before: origin.shown.entries[0].time)
            guard let base = CopyBase.version(of: LineMarks(content.text), among: older + listed) else {
                return .skipped("is a conflict copy, and no text is known that both programs had; merge it by hand")
            }
            _ = try await client.save(
                SaveNote(id: id, base: base, text: content.text, op: op(for: copy, content, of: id, on: base)))
            return .merged(MergedCopy(note: id, text: content.text))
        } catch ClientError.refused(let error) where Self.isAboutAllWrites(error.kind) {
            return .refused(error.message)
        } catch ClientError.refused(let error) {
            return .skipped("is a conflict copy that cannot be merged: \(error.message)")
        }
    }

    /// Texts of a note from before a time, oldest first: the last 32 revisions, and one for each doubling of their
    /// number, since the program that made a copy may have been away for long.
    private func olderTexts(of id: NoteID, before time: Int64) async throws -> [CopyBase.Candidate] {
        let revisions = try await client.history(ReadHistory(id: id, limit: Self.versionsMax)).revisions
        let old = revisions.filter { $0.time.milliseconds < time && !$0.isDeleted && !$0.isCompacted }
        var candidates: [CopyBase.Candidate] = []
        for (index, revision) in old.enumerated() where index < Self.newestTexts || index.nonzeroBitCount == 1 {
            let version = Version(revision.dot)
            // A text that was purged is no candidate.
            guard let text = try await text(of: version, of: id) else { continue }
            candidates.append(CopyBase.Candidate(version: version, text: LineMarks(text)))
        }
        return candidates.reversed()
    }

    private static let newestTexts = 32
}
