import ArgumentParser
package import Causality
import Console
import NotesClient
package import NotesModel
package import NotesWire

/// Reports the outcome of a write to the user: the new version on standard output, and a merge or
/// a conflict on standard error.
package struct SaveReport {
    /// The note as it was read before the write.
    let note: Head
    let options: GlobalOptions

    package init(note: Head, options: GlobalOptions) {
        self.note = note
        self.options = options
    }

    /// - Parameters:
    ///   - label: the note's label, if the write changed it.
    ///   - isMergeKnown: whether a message has already reported the merge.
    ///   - again: reads the note with its text.
    /// - Throws: `ExitStatus.inConflict` as an exit code, after all is reported: the write is safe,
    ///   but the conflict must be resolved.
    package func report(
        _ outcome: OutcomeResult, label: String? = nil, isMergeKnown: Bool = false,
        reading again: () async throws -> NoteObject
    ) async throws {
        let label = label ?? NoteLabel.of(note)
        if options.isForPrograms {
            try Self.report(outcome, options)
        } else {
            // A script continues from the text that it sent, and a user from the text that they see.
            let shown = outcome.note?.version ?? outcome.version
            try Self.reportSaved(label, Terminal.isOutput ? shown : outcome.version)
        }
        if isMergeKnown && outcome.outcome == .merged { return }
        if let sentence = Self.sentence(outcome.outcome, note: label) { Output.note(sentence) }
        guard outcome.outcome == .conflicted else { return }
        try await Self.reportConflicts(of: note, outcome, reading: again)
        throw ExitCode(ExitStatus.inConflict.rawValue)
    }

    package static func report(_ outcome: OutcomeResult, _ options: GlobalOptions) throws {
        try options.emit(outcome.json)
    }

    /// Prints the version: alone for a script, in a sentence on a terminal. A full-screen program shows its
    /// users no versions.
    package static func reportSaved(_ note: String, _ version: Version) throws {
        if Output.hold != nil { return try Output.line("\(savedWord) \(SafeText.line(note))") }
        try Output.line(Terminal.isOutput ? "\(SafeText.line(note)) is at \(version)" : version.description)
    }

    /// The first word of the sentence about a save for a full-screen program.
    package static let savedWord = "saved"

    /// A sentence about the outcome; nil if the text was saved exactly as sent.
    static func sentence(_ outcome: Outcome.Kind, note: String) -> String? {
        let note = SafeText.line(note)
        return switch outcome {
        case .saved: nil
        case .unchanged: "\(note): nothing changed, so no revision was created"
        case .merged: "\(note): saved and merged with changes made by others; `notesctl show` prints the result"
        case .conflicted: "\(note): saved, but others changed the same place; nothing is lost, the note has both"
        }
    }

    /// Prints where the conflicts are and the commands that resolve them.
    package static func reportConflicts(
        of note: Head, _ outcome: OutcomeResult, reading again: () async throws -> NoteObject
    ) async throws {
        var (head, text, conflicts) = (note, outcome.note?.text ?? [], outcome.note?.conflicts ?? [])
        if outcome.note?.text == nil || conflicts.isEmpty {
            // The response omits a text that equals what was sent, and others may have written
            // since.
            let shown = try await again()
            (head, text, conflicts) = (shown.head, shown.text ?? [], shown.conflicts)
        }
        Output.explain(lines(conflicts, of: head, text))
    }

    /// Prints some conflicts of a note that was read with its text.
    static func show(_ conflicts: [ConflictObject], of note: NoteObject) {
        Output.explain(lines(conflicts, of: note))
    }

    /// Lines about some conflicts of a note that was read with its text.
    static func lines(_ conflicts: [ConflictObject], of note: NoteObject) -> [String] {
        lines(conflicts, of: note.head, note.text ?? [])
    }

    private static func lines(_ conflicts: [ConflictObject], of note: Head, _ text: [UInt8]) -> [String] {
        ConflictReport(local: Clock.local, style: Terminal.errorStyle).shortLines(conflicts, of: note, text: text)
    }
}
