import ArgumentParser
import NotesClient
import NotesModel
import NotesWire

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

struct Backup: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Have the daemon copy everything that it holds into a file.",
        discussion: """
            Examples:
              notesctl backup
              notesctl backup before-the-move.db
              notesctl backup /mnt/usb/
              notesctl backup --json | jq -r .path

            The daemon writes the file, and serves others meanwhile. It has every note and every version that was saved before; it is \
            whole and on disk when this ends, and is never written over another file. The daemon has to be able to write there: a name \
            alone, or none, is put into its own folder for backups. A directory gets a file named by the time.

            `notesd restore FILE --data DIR` makes a store of it again.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp("A file, a directory, or the name of a file in the daemon's folder.", valueName: "path"))
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
                var writer = JSONWriter()
                result.write(to: &writer)
                return try options.emit(writer.bytes)
            }
            try Output.line("\(SafeText.line("\(result.path)"))  \(result.bytes) bytes")
        }
    }

    /// A path from where this program is; a name alone stays one.
    private static func absolute(_ path: String) throws -> String {
        guard path.utf8.contains(UInt8(ascii: "/")) || path == "." || path == ".." else { return path }
        guard path.utf8.first != UInt8(ascii: "/") else { return path }
        guard let here = getcwd(nil, 0) else {
            throw ExitFailure("the directory that this runs in cannot be found: \(SystemError.text(errno)); give an absolute path")
        }
        defer { free(here) }
        let below = path == "." ? "" : path.hasPrefix("./") ? String(path.dropFirst(2)) : path
        return String(cString: here) + "/" + below
    }
}
