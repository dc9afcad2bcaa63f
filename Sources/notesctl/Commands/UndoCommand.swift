import ArgumentParser
import Causality
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

struct UndoCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo your newest change to a note.",
        discussion: """
            Examples:
              notesctl undo work/inbox
              notesctl undo work/inbox --label laptop/vim

            Undoes your newest change that is not undone yet, whatever program made it. All other \
            changes stay, yours and other people's. Undoing a deletion brings the note back; undoing \
            the resolution of a conflict opens the conflict again. The undo is a new revision, and the \
            history keeps everything. Run it again to undo the change before that one; `redo` brings \
            back what you undid last.

            A later change to the same text may conflict with the undo. The note then has the later \
            text and what your change had replaced, marked as a conflict. If the undo opens a conflict, \
            the exit code is 2.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note; a deleted one by its last name or by its id.", completion: NoteCompletion.notes)
    var note: String

    @Option(name: .long, help: "Only a change made with this label; `history` shows the label after the user.")
    var label: String?

    func perform() async throws { try await perform { change, _ in "undid \(change.described)" } }

    /// - Parameter words: says what was undone, as a predicate: the change, among the revisions of the note.
    func perform(saying words: (RevisionSummary, UndoHistory) -> String) async throws {
        let (now, history) = try await options.withClient { client -> (NoteObject, UndoHistory) in
            let now = try await NoteReference(note).note(client, deleted: true)
            return (now, try await UndoHistory.read(of: now, client, label: label))
        }
        let undone = UndoneNote(options: options, note: now, history: history, reference: note)
        let reference = NoteLabel.reference(now.head)
        guard let change = history.candidates.first else {
            let whose = label.map { " with the label \(SafeText.quoted($0))" } ?? ""
            throw ExitFailure(
                "you have no change left to undo in \(undone.name)\(whose); `notesctl history \(reference)` shows all changes")
        }
        guard !change.parents.isNothing else {
            let other = try await options.withClient { try await Self.deletedNote(named: now.head, $0) }
            throw ExitFailure(
                "\(change.dot) created \(undone.name), so there is nothing to go back to; `notesctl rm \(reference)` deletes the note"
                    + (other.map { "; to bring back the deleted note of that name, run `notesctl undo \($0)`" } ?? ""),
                .usage)
        }
        let outcome = try await undone.withdraw([change.dot], purpose: "cannot undo \(change.dot)")
        // If the undo deletes the note again, `redo` takes it back.
        try await undone.report(
            outcome, words(change, history), names: undone.names(before: [change]), wayBack: "redo")
    }

    /// The deleted note that last had the name of another note; nil if there is none.
    private static func deletedNote(named other: Head, _ client: any NotesAPI) async throws -> NoteID? {
        guard let name = other.name?.bytes else { return nil }
        return try await NoteReference("\(name)").deletedNote(lastNamed: name, client)?.head.id
    }
}

struct RedoCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo",
        abstract: "Bring back the change that you undid last.",
        discussion: """
            Examples:
              notesctl undo work/inbox
              notesctl redo work/inbox

            Brings back the changes that your newest undo of this note withdrew. If other users undid \
            the same changes, `redo` reverses their undos too. Run it again to bring back what you undid \
            before. After you have changed the note again, there is nothing to redo. If `redo` opens a \
            conflict, the exit code is 2.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note; a deleted one by its last name or by its id.", completion: NoteCompletion.notes)
    var note: String

    func perform() async throws {
        let (now, history) = try await options.withClient { client -> (NoteObject, UndoHistory) in
            let now = try await NoteReference(note).note(client, deleted: true)
            return (now, try await UndoHistory.read(of: now, client))
        }
        let redone = UndoneNote(options: options, note: now, history: history, reference: note)
        let withdrawals = history.redo
        guard let change = history.changes(redoneBy: withdrawals).first else {
            throw ExitFailure(
                "you have nothing to redo in \(redone.name); `notesctl history \(NoteLabel.reference(now.head))` shows all changes"
            )
        }
        let outcome = try await redone.withdraw(withdrawals.map(\.dot), purpose: "cannot redo \(change.dot)")
        let names = history.changes(redoneBy: withdrawals).compactMap(\.name)
        try await redone.report(outcome, "brought back \(change.described)", names: names)
    }
}
