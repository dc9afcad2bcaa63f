import ArgumentParser
import Console
import Glibc
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

struct FilePasteCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "paste",
        abstract: "Make a note of the picture in the clipboard.",
        discussion: """
            Examples:
              notesctl file paste
              notesctl file paste --to pics >> plan.md

            Prints a link to the new file, such as ![[files/pasted-2026-11-30-081412.png]]. Reads the clipboard with \
            `wl-paste` of wl-clipboard under Wayland, and otherwise with `xclip`.

            With --json, prints the note.
            """)

    @OptionGroup var options: GlobalOptions

    @Option(name: .long, help: ArgumentHelp("The folder of the new note.", valueName: "folder"), completion: NoteCompletion.names)
    var to = "files"

    func perform() async throws {
        let folder = to.isEmpty || to.hasSuffix("/") ? to : to + "/"
        let now = Clock.local(Clock.now())
        let stem = "\(folder)pasted-\(now.day)-\(now.clock.filter { $0 != ":" })"
        do { _ = try NoteName(ByteString(stem)) } catch { throw ExitFailure("\(SafeText.quoted(to)): \(error)", .usage) }
        let picture = try ClipboardPicture()
        defer { picture.remove() }
        try await options.withClient { client in
            let note = try await add(LocalFile(picture.path), stem, client)
            if options.isForPrograms { return try options.emit(note.json) }
            try Output.line("![[\(SafeText.line(note.head.name?.description ?? note.head.id.description))]]")
        }
    }

    /// Two pictures of one second get different names.
    private func add(_ file: borrowing LocalFile, _ stem: String, _ client: any NotesAPI) async throws -> NoteObject {
        let content: FileContent
        do { content = try await file.upload(client) } catch { throw explained(error, "cannot keep the picture") }
        var number = 1
        while true {
            let name = ByteString(number == 1 ? "\(stem).png" : "\(stem)-\(number).png")
            do {
                return try await client.begin(file: content, name: name, at: Clock.now())
            } catch ClientError.refused(let error) where error.kind == .noteExists && number < Self.namesMax {
                number += 1
            } catch {
                throw explained(error, "cannot add \(SafeText.quoted("\(name)"))")
            }
        }
    }

    /// Most names that are tried.
    private static let namesMax = 100
}
