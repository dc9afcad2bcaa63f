import Causality
import Console
import Glibc
import NoteTasks
import NoteText
package import NotesClient
import NotesModel
import NotesWire

/// Imports files; any number at the same time.
package struct Importer: Sendable {
    let client: any NotesAPI
    let tree: FileTree
    /// The real path of the directory.
    let place: [UInt8]
    /// Size limit of a note, in bytes.
    let bytesMax: Int
    let notes: ImportedNotes
    let records: [[UInt8]: FileRecord]
    /// As in `FileRecords`.
    let shown: [[UInt8]: [UInt8]]
    let policy: ImportPolicy
    /// Whether the daemon takes the times of files.
    let isWithTimes: Bool

    /// The number of versions of a note that a file without a record is compared with.
    static let versionsMax = 1_000

    /// - Parameter client: has the limits and the capabilities of the daemon.
    package init(
        client: any NotesAPI, tree: FileTree, place: [UInt8], notes: ImportedNotes, records: [[UInt8]: FileRecord],
        shown: [[UInt8]: [UInt8]], policy: ImportPolicy
    ) async {
        (self.client, self.tree, self.place, self.notes) = (client, tree, place, notes)
        (self.records, self.shown, self.policy) = (records, shown, policy)
        let hello = await client.hello
        bytesMax = hello?.limits.noteBytesMax ?? .max
        isWithTimes = hello?.capabilities.contains("times") ?? false
    }

    /// The content of a file.
    struct Content: Sendable {
        let text: [UInt8]
        /// When it was read, in milliseconds since 1970.
        let time: Int64
        /// The times that the file states; nil if they are unknown or the daemon does not take them.
        let times: FileTimes?
        /// The text on which it was made, once it is chosen. The choice may need texts that somebody can purge
        /// meanwhile, so it is made only once.
        var base: Base?
        /// `times` for a note that exists.
        var changed: FileTimes? { times.map { FileTimes(modified: $0.modified) } }
    }

    /// The text on which a file's text was made.
    struct Base: Sendable {
        /// Its number in `ShownTexts`.
        let number: Int
        /// The lines of others that the file's text lacks; nil for none.
        let taken: TakenLines?
    }

    /// The result of a look at a file.
    enum Look: Sendable {
        case finished(ImportResult)
        case ready(ImportedNotes.Step, Content)
    }

    /// Imports one file.
    ///
    /// - Throws: an error that ends the whole import, such as a lost connection or a full disk.
    package func take(_ file: ImportPlan.File) async throws -> ImportResult {
        guard file.isText else { return try await takeContent(of: file) }
        return switch look(at: file) {
        case .finished(let result): result
        case .ready(let step, let content): try await take(file, step, content)
        }
    }

    /// Reads a file, and decides what to do with it.
    func look(at file: ImportPlan.File) -> Look {
        do {
            let opened = try tree.file(file.path)
            if policy.isAwaitingWriters, opened.isBeingWritten {
                return .finished(ImportResult(outcome: .beingWritten))
            }
            let times = isWithTimes ? opened.descriptor.fileTimes : nil
            guard let read = try opened.text(bytesMax: bytesMax) else {
                let remedy = "split the file, or raise limits.note_bytes_max of the daemon"
                return .finished(.skipped("has \(opened.bytes) bytes; the limit for a note is \(bytesMax); \(remedy)"))
            }
            return look(at: file, read, times)
        } catch {
            // Another program has a lease on the file.
            if policy.isAwaitingWriters, error.number == EAGAIN { return .finished(ImportResult(outcome: .beingWritten)) }
            return .finished(.skipped(Self.reason(error)))
        }
    }

    /// Decides what to do with a text of a file.
    ///
    /// - Parameter times: the times that the file states; nil if they are unknown.
    func look(at file: ImportPlan.File, _ text: [UInt8], _ times: FileTimes? = nil) -> Look {
        if let fault = TextInput.fault(in: text) {
            return .finished(.skipped("\(fault); \(TextInput.remedy(for: text))"))
        }
        let step = notes.step(for: file, content: FileContent(of: text), record: records[file.path])
        return .ready(step, Content(text: text, time: Clock.now().milliseconds, times: times))
    }

    static func reason(_ error: Descriptor.OpenError) -> String {
        switch error.number {
        case ELOOP: "is a symbolic link, or in a folder that is one; it is not read"
        case ENXIO: "is no longer a regular file; it is not read"
        default: "cannot be read: \(error.text)"
        }
    }

    /// Does what `look(at:)` decided.
    ///
    /// - Throws: as `take(_:)`.
    func take(_ file: ImportPlan.File, _ step: ImportedNotes.Step, _ content: Content) async throws -> ImportResult {
        do {
            return try await carryOut(step, file, content)
        } catch ClientError.refused(let error) where error.kind == .noteExists || error.kind == .noteTooLarge {
            return .skipped(error.message)
        } catch ClientError.refused(let error) where policy.isAwaitingDaemon && Self.isAboutAllWrites(error.kind) {
            return ImportResult(outcome: .refused(error.message))
        } catch {
            throw explained(error, "cannot import \(file.path.pathForPeople)")
        }
    }

    func carryOut(
        _ step: ImportedNotes.Step, _ file: ImportPlan.File, _ content: Content
    ) async throws -> ImportResult {
        switch step {
        case .leave(let id): return ImportResult(outcome: .unchanged, id: id)
        case .findOut(let id):
            // The store does not know the note if somebody restored an older copy of the store.
            guard let note = try await note(id) else {
                return try await carryOut(notes.step(withoutRecord: file), file, content)
            }
            return ImportResult(outcome: note.head.isDeleted ? .deleted : .unchanged, id: id)
        case .save(let record): return try await save(file, content, on: record)
        case .compare(let head):
            return try await compare(
                head, content,
                otherwise: "a note of this name has another text; --replace takes the file's text, --into PREFIX puts the "
                    + "files elsewhere")
        case .create:
            if let other = notes.note(whoseIDBeginsWith: file.name) {
                return .skipped("\(NameCheck.reason(file.name.description, other)); rename the file, or use --into PREFIX")
            }
            if policy.isDry { return ImportResult(outcome: .created) }
            if let gone = policy.past.gone[file.path], let result = try await bringBack(gone, file, content) { return result }
            let made = try await client.begin(
                text: content.text, name: file.name.bytes, isFile: !policy.isBeginning, at: Clock.now(), times: content.times)
            return ImportResult(.created, showing: content.text, made.note.head.id, made.note.head.version)
        }
    }

    /// Restores the deleted note of a file that was gone, if the new file has its text or a telling line of it.
    /// If a program removed the file, the text is that of a writer who knows that. If the note was deleted
    /// elsewhere, an editor may have saved what it still showed, so the text is based on that.
    ///
    /// - Returns: nil if the text needs a note of its own.
    private func bringBack(
        _ gone: GoneFile, _ file: ImportPlan.File, _ content: Content
    ) async throws -> ImportResult? {
        let marks = LineMarks(content.text)
        guard gone.isOrigin(of: marks), let note = try await note(gone.note), note.head.isDeleted else { return nil }
        do {
            let outcome = try await client.save(
                SaveNote(
                    id: gone.note, base: gone.isByProgram ? note.head.version : gone.version, text: content.text,
                    name: .set(file.name.bytes), times: content.changed))
            let result = Self.outcome(outcome)
            var shown = ShownTexts(gone.version, gone.text, at: content.time)
            shown.saved(
                marks, as: outcome.version, on: shown.firstNumber, at: content.time, isAnswered: outcome.hasAnotherText)
            return ImportResult(result, showing: content.text, gone.note, outcome.version, shown: shown)
        } catch ClientError.refused(let error) where error.kind == .unknownBase || error.kind == .revisionGone {
            return nil
        }
    }

    /// The content with its base, if the step saves it.
    func based(_ file: ImportPlan.File, _ step: ImportedNotes.Step, _ content: Content) async throws -> Content {
        guard case .save(let record) = step else { return content }
        var content = content
        content.base = try await base(of: file, content, in: history(of: file, record), of: record.note)
        return content
    }

    /// The save that a step sends; nil if it sends none.
    ///
    /// - Parameter content: has its base (`based`).
    func intended(_ file: ImportPlan.File, _ step: ImportedNotes.Step, _ content: Content) -> SaveInFlight? {
        guard case .save(let record) = step, let number = content.base?.number,
            let base = history(of: file, record)[number]?.version
        else { return nil }
        return SaveInFlight(
            note: record.note, base: base, text: content.text, op: op(for: file, content, of: record.note, on: base),
            modified: content.changed?.modified, time: content.time)
    }

    private func history(of file: ImportPlan.File, _ record: FileRecord) -> ShownTexts {
        shown[file.path].flatMap { ShownTextsCodec.shown($0) }
            ?? ShownTexts(record.version, LineMarks(lines: []), at: 0)
    }

    /// Chooses the text on which a file's text was made, unless it is chosen already. The rule may need texts of
    /// the note for that.
    private func base(
        of file: ImportPlan.File, _ content: Content, in shown: ShownTexts, of note: NoteID
    ) async throws -> Base {
        if let known = content.base { return known }
        let way: BaseRule.Way = policy.past.madeByGit.contains(file.path) ? .git : .other
        let rule = BaseRule(of: content.text, in: shown, at: content.time, how: way)
        var texts = KeptTexts()
        while true {
            switch rule.base(with: texts) {
            case .base(let number): return Base(number: number, taken: rule.takenOut(on: number))
            case .needs(let number):
                texts.add(
                    try await text(of: shown[number].flatMap { $0.version ?? $0.joined }, of: note), at: number)
            }
        }
    }

    /// The text of a version; nil if the daemon does not give it. Then the rule keeps more lines.
    func text(of version: Version?, of note: NoteID) async throws -> [UInt8]? {
        guard let version else { return nil }
        do {
            return try await client.note(.id(note), at: version).text
        } catch ClientError.refused {
            return nil
        }
    }

    /// Saves a changed file, based on the text that its writer had loaded (`BaseRule`). If that was joined with
    /// the note's text, the writer's changes are made to the joined text. If the writer had loaded nothing
    /// of the note, the texts are joined.
    private func save(_ file: ImportPlan.File, _ content: Content, on record: FileRecord) async throws -> ImportResult {
        let shown = history(of: file, record)
        let chosen = try await base(of: file, content, in: shown, of: record.note)
        let (number, loaded) = (chosen.number, shown[chosen.number])
        do {
            if let base = loaded?.version {
                var result = try await save(file, content.text, content, on: base, number, of: record.note, shown)
                result.taken = chosen.taken
                return result
            }
            if let loaded, let base = loaded.joined, let text = try await text(of: base, of: record.note),
                let rebased = TextJoin.rebased(text, from: loaded.text, to: content.text)
            {
                if rebased.count > bytesMax { return .skipped(tooLong(rebased)) }
                return try await save(file, rebased, content, on: base, number, of: record.note, shown)
            }
            return try await saveWithoutBase(file, content, of: record.note, history: (shown, number))
        } catch ClientError.refused(let error) where error.kind == .noteNotFound {
            return try await carryOut(notes.step(withoutRecord: file), file, content)
        } catch ClientError.refused(let error) where error.kind == .unknownBase || error.kind == .revisionGone {
            return try await saveWithoutBase(file, content, of: record.note, history: nil)
        }
    }

    /// Saves a text of a file.
    ///
    /// - Parameters:
    ///   - text: the text of the file, or the joined text with the changes of the file.
    ///   - number: the number of the base in the list of the file's texts.
    private func save(
        _ file: ImportPlan.File, _ text: [UInt8], _ content: Content, on base: Version, _ number: Int, of note: NoteID,
        _ history: ShownTexts
    ) async throws -> ImportResult {
        if policy.isDry {
            _ = try await client.note(.id(note), at: base)
            return ImportResult(outcome: .saved, id: note)
        }
        let outcome = try await client.save(
            SaveNote(id: note, base: base, text: text, op: op(for: file, content, of: note, on: base), times: content.changed))
        let isWhole = text == content.text
        var shown = history
        shown.saved(
            LineMarks(content.text), as: isWhole ? outcome.version : nil, joined: isWhole ? nil : outcome.version, on: number,
            at: content.time, isAnswered: !isWhole || outcome.hasAnotherText)
        guard isWhole else { return joined(note, content.text, shown) }
        return ImportResult(Self.outcome(outcome), showing: text, note, outcome.version, shown: shown)
    }

    /// Whether the daemon refuses all writes for now, while it may still be read.
    static func isAboutAllWrites(_ kind: ErrorKind) -> Bool {
        [.permissionDenied, .storageFull, .storageFailed, .readOnly].contains(kind)
    }

    func note(_ id: NoteID) async throws -> NoteObject? {
        do {
            return try await client.note(.id(id))
        } catch ClientError.refused(let error) where error.kind == .noteNotFound {
            return nil
        }
    }

    /// The name of a save. The same save has the same name when an interrupted import is repeated,
    /// so that it makes no second revision.
    func op(for file: ImportPlan.File, _ content: Content, of note: NoteID, on base: Version) -> ByteString {
        op(for: file, FileContent(of: content.text), content.changed, of: note, on: base)
    }

    func op(
        for file: ImportPlan.File, _ content: FileContent, _ times: FileTimes?, of note: NoteID, on base: Version
    ) -> ByteString {
        Self.op([
            place, file.path, note.bytes, Array(base.description.utf8), content.hash.bytes,
            Array((times.map { TimestampText.text($0.modified) } ?? "").utf8),
        ])
    }

    /// The name of a write that its parts determine.
    static func op(_ parts: [[UInt8]]) -> ByteString {
        let digits = Array("0123456789abcdef".utf8)
        let hash = SHA256.hash(of: Array(parts.joined(separator: [0])))
        return ByteString(validUTF8: hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    static func outcome(_ result: OutcomeResult) -> ImportResult.Outcome {
        switch result.outcome {
        case .unchanged: .unchanged
        case .saved: .saved
        case .merged: .merged
        case .conflicted: .conflicted
        }
    }
}

extension OutcomeResult {
    /// Whether the note has another text than the one that was sent. That can be so after a save that changed
    /// nothing: its text is that of its base, and others wrote since.
    var hasAnotherText: Bool { note.map { $0.edits?.isEmpty != true } ?? false }
}
