import ArgumentParser
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

struct MoveCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "mv",
        abstract: "Rename a note, or all notes of a folder.",
        discussion: """
            Examples:
              notesctl mv work/inbox work/archive/2026
              notesctl mv work/inbox work/done/
              notesctl mv work/ archive/work/
              notesctl mv 01a1ff91 recipes/bread
              notesctl mv recipes/bread --no-name

            If the new name ends in a slash, `mv` appends the last part of the old name: `mv \
            work/inbox done/` renames the note to done/inbox. The text, the id and the history stay \
            the same. The daemon rejects a name that another note has.

            If both names end in a slash, `mv` renames all notes of a folder: `mv work/ done/` renames \
            work/inbox to done/inbox. If another note has one of the new names, it renames no note. \
            `notesctl op undo` undoes the whole command.

            `mv` also changes the links in other notes that mean a renamed note, and the relative links \
            in the renamed note, so that they mean the same notes and files as before. It lists links that \
            it cannot repair. --keep-links changes no links.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note, or a folder with a slash at its end.", completion: NoteCompletion.notes)
    var note: String

    @Argument(help: "The new name.", completion: NoteCompletion.names)
    var name: String?

    @Flag(name: .long, help: "Remove the name.")
    var noName = false

    @Flag(name: .long, help: "Change no links.")
    var keepLinks = false

    func validate() throws {
        if (name == nil) == !noName { throw ValidationError("Give the new name, or --no-name.") }
    }

    func perform() async throws {
        if note.hasSuffix("/") { return try await moveFolder() }
        try await options.withClient { client in
            let current = try await found(client)
            let old = SafeText.line(NoteLabel.of(current))
            let wanted = try Self.name(name, of: current)
            let outcome: OutcomeResult
            var repairer: LinkRepairer?
            do {
                let request = NameRequest.changing(current.name, to: wanted)
                guard request != .leave else {
                    return Output.note("\(old) already has that name, so nothing was saved")
                }
                if let wanted { try await NameCheck.refuseBeginningOfID("\(wanted)", of: current.id, client) }
                repairer = try await self.repairer(of: [current.id: wanted], [current], client)
                outcome = try await client.save(SaveNote(id: current.id, base: current.version, name: request))
            } catch {
                throw explained(error, "cannot rename \(old)")
            }
            repairer?.setVersion(outcome.version, of: current.id, renamedFrom: current.version)
            try await repairer?.repair()
            var renamed = current
            renamed.name = wanted
            try await SaveReport(note: renamed, options: options).report(outcome) { try await client.note(.id(current.id)) }
        }
    }

    /// The note to rename.
    ///
    /// - Throws: `ExitFailure` if there is none, with the command that renames a folder if the word is
    ///   one.
    private func found(_ client: any NotesAPI) async throws -> Head {
        do {
            return try await NoteReference(note).note(client).head
        } catch let failure as ExitFailure where failure.code == .noNote {
            guard let name, let count = try await Folder(note).count(client) else { throw failure }
            let target = name.hasSuffix("/") ? name : name + "/"
            let command = "notesctl mv \(Shell.quoted(note + "/")) \(Shell.quoted(target))"
            throw ExitFailure(
                "there is no note \(SafeText.quoted(note)), but a folder with \(counted(count, "note")); to rename it, write "
                    + SafeText.quoted(command), .noNote)
        }
    }

    /// Renames all notes of a folder, as one command for `op`.
    private func moveFolder() async throws {
        guard let name, name.hasSuffix("/") else {
            let target = name.map { Shell.quoted($0 + "/") } ?? "NEW/"
            let command = SafeText.quoted("notesctl mv \(Shell.quoted(note)) \(target)")
            throw ExitFailure("\(SafeText.quoted(note)) is a folder; to rename all its notes, write \(command)", .usage)
        }
        guard note != name else { return Output.note("the folder already has that name, so nothing was saved") }
        try await options.withClient { client in
            let notes = try await client.listAll(Filter(prefix: ByteString(note), kind: nil)).map(\.head)
            guard !notes.isEmpty else { throw Folder.isEmpty(note) }
            let taken = try await client.listAll(Filter(prefix: ByteString(name), kind: nil)).map(\.head)
            let steps = try FolderMove(old: note, new: name).steps(notes, taken: taken)
            for step in steps { try await NameCheck.refuseBeginningOfID("\(step.to)", of: step.note, client) }
            var repairer = try await self.repairer(
                of: Dictionary(steps.map { ($0.note, $0.to) }) { first, _ in first }, notes, client)
            let heads = Dictionary(notes.map { ($0.id, $0) }) { first, _ in first }
            var isInConflict = false
            for (index, step) in steps.enumerated() {
                guard let head = heads[step.note] else { continue }
                do {
                    let outcome = try await client.save(
                        SaveNote(id: head.id, base: head.version, name: .changing(head.name, to: step.to)))
                    repairer?.setVersion(outcome.version, of: head.id, renamedFrom: head.version)
                    if options.isForPrograms { try SaveReport.report(outcome, options) }
                    guard outcome.outcome == .conflicted else { continue }
                    isInConflict = true
                    try await SaveReport.reportConflicts(of: head, outcome) { try await client.note(.id(head.id)) }
                } catch {
                    let done =
                        index == 0
                        ? "no note was renamed"
                        : "\(counted(index, "note was", plural: "notes were")) renamed; "
                            + "`notesctl op undo` renames \(index == 1 ? "it" : "them") back"
                    Output.note(done)
                    throw explained(error, "cannot rename \(SafeText.line("\(step.from)"))")
                }
            }
            Output.note("renamed \(counted(steps.count, "note")); `notesctl op undo` undoes this")
            try await repairer?.repair()
            if isInConflict { throw ExitCode(ExitStatus.inConflict.rawValue) }
        }
    }

    /// The links that the renamings can affect; nil with `--keep-links`.
    private func repairer(
        of names: [NoteID: NoteName?], _ notes: [Head], _ client: any NotesAPI
    ) async throws -> LinkRepairer? {
        if keepLinks { return nil }
        let renamings = notes.compactMap { note in
            names[note.id].map { NoteRenaming(note: note.id, old: note.name?.bytes, new: $0?.bytes) }
        }
        return try await LinkRepairer(before: renamings, client)
    }

    /// The new name of a note; nil for none.
    ///
    /// - Parameter name: the argument. If it ends in a slash, the last part of the note's name is
    ///   appended.
    static func name(_ name: String?, of note: Head) throws(ExitFailure) -> NoteName? {
        guard var name else { return nil }
        if name.hasSuffix("/") {
            guard let last = note.name?.description.split(separator: "/").last else {
                throw ExitFailure("the note has no name to take the last part from; give the new name in full", .usage)
            }
            name += last
        }
        do { return try NoteName(ByteString(name)) } catch { throw ExitFailure("\(SafeText.quoted(name)): \(error)", .badData) }
    }
}

/// A folder: the notes whose names start with a text and a slash.
struct Folder {
    let name: String

    init(_ name: String) {
        self.name = name
    }

    /// The number of its notes; nil if there are none.
    func count(_ client: any NotesAPI) async throws -> Int? {
        var count = 0
        try await client.eachPage(Filter(prefix: ByteString(name + "/"), kind: nil)) { page in
            count += page.count
            return true
        }
        return count == 0 ? nil : count
    }

    static func isEmpty(_ prefix: String) -> ExitFailure {
        ExitFailure(
            "no note has a name that starts with \(SafeText.quoted(prefix)); `notesctl list` shows all notes", .noNote)
    }
}
