import Causality
import Dependents
import NotesMethods
import NotesModel
import NotesStore

extension LongReads {
    /// A request or a page that the engine continues after a walk.
    enum Item {
        case request(Request)
        /// Presence that a connection published without expecting a response, oldest first.
        case presence([SetPresence], of: DependentID)
        /// The responses to executed writes of a connection (`HeldResponse`).
        case responses(of: DependentID)
        /// A page of a watch whose lines show a note. The connection's requests do not wait for it.
        case delivery(of: NoteID, to: DependentID)
        /// Lines of watches that show the sides of a note's conflicts at a version. All connections with
        /// such lines share it, and their requests do not wait for it.
        case lines(ConflictedState)
        /// The commits of a note down to one, which lines and pages of watches need. All connections that
        /// need them share it (`Engine+Descents`).
        case commits(SharedDescent)

        /// The connection that waits; 0, the number of none, for a walk that connections share.
        var dependent: DependentID {
            switch self {
            case .request(let request): request.dependent
            case .presence(_, let dependent), .responses(let dependent), .delivery(_, let dependent): dependent
            case .lines, .commits: DependentID(0)
            }
        }

        /// Whether later requests of the connection wait for the item.
        var holdsRequests: Bool {
            switch self {
            case .request, .presence, .responses: true
            case .delivery, .lines, .commits: false
            }
        }

        /// Whether it is a write. Writes are executed even if their connection ends meanwhile.
        var isWrite: Bool {
            guard case .request(let request) = self, case .call(.write(let command)) = request.body else { return false }
            if case .undoNote(let undo) = command { return !undo.isPreview }
            return true
        }
    }

    /// A walk.
    enum Walk {
        case version(VersionRead)
        case load(NoteLoad)
        case commits(CommitDescent)

        /// The note.
        var note: NoteID {
            switch self {
            case .version(let read): read.note
            case .load(let load): load.id
            case .commits(let descent): descent.id
            }
        }

        /// The note that is loaded; nil if none is.
        var loaded: NoteID? {
            if case .load(let load) = self { load.id } else { nil }
        }
    }
}

/// The commits of a note, from the newest down to one.
struct SharedDescent: Hashable {
    let note: NoteID
    let commit: UInt64
}
