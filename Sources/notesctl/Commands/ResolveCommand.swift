import ArgumentParser
import Causality
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

struct ResolveCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Resolve a note's conflicts.",
        discussion: """
            Examples:
              notesctl conflicts work/inbox
              notesctl resolve work/inbox --take 9f86d0:12
              notesctl resolve work/inbox --conflict 3f2a9c1d --both
              notesctl resolve work/inbox --tool 'vimdiff "$LOCAL" "$MERGED" "$REMOTE"'
              notesctl resolve pics/garden.jpg --take 2

            --take DOT uses that side: its text in place of the conflict, its name, or its deletion \
            of the note. --both keeps the note as it is and closes the conflict. --edit opens the \
            note in your editor, with the text of each side and, after |||||||, the text before both \
            changes, between markers as in diff3 and git. Keep what the note should have; remove the \
            markers and all other parts. --tool runs a merge tool in a shell, with $LOCAL, $BASE, \
            $REMOTE and $MERGED naming files, as `git mergetool` does, and reads the result from \
            $MERGED.

            A file has several contents if it got new bytes in several places at once. --take NUMBER keeps \
            one of them, counted from 1 as by `notesctl file get --take`.

            Without --conflict, --both and --edit resolve all conflicts; --take and --tool resolve \
            one. The save is based on the version that notesctl showed, so the daemon merges \
            changes by others in the meantime. If those touch the same place again, notesctl \
            reports it, and the exit code is 2.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note.", completion: NoteCompletion.notes)
    var note: String

    @Option(name: .long, help: ArgumentHelp("Only this conflict; the id can be shortened.", valueName: "id"))
    var conflict: String?

    @Option(
        name: .long, help: ArgumentHelp("Use the side that wrote this revision, or this content of a file.", valueName: "dot"))
    var take: String?

    @Flag(name: .long, help: "Keep the note as it is, with both sides.")
    var both = false

    @Flag(name: .long, help: "Edit the note in $VISUAL, $EDITOR or vi.")
    var edit = false

    @Option(name: .long, help: ArgumentHelp("Run a merge tool.", valueName: "command"))
    var tool: String?

    func validate() throws {
        if [take != nil, both, edit, tool != nil].count(where: { $0 }) != 1 {
            throw ValidationError("Give one of --take DOT, --both, --edit and --tool COMMAND.")
        }
    }

    func perform() async throws {
        let shown = try await options.withClient { try await NoteReference(note).note($0) }
        let choice = ConflictChoice(shown)
        if FileContent.isFile(shown.text ?? []), try await settle(shown, choice) { return }
        let named = try conflict.map { id throws(ExitFailure) in try choice.conflict(id) }
        guard !shown.conflicts.isEmpty else {
            return Output.note("\(choice.label) is not in conflict, so there is nothing to resolve")
        }
        let text = shown.text ?? []
        if let take {
            let conflict = try named ?? choice.onlyConflict(for: "--take")
            let side = try choice.side(take, of: conflict)
            try await write(.taking(side, in: conflict, of: text), over: shown)
        } else if both {
            try await write(.keeping(named.map { [$0] } ?? shown.conflicts), over: shown)
        } else if let tool {
            let conflict = try named ?? choice.onlyConflict(for: "--tool")
            guard let made = try MergeTool(command: tool, note: shown, conflict: conflict).run() else { return unchanged() }
            try await save(made.text, by: made.draft, MarkedText(text, [conflict]), over: shown)
        } else {
            try await resolveInEditor(named.map { [$0] } ?? shown.conflicts, over: shown)
        }
    }

    /// Settles a file with several contents. Returns false if that is not what the options ask for.
    private func settle(_ shown: NoteObject, _ choice: ConflictChoice) async throws -> Bool {
        let contents = FileContent.all(of: shown.text ?? [])
        if let take, let number = Int(take), contents.count > 1 {
            guard contents.indices.contains(number - 1) else {
                throw ExitFailure("\(choice.label) has \(contents.count) contents, numbered from 1", .usage)
            }
            try await write(.taking(contents[number - 1], of: shown), over: shown)
            return true
        }
        guard edit || tool != nil, !shown.conflicts.isEmpty else { return false }
        throw ExitFailure(
            "\(choice.label) is a file, which is no text to edit; use --take NUMBER, or `notesctl file put` with other bytes",
            .badData)
    }

    /// Opens the note in the editor, with conflict markers, and saves the result.
    private func resolveInEditor(_ conflicts: [ConflictObject], over shown: NoteObject) async throws {
        let marked = MarkedText(shown.text ?? [], conflicts)
        guard !marked.marked.isEmpty else {
            throw ExitFailure("there is no text to edit; use --take or --both, as `notesctl conflicts` shows", .usage)
        }
        let draft = try Draft(text: marked.bytes, name: shown.head.name?.description ?? note)
        guard let text = try draft.worked(onBy: Draft.editor(draft.path)) else { return unchanged() }
        try await save(text, by: draft, marked, over: shown)
    }

    private func unchanged() {
        Output.note("nothing changed, so nothing was saved; the conflict is still open")
    }

    /// Saves an edited text, unless it still contains conflict markers.
    ///
    /// - Throws: `ExitFailure` if markers are left; the draft is kept.
    private func save(_ text: [UInt8], by draft: Draft, _ marked: MarkedText, over shown: NoteObject) async throws {
        let markers = marked.markersLeft(in: text)
        guard markers.isEmpty else {
            draft.reportPath()
            let lines = (markers.count == 1 ? "line " : "lines ") + markers.map(String.init).joined(separator: ", ")
            let save = "notesctl save \(shown.head.id) --base '\(shown.head.version)' \(Shell.quoted(draft.path))"
            throw ExitFailure(
                "markers are left in \(lines), so nothing was saved; remove them, then run: \(save)", .badData)
        }
        let resolution = ConflictResolution(text: text, resolves: marked.marked.map(\.id))
        let outcome = try await draft.keptUnless(saved: "cannot save \(SafeText.line(NoteLabel.of(shown.head)))") {
            _ = try TextInput.checked(text, of: "your text")
            return try await options.withClient { try await resolution.write(over: shown.head, $0) }
        }
        try await report(outcome, of: resolution, over: shown)
    }

    /// Saves a resolution that needs no editing.
    func write(_ resolution: ConflictResolution, over shown: NoteObject) async throws {
        let outcome: OutcomeResult
        do {
            outcome = try await options.withClient { try await resolution.write(over: shown.head, $0) }
        } catch {
            throw explained(error, "cannot resolve the conflict in \(SafeText.line(NoteLabel.of(shown.head)))")
        }
        try await report(outcome, of: resolution, over: shown)
    }

    /// Prints the outcome, and the number of conflicts that are still open.
    private func report(_ outcome: OutcomeResult, of resolution: ConflictResolution, over shown: NoteObject) async throws {
        try await SaveReport(note: shown.head, options: options).report(outcome) {
            try await options.withClient { try await $0.note(.id(shown.head.id)) }
        }
        let now = try await options.withClient { try await $0.note(.id(shown.head.id)) }
        guard !now.conflicts.isEmpty else { return }
        let count = now.conflicts.count == 1 ? "one conflict is" : "\(now.conflicts.count) conflicts are"
        let next = "notesctl conflicts \(NoteLabel.reference(now.head))"
        Output.note("\(SafeText.line(NoteLabel.of(now.head))): \(count) still open; `\(next)` shows what is left")
    }
}
