package import EditSession
package import NotesClient
package import NotesMethods
package import NotesModel
import NotesWire

extension EditWrite {
    /// The call of the daemon that performs the write.
    package var call: Call {
        switch self {
        case .edit(let params), .repair(let params): .write(.editNote(params))
        case .save(let params): .write(.saveNote(params))
        case .undo(let params): .write(.undoNote(params))
        }
    }
}

/// The requests of an `EditSession`.
extension NotesAPI {
    /// The response to a write.
    package func response(to write: EditWrite, _ number: UInt64) async throws -> EditEvent {
        .written(number, try await call(write.call))
    }

    /// The response to a read.
    package func response(to read: EditRead, of note: NoteID, _ number: UInt64) async throws -> EditEvent {
        switch read {
        case .newest(let from): .read(number, try await self.note(.id(note), from: from))
        case .at(let version): .read(number, try await self.note(.id(note), at: version))
        }
    }
}
