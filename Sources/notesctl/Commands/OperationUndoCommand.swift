import ArgumentParser
import Causality
import Console
import NoteTasks
import NotesClient
import NotesModel
import NotesWire
import Suggestions

struct OperationUndoCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo what one of your commands, or an author, wrote.",
        discussion: """
            Examples:
              notesctl op undo
              notesctl op undo lk2m9x4c1d
              notesctl op undo --by laptop/mcp/codex --since 2h --dry-run
              notesctl op undo --by laptop/mcp/codex --since 2h

            Without OP, `op undo` undoes your newest command that is not completely undone; `undo`, \
            `redo` and `op undo` themselves do not count. It undoes every change of the command, in all \
            notes, and keeps all other changes. It deletes notes that the command created, unless \
            others have written in them. If it cannot write a note, it still undoes the others, and names \
            that note and the reason. If it opens a conflict in any note, the exit code is 2; a conflict that \
            was open before the undone changes does not count. If there are several notes, it prints one \
            summary, and with --json a line for each note.

            With --by, it undoes what an author wrote, whatever program the author used. `log --by` \
            lists the same writes. Others' writes stay, also on top of the undone ones. `op redo` brings \
            everything back.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(
        help: ArgumentHelp("The command's id, as `notesctl op` shows it.", valueName: "op"), completion: NoteCompletion.operations
    )
    var operation: String?

    @OptionGroup var selection: RevisionSelection

    @Option(name: .long, help: "With --by: only in notes whose name starts with this.")
    var prefix: String?

    @Flag(name: .long, help: "With --by: list the writes that would be undone, and change nothing.")
    var dryRun = false

    func validate() throws {
        if selection.author == nil {
            if selection.since != nil { throw ValidationError("--since needs --by AUTHOR.") }
            if prefix != nil { throw ValidationError("--prefix needs --by AUTHOR.") }
            if dryRun { throw ValidationError("--dry-run needs --by AUTHOR; `notesctl op` lists what your commands wrote.") }
        } else if operation != nil {
            throw ValidationError("--by and OP exclude each other; give only one.")
        }
    }

    func perform() async throws {
        if let author = selection.author {
            let undo = AuthorUndo(options: options, author: author, filter: try selection.filter(), prefix: prefix)
            return try await dryRun ? undo.list() : undo.run()
        }
        let entries = try await options.withClient { client -> [OperationLog.Entry] in
            OperationLog.entries(store: try await client.store())
        }
        // Without an id, the first command with something left to undo is the one.
        let undone = OperationLog.undone(entries).wholly
        for entry in try chosen(entries, undone) {
            if try await entry.takeBack(options) { return }
            if undone.contains(entry.operation) {
                throw ExitFailure("\(entry.operation) is already undone; `notesctl op` shows which command did that", .usage)
            }
            if operation != nil { return Output.note("nothing that \(entry.operation) wrote is left to undo") }
        }
        throw ExitFailure("none of your commands is left to undo; `notesctl op` lists them", .usage)
    }

    /// The commands that can be undone, newest first. If an id was given, that command alone, even if
    /// it counts as undone: the history decides what is left of it.
    ///
    /// - Throws: `ExitFailure` if there is no command with that id.
    private func chosen(_ entries: [OperationLog.Entry], _ undone: Set<String>) throws -> [OperationLog.Entry] {
        guard let operation else {
            return entries.filter { !["undo", "redo", "op undo"].contains($0.command) && !undone.contains($0.operation) }
        }
        guard let entry = entries.first(where: { $0.operation == operation }) else {
            let question = Suggestions.joint(operation, among: entries.map(\.operation))
            let sentence = "there is no recorded command \(SafeText.quoted(operation))\(question)"
            throw ExitFailure("\(sentence) `notesctl op` lists them", .usage)
        }
        return [entry]
    }
}

struct OperationRedoCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo",
        abstract: "Bring back what your last `op undo` undid.",
        discussion: """
            Examples:
              notesctl op undo --by laptop/mcp
              notesctl op redo

            Brings back what your newest `op undo` undid, in all notes, unless it is brought back \
            already. Run it again for the `op undo` before that one. If it opens a conflict in any note, \
            the exit code is 2.
            """)

    @OptionGroup var options: GlobalOptions

    func perform() async throws {
        let entries = try await options.withClient { client -> [OperationLog.Entry] in
            OperationLog.entries(store: try await client.store())
        }
        for entry in OperationLog.redoable(entries) where try await entry.takeBack(options, isRedo: true) { return }
        throw ExitFailure("no `op undo` is left to take back; `notesctl op` lists your commands", .usage)
    }
}

extension OperationLog.Entry {
    /// Undoes the changes of a command, note by note, newest first.
    ///
    /// - Parameter isRedo: whether the command is an `op undo`, and the messages call this a redo.
    /// - Returns: false if nothing was left to undo.
    /// - Throws: `ExitFailure` if some notes failed, and `ExitStatus.inConflict` as an exit code if a
    ///   note is newly in conflict.
    fileprivate func takeBack(_ options: GlobalOptions, isRedo: Bool = false) async throws -> Bool {
        let revisions = notes.reversed().map { note in
            (note: note, dots: Set(changes.filter { $0.note == note }.map(\.dot)))
        }
        let summary = try await TakeBack.run(
            revisions, undoing: .operation(operation),
            wording: isRedo ? .redo : .undo("what `\(command)` wrote", "of `\(command)`"),
            options: options)
        try summary.finish(again: "`notesctl op undo \(operation)`")
        return summary.notes > 0
    }
}
