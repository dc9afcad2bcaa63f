import ArgumentParser
import Glibc
import NotesClient
import NotesModel
import NotesWire

struct Mirror: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "mirror",
        abstract: "Bring a folder of files and the notes in step, in both directions.",
        discussion: """
            Examples:
              notesctl mirror --once ~/notes
              notesctl mirror --once --yes ~/notes
              notesctl mirror --once ~/notes --json | jq -r 'select(.change=="left") | .path'

            First writes what changed in DIR to the notes: changed and new files, renamed files, and \
            removed files. Then writes what changed in the notes to DIR, as `export --delete` does. \
            Files and names correspond as for `import`. Afterwards, each file has the text of its \
            note, except those that the command reports.

            A changed file is saved based on the version that its writer had loaded, as far as its \
            lines show, so the daemon merges it with what others wrote since: an editor that still \
            shows a text from before the last run takes nothing out that the run put in. A note that \
            others changed outlives the removal of its file. A file whose text is at one new path \
            counts as renamed. `notesctl op undo` undoes a whole run.

            Does not delete the notes of more than 50 files or of all files, or of more than a \
            twentieth, without --yes: the folder may not be mounted. Skips a file that a program has \
            open for writing, a file that cannot be a note, and a file that has another text than the \
            note of its name and was never in step with it. The exit code is 65 if files were skipped \
            or need --yes; otherwise 2 if notes are in conflict.

            With --json, prints one object per change: "path", "change" (created, saved, merged, \
            renamed, deleted, written, removed, kept, left, or held), "id", "to" for a renamed file, \
            and "reason".
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp("The directory; created if it does not exist.", valueName: "dir"), completion: .directory)
    var directory: String

    @Flag(name: .long, help: "Bring both in step and exit. Required for now.")
    var once = false

    @Flag(name: .long, help: "Delete the notes of removed files, however many there are.")
    var yes = false

    func validate() throws {
        if !once { throw ValidationError("notesctl mirror does not run permanently yet; give --once.") }
    }

    func perform() async throws {
        let root = try Export.made(directory)
        guard flock(root.number, LOCK_EX | LOCK_NB) == 0 else {
            throw ExitFailure("another mirror of \(SafeText.line(directory)) is running", .notNow)
        }
        let place = FileRecords.realPath(directory)
        let (report, notes) = try await options.withPipeline { client in
            let records = try FileRecords.open(FileRecords.Place(directory: place, store: try await client.store()))
            var mirror = FolderMirror(
                client, directory: root.number, tree: FileTree(root), place: place, records: records, isApproved: yes,
                report: MirrorReport(options: options))
            let notes = try await mirror.bringInStep()
            return (mirror.report, notes)
        }
        withExtendedLifetime(root) {}
        let conflicts = notes.count { !$0.conflicts.isEmpty }
        if !options.isForPrograms { try Output.line(report.summary(notes: notes.count, conflicts: conflicts)) }
        if report[.held] > 0 {
            throw ExitFailure(
                "\(counted(report[.held], "file is", plural: "files are")) gone from \(SafeText.line(directory)); if that is right, "
                    + "`notesctl mirror --once --yes` deletes the notes", .badData)
        }
        if report[.left] > 0 { throw ExitFailure("\(counted(report[.left], "file")) skipped; see the reasons above", .badData) }
        if conflicts > 0 { throw ExitCode(ExitStatus.inConflict.rawValue) }
    }
}
