import ArgumentParser
import Causality
import NotesClient
import NotesModel
import NotesWire
import StrictJSON
import Suggestions

struct Operations: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "op",
        abstract: "List what your last commands wrote, and undo one of them.",
        discussion: """
            Examples:
              notesctl op
              notesctl op undo
              notesctl op undo lk2m9x4c1d

            `op undo` undoes a whole command, even one that wrote many notes, such as `import` or \
            `rm`. notesctl records each of your commands that wrote something, without any text, in \
            $XDG_STATE_HOME/notesctl/operations (default: ~/.local/state/notesctl/operations). It \
            does not record writes by other programs; `log` shows those.
            """,
        subcommands: [OperationLog.self, OperationUndo.self], defaultSubcommand: OperationLog.self)
}

struct OperationLog: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "List what your last commands wrote, newest first.",
        discussion: """
            Examples:
              notesctl op
              notesctl op log -n 5
              notesctl op log --json=op,command

            Prints one line per command: its id, the time, the command, and the notes it wrote.
            """)

    @OptionGroup var options: GlobalOptions

    @Option(name: [.customShort("n"), .customLong("limit")], help: ArgumentHelp("Show at most this many.", valueName: "count"))
    var limit = 20

    func validate() throws {
        if limit < 1 { throw ValidationError("-n must be at least 1.") }
    }

    func perform() async throws {
        options.page()
        try await options.withClient { client in
            let entries = OperationJournal.entries(store: try await client.store())
            let undone = OperationJournal.undone(entries)
            for entry in entries.prefix(limit) {
                if options.isForPrograms {
                    try options.emit(Self.json(entry))
                } else {
                    let labels = try await Self.labels(entry, client)
                    let mark =
                        undone.wholly.contains(entry.operation)
                        ? "undone" : undone.partly.contains(entry.operation) ? "undone in part" : ""
                    try Output.line(Self.line(entry, labels, mark))
                }
            }
            if entries.isEmpty && Terminal.isOutput { Output.note("none of your commands has written to this store yet") }
        }
    }

    /// Maximum number of notes named on one line.
    private static let notesMax = 3

    /// Names of the first notes that a command wrote; the start of the id for a deleted note.
    private static func labels(_ entry: OperationJournal.Entry, _ client: any NotesAPI) async throws -> [String] {
        var labels: [String] = []
        for id in entry.notes.prefix(notesMax) {
            do {
                let head = try await client.note(.id(id)).head
                labels.append(head.isDeleted ? String(id.description.prefix(ShortID.digitsMin)) : NoteLabel.of(head))
            } catch ClientError.refused {
                labels.append(String(id.description.prefix(ShortID.digitsMin)))
            }
        }
        return labels
    }

    private static func line(_ entry: OperationJournal.Entry, _ labels: [String], _ mark: String) -> String {
        let style = Terminal.style
        let time = Clock.local(entry.time)
        let more = entry.notes.count - labels.count
        let notes = labels.map { style.bold(SafeText.line($0)) }.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        return [
            style.yellow(entry.operation), "\(time.day) \(time.clock)", DisplayWidth.fit(entry.command, columns: 7), notes,
            entry.undoes.map { style.dim("undid \($0)") } ?? "", mark.isEmpty ? "" : style.red(mark),
        ].filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private static func json(_ entry: OperationJournal.Entry) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { line in
            line.member("op", entry.operation)
            line.member("time", TimestampText.text(entry.time))
            line.member("command", entry.command)
            line.member("undoes", entry.undoes.map { ByteString($0) })
            line.name("changes")
            line.array(of: entry.changes) { array, change in
                array.object { object in
                    object.member("note", change.note.description)
                    object.member("dot", change.dot.description)
                }
            }
        }
        return writer.bytes
    }
}

extension OperationJournal.Entry {
    /// The notes that the command wrote, each once, in the order of their first change.
    var notes: [NoteID] {
        var seen: Set<NoteID> = []
        return changes.map(\.note).filter { seen.insert($0).inserted }
    }
}

struct OperationUndo: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo what one of your commands wrote.",
        discussion: """
            Examples:
              notesctl op undo
              notesctl op undo lk2m9x4c1d

            Without OP, undoes the newest command that has not been undone. Undoes every change of \
            the command, in all notes, and keeps later changes, as `undo` does. Deletes notes that \
            the command created. If others have changed the same place since, the note keeps both \
            texts, and the exit code is 2. If `op undo` cannot write a note, it still undoes the \
            others; run the same command again to undo the rest.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(
        help: ArgumentHelp("The command's id, as `notesctl op` shows it.", valueName: "op"), completion: NoteCompletion.operations
    )
    var operation: String?

    func perform() async throws {
        let entries = try await options.withClient { client -> [OperationJournal.Entry] in
            OperationJournal.entries(store: try await client.store())
        }
        // Without an id, the first command with something left to undo is the one.
        let undone = OperationJournal.undone(entries).wholly
        for entry in try chosen(entries, undone) {
            let (outcomes, failed) = try await takeBack(entry)
            guard failed.isEmpty else {
                throw ExitFailure(
                    "not undone in \(entry.operation): \(failed.joined(separator: ", ")); "
                        + "`notesctl op undo \(entry.operation)` tries again")
            }
            if outcomes.contains(.conflicted) { throw ExitCode(ExitStatus.inConflict.rawValue) }
            if !outcomes.isEmpty { return }
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
    private func chosen(_ entries: [OperationJournal.Entry], _ undone: Set<String>) throws -> [OperationJournal.Entry] {
        guard let operation else {
            return entries.filter { !["undo", "op undo"].contains($0.command) && !undone.contains($0.operation) }
        }
        guard let entry = entries.first(where: { $0.operation == operation }) else {
            let question = Suggestions.joint(operation, among: entries.map(\.operation))
            let sentence = "there is no recorded command \(SafeText.quoted(operation))\(question)"
            throw ExitFailure("\(sentence) `notesctl op` lists them", .usage)
        }
        return [entry]
    }

    /// Undoes the changes of a command, newest first. If one fails, older changes of the same note are
    /// left as they are, and those of other notes are undone.
    ///
    /// - Returns: the outcomes for the notes that had something left to undo, and the ids of the notes
    ///   that failed.
    /// - Throws: an error that would also affect every other note: no daemon, or no permission.
    private func takeBack(_ entry: OperationJournal.Entry) async throws -> (outcomes: [Outcome.Kind], failed: [String]) {
        var outcomes: [Outcome.Kind] = []
        var failed: [NoteID] = []
        for change in entry.changes.reversed() where !failed.contains(change.note) {
            do {
                if let outcome = try await takeBack(change, of: entry) { outcomes.append(outcome) }
            } catch {
                guard let failure = explained(error, "cannot undo \(change.dot)") as? ExitFailure,
                    ![.noDaemon, .notAllowed].contains(failure.code)
                else { throw error }
                Output.note(failure.message)
                failed.append(change.note)
            }
        }
        return (outcomes, failed.map(\.description))
    }

    /// Undoes one change.
    ///
    /// - Returns: the outcome for the note; nil if nothing of the change is left to undo.
    private func takeBack(_ change: OperationJournal.Entry.Change, of entry: OperationJournal.Entry) async throws -> Outcome.Kind?
    {
        let (now, write) = try await options.withClient { client -> (NoteObject, UndoPlan.Write?) in
            let now = try await client.note(.id(change.note))
            return (now, try await plan(change.dot, of: now, client))
        }
        let label = SafeText.line(NoteLabel.of(now.head))
        guard let write else { return nil }
        let outcome: OutcomeResult
        do {
            outcome = try await options.withClient(label: UndoHistory.label(undoing: change.dot), undoing: entry.operation) {
                try await write.perform(over: now.head, $0)
            }
        } catch {
            throw explained(error, "cannot undo \(change.dot) of \(label)")
        }
        if options.isForPrograms { try options.emit(outcome.json) }
        Output.note("\(label): undid what `\(entry.command)` wrote")
        guard outcome.outcome == .conflicted else { return outcome.outcome }
        try await SaveReport.reportConflicts(of: now.head, outcome) {
            try await options.withClient { try await $0.note(.id(change.note)) }
        }
        return outcome.outcome
    }

    /// The write that undoes a change; nil if nothing of the change is left to undo.
    private func plan(_ dot: Dot, of now: NoteObject, _ client: any NotesAPI) async throws -> UndoPlan.Write? {
        let user = await client.hello?.user.name ?? ""
        let history = UndoHistory(
            revisions: try await Revisions(client, now.head.id).all(), user: user, label: nil)
        guard let change = history.candidates.first(where: { $0.dot == dot }) else { return nil }
        if change.parents.isNothing { return now.head.isDeleted ? nil : .delete(base: history.base(for: change)) }
        return try await UndoPlan(change, in: history, of: now, client)?.write
    }
}
