import ArgumentParser
import Causality
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

struct EditCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edit a note in your editor.",
        discussion: """
            Examples:
              notesctl edit work/inbox
              notesctl edit --create diary/today
              EDITOR='code --wait' notesctl edit --live work/inbox

            Runs $VISUAL, else $EDITOR, else vi, on a private copy of the note. Each time you save \
            the file, notesctl saves the note, based on the version that the file showed, and \
            merges your text with what others wrote meanwhile. Right after that, it writes the merged \
            text into the file; until you save, it leaves the file alone. With --live, it \
            also writes changes by others into the file as they arrive, for an editor that reloads \
            changed files by itself.

            Your editor may report that the file has changed on disk. If it asks whether to \
            overwrite the file, answer yes: your save is merged and removes nothing that others \
            wrote. If it asks whether to reload the file, answer no if you have typed anything since \
            your last save: reloading discards it. Both answers are safe if you have not.

            You never remove changes by others that you have not seen: if you delete text by others \
            that was not in the file when you last saved it, it comes back. Ambiguous cases are \
            merged. Messages appear when the editor exits, or immediately if the editor does not use \
            the terminal.

            If others changed the same place, the note keeps both texts, notesctl reports where the \
            conflict is and how to resolve it, and the exit code is 2. If notesctl cannot save your \
            text, it keeps the file and prints its path, and the next program in which you open the \
            note goes on with it: `edit`, `browse` or an editor with a plugin. If notesctl is killed, the next `edit` of \
            the note prints the path of the file.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note.", completion: NoteCompletion.notes)
    var note: String

    @Flag(name: .long, help: "Create the note, under this name, if it does not exist.")
    var create = false

    @Flag(name: .long, help: "Write changes by others into the file as they arrive, not only after you save.")
    var live = false

    func perform() async throws {
        let original: NoteObject? = try await options.withClient { client in
            guard let found = try await self.original(client) else { return nil }
            return await self.continued(found, client)
        }
        let draft = try Draft(text: original?.text ?? [], name: original?.head.name?.description ?? note)
        let subject = original.map { KeptDraft.Subject.note($0.head.id) } ?? .name(note)
        let writer = IDGenerator(SystemRandomNumberGenerator()).operation().description
        if original == nil {
            report(KeptDraft.left(of: [subject], besides: [], in: SystemFacts.folder(of: draft.folder)).map(\.path))
        }
        let keeping = KeptDraft(draft, of: subject, writer: writer)
        if let original { return try await follow(original, draft, keeping, writer) }
        guard let text = try draft.worked(onBy: Draft.editor(draft.path)) else {
            return Output.note("nothing changed, so nothing was saved")
        }
        keeping.end()
        try await make(of: text, draft)
    }

    /// Names the files that earlier, interrupted edits left.
    private func report(_ paths: [String]) {
        for path in paths {
            Output.note(
                "an earlier edit of \(SafeText.line(note)) was interrupted; its last saved text is in \(SafeText.line(path))")
        }
    }

    /// The note with the text that another program could not save.
    private func continued(_ found: NoteObject, _ client: any NotesAPI) async -> NoteObject {
        do {
            let drafts = try await NoteOpening(client: client).takeUp(found)
            report(drafts.others)
            guard let taken = drafts.taken else { return found }
            Output.note(taken.sentence)
            return try await client.note(.id(found.head.id))
        } catch {
            let fault = explained(error, "cannot read its text")
            let reason = (fault as? ExitFailure)?.message ?? SafeText.line("\(fault)")
            Output.note("an earlier edit of \(SafeText.line(note)) was interrupted; \(reason)")
            return found
        }
    }

    /// Edits an existing note: runs the editor and synchronises file and note until it exits.
    private func follow(_ original: NoteObject, _ draft: Draft, _ keeping: KeptDraft, _ writer: String) async throws {
        let live = LiveEdit(original, in: draft, writer: writer, isLive: self.live, options: options)
        let watching = Task { [options] in try? await EditWatch(original.head.id, options: options).run(live) }
        defer { watching.cancel() }
        let end: Child.End
        do {
            end = try await Child.run(
                Draft.editor(draft.path), beside: { await live.follow() }, ending: { await live.editorEnded() })
        } catch {
            keeping.end()
            draft.remove()
            throw error
        }
        let label = SafeText.line(NoteLabel.of(original.head))
        let (failure, strayFailure) = await (live.failure, live.strayFailure)
        if let fault = failure ?? strayFailure {
            // The next program that opens the note goes on with the text.
            if let base = await live.base { keeping.rebase(on: base) } else { keeping.end() }
            if failure != nil { draft.reportPath() }
            if strayFailure != nil {
                Output.note("what your editor wrote while the file was being updated is in \(await live.strayPath)")
            }
            throw explained(fault, "cannot save \(label)")
        }
        let outcome = await live.outcome
        let isThere = draft.isThere
        if outcome == nil, isThere, end.isSuccess { await draft.removeUnchanged(after: live.time) } else { draft.remove() }
        guard isThere else { throw ExitFailure("the editor left no file at \(draft.path); nothing more was saved") }
        guard let outcome else {
            if !end.isSuccess { throw ExitFailure("the editor \(end.text); nothing was saved") }
            return Output.note("nothing changed, so nothing was saved")
        }
        var reported = outcome
        if await live.isConflicted {
            // The conflict may be resolved by now. If the note cannot be read, report the outcome of the
            // save.
            let now = try? await options.withClient { try await $0.note(.id(original.head.id)) }
            reported.outcome = now?.conflicts.isEmpty == true ? .merged : .conflicted
        }
        try await SaveReport(note: original.head, options: options).report(reported, isMergeKnown: await live.isMergeKnown) {
            try await options.withClient { try await $0.note(.id(original.head.id)) }
        }
        if !end.isSuccess { throw ExitFailure("the editor \(end.text); what it saved before that is in the note") }
    }

    /// Creates the note from the edited text. The draft is kept if that fails.
    private func make(of text: [UInt8], _ draft: Draft) async throws {
        let made = try await draft.keptUnless(saved: "cannot save \(SafeText.line(note))") {
            let text = try TextInput.checked(text, of: "your text")
            return try await options.withClient { client in
                try await client.begin(text: text, name: ByteString(note), at: Clock.now()).note
            }
        }
        if options.isForPrograms { try options.emit(made.json) } else { try SaveReport.reportSaved(note, made.head.version) }
    }

    /// The note to edit; nil if `--create` has to create it.
    private func original(_ client: any NotesAPI) async throws -> NoteObject? {
        if create {
            if let found = try await NoteReference(note).noteIfAny(client) { return found }
            if let made = try await NoteOpening(client: client).made(named: ByteString(note)) { return made.note }
            do { _ = try NoteName(ByteString(note)) } catch { throw ExitFailure("\(error)", .badData) }
            return nil
        }
        do {
            return try await NoteReference(note).note(client)
        } catch let failure as ExitFailure where failure.code == .noNote {
            throw ExitFailure("\(failure.message); `notesctl edit --create` creates it", .noNote)
        }
    }
}
