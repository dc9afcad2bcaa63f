import ArgumentParser
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire
import StrictJSON

struct LinksCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "links",
        abstract: "List the links to and from a note, or links to nothing.",
        discussion: """
            Examples:
              notesctl links work/inbox
              notesctl links pics/garden.jpg
              notesctl links --missing
              notesctl links --missing --json | jq -r .target
              notesctl links --graph --prefix work/ > links.dot
              notesctl links --graph --svg > links.svg

            Prints the links in other notes that mean NOTE, each with its line, and then the links in \
            NOTE with the notes that they mean. A link is [[name]], ![[name]] or [text](name.md). A \
            name is found from the folder of the linking note or from the root, or by its last parts, \
            an alias or the title; a file by its name, as in ![](garden.jpg). With --missing, prints the targets that mean no note, each with the \
            number of links. With --graph, prints a graph in the language DOT, which Graphviz draws: a node \
            for each note, and an edge for each pair of notes of which one has links to the other. With \
            --svg, Graphviz draws the graph without the notes that have no links; its program dot must be \
            installed, and sfdp for more than \(GraphDrawing.dotNodesMax) notes.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note.", completion: NoteCompletion.notes)
    var note: String?

    @Flag(name: .long, help: "List the targets in all notes that mean no note.")
    var missing = false

    @Flag(name: .long, help: "Print the graph of the links between notes.")
    var graph = false

    @Flag(name: .long, help: "With --graph, print the graph as an SVG picture.")
    var svg = false

    @Option(name: .long, help: "With --graph, only notes whose names start with PREFIX.")
    var prefix: String?

    func validate() throws {
        let kinds = [note != nil, missing, graph].count { $0 }
        guard kinds > 0 else { throw ValidationError("name a note, or use --missing or --graph") }
        guard kinds == 1 else {
            throw ValidationError(
                missing && graph ? "use --missing or --graph, not both" : "--missing and --graph list all notes; omit NOTE")
        }
        if prefix != nil, !graph { throw ValidationError("--prefix needs --graph") }
        if svg, !graph { throw ValidationError("--svg needs --graph") }
    }

    func perform() async throws {
        try await options.withClient { client in
            if let note {
                let note = try await NoteReference(note).note(client)
                try await printIncoming(note, client)
                try await printOutgoing(note, client)
            } else if missing {
                try await printMissing(client)
            } else {
                try await printGraph(client)
            }
        }
    }

    /// Prints the graph, notes and edges in the order of the list of notes.
    private func printGraph(_ client: any NotesAPI) async throws {
        let notes = try await client.listAll(Filter(prefix: prefix.map { ByteString($0) })).map(\.head)
        var linking: [NoteID: Set<NoteID>] = [:]
        try await BoundedTaskGroup.run(notes.map(\.id)) { id in
            var found: Set<NoteID> = []
            var params = ListIncomingLinks(id: id, limit: WireProtocol.listLimits.upperBound)
            repeat {
                let page = try await client.links(to: params)
                found.formUnion(page.links.map(\.note.head.id))
                params.after = page.next
            } while params.after != nil
            return found
        } finished: { id, found in
            linking[id] = found
        }
        let graph = LinkGraph(notes: notes, linking: linking)
        guard svg else { return try Output.lines(graph.lines) }
        let drawn = graph.linked
        try GraphDrawing.printSVG(of: drawn)
        let omitted = notes.count - drawn.notes.count
        if omitted > 0 { Output.note("left out \(counted(omitted, "note")) without links to others in the graph") }
    }

    // MARK: - Links to and from a note

    private func printIncoming(_ note: NoteObject, _ client: any NotesAPI) async throws {
        var params = ListIncomingLinks(id: note.head.id, limit: WireProtocol.listLimits.upperBound)
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
        let kind = await client.linkedKind
        for start in stride(from: 0, to: links.count, by: WireProtocol.resolvedTargetsMax) {
            let part = links[start..<min(start + WireProtocol.resolvedTargetsMax, links.count)]
            let params = ResolveLinks(targets: part.map(LinkTarget.init), from: note.head.id, kind: kind)
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
        var params = ListMissingLinks(limit: WireProtocol.listLimits.upperBound)
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
