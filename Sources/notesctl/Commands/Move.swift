import ArgumentParser
import NotesClient
import NotesModel
import NotesWire

struct Move: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "mv",
        abstract: "Rename a note.",
        discussion: """
            Examples:
              notesctl mv work/inbox work/archive/2026
              notesctl mv work/inbox work/done/
              notesctl mv 01a1ff91 recipes/bread
              notesctl mv recipes/bread --no-name

            If the new name ends in a slash, `mv` appends the last part of the old name: `mv \
            work/inbox done/` renames the note to done/inbox. The text, the id and the history stay \
            the same. The daemon rejects a name that another note has.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note.", completion: NoteCompletion.notes)
    var note: String

    @Argument(help: "The new name.", completion: NoteCompletion.names)
    var name: String?

    @Flag(name: .long, help: "Remove the name.")
    var noName = false

    func validate() throws {
        if (name == nil) == !noName { throw ValidationError("Give the new name, or --no-name.") }
    }

    func perform() async throws {
        try await options.withClient { client in
            let current = try await NoteReference(note).note(client).head
            let old = SafeText.line(NoteLabel.of(current))
            let wanted = try Self.name(name, of: current)
            let outcome: OutcomeResult
            do {
                let request = NameRequest.changing(current.name, to: wanted)
                guard request != .leave else {
                    return Output.note("\(old) already has that name, so nothing was saved")
                }
                outcome = try await client.save(SaveParams(id: current.id, base: current.version, name: request))
            } catch {
                throw explained(error, "cannot rename \(old)")
            }
            var renamed = current
            renamed.name = wanted
            try await SaveReport(note: renamed, options: options).report(outcome) { try await client.note(.id(current.id)) }
        }
    }

    /// The new name of a note; nil for none.
    ///
    /// - Parameter name: the argument. If it ends in a slash, the last part of the note's name is
    ///   appended.
    static func name(_ name: String?, of note: Head) throws(ExitFailure) -> NoteName? {
        guard var name else { return nil }
        if name.hasSuffix("/") {
            guard let last = note.name?.description.split(separator: "/").last else {
                throw ExitFailure("the note has no name to take the last part from; give the new name in full", .usage)
            }
            name += last
        }
        do { return try NoteName(ByteString(name)) } catch { throw ExitFailure("\(SafeText.quoted(name)): \(error)", .badData) }
    }
}
