import ArgumentParser
import LanguageServer
import NoteTasks

struct LanguageServerCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "lsp",
        abstract: "Serve a mirrored folder to an editor as a language server.",
        discussion: """
            Examples:
              notesctl lsp
              notesctl lsp --socket /run/notesd/notesd.sock

            Editors start this program and speak the Language Server Protocol over its standard input \
            and output, so a command line has little use for it. In the files of a folder that \
            `notesctl mirror` keeps, it completes names, headings and tags, follows links, lists what \
            links to a note, shows notes beside links to them, and marks conflicts and links that mean \
            nothing. On request it renames notes and headings with the links to them, and resolves \
            conflicts; `notesctl op undo` takes that back. It never changes a file; what you save reaches \
            the notes through the mirror.

            docs/language-server.md has the lines that set up an editor. The program ends when the \
            editor ends it, or when its input ends.
            """)

    @OptionGroup var options: GlobalOptions

    /// Some editors append it to every command.
    @Flag(name: .long, help: .hidden)
    var stdio = false

    func perform() async throws {
        let code = try await LanguageDriver(options).run()
        if code != 0 { throw ExitCode(code) }
    }
}
