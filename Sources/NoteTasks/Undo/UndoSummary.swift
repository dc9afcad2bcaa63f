import ArgumentParser
import Console
import NotesClient
import NotesModel
import NotesWire

/// What an undo did in many notes. It prints one line for all notes, and then what needs attention; for a
/// single note, it prints what became of that note.
package struct UndoSummary {
    let options: GlobalOptions
    let wording: TakeBack.Wording
    /// Number of notes that the undo concerns.
    let total: Int
    /// Number of notes that the undo changed.
    package private(set) var notes = 0
    /// Number of revisions that it undid in them.
    private(set) var changes = 0
    /// The notes that could not be changed, each with the reason.
    private(set) var failures: [ExitFailure] = []
    /// Whether the undo opened a conflict.
    private(set) var isInConflict = false
    /// Number of notes with a conflict that was open before the undone changes, and is open again.
    private(set) var reopened = 0
    /// Messages about notes that did not get their names back or are newly in conflict, each with the lines
    /// below it.
    private var messages: [(text: String, lines: [String])] = []

    init(options: GlobalOptions, wording: TakeBack.Wording, total: Int) {
        (self.options, self.wording, self.total) = (options, wording, total)
    }

    /// Counts a changed note.
    mutating func add(_ done: TakeBack.Done, _ note: UndoneNote, _ effect: UndoneNote.Effect) throws {
        notes += 1
        changes += done.changes.count
        if total == 1 {
            try note.report(done.outcome, wording.done, effect)
        } else {
            if options.isForPrograms { try SaveReport.report(done.outcome, options) }
            if effect.fate.lostName != nil, let sentence = effect.fate.sentence {
                messages.append((effect.fate.before.isDeleted ? "\(note.name): \(sentence)" : sentence, []))
            }
            if notes % Progress.every == 0 {
                Progress.show("\(wording.verb) \(counted(changes, "change")) in \(notes) of \(total) notes")
            }
        }
        if effect.isReopened { reopened += 1 }
        guard !effect.opened.isEmpty else { return }
        isInConflict = true
        messages.append((effect.sentence, SaveReport.lines(effect.conflicts, of: effect.now)))
    }

    /// Counts a note that could not be changed.
    mutating func add(_ failure: ExitFailure) {
        failures.append(failure)
    }

    /// The counts in one line.
    var line: String {
        let done = "\(wording.verb) \(counted(changes, "change"))\(wording.whose) in \(counted(notes, "note"))"
        if !failures.isEmpty { return "\(done); \(failures.count) could not be \(wording.participle):" }
        return done + (wording.wayBack.map { "; `\($0)` brings \(changes == 1 ? "it" : "them") back" } ?? "")
    }

    /// Prints the counts, and what needs attention.
    func report() {
        Progress.clear()
        if total > 1, notes + failures.count > 0 { Output.note(line) }
        for failure in failures { Output.note(failure.message) }
        for message in messages {
            Output.note(message.text)
            Output.explain(message.lines)
        }
        if reopened > 0 {
            let are = counted(reopened, "note is", plural: "notes are")
            Output.note("\(are) in conflict again, as before; `notesctl conflicts` lists all conflicts")
        }
    }

    /// Ends the command with an error if a note could not be changed or is newly in conflict.
    ///
    /// - Parameter again: the command that changes the rest.
    /// - Throws: `ExitFailure`, or only an exit code if nothing is to be added to what `report` has printed.
    package func finish(again: String) throws {
        guard failures.isEmpty else {
            // A text that is gone does not come back.
            let isFinal = failures.allSatisfy { [.noNote, .badData].contains($0.code) }
            if isFinal { throw ExitCode(ExitStatus.failed.rawValue) }
            throw ExitFailure("not everything is \(wording.participle); \(again) tries again")
        }
        if isInConflict { throw ExitCode(ExitStatus.inConflict.rawValue) }
    }
}
