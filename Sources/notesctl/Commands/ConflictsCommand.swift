import ArgumentParser
import Console
import NoteTasks
import NotesClient
import NotesModel
import NotesWire

struct ConflictsCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "List notes that are in conflict, or show a note's conflicts.",
        discussion: """
            Examples:
              notesctl conflicts
              notesctl conflicts work/inbox

            If two writers change the same place without having seen each other's change, the note \
            keeps both, and the place is in conflict until somebody resolves it, with `resolve` or \
            by an edit. With NOTE, shows for each conflict its id, its place, what each side wrote, \
            and the commands that resolve it.

            With --json, prints the notes, or the conflicts of NOTE, as in the protocol.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note.", completion: NoteCompletion.notes)
    var note: String?

    func perform() async throws {
        options.page()
        try await options.withClient { client in
            if let note {
                try show(try await NoteReference(note).note(client))
            } else {
                try list(try await client.listAll(Filter(conflicted: true, kind: nil)))
            }
        }
    }

    private func list(_ notes: [NoteObject]) throws {
        if options.isForPrograms {
            for note in notes { try options.emit(note.json) }
            return
        }
        try Output.lines(ConflictTable(style: Terminal.style).lines(notes))
        guard Terminal.isOutput else { return }
        Output.note(notes.isEmpty ? "no note is in conflict" : "`notesctl conflicts NOTE` shows a note's conflicts")
    }

    private func show(_ note: NoteObject) throws {
        if options.isForPrograms {
            for conflict in note.conflicts { try options.emit(conflict.json) }
            return
        }
        let report = ConflictReport(local: Clock.local, style: Terminal.style)
        try Output.lines(report.lines(note.conflicts, of: note.head, text: note.text ?? []))
        if note.conflicts.isEmpty && Terminal.isOutput {
            Output.note("\(SafeText.line(NoteLabel.of(note.head))) is not in conflict")
        }
    }
}
