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

    /// Names of the first notes that a command wrote; the end of the id for a note that the store does
    /// not have.
    private static func labels(_ entry: OperationJournal.Entry, _ client: any NotesAPI) async throws -> [String] {
        var labels: [String] = []
        for id in entry.notes.prefix(notesMax) {
            do {
                let head = try await DeletedNotes.named(try await client.note(.id(id)).head, client)
                labels.append(NoteLabel.of(head))
            } catch ClientError.refused {
                labels.append(ShortID.text(id))
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

            Without OP, `op undo` undoes your newest command that is not completely undone; `undo`, \
            `redo` and `op undo` themselves do not count. It undoes every change of the command, in all \
            notes, and keeps all other changes. It deletes notes that the command created. If it opens a \
            conflict in any note, the exit code is 2. If it cannot write a note, it still undoes the \
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
            let (outcomes, isInConflict, failed) = try await takeBack(entry)
            guard failed.isEmpty else {
                throw ExitFailure(
                    "not undone in \(entry.operation): \(failed.joined(separator: ", ")); "
                        + "`notesctl op undo \(entry.operation)` tries again")
            }
            if isInConflict { throw ExitCode(ExitStatus.inConflict.rawValue) }
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
            return entries.filter { !["undo", "redo", "op undo"].contains($0.command) && !undone.contains($0.operation) }
        }
        guard let entry = entries.first(where: { $0.operation == operation }) else {
            let question = Suggestions.joint(operation, among: entries.map(\.operation))
            let sentence = "there is no recorded command \(SafeText.quoted(operation))\(question)"
            throw ExitFailure("\(sentence) `notesctl op` lists them", .usage)
        }
        return [entry]
    }

    /// Undoes the changes of a command, note by note.
    ///
    /// - Returns: the outcomes for the notes that had something left to undo, whether a note is newly
    ///   in conflict, and the ids of the notes that failed.
    /// - Throws: an error that would also affect every other note: no daemon, or no permission.
    private func takeBack(
        _ entry: OperationJournal.Entry
    ) async throws -> (outcomes: [Outcome.Kind], isInConflict: Bool, failed: [String]) {
        var outcomes: [Outcome.Kind] = []
        var isInConflict = false
        var failed: [String] = []
        for note in entry.notes.reversed() {
            do {
                if let outcome = try await takeBack(entry, in: note) { outcomes.append(outcome) }
            } catch let code as ExitCode where code.rawValue == ExitStatus.inConflict.rawValue {
                outcomes.append(.conflicted)
                isInConflict = true
            } catch {
                guard let failure = explained(error, "cannot undo \(entry.operation) in \(note)") as? ExitFailure,
                    ![.noDaemon, .notAllowed].contains(failure.code)
                else { throw error }
                Output.note(failure.message)
                failed.append(note.description)
            }
        }
        return (outcomes, isInConflict, failed)
    }

    /// Undoes all changes that a command made to one note. Deletes a note that the command created,
    /// on the version that the command left.
    ///
    /// - Returns: the outcome for the note; nil if nothing of the changes is left to undo.
    private func takeBack(_ entry: OperationJournal.Entry, in id: NoteID) async throws -> Outcome.Kind? {
        let (now, history) = try await options.withClient { client -> (NoteObject, UndoHistory) in
            let now = try await client.note(.id(id))
            return (now, try await UndoHistory.read(of: now, client))
        }
        let dots = Set(entry.changes.filter { $0.note == id }.map(\.dot))
        let changes = history.revisions.filter { dots.contains($0.dot) && !$0.isWithdrawn }
        guard let newest = changes.first else { return nil }
        let undone = UndoneNote(
            options: options, note: now, history: history, reference: now.head.name?.description ?? id.description)
        let outcome: OutcomeResult
        var wayBack = "redo"
        if changes.contains(where: \.parents.isNothing) {
            wayBack = "undo"
            guard !now.head.isDeleted else { return nil }
            outcome = try await options.withClient(undoing: entry.operation) {
                try await $0.delete(id, base: Version(newest.dot))
            }
            // A note that others changed since stays, in conflict.
            if outcome.outcome == .unchanged { return nil }
        } else {
            outcome = try await undone.withdraw(
                changes.map(\.dot), undoing: entry.operation, purpose: "cannot undo \(entry.operation)")
        }
        try await undone.report(
            outcome, "undid what `\(entry.command)` wrote", names: undone.names(before: changes), wayBack: wayBack)
        return outcome.outcome
    }
}
