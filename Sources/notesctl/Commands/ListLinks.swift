import ArgumentParser
import NotesClient
import NotesModel
import NotesWire
import StrictJSON

struct ListLinks: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "links",
        abstract: "List the links to and from a note, or links to nothing.",
        discussion: """
            Examples:
              notesctl links work/inbox
              notesctl links --missing
              notesctl links --missing --json | jq -r .target

            Prints the links in other notes that mean NOTE, each with its line, and then the links in \
            NOTE with the notes that they mean. A link is [[name]], ![[name]] or [text](name.md). A \
            name is found from the folder of the linking note or from the root, or by its last parts, \
            an alias or the title. With --missing, prints the targets that mean no note, each with the \
            number of links.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note.", completion: NoteCompletion.notes)
    var note: String?

    @Flag(name: .long, help: "List the targets in all notes that mean no note.")
    var missing = false

    func validate() throws {
        guard missing == (note == nil) else {
            throw ValidationError(missing ? "--missing lists all notes; omit NOTE" : "name a note, or use --missing")
        }
    }

    func perform() async throws {
        try await options.withClient { client in
            if let note {
                let note = try await NoteReference(note).note(client)
                try await printIncoming(note, client)
                try await printOutgoing(note, client)
            } else {
                try await printMissing(client)
            }
        }
    }

    // MARK: - Links to and from a note

    private func printIncoming(_ note: NoteObject, _ client: any NotesAPI) async throws {
        var params = IncomingLinksParams(id: note.head.id, limit: WireProtocol.listLimits.upperBound)
        repeat {
            let page = try await client.links(to: params)
            for link in page.links {
                try print("to", link.note.head, kind: link.kind, link.target, link.fragment, snippet: link.snippet)
            }
            params.after = page.next
        } while params.after != nil
    }

    private func printOutgoing(_ note: NoteObject, _ client: any NotesAPI) async throws {
        let links = Links.of(note.text ?? []).filter { !$0.target.isEmpty }
        for start in stride(from: 0, to: links.count, by: WireProtocol.resolvedTargetsMax) {
            let part = links[start..<min(start + WireProtocol.resolvedTargetsMax, links.count)]
            let params = ResolveLinksParams(targets: part.map(LinkTarget.init), from: note.head.id)
            let found = try await client.resolveLinks(params).found
            for (link, meaning) in zip(part, found) {
                try print("from", meaning.notes.first?.head, kind: link.kind, link.target, link.fragment, snippet: nil)
            }
        }
    }

    /// Prints one link: `to` the note, with the linking note; or `from` the note, with the note that the
    /// link means, or nil.
    private func print(
        _ direction: ByteString, _ other: Head?, kind: Link.Kind, _ target: ByteString, _ fragment: ByteString?,
        snippet: [UInt8]?
    ) throws {
        if options.isForPrograms {
            var writer = JSONWriter()
            writer.object { line in
                line.member("direction", direction)
                line.member("id", other.map { ByteString($0.id.description) })
                line.member("name", other?.name?.bytes)
                line.member("kind", kind.wireName)
                line.member("target", target)
                line.member("fragment", fragment)
                if let snippet { line.member("snippet", text: snippet) } else { line.member("snippet", nil as ByteString?) }
            }
            return try options.emit(writer.bytes)
        }
        let name = other.map(NoteLabel.of) ?? "(no note)"
        let shown = snippet.map { String(decoding: $0, as: UTF8.self) } ?? target.description
        try Output.lines(["\(direction)\t\(SafeText.line(name))\t\(SafeText.line(shown))"])
    }

    // MARK: - Missing targets

    private func printMissing(_ client: any NotesAPI) async throws {
        var params = MissingLinksParams(limit: WireProtocol.listLimits.upperBound)
        var pending: MissingTarget?
        repeat {
            let page = try await client.missingLinks(params)
            for target in page.targets {
                // A target with many links can be on several pages.
                if let last = pending, last.target == target.target, last.kind == target.kind {
                    pending?.links += target.links
                } else {
                    if let pending { try print(pending) }
                    pending = target
                }
            }
            params.after = page.next
        } while params.after != nil
        if let pending { try print(pending) }
    }

    private func print(_ target: MissingTarget) throws {
        if options.isForPrograms {
            var writer = JSONWriter()
            writer.object { line in
                line.member("kind", target.kind.wireName)
                line.member("target", target.target)
                line.member("links", target.links)
                line.name("notes")
                line.array(of: target.notes) { $0.string($1.description) }
            }
            return try options.emit(writer.bytes)
        }
        try Output.lines(["\(SafeText.line(target.target.description))\t\(target.links)"])
    }
}
