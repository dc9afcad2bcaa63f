import ArgumentParser
import Causality
import NotesClient
import NotesModel
import NotesWire

struct Revert: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "revert",
        abstract: "Make a note as it was at an earlier revision.",
        discussion: """
            Examples:
              notesctl history work/inbox
              notesctl revert work/inbox 9f86d0:12

            Text and name become what they were, as a new revision on what the note shows now; what came in between stays in the \
            history. A deleted note lives again. To take back one change and keep those after it, use `undo`.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note; a deleted one by its id.", completion: NoteCompletion.notes)
    var note: String

    @Argument(help: "The revision; `history` lists them.")
    var dot: String

    func perform() async throws {
        try await options.withClient { client in
            let now = try await NoteReference(note).note(client, deleted: true)
            let label = SafeText.line(NoteLabel.of(now.head))
            let version = try await VersionReference(text: dot).version(of: now.head.id, client)
            let then = try await NoteAtVersion.read(version, of: now, client)
            guard then.exists else {
                throw ExitFailure("\(label) was deleted at \(SafeText.quoted(dot)); `notesctl rm` deletes it", .usage)
            }
            do {
                let outcome = try await client.save(
                    SaveParams(
                        id: now.head.id, base: now.head.version, text: then.text, name: .changing(now.head.name, to: then.name)))
                try await SaveReport(note: now.head, options: options).tell(outcome) {
                    try await client.note(.id(now.head.id))
                }
            } catch {
                throw explained(error, "cannot revert \(label)")
            }
        }
    }
}

extension NameRequest {
    /// Nothing is asked where it is the same.
    static func changing(_ name: NoteName?, to wanted: NoteName?) -> NameRequest {
        name == wanted ? .leave : wanted.map { .set($0.bytes) } ?? .clear
    }
}
