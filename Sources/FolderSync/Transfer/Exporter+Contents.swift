import Causality
import Console
import Glibc
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

/// Files that are no texts: pictures, documents, any bytes.
extension Exporter {
    /// The outcome for one file of a note.
    struct Written {
        let path: [UInt8]
        let outcome: Outcome
        /// As in `write`.
        var new: New?
    }

    /// Writes the bytes of one note to its file, with less than 1 MiB of them in memory. If several people gave the note
    /// new bytes at once, a file with some of these stays, and a mirror writes each other content to a file beside it. As
    /// long as one of these cannot be written, the file and its record stay as they are, so that the next run tries again.
    ///
    /// - Returns: the outcome for the file of the note, then those for the others.
    /// - Throws: as `write`.
    func writeContents(of file: ExportPlan.File) async throws -> [Written] {
        func only(_ outcome: Outcome) -> [Written] { [Written(path: file.path, outcome: outcome)] }
        let record = records[file.path]
        do {
            if let record, record.note == file.head.id, record.version == file.head.version,
                try tree.look(at: file.path, sizes: [record.bytes]) == .file(record.content)
            {
                return only(.unchanged)
            }
            guard let note = try await note(file.head.id, file.path), !note.head.isDeleted else { return only(.gone) }
            let contents = FileContent.all(of: note.text ?? [])
            guard let first = contents.first else { return only(.skipped("its note has just become a text")) }
            var (own, isThere) = (first, false)
            if case .file(let content) = try tree.look(at: file.path, sizes: Set(contents.map(\.bytes))),
                contents.contains(content)
            {
                (own, isThere) = (content, true)
            }
            // The others first: if the mirror is killed in between, the version of the record lets the next run write them.
            var others: [Written] = []
            for content in contents where isLeasing && content != own {
                others.append(try await put(content, at: ContentCopy.path(of: file.path, content), file.serial, note))
            }
            if let left = others.first(where: \.outcome.isLeft) {
                return [Written(path: file.path, outcome: isThere ? .unchanged : left.outcome)] + others
            }
            return [try await put(own, at: file.path, file.serial, note)] + others
        } catch let error as Descriptor.OpenError {
            return only(.skipped(Self.reason(error)))
        }
    }

    /// Gives a file the bytes of a note, unless it has them.
    private func put(
        _ content: FileContent, at path: [UInt8], _ serial: Int, _ note: NoteObject
    ) async throws -> Written {
        func skipped(_ reason: String) -> Written { Written(path: path, outcome: .skipped(reason)) }
        let new = New(FileRecord(note: note.head.id, version: note.head.version, content: content), nil)
        let record = records[path]
        do {
            let look = try tree.look(at: path, sizes: Set([content.bytes] + (record.map { [$0.bytes] } ?? [])))
            if look == .file(content) { return Written(path: path, outcome: .unchanged, new: new) }
            if isLeasing, look == .nothing, record != nil { return skipped(Self.movedJustNow) }
            if !isForced, let reason = Self.obstacle(look, record, isMirroring: isLeasing) { return skipped(reason) }
            let draft = try await tree.draft(content, of: path, modified: note.head.modified, serial: serial) { write in
                try await FileDownload(content, client).bytes { try write($0) }
            }
            let placing = try tree.place(draft, over: isForced ? nil : look, isLeasing: isLeasing, bytesMax: 0)
            guard placing == .written else { return skipped("has changed during the export") }
            return Written(path: path, outcome: .written, new: new)
        } catch let error as Descriptor.OpenError {
            return skipped(Self.reason(error))
        } catch ClientError.refused(let error) where error.kind == .fileMissing {
            return DeclinedFile.isDeclined(error)
                ? Written(path: path, outcome: .declined(error.message)) : skipped(Self.missingBytes)
        } catch let failure as ExitFailure {
            return skipped(failure.message)
        }
    }

    /// Whether a recorded file is there because its note has several contents.
    func isCopy(_ file: ExportPlan.FormerFile, of note: NoteObject) -> Bool {
        guard let path = prefix.path(of: note.head), !note.head.isDeleted else { return false }
        let contents = FileContent.all(of: note.text ?? [])
        return contents.count > 1 && contents.contains(file.record.content)
            && file.path == ContentCopy.path(of: path, file.record.content)
    }

    /// The reason why a file that a program moved or removed is not written.
    static let movedJustNow = "was moved or removed just now; the next run takes it"
    /// The reason why a file is not written whose bytes are on another machine.
    static let missingBytes = "its bytes are not in this store; they come from another machine, or were lost"
}
