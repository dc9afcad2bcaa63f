import Causality
import Console
import Glibc
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

/// Files that are no texts: pictures, documents, any bytes.
extension Importer {
    /// A file whose bytes were read.
    private struct Read: ~Copyable {
        let local: LocalFile
        let content: FileContent
        /// The stamp before the bytes were read.
        let stamp: FileStamp?
        /// As in `Content`.
        let times: FileTimes?
        var changed: FileTimes? { times.map { FileTimes(modified: $0.modified) } }
    }

    /// Imports one file, with less than 1 MiB of it in memory.
    ///
    /// - Throws: as `take(_:)`.
    func takeContent(of file: ImportPlan.File) async throws -> ImportResult {
        let opened: ReadableFile
        do throws(Descriptor.OpenError) { opened = try tree.file(file.path) } catch {
            // Another program has a lease on the file.
            if policy.isAwaitingWriters, error.number == EAGAIN { return ImportResult(outcome: .beingWritten) }
            return .skipped(Self.reason(error))
        }
        if policy.isAwaitingWriters, opened.isBeingWritten { return ImportResult(outcome: .beingWritten) }
        let (stamp, times) = (opened.stamp, isWithTimes ? opened.descriptor.fileTimes : nil)
        let local = LocalFile(opened.taken(), path: file.path.pathForPeople)
        do {
            let content = try local.content()
            let read = Read(local: local, content: content, stamp: stamp, times: times)
            return try await carryOut(notes.step(for: file, content: content, record: records[file.path]), file, read)
        } catch ClientError.refused(let error) where Self.isAboutOneFile(error.kind) {
            return .skipped(error.message)
        } catch ClientError.refused(let error)
            where policy.isAwaitingDaemon && (Self.isAboutAllWrites(error.kind) || error.kind == .overloaded)
        {
            // Others may have too many uploads. Texts must not wait for them.
            return ImportResult(outcome: .refused(error.message))
        } catch let failure as ExitFailure {
            return .skipped(failure.message)
        } catch {
            throw explained(error, "cannot import \(file.path.pathForPeople)")
        }
    }

    private static func isAboutOneFile(_ kind: ErrorKind) -> Bool {
        [.noteExists, .invalidName, .fileTooLarge, .wrongKind, .fileMissing].contains(kind)
    }

    private func carryOut(
        _ step: ImportedNotes.Step, _ file: ImportPlan.File, _ read: borrowing Read
    ) async throws -> ImportResult {
        switch step {
        case .leave(let id): return ImportResult(outcome: .unchanged, id: id)
        case .findOut(let id):
            guard let note = try await note(id) else {
                return try await carryOut(notes.step(withoutRecord: file), file, read)
            }
            return ImportResult(outcome: note.head.isDeleted ? .deleted : .unchanged, id: id)
        case .save(let record): return try await save(file, read, on: record)
        case .compare(let head): return try await compare(head, file, read)
        case .create: return try await create(file, read)
        }
    }

    /// Uploads the bytes. Returns whether the file is still as it was read.
    private func upload(_ file: ImportPlan.File, _ read: borrowing Read) async throws -> Bool {
        do {
            try await read.local.upload(read.content, client)
        } catch let failure as ExitFailure {
            guard isStill(file, read) else { return false }
            throw failure
        }
        return isStill(file, read)
    }

    private func isStill(_ file: ImportPlan.File, _ read: borrowing Read) -> Bool {
        read.stamp != nil && (try? tree.status(of: file.path)).map { FileStamp($0) } == read.stamp
    }

    /// The result for a file that a program changed meanwhile.
    private var changed: ImportResult {
        policy.isAwaitingWriters
            ? ImportResult(outcome: .beingWritten) : .skipped("changed while it was read; import it again")
    }

    private func result(
        _ outcome: ImportResult.Outcome, _ note: NoteID, _ version: Version, _ content: FileContent
    ) -> ImportResult {
        ImportResult(outcome: outcome, id: note, record: FileRecord(note: note, version: version, content: content))
    }

    /// Saves a changed file on the version that it showed.
    private func save(
        _ file: ImportPlan.File, _ read: borrowing Read, on record: FileRecord
    ) async throws -> ImportResult {
        let content = read.content
        // The note has these bytes already if a mirror was killed after it had written them.
        if let head = notes[record.note], head.file == content { return result(.unchanged, head.id, head.version, content) }
        if policy.isDry { return ImportResult(outcome: .saved, id: record.note) }
        guard try await upload(file, read) else { return changed }
        do {
            let saved = try await client.save(
                SaveNote(
                    id: record.note, base: record.version, file: content,
                    op: op(for: file, content, read.changed, of: record.note, on: record.version), times: read.changed))
            return result(Self.outcome(saved), record.note, saved.version, content)
        } catch ClientError.refused(let error)
            where error.kind == .noteNotFound || error.kind == .unknownBase || error.kind == .revisionGone
        {
            return try await carryOut(notes.step(withoutRecord: file, note: record.note), file, read)
        }
    }

    /// Compares a file with a note that it has no base for.
    private func compare(
        _ head: Head, _ file: ImportPlan.File, _ read: borrowing Read
    ) async throws -> ImportResult {
        guard head.file != nil else { return .skipped("a text has this name; rename the file or the note") }
        let content = read.content
        if let note = try await note(head.id), !note.head.isDeleted {
            let contents = FileContent.all(of: note.text ?? [])
            if contents == [content] { return result(.unchanged, head.id, note.head.version, content) }
            // The file shows only one of several contents, so the export has to write the others.
            if contents.contains(content) {
                let version = try await version(of: head.id, with: content) ?? note.head.version
                return result(.unchanged, head.id, version, content)
            }
        }
        switch policy.difference {
        case .skipped:
            return .skipped(
                "a note of this name has other bytes; --replace takes the file's, --into PREFIX puts the files elsewhere")
        case .replaced:
            if policy.isDry { return ImportResult(outcome: .saved, id: head.id) }
            guard try await upload(file, read) else { return changed }
            let saved = try await client.save(
                SaveNote(id: head.id, base: head.version, file: content, times: read.changed))
            return result(Self.outcome(saved), head.id, saved.version, content)
        case .joined:
            // If the note has another file, a program may have put the bytes of that one here.
            if !policy.past.withFiles.contains(head.id), let version = try await version(of: head.id, with: content) {
                return result(.unchanged, head.id, version, content)
            }
            return try await createBeside(file, read)
        }
    }

    /// The newest of the last versions of a file with a content; nil if none has it.
    private func version(of id: NoteID, with content: FileContent) async throws -> Version? {
        let revisions = try await client.history(ReadHistory(id: id, limit: Self.versionsMax)).revisions
        for revision in revisions where !revision.isDeleted && !revision.isCompacted {
            let version = Version(revision.dot)
            if let text = try await text(of: version, of: id), FileContent.all(of: text).contains(content) { return version }
        }
        return nil
    }

    /// Makes a note of a file that was never in step with the note of its name, under a name beside that. The export writes
    /// the new note to the path of its name, and the other note to the path of this file.
    private func createBeside(_ file: ImportPlan.File, _ read: borrowing Read) async throws -> ImportResult {
        if policy.isDry { return ImportResult(outcome: .created) }
        let content = read.content
        guard let name = ByteString(checkedUTF8: ContentCopy.path(of: file.name.bytes.utf8, content)),
            try await upload(file, read)
        else { return changed }
        let made = try await client.begin(file: content, name: name, at: Clock.now(), times: read.times)
        return result(.created, made.head.id, made.head.version, content)
    }

    /// Makes a note of a new file, or brings the deleted one back that had these bytes.
    private func create(_ file: ImportPlan.File, _ read: borrowing Read) async throws -> ImportResult {
        if let other = notes.note(whoseIDBeginsWith: file.name) {
            return .skipped("\(NameCheck.reason(file.name.description, other)); rename the file, or use --into PREFIX")
        }
        let content = read.content
        if let origin = ContentCopy.origin(of: file.name.bytes.utf8, content), let head = notes.note(named: origin),
            let note = try await note(head.id), FileContent.all(of: note.text ?? []).contains(content)
        {
            // A mirror wrote it, and has lost its record.
            return result(.unchanged, head.id, note.head.version, content)
        }
        if policy.isDry { return ImportResult(outcome: .created) }
        guard try await upload(file, read) else { return changed }
        if let gone = policy.past.gone[file.path], let note = try await note(gone.note), note.head.isDeleted,
            let text = try await text(of: gone.version, of: gone.note), FileContent.all(of: text).contains(content)
        {
            let saved = try await client.save(
                SaveNote(
                    id: gone.note, base: gone.isByProgram ? note.head.version : gone.version, file: content,
                    name: .set(file.name.bytes), times: read.changed))
            return result(Self.outcome(saved), gone.note, saved.version, content)
        }
        let made = try await client.begin(file: content, name: file.name.bytes, at: Clock.now(), times: read.times)
        return result(.created, made.head.id, made.head.version, content)
    }
}
