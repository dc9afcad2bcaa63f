import ArgumentParser
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire
import StrictJSON

struct TagsCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "tags",
        abstract: "List tags, of all notes or of one.",
        discussion: """
            Examples:
              notesctl tags
              notesctl tags --prefix work/
              notesctl tags work/inbox
              notesctl tags --format '{tag}'

            Prints one line per tag, with the number of notes that have it, the most used tags \
            first. With NOTE, prints the tags of that note. A tag is a word after # in the text, \
            or an entry of tags in the front matter.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "Only the tags of this note.", completion: NoteCompletion.notes)
    var note: String?

    @Option(name: .long, help: "Only notes whose name starts with this.", completion: NoteCompletion.names)
    var prefix: String?

    func perform() async throws {
        var counts: [ByteString: Int] = [:]
        try await options.withClient { client in
            if let note {
                for tag in try await NoteReference(note).note(client).head.tags { counts[tag] = 1 }
                return
            }
            guard let prefix else {
                for tag in try await client.tags() { counts[tag.tag] = tag.notes }
                return
            }
            try await client.eachPage(Filter(prefix: ByteString(prefix))) { notes in
                for tag in notes.lazy.flatMap(\.head.tags) { counts[tag, default: 0] += 1 }
                return true
            }
        }
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        if options.isForPrograms {
            for (tag, count) in sorted { try options.emit(Self.json(tag, count)) }
            return
        }
        options.page()
        try Output.lines(lines(sorted.map { ("\($0.key)", $0.value) }))
        if sorted.isEmpty && Terminal.isOutput { Output.note("no tags; #word in a note's text adds one") }
    }

    private func lines(_ tags: [(tag: String, notes: Int)]) -> [String] {
        guard Terminal.isOutput else { return tags.map { note == nil ? "\($0.tag)\t\($0.notes)" : $0.tag } }
        let width = tags.map { DisplayWidth.of($0.tag) + 1 }.max() ?? 0
        return tags.map { tag in
            let name = Terminal.style.cyan(DisplayWidth.fit("#" + SafeText.line(tag.tag), columns: width))
            return note == nil ? "\(name)  \(tag.notes)" : name
        }
    }

    private static func json(_ tag: ByteString, _ notes: Int) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { line in
            line.member("tag", tag)
            line.member("notes", notes)
        }
        return writer.bytes
    }
}
