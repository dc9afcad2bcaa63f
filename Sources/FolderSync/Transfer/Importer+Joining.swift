import Causality
import NotesClient
import NotesModel
import NotesWire

/// Files whose writers had loaded no version of the note.
extension Importer {
    /// Saves a changed file of which no version of the note is known to be the base.
    ///
    /// - Parameter history: the texts that the file has had, and the number of the base, which has no version;
    ///   nil if they do not count any more.
    func saveWithoutBase(
        _ file: ImportPlan.File, _ content: Content, of note: NoteID, history: (shown: ShownTexts, base: Int)?
    ) async throws -> ImportResult {
        let step = notes.step(withoutRecord: file, note: note)
        guard case .compare(let head) = step else { return try await carryOut(step, file, content) }
        return try await compare(
            head, content, history: history,
            otherwise: "has changes, and the store no longer has the version that they are based on; --replace takes the "
                + "file's text")
    }

    /// Compares a file with a note that it has no base for.
    ///
    /// - Parameters:
    ///   - history: as in `saveWithoutBase`.
    ///   - reason: why the file is skipped if the texts differ.
    func compare(
        _ head: Head, _ content: Content, history: (shown: ShownTexts, base: Int)? = nil, otherwise reason: String
    ) async throws -> ImportResult {
        let text = content.text
        if head.bytes == text.count, let note = try await note(head.id), !note.head.isDeleted, note.text == text {
            return ImportResult(.unchanged, showing: text, head.id, note.head.version)
        }
        switch policy.difference {
        case .skipped: return .skipped(reason)
        case .joined: return try await join(head.id, content, history, otherwise: reason)
        case .replaced: break
        }
        if policy.isDry { return ImportResult(outcome: .saved, id: head.id) }
        let outcome = try await client.save(
            SaveNote(id: head.id, base: head.version, text: text, times: content.changed))
        return ImportResult(Self.outcome(outcome), showing: text, head.id, outcome.version)
    }

    /// Adds the lines of a file to a note whose text they have no common version with, so that both texts
    /// are in the note. A file with an older text of the note shows that version.
    ///
    /// - Parameters:
    ///   - history: as in `saveWithoutBase`.
    ///   - reason: why the file is skipped if the note is gone.
    private func join(
        _ id: NoteID, _ content: Content, _ history: (shown: ShownTexts, base: Int)?, otherwise reason: String
    ) async throws -> ImportResult {
        let text = content.text
        guard let note = try await note(id), !note.head.isDeleted, let theirs = note.text else { return .skipped(reason) }
        // If the note has another file, a program may have put the text of that one here.
        if !policy.past.withFiles.contains(id), let version = try await version(of: id, with: text) {
            return ImportResult(.unchanged, showing: text, id, version)
        }
        let both = TextJoin.joined(theirs, text)
        if both.count > bytesMax { return .skipped(tooLong(both)) }
        var version = note.head.version
        if !policy.isDry, both != theirs { version = try await client.save(id, base: version, text: both).version }
        guard let (known, base) = history else {
            return joined(id, text, .joined(LineMarks(text), in: version, at: content.time))
        }
        var shown = known
        shown.saved(LineMarks(text), as: nil, joined: version, on: base, at: content.time, isAnswered: true)
        return joined(id, text, shown)
    }

    /// The result for a file whose text was joined with that of its note. The note's text is still to be written
    /// to the file.
    func joined(_ id: NoteID, _ text: [UInt8], _ shown: ShownTexts) -> ImportResult {
        var result = ImportResult(outcome: .joined(FileRecord(note: id, version: .nothing, showing: text)), id: id)
        result.shown = shown
        return result
    }

    func tooLong(_ both: [UInt8]) -> String {
        "has \(both.count) bytes with the text of its note; the limit is \(bytesMax)"
    }

    /// The newest of the last versions of a note that has a text; nil if none has.
    private func version(of id: NoteID, with text: [UInt8]) async throws -> Version? {
        let revisions = try await client.history(ReadHistory(id: id, limit: Self.versionsMax)).revisions
        for revision in revisions where revision.bytes == text.count && !revision.isDeleted && !revision.isCompacted {
            let version = Version(revision.dot)
            if try await client.note(.id(id), at: version).text == text { return version }
        }
        return nil
    }
}
