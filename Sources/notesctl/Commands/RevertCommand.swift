import ArgumentParser
import Causality
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

struct RevertCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "revert",
        abstract: "Restore a note to an earlier revision.",
        discussion: """
            Examples:
              notesctl history work/inbox
              notesctl revert work/inbox 9f86d0:12

            Creates a new revision with the text and name of the earlier one; the revisions in \
            between stay in the history. Restores a deleted note, with the name that it had then. To undo one change and keep later \
            ones, use `undo`.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note; a deleted one by its last name or by its id.", completion: NoteCompletion.notes)
    var note: String

    @Argument(help: "The revision; `history` lists them.")
    var dot: String

    func perform() async throws {
        try await options.withClient { client in
            let now = try await NoteReference(note).note(client, deleted: true)
            let label = SafeText.line(now.head.isDeleted ? note : NoteLabel.of(now.head))
            let version = try await VersionReference(text: dot).version(of: now.head.id, client)
            let then = try await NoteAtVersion.read(version, of: now, client)
            guard then.exists else {
                throw ExitFailure("\(label) was deleted at \(SafeText.quoted(dot)); use `notesctl rm` to delete it", .usage)
            }
            do {
                let file = FileContent.first(of: then.text)
                let outcome = try await client.save(
                    SaveNote(
                        id: now.head.id, base: now.head.version, text: file == nil ? then.text : nil, file: file,
                        name: .changing(now.head.name, to: then.name)))
                let after = try await client.note(.id(now.head.id))
                if let sentence = NoteFate(before: now.head, after: after.head, name: label).sentence { Output.note(sentence) }
                try await SaveReport(note: now.head, options: options).report(outcome, label: NoteLabel.of(after.head)) {
                    try await client.note(.id(now.head.id))
                }
            } catch {
                throw explained(error, "cannot revert \(label)")
            }
        }
    }
}

extension NameRequest {
    /// The request that changes a name to the wanted one; `leave` if they are equal.
    static func changing(_ name: NoteName?, to wanted: NoteName?) -> NameRequest {
        name == wanted ? .leave : wanted.map { .set($0.bytes) } ?? .clear
    }
}
