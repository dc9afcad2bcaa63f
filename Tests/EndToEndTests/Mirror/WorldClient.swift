import NotesClient
import NotesMethods
import NotesModel
import NotesWire

@testable import FolderSync

/// A client of the mirror that lets a world take its steps around each call.
struct WorldClient: NotesAPI {
    let client: NotesClient
    /// Called before a request is sent, and after it is answered. Its error takes the place of the answer.
    let called: @Sendable (_ isBefore: Bool) async throws -> Void

    var hello: HelloResult? {
        get async { await client.hello }
    }

    func noteID(at time: Timestamp) -> NoteID { client.noteID(at: time) }

    func close() async { await client.close() }

    func response<Response: WireResult>(
        to call: Call, as response: Response.Type, progress: (@Sendable (RequestProgress) -> Void)?
    ) async throws -> Response {
        try await called(true)
        let result = try await client.response(to: call, as: response, progress: progress)
        try await called(false)
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
