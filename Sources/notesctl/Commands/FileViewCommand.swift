import ArgumentParser
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel

struct FileViewCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "view",
        abstract: "Show a picture in the terminal.",
        discussion: """
            Examples:
              notesctl file view pics/garden.jpg
              notesctl file view ./garden.jpg

            Shows a note, or with ./, ../ or / a file of this machine, without the daemon. Prints name, type and size, and on a \
            terminal the picture, if it is a PNG, JPEG, GIF or WebP and `chafa` is installed: the picture is decoded in that \
            process only. --take chooses one of several contents.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note, or a path that begins with ./, ../ or /.", completion: NoteCompletion.notes)
    var file: String

    @Option(name: .long, help: ArgumentHelp("Which of several contents, from 1.", valueName: "number"))
    var take = 1

    func perform() async throws {
        if ["./", "../", "/"].contains(where: file.hasPrefix) {
            let document = try Document(file)
            let name = try? NoteName(ByteString(document.name))
            return try await show(document.content, name, called: SafeText.line(document.name), from: document)
        }
        try await options.withClient { client in
            let (head, content) = try await FileCommand.content(take, of: file, client)
            do {
                try await show(content, head.name, called: SafeText.line(NoteLabel.of(head)), from: RemoteFiles(client))
            } catch FileContentsFault.missing {
                let absence = try await DeclinedFile.absence(content, client)
                throw ExitFailure("cannot show \(SafeText.line(NoteLabel.of(head))): \(absence)", .noNote)
            } catch {
                throw explained(error, "cannot show \(SafeText.line(NoteLabel.of(head)))")
            }
        }
    }

    private func show(
        _ content: FileContent, _ name: NoteName?, called label: String, from files: any FileContents
    ) async throws {
        guard let size = try await files.size(of: content.hash) else {
            throw FileContentsFault.missing
        }
        let first = try await files.bytes(of: content.hash, in: 0..<PictureType.bytesMax)
        let type = PictureType(beginning: first)?.rawValue ?? FileType.of(name)
        try Output.line("\(label): \(type), \(ByteCount.text(size))")
        guard Terminal.isOutput, !options.isForPrograms else { return }
        do {
            _ = try await PictureView(content, from: files).show()
        } catch FileContentsFault.damaged {
            throw ExitFailure("the bytes of \(label) are damaged or change; nothing is shown", .badData)
        }
    }
}

struct FileOpenCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open a copy of a file in the program for its type.",
        discussion: """
            Examples:
              notesctl file open papers/plan.pdf

            Writes a private copy and opens it with `xdg-open`. The copy vanishes with the login session. What you change \
            in it is not saved; `notesctl file put` saves it. --take chooses one of several contents.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note.", completion: NoteCompletion.notes)
    var note: String

    @Option(name: .long, help: ArgumentHelp("Which of several contents, from 1.", valueName: "number"))
    var take = 1

    func perform() async throws {
        try await options.withClient { client in
            let (head, content) = try await FileCommand.content(take, of: note, client)
            do {
                try await OpenedCopy(content, named: head.name, client).open()
            } catch {
                throw explained(error, "cannot open \(SafeText.line(NoteLabel.of(head)))")
            }
        }
    }
}
