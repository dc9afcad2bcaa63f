import ArgumentParser
import Console
import FolderSync
import Glibc
import NoteTasks
import NotesClient
import NotesModel
import NotesWire

struct MirrorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mirror",
        abstract: "Keep a folder of files and the notes in step, in both directions.",
        discussion: """
            Examples:
              notesctl mirror ~/notes
              notesctl mirror --once ~/notes
              notesctl mirror enable ~/notes
              notesctl mirror status

            `mirror DIR` is short for `mirror run DIR`; see `notesctl mirror run --help`. A folder that is \
            named as a subcommand is given as ./status, for example.
            """,
        subcommands: [
            MirrorRunCommand.self, MirrorStatusCommand.self, MirrorApproveCommand.self, MirrorForgetCommand.self,
            MirrorEnableCommand.self, MirrorDisableCommand.self,
        ], defaultSubcommand: MirrorRunCommand.self)
}

struct MirrorRunCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Keep a folder of files and the notes in step, in both directions.",
        discussion: """
            Examples:
              notesctl mirror ~/notes
              notesctl mirror --once ~/notes
              notesctl mirror --prefix work ~/work
              notesctl mirror --once --adopt ~/notes
              notesctl mirror --files all --files-below 1GB ~/notes
              notesctl mirror --once ~/notes --json | jq -r 'select(.change=="left") | .path'

            Runs until you stop it, and follows changes on both sides. Waits for a daemon that is away. With \
            --once, brings both in step and exits.

            First writes what changed in DIR to the notes: changed and new files, renamed files, and \
            removed files. Then writes what changed in the notes to DIR, as `export --delete` does. \
            Files and names correspond as for `import`. Afterwards, each file has the text of its \
            note, except those that the command reports.

            A changed file is saved based on the version that its writer had loaded, as far as its \
            lines show, so the daemon merges it with what others wrote since: an editor that still \
            shows an older text takes nothing out that the mirror put in. A note that \
            others changed outlives the removal of its file. A file whose text is at one new path \
            counts as renamed, and the links to its note are repaired as by `mv`. `notesctl op undo` undoes a \
            whole run with --once, and otherwise the renames that came together, with the repaired links.

            A new mirror also keeps pictures, sound, film, documents and archives of at most 50 MB in step. --files and \
            --files-below choose others, and the folder keeps the choice. A file is taken once nothing has changed it \
            for two seconds. DIR/.notesdignore lists patterns of what is left out, one in each line, as for \
            `import --exclude`. If two machines give a file other bytes at once, the path keeps its own, and the note is in \
            conflict.

            With --prefix, the folder has only the notes below a name, and its paths leave out that name: \
            work/plan is DIR/plan.md. The folder keeps the prefix, and later runs need no --prefix. A note \
            that is renamed out of the prefix loses its file and keeps its text.

            The first time, if DIR has files that are no notes or differ from theirs, and there are notes \
            too, prints how many there are and stops, unless you give --adopt.

            If all files are gone, or more than 50 that are also more than a twentieth, or more than 1,000, \
            does not delete their notes without --yes or `mirror approve`: the folder may not be mounted. \
            Skips a file that a program has open for writing, and a file that cannot be a note. If a file and the note of \
            its name differ and were never in step, both get the lines of both. The exit code is 65 if \
            files were skipped or need approval; otherwise 2 if notes are in conflict.

            With --json, prints one object per change: "path", "change" (created, saved, merged, \
            renamed, deleted, written, removed, kept, left, or held), "id", "to" for a renamed file, \
            and "reason".
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp("The directory; created if it does not exist.", valueName: "dir"), completion: .directory)
    var directory: String

    @Flag(name: .long, help: "Bring both in step and exit.")
    var once = false

    @Flag(name: .long, help: "With --once, delete the notes of removed files, however many there are.")
    var yes = false

    @OptionGroup var contact: MirrorContact

    func validate() throws {
        // A mirror that runs on would delete the notes of a folder that somebody empties much later.
        if yes, !once { throw ValidationError("--yes approves the removals of one run; give it with --once.") }
    }

    /// A word that is no folder may be a subcommand that somebody guessed.
    private func checkFolder() throws {
        guard !directory.contains("/"), ![".", ".."].contains(directory), access(directory, F_OK) != 0 else { return }
        throw ExitFailure(
            "there is no folder \(SafeText.quoted(directory)) here; to make it, write "
                + "\(SafeText.quoted("notesctl mirror ./\(directory)")). `notesctl mirror disable` stops a mirror, and "
                + "`notesctl mirror --help` lists the other subcommands", .usage)
    }

    func perform() async throws {
        try checkFolder()
        let root = try ExportCommand.made(directory)
        guard try await root.isLockedSoon() else {
            throw ExitFailure("another mirror of \(SafeText.line(directory)) is running", .notNow)
        }
        defer { withExtendedLifetime(root) {} }
        try MirrorRecords.checkFoldersAbove(FileRecords.realPath(directory))
        guard once else { return try await keepInStep(root) }
        let (report, notes) = try await options.withPipeline { client in
            let shown = try await contact.checked(directory, client)
            var mirror = try await contact.mirror(directory, root, client, .lists, shown, isApproved: yes)
            return try await mirror.bringInStep(MirrorReport(options: options))
        }
        if !options.isForPrograms { try Output.line(report.summary(notes: notes.notes, conflicts: notes.conflicts)) }
        if report[.held] > 0 { throw ExitFailure(held(report), .badData) }
        if report[.skipped] > 0 {
            throw ExitFailure("\(counted(report[.skipped], "file")) skipped; see the reasons above", .badData)
        }
        if notes.conflicts > 0 { throw ExitCode(ExitStatus.inConflict.rawValue) }
    }

    private func held(_ report: MirrorReport) -> String {
        "\(counted(report[.held], "file is", plural: "files are")) gone from \(SafeText.line(directory)) or empty; if that is right, "
            + "`notesctl mirror --once --yes \(Shell.quoted(directory))` deletes or empties the notes"
    }

    /// Keeps the folder in step until the process ends. Until the mirror has started, an absent daemon is
    /// waited for; later, the loop and the connection do that.
    private func keepInStep(_ root: borrowing Descriptor) async throws {
        var wait = DaemonWait()
        while true {
            var isStarted = false
            do {
                return try await keepInStep(root, &isStarted)
            } catch  where !isStarted {
                try await wait.pause(after: error)
            }
        }
    }

    /// - Parameter isStarted: set when the mirror has made its first contact.
    private func keepInStep(_ root: borrowing Descriptor, _ isStarted: inout Bool) async throws {
        let client = try await options.connect(reconnecting: Backoff(), label: "notesctl/mirror")
        let shown = try await contact.checked(directory, client)
        let notes = MirroredNotes(shown.prefix.filter(shown.files), shown.files)
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let folder: FolderWatch
        do throws(Descriptor.OpenError) {
            folder = try FolderWatch { signal.yield() }
        } catch {
            throw ExitFailure("cannot watch \(SafeText.line(directory)): \(error.text)")
        }
        let watch = try await client.watch(WatchNotes(filter: shown.prefix.filter(shown.files), include: .meta, snapshot: true))
        let following = Task {
            do {
                for try await event in watch where notes.take(event) { signal.yield() }
            } catch {
                // The loop below meets the same error with its next request.
            }
            signal.finish()
        }
        defer { following.cancel() }
        var mirror = try await contact.mirror(directory, root, client, .watch(notes), shown, folder)
        mirror.isRecording = true
        isStarted = true
        var loop = MirrorLoop(directory: directory, options: options, signal: signal, folder: folder)
        for await _ in signals where notes.isSynced { try await loop.run(&mirror) }
        throw ExitFailure("the connection to the daemon ended", .noDaemon)
    }
}
