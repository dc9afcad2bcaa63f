import NotesClient
import NotesMethods
import NotesModel
import NotesWire

@testable import FolderSync

/// A client of the mirror that lets the world take its steps before each call.
struct WorldClient: NotesAPI {
    let client: NotesClient
    let world: MirrorWorld

    var hello: HelloResult? {
        get async { await client.hello }
    }

    func noteID(at time: Timestamp) -> NoteID { client.noteID(at: time) }

    func close() async { await client.close() }

    func response<Response: WireResult>(
        to call: Call, as response: Response.Type, progress: (@Sendable (RequestProgress) -> Void)?
    ) async throws -> Response {
        try await world.called(isBefore: true)
        let result = try await client.response(to: call, as: response, progress: progress)
        try await world.called(isBefore: false)
        return result
    }
}

extension MirroredNotes {
    /// Takes in what has changed, as a watch reports it.
    ///
    /// - Parameter all: all living notes.
    func follow(_ all: [NoteObject]) {
        let gone = Set(self.all.map(\.head.id)).subtracting(all.map(\.head.id))
        for note in all where self.note(note.head.id)?.head != note.head { change(note.head.id, to: note) }
        for id in gone { change(id, to: nil) }
    }
}
