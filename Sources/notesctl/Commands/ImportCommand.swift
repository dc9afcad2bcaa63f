import ArgumentParser
import Console
import FolderSync
import Glibc
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

struct ImportCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Create or update notes from the files below a directory.",
        discussion: """
            Examples:
              notesctl import ~/notes
              notesctl import --dry-run ~/notes
              notesctl import --into recipes --exclude drafts ~/recipes
              notesctl import --files none ~/notes
              notesctl import ~/notes --json | jq -r 'select(.outcome=="left") | .path'

            Reads every regular .md, .markdown and .txt file below DIR. A note's name is the file's \
            path below DIR, without .md; other endings stay. Pictures, sound, film, documents and archives become \
            notes too, whose content is their bytes; --files chooses others. Ignores symbolic links, other files, and \
            hidden files and folders, and what the patterns in DIR/.notesdignore match, and counts them in the summary.

            A record in your state directory says which note and version each file showed when it was \
            last imported or exported. An unchanged file sends nothing. A changed file is saved based \
            on that version, so the daemon merges it with the changes that others made since. A note \
            that others renamed keeps its new name. A note that others deleted stays deleted, unless \
            the file changed. A file without a record never replaces the text of an existing note \
            without --replace. You can interrupt and repeat an import: it writes each note completely \
            or not at all.

            A new note shows the times of its file: when the file was changed last and, if the file \
            system knows it, when it was created. A changed file gives its note the time of the change. \
            A file of which only the time changed counts as unchanged.

            Skips and reports a file that is not UTF-8, contains a zero byte, is too large, has a \
            path that cannot be a note's name, maps to the same name as another file, or belongs to a \
            note with another text; the exit code is then 65. Otherwise, if a note is in conflict with \
            changes by others, the exit code is 2.

            With --json, prints one object per file: "path", "outcome" (created, saved, merged, \
            conflicted, unchanged, deleted for a deleted note that stays deleted, or left for a \
            skipped file), and "id" or "reason".
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp("The directory.", valueName: "dir"), completion: .directory)
    var directory: String

    @Flag(name: .long, help: "Write nothing; print what the import would do with each file.")
    var dryRun = false

    @Option(
        name: .long,
        help: ArgumentHelp("Put every note below this name, as in 'recipes/soup'.", valueName: "prefix"),
        completion: NoteCompletion.names)
    var into: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Leave out files and folders with a name like this, such as '*.tmp.md'; with a '/', with a path like this. Repeatable.",
            valueName: "glob"))
    var exclude: [String] = []

    @Flag(name: .long, help: "Also read names that begin with a dot, and folders named node_modules.")
    var hidden = false

    @OptionGroup var filesOptions: FileOptions

    @Flag(name: .long, help: "Let files without a record replace the texts of the notes of their names.")
    var replace = false

    /// Opens the directory.
    ///
    /// - Throws: `ExitFailure` if that fails, with the command that makes a note of a file if it is one.
    private func opened() throws -> Descriptor {
        do {
            return try Descriptor.open(Array(directory.utf8), O_RDONLY | O_DIRECTORY)
        } catch {
            var status = stat()
            guard error.number == ENOTDIR, stat(directory, &status) == 0 else {
                throw ExitFailure("cannot read the directory \(SafeText.line(directory)): \(error.text)", .badData)
            }
            let file = Array(directory.utf8).split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? []
            let name = NoteFileName.noteName(ofPath: file).map { Shell.quoted(String(decoding: $0, as: UTF8.self)) } ?? "NAME"
            let command = SafeText.quoted("notesctl new \(name) < \(Shell.quoted(directory))")
            throw ExitFailure(
                "\(SafeText.line(directory)) is no directory; to make a note of a file, write \(command)", .badData)
        }
    }

    func perform() async throws {
        let prefix = try into.map { try NamePrefix($0, of: "--into").bytes } ?? []
        let root = try opened()
        let (descriptor, tree) = (root.number, FileTree(root))
        let place = FileRecords.realPath(directory)
        let report = try await options.withPipeline { client in
            let choice = try await filesOptions.choice(or: FileChoice(kinds: .known), client)
            let selection = NoteFiles.Selection(
                isWithHidden: hidden, excluded: exclude + IgnoreFile.patterns(in: tree), files: choice)
            let found = NoteFiles.below(Descriptor(dup(descriptor)), selection)
            let files = ImportPlan(paths: found.paths, prefix: prefix)
            let store = try await client.store()
            let records = try FileRecords.open(FileRecords.Place(directory: place, store: store, prefix: prefix), isDry: dryRun)
            let notes = try await client.listAll(Filter(kind: choice.kind)).map(\.head)
            let importer = await Importer(
                client: client, tree: tree, place: place,
                notes: ImportedNotes(notes, isWithNameless: prefix.isEmpty), records: records.files, shown: records.shown,
                policy: .command(isReplacing: replace, isDry: dryRun))
            var report = ImportReport(options: options, found: found, isDry: dryRun)
            for (path, reason) in found.unreadable { try report.report(path, .skipped("cannot be read: \(reason)")) }
            for (path, reason) in files.skipped { try report.report(path, .skipped(reason)) }
            let paths = Set(found.paths)
            let (copies, taken) = files.taken.reduce(into: ([ImportPlan.File](), [ImportPlan.File]())) { parts, file in
                let isCopy = records.files[file.path] == nil && ConflictCopy.origin(of: file.path).map(paths.contains) ?? false
                if isCopy { parts.0.append(file) } else { parts.1.append(file) }
            }
            for copy in copies {
                try report.report(copy.path, .skipped("is a conflict copy; `notesctl mirror` merges such copies, or rename it"))
            }
            // The daemon has few uploads of one user at once, and works on one part at a time.
            for (files, atOnce) in [(taken.filter(\.isText), nil), (taken.filter { !$0.isText }, 4)] {
                try await BoundedTaskGroup.run(files, atOnce: atOnce, each: { try await importer.take($0) }) { file, result in
                    if let record = result.record, !dryRun { try records.record(file.path, record, result.shown) }
                    try report.report(file.path, result)
                }
            }
            if !dryRun { try records.settle(descriptor) }
            return report
        }
        withExtendedLifetime(root) {}
        if let status = try report.finish() { throw ExitCode(status.rawValue) }
    }
}
