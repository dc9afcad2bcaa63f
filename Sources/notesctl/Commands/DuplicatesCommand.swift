import ArgumentParser
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire
import StrictJSON

struct DuplicatesCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "duplicates",
        abstract: "List notes that share a name, as after two machines met.",
        discussion: """
            Examples:
              notesctl duplicates
              notesctl duplicates --settle

            Two machines that did not know of each other can have made notes of one name. Commands then take \
            the name for the one with the least id, which is listed first; the others are named by their ids. \
            A note whose text equals that of the first is marked with =, and --settle deletes it; `op undo` \
            brings it back, without a name. For the others, move what you need with `edit`, and rename or delete the rest with `mv` and `rm`.

            With --json, prints one object per note.
            """)

    @OptionGroup var options: GlobalOptions

    @Flag(name: .long, help: "Delete each note whose text equals that of the first note of its name.")
    var settle = false

    /// A note that shares its name with others.
    private struct Duplicate {
        let head: Head
        /// Whether another note comes first and has the same text.
        let isEqual: Bool
    }

    func perform() async throws {
        options.page()
        try await options.withClient { client in
            var byName: [NoteName: [Head]] = [:]
            for note in try await client.listAll() {
                if let name = note.head.name { byName[name, default: []].append(note.head) }
            }
            var count = 0
            for (_, heads) in byName.filter({ $0.value.count > 1 }).sorted(by: { $0.key.bytes < $1.key.bytes }) {
                for duplicate in try await compared(heads.sorted { $0.id < $1.id }, client) {
                    count += 1
                    try report(duplicate)
                    guard settle, duplicate.isEqual else { continue }
                    let head = duplicate.head
                    do {
                        _ = try await client.delete(head.id, base: head.version)
                    } catch {
                        throw explained(error, "cannot delete \(head.id)")
                    }
                }
            }
            if count == 0, Terminal.isOutput { Output.note("no two notes have the same name") }
        }
    }

    private func compared(_ heads: [Head], _ client: any NotesAPI) async throws -> [Duplicate] {
        let first = try await client.note(.id(heads[0].id))
        var duplicates = [Duplicate(head: first.head, isEqual: false)]
        for head in heads.dropFirst() {
            guard head.bytes == first.head.bytes else {
                duplicates.append(Duplicate(head: head, isEqual: false))
                continue
            }
            // The version is that of the compared text, so that no later change is deleted.
            let note = try await client.note(.id(head.id))
            duplicates.append(Duplicate(head: note.head, isEqual: note.text == first.text && note.conflicts.isEmpty))
        }
        return duplicates
    }

    private func report(_ duplicate: Duplicate) throws {
        let head = duplicate.head
        if options.isForPrograms {
            var writer = JSONWriter()
            writer.object { line in
                line.member("id", head.id.description)
                line.member("name", head.name?.description ?? "")
                line.member("bytes", head.bytes)
                line.member("equal", duplicate.isEqual)
            }
            return try options.emit(writer.bytes)
        }
        let mark = duplicate.isEqual ? "=" : " "
        try Output.line("\(head.id) \(mark) \(head.bytes)\t\(SafeText.line(NoteLabel.of(head)))")
    }
}
