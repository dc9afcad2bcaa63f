import StrictJSON

/// The prompts of `notesctl mcp`: requests that a user makes of an agent with one word. The raw value
/// is the name on the wire.
enum ContextPrompt: String, CaseIterable {
    case daily
    case resolve
    case tidy

    /// A line for the user who chooses among the prompts.
    var about: String {
        switch self {
        case .daily: "Sum up what changed in the notes today, and by whom."
        case .resolve: "Go through a note's conflicts and resolve them with me."
        case .tidy: "Find notes without tags or with unclear names, and propose improvements."
        }
    }

    /// The description of the argument `note`; nil if the prompt takes none.
    var note: String? { self == .resolve ? "The id or name of the note." : nil }

    /// The text of the prompt.
    ///
    /// - Parameter note: the value of the argument.
    func text(note: String?) -> String {
        switch self {
        case .daily:
            """
            Sum up what changed in my notes today. List the notes with list_notes, newest first, until their time is before \
            today. For each, use note_history with since, the last version before today. Say in a few lines what was added, \
            changed and removed, and who wrote it. Change nothing.
            """
        case .resolve:
            """
            Help me resolve the conflicts in the note \(note ?? ""). Read them with list_conflicts. For each, show me what \
            each side wrote and what it replaced, and say which you would take and why. Wait for my decision, then use \
            resolve_conflict. If the right text is a mixture, take both and then use edit_note.
            """
        case .tidy:
            """
            Look through my notes with list_notes. Find those without a name, without tags, or with a name that does not say \
            what they are about, and propose tags and names. Change nothing before I agree.
            """
        }
    }

    /// Writes the prompt as an element of `prompts`.
    func write(to writer: inout JSONWriter) {
        writer.object { prompt in
            prompt.member("name", rawValue)
            prompt.member("description", about)
            guard let note else { return }
            prompt.name("arguments")
            prompt.array { arguments in
                arguments.object { argument in
                    argument.member("name", "note")
                    argument.member("description", note)
                    argument.member("required", true)
                }
            }
        }
    }
}
