import ArgumentParser
import Console
import FolderSync
import Glibc
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

struct ExportCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write all notes to files in a directory.",
        discussion: """
            Examples:
              notesctl export ~/backup
              notesctl export --prefix work/ ~/work
              notesctl export --delete ~/notes

            Writes each note below DIR, to the path of its name, with .md appended unless the name \
            ends in .txt or .markdown, and each file to its name. Writes a note without a name to <id>.md. Creates directories as \
            needed, and leaves other files alone. Does not follow symbolic links below DIR. An \
            imported note that nobody has changed comes back byte for byte.

            Each written file gets the note's time of change. Does not write a file that already has the note's text. Replaces a file only if it is as \
            an export or import of DIR left it, according to a record in your state directory; skips \
            and reports any other file, and the exit code is then 65. With --delete, removes the files \
            of notes that have since been deleted or renamed, by the same rule. The old file of a renamed \
            note stays if its new file is skipped.

            With --json, prints one object per note: "path", "id", "outcome" (written, unchanged, \
            removed, or left for a skipped note), and "reason".
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp("The directory; created if it does not exist.", valueName: "dir"), completion: .directory)
    var directory: String

    @Option(name: .long, help: "Only notes whose name starts with this.", completion: NoteCompletion.names)
    var prefix: String?

    @OptionGroup var filesOptions: FileOptions

    @Flag(name: .long, help: "Remove unchanged files whose notes have been deleted or renamed.")
    var delete = false

    @Flag(name: .long, help: "Replace files whatever is in them.")
    var force = false

    func perform() async throws {
        let report = try await options.withPipeline { client in
            let store = try await client.store()
            let choice = try await filesOptions.choice(or: FileChoice(kinds: .all, bytesMax: .max), client)
            let filter = Filter(prefix: prefix.map { ByteString($0) }, kind: choice.kind)
            let all = try await client.listAll(filter).map(\.head)
            let notes = all.filter(choice.shows)
            let root = try Self.made(directory)
            let records = try FileRecords.open(FileRecords.Place(directory: FileRecords.realPath(directory), store: store))
            let exporter = Exporter(
                client: client, tree: FileTree(root), records: records.files, shown: records.shown, isForced: force)
            let withoutPath = choice.kinds == .all && filesOptions.below == nil ? all.filter { !choice.shows($0) } : []
            var report = ExportReport(options: options, total: notes.count + withoutPath.count)
            for note in withoutPath {
                let path = Array((note.name?.description ?? note.id.description).utf8)
                try report.report(
                    path, note.id, .skipped("is a file whose name is that of a text, or hidden; rename it with `notesctl mv`"))
            }
            let plan = ExportPlan(notes)
            var skipped = plan.skippedNotes
            for (path, reason) in plan.skipped { try report.report(path, nil, .skipped(reason)) }
            try await BoundedTaskGroup.run(plan.taken, each: { try await exporter.write($0) }) { file, result in
                if let new = result.new { try records.recordAnew(file.path, new.record, new.shown, at: Clock.now()) }
                if result.outcome.isLeft { skipped.insert(file.head.id) }
                try report.report(file.path, file.head.id, result.outcome)
            }
            if delete {
                let former = plan.former(records.files, except: skipped)
                try await BoundedTaskGroup.run(former, each: { try await exporter.remove($0) }) { file, outcome in
                    guard let outcome else { return }
                    if outcome == .removed { try records.forget(file.path, isByProgram: false, at: Clock.now()) }
                    try report.report(file.path, file.record.note, outcome)
                }
            }
            try records.removeOldGone(at: Clock.now())
            try records.settle(root.number)
            withExtendedLifetime(root) {}
            let hidden = plan.taken.count { NoteFiles.isHidden(path: $0.path) }
            if hidden > 0 {
                Output.note(
                    "\(counted(hidden, "file")) with a hidden name; `notesctl import` takes such files with --hidden only")
            }
            return report
        }
        try report.finish()
    }

    /// Opens the directory, which is created if necessary.
    static func made(_ directory: String) throws -> Descriptor {
        let path = Array(directory.utf8)
        let isMade = path.withCPath { mkdir($0, 0o777) } == 0
        let number = errno
        do {
            return try Descriptor.open(path, O_RDONLY | O_DIRECTORY)
        } catch {
            let reason = isMade || number == EEXIST ? error.text : SystemError.text(number)
            throw ExitFailure("cannot write to the directory \(SafeText.line(directory)): \(reason)")
        }
    }
}
