import ArgumentParser
import Console
import FolderSync
import NoteText
import NotesClient
import NotesWire

/// Which files of a folder besides the texts are notes.
struct FileOptions: ParsableArguments {
    @Option(
        name: .customLong("files"),
        help: ArgumentHelp(
            "The files besides the texts: none, known (pictures, sound, film, documents and archives), or all.",
            valueName: "which"))
    var kinds: FileChoice.Kinds?

    @Option(name: .customLong("files-below"), help: ArgumentHelp("Leave out larger files. Default: 50 MB.", valueName: "size"))
    var below: String?

    /// The choice that the options state, or else a default one.
    ///
    /// - Throws: `ExitFailure` for a size that is none, or if the daemon has no files.
    func choice(or usual: FileChoice, _ client: any NotesAPI) async throws -> FileChoice {
        var choice = usual
        if let kinds { choice.kinds = kinds }
        if let below {
            guard let bytes = ByteCount.bytes(below) else {
                throw ExitFailure("--files-below \(SafeText.quoted(below)): write a size such as 20MB or 1.5GB", .usage)
            }
            choice.bytesMax = bytes
        }
        guard choice.kinds != .none, await client.hello?.capabilities.contains("files") != true else { return choice }
        guard kinds == nil else {
            throw ExitFailure("the daemon has no files; update it, or give --files none", .usage)
        }
        return .none
    }
}

extension FileChoice.Kinds: ExpressibleByArgument {}
