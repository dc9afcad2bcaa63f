import ArgumentParser
import Browse
import Console
import NoteTasks
import NotesModel
import NotesWire
import TextMerge

struct BrowseCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: "Search, read, follow and write notes on the full screen.",
        discussion: """
            Examples:
              notesctl browse
              EDITOR=nano notesctl browse

            Shows a search line, a list of the notes, newest first, and the chosen note. All of \
            them change as soon as anybody changes a note.

            Type to search, choose a note with the arrow keys, and press Enter to write in it; each \
            key is in the note at once, for everybody. Tab goes to the list. There, n makes a note, r \
            renames it, e edits it in your editor, h shows its history, l its links and c its conflicts, t lists the tags, d deletes it, u undoes your \
            last change of it, and q quits. The last line shows the keys that work; ? in the list \
            explains all of them.

            If the daemon is away, the notes stay on the screen, and the program reconnects by \
            itself. `notesctl op log` lists what you edited, deleted or undid here.
            """)

    @OptionGroup var options: GlobalOptions

    func perform() async throws {
        if options.isForPrograms {
            throw ExitFailure("browse is for a terminal; use `notesctl list` or `search` in a script", .usage)
        }
        guard Terminal.isInput, Terminal.isOutput else {
            throw ExitFailure(
                "browse needs a terminal for its input and output; use `notesctl list` or `notesctl search` in a script", .usage)
        }
        guard Environment["TERM"] != "dumb", BrowseTerminal.isUsable else {
            throw ExitFailure(
                "this terminal (TERM=dumb) cannot show a full screen; use `notesctl list` and `notesctl show`", .usage)
        }
        try await BrowseDriver(options: options, commands: CommandsInBrowse(options: options)).run()
    }
}

/// Runs the commands that the browser needs, with the daemon of the browser.
private struct CommandsInBrowse: BrowserCommands {
    let options: GlobalOptions

    /// The arguments of a command about a note.
    private func words(_ note: NoteID) throws -> [String] { ["--socket", try options.socketPath(), note.description] }

    func edit(_ note: NoteID) async throws { try await EditCommand.parse(try words(note)).perform() }

    func open(_ file: NoteID) async throws { try await FileOpenCommand.parse(try words(file)).perform() }

    func delete(_ note: Head) async throws {
        let remove = try RemoveCommand.parse(try words(note.id))
        _ = try await options.withClient { try await remove.delete(note, $0) }
    }

    func rename(_ note: NoteID, to name: String) async throws {
        try await MoveCommand.parse(["--socket", try options.socketPath(), "--", note.description, name]).perform()
    }

    func resolve(_ note: NoteObject, _ resolution: ConflictResolution) async throws {
        try await ResolveCommand.parse(try words(note.head.id) + ["--both"]).write(resolution, over: note)
    }

    func resolveInEditor(_ note: NoteID, _ conflict: ConflictID) async throws {
        try await ResolveCommand.parse(try words(note) + ["--edit", "--conflict", conflict.description]).perform()
    }

    func undo(_ note: NoteID, saying words: (RevisionSummary, UndoHistory) -> String) async throws {
        try await UndoCommand.parse(try self.words(note)).perform(saying: words)
    }
}
