import ArgumentParser
import Causality
import NotesClient
import NotesModel
import NotesWire

/// What became of a write, for the one who made it.
struct SaveReport {
    /// As it was read before.
    let note: Head
    let options: GlobalOptions

    /// - Parameter again: reads the note, with its text.
    /// - Throws: `ExitStatus.inConflict` as an exit code, once all is told: the write is safe, and somebody has to look at it.
    func tell(_ outcome: OutcomeResult, reading again: () async throws -> NoteObject) async throws {
        let label = NoteLabel.of(note)
        if options.isForPrograms { try Self.tell(outcome, options) } else { try Self.tellSaved(label, outcome.version) }
        if let sentence = Self.sentence(outcome.outcome, note: label) { Output.note(sentence) }
        guard outcome.outcome == .conflicted else { return }
        try await Self.tellConflicts(of: note, outcome, reading: again)
        throw ExitCode(ExitStatus.inConflict.rawValue)
    }

    static func tell(_ outcome: OutcomeResult, _ options: GlobalOptions) throws {
        try options.emit(outcome.json)
    }

    /// A script gets the version alone; a person is told what it is.
    static func tellSaved(_ note: String, _ version: Version) throws {
        try Output.line(Terminal.isOutput ? "\(SafeText.line(note)) is at \(version)" : version.description)
    }

    /// Nil where there is nothing to say: it is as it was sent.
    static func sentence(_ outcome: Outcome.Kind, note: String) -> String? {
        let note = SafeText.line(note)
        return switch outcome {
        case .saved: nil
        case .unchanged: "\(note): nothing changed, so no revision was made"
        case .merged: "\(note): saved and merged with changes made by others; `notesctl show` prints the result"
        case .conflicted: "\(note): saved, but others changed the same place; nothing is lost, the note has both"
        }
    }

    /// Where it is, and what to type next.
    static func tellConflicts(
        of note: Head, _ outcome: OutcomeResult, reading again: () async throws -> NoteObject
    ) async throws {
        var (head, text, conflicts) = (note, outcome.note?.text ?? [], outcome.note?.conflicts ?? [])
        if outcome.note?.text == nil || conflicts.isEmpty {
            // The note shows what was sent, or others have written on.
            let shown = try await again()
            (head, text, conflicts) = (shown.head, shown.text ?? [], shown.conflicts)
        }
        let report = ConflictReport(local: Clock.local, style: Terminal.errorStyle)
        Output.explain(report.shortLines(conflicts, of: head, text: text))
    }
}
