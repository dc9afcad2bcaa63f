import ArgumentParser
import Causality
import NotesClient
import NotesModel
import NotesWire

struct Edit: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edit a note in your editor.",
        discussion: """
            Examples:
              notesctl edit work/inbox
              notesctl edit --create diary/today
              EDITOR='code --wait' notesctl edit work/inbox

            Runs $VISUAL, else $EDITOR, else vi, on a private copy, and saves that on the version it was made from: what others \
            wrote meanwhile is merged. Where others changed the same place, both are in the note, and it is told where and how \
            to settle it; the exit code is 2 then. If your text cannot be saved, your copy stays on disk and its path is \
            printed.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note.", completion: NoteCompletion.notes)
    var note: String

    @Flag(name: .long, help: "Make the note, under this name, if there is none.")
    var create = false

    func perform() async throws {
        let original: NoteObject? = try await options.withClient { try await self.original($0) }
        let draft = try Draft(text: original?.text ?? [], name: original?.head.name?.description ?? note)
        guard let text = try draft.worked(onBy: Draft.editor(draft.path)) else {
            return Output.complain("nothing changed, so nothing was saved")
        }
        guard let original else { return try await make(of: text, draft) }
        let outcome = try await draft.keptUnless(saved: "cannot save \(SafeText.line(NoteLabel.of(original.head)))") {
            let text = try TextInput.checked(text, of: "your text")
            // A new connection: the daemon may have been restarted since.
            return try await options.withClient { try await $0.save(original.head.id, base: original.head.version, text: text) }
        }
        try await SaveReport(note: original.head, options: options).tell(outcome) {
            try await options.withClient { try await $0.note(.id(original.head.id)) }
        }
    }

    private func make(of text: [UInt8], _ draft: Draft) async throws {
        let made = try await draft.keptUnless(saved: "cannot save \(SafeText.line(note))") {
            let text = try TextInput.checked(text, of: "your text")
            return try await options.withClient { client in
                try await client.create(text: text, name: ByteString(note), id: client.noteID(at: Clock.now())).note
            }
        }
        if options.isForPrograms { try options.emit(made.json) } else { try SaveReport.tellSaved(note, made.head.version) }
    }

    /// Nil where the note is to be made.
    private func original(_ client: any NotesCalls) async throws -> NoteObject? {
        do {
            return try await NoteReference(note).note(client)
        } catch let failure as Failure where failure.code == .noNote {
            guard create else { throw Failure("\(failure.message); `notesctl edit --create` makes it", .noNote) }
            do { _ = try NoteName(ByteString(note)) } catch { throw Failure("\(error)", .badData) }
            return nil
        }
    }
}
