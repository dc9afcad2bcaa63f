import ArgumentParser
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

struct FileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "file",
        abstract: "Keep pictures and other files beside the notes.",
        discussion: """
            Examples:
              notesctl file add --to pics/ ~/Pictures/garden.jpg
              notesctl file get pics/garden.jpg > garden.jpg
              notesctl file put pics/garden.jpg ~/Pictures/garden-2.jpg
              notesctl file list
              notesctl file view pics/garden.jpg

            A file is a note whose content is bytes: it has a name, a history and conflicts, and can be renamed, \
            deleted, undone and purged like a text. `list`, `search` and `watch` leave files out.
            """,
        subcommands: [
            FileAddCommand.self, FileGetCommand.self, FilePutCommand.self, FileListCommand.self, FileViewCommand.self,
            FileOpenCommand.self, FilePasteCommand.self,
        ])

    /// The file that the user names, at a version.
    ///
    /// - Throws: `ExitFailure` for a text.
    static func file(
        _ note: String, at version: String? = nil, _ client: any NotesAPI
    ) async throws -> (head: Head, contents: [FileContent]) {
        var shown = try await NoteReference(note).note(client, deleted: version != nil)
        if let version {
            let version = try await VersionReference(text: version).version(of: shown.head.id, client)
            shown = try await client.note(.id(shown.head.id), at: version)
        }
        let contents = FileContent.all(of: shown.text ?? [])
        guard !contents.isEmpty else {
            throw ExitFailure(
                "\(SafeText.line(NoteLabel.of(shown.head))) is a text; `notesctl show` prints it", .badData)
        }
        return (shown.head, contents)
    }

    /// One of the contents of the file that the user names.
    ///
    /// - Parameter take: its number, from 1.
    static func content(_ take: Int, of note: String, _ client: any NotesAPI) async throws -> (head: Head, content: FileContent) {
        let (head, contents) = try await file(note, client)
        guard contents.indices.contains(take - 1) else {
            throw ExitFailure("\(SafeText.line(NoteLabel.of(head))) has \(counted(contents.count, "content"))", .usage)
        }
        return (head, contents[take - 1])
    }
}

struct FileAddCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Make notes of files.",
        discussion: """
            Examples:
              notesctl file add garden.jpg
              notesctl file add --to pics/ *.png
              notesctl file add --name pics/garden.jpg IMG_4711.jpg

            Each note has the name of its file, after what --to says. Prints the ids of the notes. If a note of that \
            name exists, `file put` gives it new bytes. Adding the same file under the same name twice makes one note.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The files.", completion: .file())
    var files: [String]

    @Option(name: .long, help: ArgumentHelp("Begin the names with this.", valueName: "folder"), completion: NoteCompletion.names)
    var to = ""

    @Option(name: .long, help: "The name of the note, for one file.")
    var name: String?

    func validate() throws {
        if name != nil && files.count != 1 { throw ValidationError("Give --name for one file only.") }
        if name != nil && !to.isEmpty { throw ValidationError("Give --name or --to, not both.") }
    }

    func perform() async throws {
        let folder = to.isEmpty || to.hasSuffix("/") ? to : to + "/"
        try await options.withClient { client in
            for path in files {
                let file = try LocalFile(path)
                let name = name ?? folder + file.name
                do { _ = try NoteName(ByteString(name)) } catch {
                    throw ExitFailure("\(SafeText.quoted(name)): \(error)", .badData)
                }
                try await NameCheck.refuseBeginningOfID(name, client)
                let note = try await add(file, as: ByteString(name), client)
                if options.isForPrograms { try options.emit(note.json) } else { try Output.line(note.head.id.description) }
            }
        }
    }

    private func add(_ file: borrowing LocalFile, as name: ByteString, _ client: any NotesAPI) async throws -> NoteObject {
        do {
            let content = try await file.upload(client)
            return try await client.begin(file: content, name: name, at: Clock.now())
        } catch ClientError.refused(let error) where error.kind == .noteExists {
            throw ExitFailure(
                "a note \(SafeText.quoted("\(name)")) exists; give it these bytes with `notesctl file put`, or choose another --name"
            )
        } catch {
            throw explained(error, "cannot add \(SafeText.quoted("\(name)"))")
        }
    }
}

struct FilePutCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "put",
        abstract: "Give a file new bytes.",
        discussion: """
            Examples:
              notesctl file put pics/garden.jpg garden-2.jpg

            The former bytes stay in the history: `notesctl undo pics/garden.jpg` brings them back. If somebody gave the \
            file other bytes meanwhile, both stay, and the file is in conflict.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note.", completion: NoteCompletion.notes)
    var note: String

    @Argument(help: "The file with the new bytes.", completion: .file())
    var file: String

    @Option(name: .long, help: ArgumentHelp("The version that the bytes are based on.", valueName: "version"))
    var base: String?

    func perform() async throws {
        let file = try LocalFile(file)
        try await options.withClient { client in
            let (head, _) = try await FileCommand.file(note, client)
            var version = head.version
            if let base { version = try await VersionReference(text: base).version(of: head.id, client) }
            do {
                let content = try await file.upload(client)
                let outcome = try await client.save(SaveNote(id: head.id, base: version, file: content))
                try await SaveReport(note: head, options: options).report(outcome) { try await client.note(.id(head.id)) }
            } catch {
                throw explained(error, "cannot save \(SafeText.line(NoteLabel.of(head)))")
            }
        }
    }
}

struct FileGetCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Write the bytes of a file.",
        discussion: """
            Examples:
              notesctl file get pics/garden.jpg -o garden.jpg
              notesctl file get pics/garden.jpg | display
              notesctl file get --at 9f86d0:12 pics/garden.jpg -o old.jpg

            Compares the bytes with their hash. With --output, a file that is there is replaced once all bytes are \
            written. If the file is in conflict, --take chooses one of its contents, which `file list` counts.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note.", completion: NoteCompletion.notes)
    var note: String

    @Option(name: [.customShort("o"), .long], help: ArgumentHelp("Write to this file.", valueName: "file"), completion: .file())
    var output: String?

    @Option(name: .long, help: "The bytes at this version; `history` lists versions.")
    var at: String?

    @Option(name: .long, help: ArgumentHelp("Which of several contents, from 1.", valueName: "number"))
    var take = 1

    func perform() async throws {
        guard output != nil || !Terminal.isOutput else {
            throw ExitFailure("the bytes of a file are nothing for a terminal; use --output FILE or a pipe", .usage)
        }
        try await options.withClient { client in
            let (head, contents) = try await FileCommand.file(note, at: at, client)
            guard contents.indices.contains(take - 1) else {
                throw ExitFailure("\(SafeText.line(NoteLabel.of(head))) has \(counted(contents.count, "content"))", .usage)
            }
            let download = FileDownload(contents[take - 1], client)
            do {
                if let output {
                    let file = try ReplacedFile(output)
                    try await download.bytes(file.write)
                    try file.finish()
                } else {
                    try await download.bytes(Output.write)
                }
            } catch {
                throw explained(error, "cannot read \(SafeText.line(NoteLabel.of(head)))")
            }
            if contents.count > 1, at == nil {
                Output.note("\(SafeText.line(NoteLabel.of(head))) has \(contents.count) contents, and this is number \(take)")
            }
        }
    }
}

struct FileListCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List files: name, time of the last change, size, id and type.",
        discussion: """
            Examples:
              notesctl file list
              notesctl file list --prefix pics/
              notesctl file list --missing
              notesctl file list --unused

            --missing lists the files whose bytes this store does not have yet. --declined lists those that it leaves to \
            other machines, since they are above files.fetch_bytes_max. --unused lists the files that no link in \
            another note means. --unnamed lists bytes that no note names: \
            the daemon removes them a day after they were uploaded.
            """)

    @OptionGroup var options: GlobalOptions

    @Option(name: .long, help: "Only files whose name starts with this.", completion: NoteCompletion.names)
    var prefix: String?

    @Flag(name: .long, help: "Only files whose bytes are not in this store yet.")
    var missing = false

    @Flag(name: .long, help: "Only files that this store leaves to other machines.")
    var declined = false

    @Flag(name: .long, help: "Only files that no link in another note means.")
    var unused = false

    @Flag(name: .long, help: "Bytes that no note names.")
    var unnamed = false

    func validate() throws {
        if [missing, declined, unused, unnamed].count(where: { $0 }) > 1 {
            throw ValidationError("Give one of --missing, --declined, --unused and --unnamed.")
        }
        if prefix != nil && state != nil { throw ValidationError("--prefix selects among all files only.") }
    }

    /// The state of the files to list; nil for notes.
    private var state: ListFiles.State? { missing ? .missing : declined ? .declined : unnamed ? .unnamed : nil }

    func perform() async throws {
        options.page()
        var isEmpty = true
        try await options.withClient { client in
            if let state {
                try await client.eachFile(ListFiles(state)) { file in
                    isEmpty = false
                    if options.isForPrograms { return try options.emit(file.json) }
                    let heads = try await client.heads(of: file.notes)
                    let names = file.notes.compactMap { heads[$0] }.map { SafeText.line(NoteLabel.of($0)) }
                    let size = ByteCount.text(file.content.bytes)
                    try Output.line("\(file.content.hash)  \(size)\(names.isEmpty ? "" : "  ")\(names.joined(separator: ", "))")
                }
                return
            }
            var printer = try ListPrinter(options)
            let filter = Filter(prefix: prefix.map { ByteString($0) }, kind: .file)
            if unused {
                try printer.print(try await Self.unused(try await client.listAll(filter), client))
            } else {
                try await client.eachPage(filter) { notes in
                    try printer.print(notes)
                    return true
                }
            }
            isEmpty = printer.isEmpty
        }
        if isEmpty, Terminal.isOutput, !options.isForPrograms {
            Output.note(state != nil || unused ? "none" : "no files; `notesctl file add FILE` makes a note of one")
        }
    }

    /// The files that no link in another note means.
    private static func unused(_ files: [NoteObject], _ client: any NotesAPI) async throws -> [NoteObject] {
        var used: Set<NoteID> = []
        try await BoundedTaskGroup.run(files.map(\.head.id)) { id in
            var params = ListIncomingLinks(id: id, limit: 1)
            repeat {
                let page = try await client.links(to: params)
                if !page.links.isEmpty { return true }
                params.after = page.next
            } while params.after != nil
            return false
        } finished: { id, isUsed in
            if isUsed { used.insert(id) }
        }
        return files.filter { !used.contains($0.head.id) }
    }
}
