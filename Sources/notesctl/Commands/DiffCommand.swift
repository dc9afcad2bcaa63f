import ArgumentParser
import Causality
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TextMerge

struct DiffCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show what changed between two versions of a note.",
        discussion: """
            Examples:
              notesctl diff work/inbox
              notesctl diff work/inbox 9f86d0:11
              notesctl diff work/inbox 9f86d0:11 9f86d0:12
              notesctl diff work/inbox --by laptop/mcp

            Without FROM, shows what the newest revision changed, compared with the version that \
            it was based on. With FROM alone, shows what has changed since that version. The \
            output is a unified diff that `patch` can read. The exit code is 0 whether or not \
            there are differences.

            With --by, shows what an author's writes add to and remove from the note as it is now: \
            compares it with the note without them, as `op undo --by` would leave it.

            With --json, prints the note at TO, with the edits that turn FROM's text into its \
            text; with --by, the outcome of the undo, with the edits that remove the author's writes.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note; a deleted one by its last name or by its id.", completion: NoteCompletion.notes)
    var note: String

    @Argument(help: "The older version; `history` lists them.")
    var from: String?

    @Argument(help: "The newer version. Default: the current one.")
    var to: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Show what this user or label wrote; `notesctl help log` explains it.", valueName: "author"))
    var by: String?

    func validate() throws {
        if by != nil, from != nil { throw ValidationError("--by and FROM exclude each other; give only one.") }
    }

    func perform() async throws {
        options.page()
        try await options.withClient { client in
            let now = try await NoteReference(note).note(client, deleted: true)
            if let by { return try await report(by: by, now, client) }
            let (older, newer) = try await versions(of: now, client)
            if options.isForPrograms {
                return try options.emit(try await client.note(.id(now.head.id), at: newer, from: older).json)
            }
            let old = try await NoteAtVersion.read(older, of: now, client)
            let new = try await NoteAtVersion.read(newer, of: now, client)
            try Self.report(old, new, newestOf: from == nil ? NoteLabel.reference(now.head) : nil)
        }
    }

    /// The older and the newer version that the arguments mean.
    private func versions(of now: NoteObject, _ client: any NotesAPI) async throws -> (Version, Version) {
        guard let from else {
            let newest = try await Revisions(client, now.head.id).all(limit: 1).first
            guard let newest else { throw ExitFailure("\(SafeText.quoted(note)) has no revisions", .noNote) }
            return (newest.parents, Version(newest.dot))
        }
        let older = try await VersionReference(text: from).version(of: now.head.id, client)
        guard let to else { return (older, now.head.version) }
        return (older, try await VersionReference(text: to).version(of: now.head.id, client))
    }

    /// Prints what an author's writes add to and remove from the note as it is now.
    private func report(by author: String, _ now: NoteObject, _ client: any NotesAPI) async throws {
        let history = try await Revisions(client, now.head.id).all()
        let filter = RevisionFilter(author: ByteString(author))
        let dots = Set(history.filter(filter.matches).map(\.dot))
        let changes = TakeBack.changes(of: dots, in: history).prefix(WireProtocol.undoneMax).map(\.dot)
        guard !changes.isEmpty else {
            let name = NoteLabel.reference(now.head)
            throw ExitFailure(
                "nothing in \(SafeText.quoted(note)) is by \(SafeText.quoted(author)); `notesctl history \(name)` shows users and labels",
                .usage)
        }
        let outcome = try await client.undo(
            UndoNote(id: now.head.id, base: now.head.version, revisions: Array(changes), isPreview: true))
        guard let without = outcome.note, let edits = without.edits else { return }
        let text = now.text ?? []
        if options.isForPrograms { return try SaveReport.report(outcome, options) }
        let old = NoteAtVersion(
            version: now.head.version,
            text: edits.map { Edit(start: $0.start, end: $0.end, replacement: $0.text) }.applied(to: text),
            name: now.head.name, exists: !without.isDeleted, label: "without \(author)")
        let new = NoteAtVersion(version: now.head.version, text: text, name: now.head.name, exists: !now.head.isDeleted)
        try Self.report(old, new, newestOf: nil)
    }

    /// Prints the unified diff; on a terminal, says so if it is empty.
    ///
    /// - Parameter newestOf: the note, as the user can type it, if the diff is that of its newest revision.
    private static func report(_ old: NoteAtVersion, _ new: NoteAtVersion, newestOf: String?) throws {
        let lines = UnifiedDiff.lines(from: old.text, to: new.text, names: (old.diffName, new.diffName))
        guard Terminal.isOutput else {
            return try Output.write(lines.flatMap { $0.bytes + [UInt8(ascii: "\n")] })
        }
        try Output.lines(lines.map { $0.shown(Terminal.style) })
        if lines.isEmpty { Output.note(sameText(old, new, newestOf: newestOf)) }
    }

    /// The reason why the diff is empty.
    ///
    /// - Parameter newestOf: as in `report`.
    static func sameText(_ old: NoteAtVersion, _ new: NoteAtVersion, newestOf: String?) -> String {
        guard old.name != new.name else {
            guard let newestOf else { return "the texts are the same" }
            return
                "the newest revision, \(new.version), left the text as it was; `notesctl history \(newestOf)` lists earlier ones"
        }
        let names = [old.name, new.name].map { $0.map { SafeText.line($0.description) } ?? "none" }
        return "the texts are the same; the name changed from \(names[0]) to \(names[1])"
    }
}
