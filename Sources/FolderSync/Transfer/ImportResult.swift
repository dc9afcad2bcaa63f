import Causality
import Console
import Glibc
import NoteTasks
import NotesClient
import NotesModel
import NotesWire

/// The result for one file: what became of the note, or why the file was skipped.
package struct ImportResult: Sendable {
    enum Outcome: Equatable {
        case created, saved, merged, conflicted, unchanged
        /// The file is unchanged, and its note is deleted and stays so.
        case deleted
        /// The note has the text of the file in addition to its own. The record says which text of the file
        /// may be replaced.
        case joined(FileRecord)
        /// Skipped, because a program has the file open for writing.
        case beingWritten
        /// Skipped, because the daemon refuses all writes for now, with its reason.
        case refused(String)
        /// Skipped, with the reason.
        case skipped(String)
    }

    let outcome: Outcome
    /// The note; nil if the file was skipped, or if a dry run would create it.
    var id: NoteID?
    /// The new record of the file; nil if the old one stays.
    package var record: FileRecord?
    /// The texts that the file has had, with the new record.
    package var shown: ShownTexts?
    /// The lines of others that the save removed; nil for none.
    var taken: TakenLines?

    /// Whether the record of the file has the text that was read.
    var hasTextOfFile: Bool {
        switch outcome {
        case .created, .saved, .merged, .conflicted, .unchanged, .deleted: true
        case .joined, .beingWritten, .refused, .skipped: false
        }
    }

    package static func skipped(_ reason: String) -> ImportResult { ImportResult(outcome: .skipped(reason)) }

    /// A result with a note that has the file's text at a version.
    ///
    /// - Parameter shown: the texts that the file has had; nil if only this one is known.
    init(_ outcome: Outcome, showing text: [UInt8], _ id: NoteID, _ version: Version, shown: ShownTexts? = nil) {
        self.init(outcome: outcome, id: id, record: FileRecord(note: id, version: version, showing: text))
        self.shown = shown ?? ShownTexts(version, LineMarks(text), kind: .program, at: Clock.now().milliseconds)
    }

    init(outcome: Outcome, id: NoteID? = nil, record: FileRecord? = nil) {
        (self.outcome, self.id, self.record) = (outcome, id, record)
    }
}
