import Console
package import NoteText
import NotesClient
package import NotesModel
import NotesWire

/// What a command that goes back in a note's history did to the note's name and existence.
package struct NoteFate {
    let before: Head
    let after: Head
    /// The name of the note before the command, in messages.
    let name: String
    /// The name that the command could not give back to the note, because another note has it.
    var lostName: NoteName?
    /// The command that takes back the deletion of the note.
    var wayBack = "undo"
    /// Whether the note was deleted before.
    var wasDeleted = false

    package init(
        before: Head, after: Head, name: String, lostName: NoteName? = nil, wayBack: String = "undo", wasDeleted: Bool = false
    ) {
        self.before = before
        self.after = after
        self.name = name
        self.lostName = lostName
        self.wayBack = wayBack
        self.wasDeleted = wasDeleted
    }

    /// A sentence; nil if name and existence are as before.
    package var sentence: String? {
        let lost = lostName.map { ", because another note is named \(SafeText.line($0.description))" } ?? ""
        switch (before.isDeleted, after.isDeleted) {
        case (true, true): return nil
        case (false, true):
            let again = wasDeleted ? " again" : ""
            return "\(name) is deleted\(again); `notesctl \(wayBack) \(NoteLabel.reference(before))` brings it back"
        case (true, false):
            if let own = after.name { return "the note is back, named \(SafeText.line(own.description)) again" }
            return "the note is back, without a name\(lost)"
        case (false, false):
            guard before.name != after.name else { return nil }
            if let own = after.name { return "\(name) is named \(SafeText.line(own.description)) again" }
            return "\(name) has no name now\(lost)"
        }
    }

    /// Reads which of the names that the note had another note has now.
    static func lost(_ names: [NoteName], by note: Head, _ client: any NotesAPI) async throws -> NoteName? {
        guard note.name == nil, !note.isDeleted else { return nil }
        for name in names {
            do {
                if try await client.note(.name(name.bytes)).head.id != note.id { return name }
            } catch ClientError.refused(let error) where error.kind == .noteNotFound {
                continue
            }
        }
        return nil
    }
}
