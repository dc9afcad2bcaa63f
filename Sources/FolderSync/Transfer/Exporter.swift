import Causality
import Console
import Glibc
import NoteTasks
package import NotesClient
package import NotesModel
import NotesWire

/// The assignment of notes to files. Notes that map to one path are skipped, with a reason, or get an
/// alias path.
package struct ExportPlan {
    /// A note and the path of its file.
    package struct File: Sendable {
        package let head: Head
        package let path: [UInt8]
        /// A number unique within the export, used in the name of the temporary file.
        let serial: Int
    }

    /// A recorded file that no exported note has as its path.
    package struct FormerFile: Sendable {
        package let path: [UInt8]
        package let record: FileRecord
        /// As in `File`.
        let serial: Int
    }

    /// Files to write.
    package private(set) var taken: [File] = []
    /// Skipped paths, relative to the directory, with the reason.
    package private(set) var skipped: [(path: [UInt8], reason: String)] = []
    /// Notes whose paths are skipped.
    package private(set) var skippedNotes: Set<NoteID> = []
    private var pathCount = 0
    /// The notes that have an alias path, by this path.
    private(set) var aliases: [[UInt8]: NoteID] = [:]

    /// The assignment in which a note that cannot have its path gets an alias path (`NoteAlias`). Of the
    /// notes that map to one path, the note with the least id has it.
    static func aliasing(_ notes: [Head]) -> ExportPlan {
        var plan = ExportPlan([])
        var owners: [[UInt8]: Head] = [:]
        for note in notes {
            let path = NoteFileName.path(of: note)
            if !NoteAlias.isNeeded(for: path), owners[path].map({ note.id < $0.id }) ?? true { owners[path] = note }
        }
        for note in notes.sorted(by: { $0.id < $1.id }) where owners[NoteFileName.path(of: note)]?.id != note.id {
            let paths = NoteAlias.digits.map { NoteAlias.path(of: note, digits: $0) }
            if let path = paths.first(where: { owners[$0] == nil }) {
                owners[path] = note
                plan.aliases[path] = note.id
            } else {
                plan.skipped.append((paths[0], "its path and its alias path are taken; rename the note with `notesctl mv`"))
                plan.skippedNotes.insert(note.id)
            }
        }
        plan.pathCount = owners.count
        let sorted = owners.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        plan.taken = sorted.enumerated().map { File(head: $1.value, path: $1.key, serial: $0) }
        return plan
    }

    /// The assignment of notes whose paths are known and differ.
    init(known notes: [(head: Head, path: [UInt8])]) {
        pathCount = notes.count
        taken = notes.enumerated().map { File(head: $1.head, path: $1.path, serial: $0) }
    }

    package init(_ notes: [Head]) {
        let byPath = Dictionary(grouping: notes, by: NoteFileName.path)
        pathCount = byPath.count
        for (serial, (path, notes)) in byPath.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }).enumerated() {
            if notes.count == 1 {
                taken.append(File(head: notes[0], path: path, serial: serial))
            } else {
                let ids = notes.map(\.id.description).sorted().joined(separator: ", ")
                skipped.append((path, "\(notes.count) notes map to this file: \(ids); rename all but one with `notesctl mv`"))
                skippedNotes.formUnion(notes.map(\.id))
            }
        }
    }

    /// Skips the notes whose files would be in folders that have mirrors of their own. The notes of another
    /// daemon are there, and it would take in such a file as a note.
    ///
    /// - Parameter sharing: the folders in which the mirror there writes these files.
    mutating func leaveOut(below folders: Set<[UInt8]>, sharing: [[UInt8]: Bool]) {
        guard !folders.isEmpty else { return }
        let kept = taken.filter { file in
            let ends = file.path.indices.filter { file.path[$0] == UInt8(ascii: "/") }
            guard let folder = ends.lazy.map({ Array(file.path[..<$0]) }).first(where: folders.contains) else { return true }
            if sharing[folder] != true {
                skipped.append((file.path, "\(folder.pathForPeople) has a mirror of its own; rename the note with `notesctl mv`"))
            }
            skippedNotes.insert(file.head.id)
            return false
        }
        taken = kept
    }

    /// Leaves out the notes whose paths a folder does not show. Their former files stay.
    mutating func leaveOut(_ isLeftOut: ([UInt8]) -> Bool) {
        skippedNotes.formUnion(taken.filter { isLeftOut($0.path) }.map(\.head.id))
        taken.removeAll { isLeftOut($0.path) }
    }

    /// The recorded files that may be those of deleted or renamed notes, sorted by path.
    ///
    /// - Parameter skipped: notes whose new files were not written. Their former files stay, because the
    ///   directory would otherwise have no file of these notes.
    package func former(_ records: [[UInt8]: FileRecord], except skipped: Set<NoteID>) -> [FormerFile] {
        let current = Set(taken.map(\.path) + self.skipped.map(\.path))
        let former = records.filter { !current.contains($0.key) && !skipped.contains($0.value.note) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        return former.enumerated().map { FormerFile(path: $1.key, record: $1.value, serial: pathCount + $0) }
    }
}

/// Exports notes; any number at the same time.
package struct Exporter: Sendable {
    package enum Outcome: Equatable {
        case written
        /// The file already has the note's text.
        case unchanged
        /// The file is gone, because its note is deleted or has another name.
        case removed
        /// The note was deleted during the export.
        case gone
        /// Skipped, with the reason.
        case skipped(String)
        /// Left out, since the store leaves the bytes to other stores, with the reason.
        case declined(String)

        /// Whether the file does not have the content that it was to get.
        package var isLeft: Bool {
            switch self {
            case .skipped, .declined: true
            case .written, .unchanged, .removed, .gone: false
            }
        }
    }

    let client: any NotesAPI
    let tree: FileTree
    let records: [[UInt8]: FileRecord]
    /// As in `FileRecords`.
    let shown: [[UInt8]: [UInt8]]
    /// Whether files are replaced whatever is in them.
    let isForced: Bool
    /// Whether no file is replaced that a program has open for writing, and the folders go whose last files
    /// are removed, as a mirror does.
    var isLeasing = false
    /// Size limit of a note, in bytes.
    var bytesMax = Int.max
    /// Whether a program may have opened the name of a file before this export makes the file.
    var isExpected = false
    /// The part of the names that the paths leave out.
    var prefix = NamePrefix.none

    /// The record of a file after a write, and the versions that the file has shown.
    package typealias New = (record: FileRecord, shown: ShownTexts?)

    /// A note that is to be written to its file.
    struct Prepared: Sendable {
        let file: ExportPlan.File
        let text: [UInt8]
        /// The time of change that the file gets.
        let modified: Timestamp
        /// The present content of the file.
        let content: FileTree.Content
        let new: New
    }

    enum Preparation: Sendable {
        case finished(Outcome, New?)
        case ready(Prepared)
    }

    /// Writes one note to its file.
    ///
    /// - Returns: the outcome, and the new record of the file with the versions that it has shown; nil
    ///   if the old one stays.
    /// - Throws: an error that ends the whole export, such as a lost connection.
    package func write(_ file: ExportPlan.File) async throws -> (outcome: Outcome, new: New?) {
        if file.head.file != nil {
            let written = try await writeContents(of: file)[0]
            return (written.outcome, written.new)
        }
        switch try await prepare(file) {
        case .finished(let outcome, let new): return (outcome, new)
        case .ready(let prepared):
            let outcome = carryOut(prepared, draft(prepared)).outcome
            return (outcome, outcome == .written ? prepared.new : nil)
        }
    }

    /// Fetches a note and compares it with its file.
    ///
    /// - Throws: as `write`.
    func prepare(_ file: ExportPlan.File) async throws -> Preparation {
        let record = records[file.path]
        do {
            if let record, record.note == file.head.id, record.version == file.head.version,
                case .bytes(let bytes) = try tree.content(of: file.path, sizes: [record.bytes]), record.shows(bytes)
            {
                return .finished(.unchanged, nil)
            }
            guard let note = try await note(file.head.id, file.path), !note.head.isDeleted else { return .finished(.gone, nil) }
            let text = note.text ?? []
            let new = FileRecord(note: file.head.id, version: note.head.version, showing: text)
            let content = try tree.content(of: file.path, sizes: Set([text.count] + (record.map { [$0.bytes] } ?? [])))
            if content == .bytes(text) {
                return .finished(.unchanged, (new, history(of: file, over: nil, new, text)))
            }
            if !isForced, let reason = Self.obstacle(content.look, record, isMirroring: isLeasing) {
                return .finished(.skipped(reason), nil)
            }
            return .ready(
                Prepared(
                    file: file, text: text, modified: note.head.modified, content: content,
                    new: (new, history(of: file, over: content, new, text))))
        } catch let error as Descriptor.OpenError {
            return .finished(.skipped(Self.reason(error)), nil)
        }
    }

    /// Writes the text of a prepared note beside its file.
    func draft(_ prepared: Prepared) -> Result<FileTree.Draft, Descriptor.OpenError> {
        Result { () throws(Descriptor.OpenError) in
            try tree.draft(prepared.text, of: prepared.file.path, modified: prepared.modified, serial: prepared.file.serial)
        }
    }

    /// Puts a draft in the place of its file.
    ///
    /// - Returns: the outcome, and the texts of `FileTree.Placing.shown`; nil if no program can have read the
    ///   draft.
    func carryOut(
        _ prepared: Prepared, _ draft: Result<FileTree.Draft, Descriptor.OpenError>
    ) -> (outcome: Outcome, replaced: [[UInt8]]?) {
        let changed = Outcome.skipped("has changed during the export")
        do throws(Descriptor.OpenError) {
            let expected = isForced ? nil : prepared.content.look
            switch try tree.place(try draft.get(), over: expected, isLeasing: isLeasing, bytesMax: bytesMax) {
            case .written: return (.written, nil)
            case .refused: return (changed, nil)
            case .shown(let texts): return (changed, texts)
            }
        } catch {
            return (.skipped(Self.reason(error)), nil)
        }
    }

    /// The texts that a file has had, now that it shows another one.
    ///
    /// - Parameter content: what the text replaces; nil if the file has the text already.
    private func history(
        of file: ExportPlan.File, over content: FileTree.Content?, _ new: FileRecord, _ text: [UInt8]
    ) -> ShownTexts {
        let (marks, now) = (LineMarks(text), Clock.now().milliseconds)
        var former = shown[file.path].flatMap { ShownTextsCodec.shown($0) }
        if let record = records[file.path] {
            // An editor may still show the text of another note, and has then seen nothing of this one.
            let isOther = record.note != new.note
            if isOther || former == nil {
                former = nil
                if case .bytes(let bytes) = content {
                    former = ShownTexts(isOther ? nil : record.version, LineMarks(bytes), at: now)
                }
            }
        } else {
            former = isExpected && content == .nothing ? .noFile(at: now) : nil
        }
        guard var history = former else { return ShownTexts(new.version, marks, at: now) }
        if content != nil {
            history.put(new.version, marks, at: now)
        } else {
            history.agree(on: new.version)
        }
        return history
    }

    /// Removes a recorded file if its note is deleted or has another path, and nobody has changed the
    /// file.
    ///
    /// - Returns: the outcome; nil if the file stays because its note does.
    /// - Throws: an error that ends the whole export, such as a lost connection.
    package func remove(_ file: ExportPlan.FormerFile) async throws -> Outcome? {
        guard let note = try await note(file.record.note, file.path) else { return nil }
        guard !isCopy(file, of: note) else { return nil }
        guard note.head.isDeleted || prefix.path(of: note.head) != file.path else { return nil }
        do {
            let isGone = try tree.remove(
                file.path, with: file.record.content, serial: file.serial, isLeasing: isLeasing, isTidying: isLeasing)
            return isGone
                ? .removed : .skipped("its note is deleted or renamed, but the file has changes that no import has taken")
        } catch {
            return .skipped(Self.reason(error))
        }
    }

    func note(_ id: NoteID, _ path: [UInt8]) async throws -> NoteObject? {
        do {
            return try await client.note(.id(id))
        } catch ClientError.refused(let error) where error.kind == .noteNotFound {
            return nil
        } catch {
            throw explained(error, "cannot read \(path.pathForPeople)")
        }
    }

    /// Why a file with another text than the note's must not be replaced; nil if it may be.
    ///
    /// - Parameter isMirroring: whether the caller also takes changed files itself.
    static func obstacle(_ look: FileTree.Look, _ record: FileRecord?, isMirroring: Bool = false) -> String? {
        switch (look, record) {
        case (.nothing, _): nil
        case (.file(let content), let record?) where record.content == content: nil
        case (.link, _) where isMirroring: "is a symbolic link, through which no note is written; rename it or the note"
        case (.link, _): "is a symbolic link; rename it or the note, or replace it with --force"
        case (_, .some) where isMirroring: "has changed just now, or is a folder; if it is a folder, rename it or the note"
        case (_, nil) where isMirroring: "is new, or is a folder; if it is a folder, rename it or the note"
        case (_, .some): "has changes that no import has taken; import it first, or replace it with --force"
        case (_, nil): "has another text, and no record of an import or export; import it first, or replace it with --force"
        }
    }

    static func reason(_ error: Descriptor.OpenError) -> String {
        switch error.number {
        case ELOOP, ENOTDIR: "part of its path is a symbolic link or not a directory; rename that or the note"
        case ENAMETOOLONG: "its path is too long for a file; rename the note with `notesctl mv`"
        default: error.text
        }
    }
}

extension Exporter {
    /// The exporter of a folder without a mirror.
    package init(
        client: any NotesAPI, tree: FileTree, records: [[UInt8]: FileRecord], shown: [[UInt8]: [UInt8]], isForced: Bool
    ) {
        self.init(client: client, tree: tree, records: records, shown: shown, isForced: isForced, isLeasing: false)
    }
}
