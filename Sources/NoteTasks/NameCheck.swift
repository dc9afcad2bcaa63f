import Console
package import NotesClient
package import NotesModel
import NotesWire

/// Checks of a name before a note gets it.
package enum NameCheck {
    /// Refuses a name that is the beginning of another note's id. A name takes precedence over such a
    /// beginning, so the words that `list` prints for the other note would denote this one from then on.
    ///
    /// - Parameter own: the id of the note that gets the name; nil for a new note.
    /// - Throws: `ExitFailure` if the name is such a beginning.
    /// - Complexity: O(1) for a name that cannot begin an id; otherwise lists all notes.
    package static func refuseBeginningOfID(_ name: String, of own: NoteID? = nil, _ client: any NotesAPI) async throws {
        guard NoteReference.isPrefix(name) else { return }
        var other: Head?
        try await client.eachPage { page in
            other = page.lazy.map(\.head).first { $0.id != own && $0.id.description.hasPrefix(name) }
            return other == nil
        }
        guard let other else { return }
        throw ExitFailure("\(reason(name, other)); choose another name", .badData)
    }

    /// Why a note must not get a name that is the beginning of the id of another.
    package static func reason(_ name: String, _ other: Head) -> String {
        "\(SafeText.quoted(name)) is the beginning of the id of \(SafeText.line(NoteLabel.of(other))), and would then denote the "
            + "wrong note"
    }
}
