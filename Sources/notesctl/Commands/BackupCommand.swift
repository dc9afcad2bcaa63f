import ArgumentParser
import Console
import Glibc
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

struct BackupCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Have the daemon back up its whole store to a file.",
        discussion: """
            Examples:
              notesctl backup
              notesctl backup before-the-move.db
              notesctl backup /mnt/usb/
              notesctl backup --json | jq -r .path

            The daemon writes the file while it serves other clients. The backup contains every \
            note and every revision saved before this command, and is complete and on disk when the \
            command ends. It never overwrites a file.

            The daemon must be able to write to PATH. Without PATH, or with a bare file name, it \
            writes to its own backup directory. The bytes of files are put into the folder `files` beside it, \
            which the backups in a directory share; those that none of them names any more are removed. If PATH is a directory, the daemon names the file \
            in it after the time.

            `notesd restore FILE --data DIR` creates a store from the backup.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp("A file, a directory, or a file name in the daemon's backup directory.", valueName: "path"))
    var path: String?

    func perform() async throws {
        let target = try path.map { ByteString(try Self.absolute($0)) }
        try await options.withClient { client in
            let result: BackupResult
            do {
                result = try await client.backUp(to: target) { progress in
                    Progress.show("copied \(ByteCount.text(progress.done)) of \(ByteCount.text(progress.total))")
                }
            } catch {
                Progress.clear()
                throw explained(error, "cannot back up")
            }
            Progress.clear()
            if options.isForPrograms {
                return try options.emit(result.json)
            }
            try Output.line("\(SafeText.line("\(result.path)"))  \(counted(result.bytes, "byte"))\(files(result))")
        }
    }

    private func files(_ result: BackupResult) -> String {
        guard result.files + result.missingFiles > 0 else { return "" }
        let missing = result.missingFiles > 0 ? "; the store lacks \(counted(result.missingFiles, "file"))" : ""
        return "  and \(counted(result.files, "file")) in the folder files beside it\(missing)"
    }

    /// The absolute form of a path relative to the current directory. Returns a bare file name as it
    /// is: the daemon puts that into its backup directory.
    private static func absolute(_ path: String) throws -> String {
        guard path.utf8.contains(UInt8(ascii: "/")) || path == "." || path == ".." else { return path }
        return try Environment.absolute(path)
    }
}
