import ArgumentParser
import Console
import Glibc
import NotesWire

/// Writes the man pages, generated from the help texts.
struct ManualCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual-pages",
        abstract: "Write the man pages into a directory.",
        discussion: """
            Examples:
              notesctl manual-pages .build/man

            For package maintainers.
            """,
        shouldDisplay: false)

    @Argument(help: ArgumentHelp("The directory; it must exist.", valueName: "dir"), completion: .directory)
    var directory: String

    func run() async throws {
        for page in try ManualPage.all(CommandFacts.root(), HelpTopic.all) {
            let path = Array("\(directory)/\(page.file)".utf8)
            do {
                try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644).writeAll(Array(page.text.utf8))
            } catch {
                throw ExitFailure("cannot write \(SafeText.line("\(directory)/\(page.file)")): \(error.text)")
            }
        }
    }
}
