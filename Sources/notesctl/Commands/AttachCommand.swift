import ArgumentParser
import EditorHost
import NoteTasks

struct AttachCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach",
        abstract: "Serve notes to an editor, which shows others' changes as they type.",
        discussion: """
            Examples:
              notesctl attach --stdio
              notesctl attach --stdio --socket /run/notesd/notesd.sock

            Plugins of editors start this program and speak the attach protocol over its standard \
            input and output, so a command line has little use for it. The plugin reports what the \
            user typed and applies the edits that it is told; this program merges, reconnects, \
            undoes and keeps drafts. docs/attach.md describes the messages.

            The program ends when its input ends and everything is saved. What the daemon did not \
            take within 10 seconds is in a draft, which `notesctl edit` offers.
            """)

    @OptionGroup var options: GlobalOptions

    @Flag(name: .long, help: "Speak over standard input and output; required.")
    var stdio = false

    func validate() throws {
        if !stdio { throw ValidationError("Give --stdio; there is no other way to attach.") }
    }

    func perform() async throws { try await AttachDriver(options).run() }
}
