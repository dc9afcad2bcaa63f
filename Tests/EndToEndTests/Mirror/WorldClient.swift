import NotesClient
import NotesModel
import NotesWire

/// A client of the mirror that lets the world take its steps before each call.
struct WorldClient: NotesAPI {
    let client: NotesClient
    let world: MirrorWorld

    var hello: HelloResult? {
        get async { await client.hello }
    }

    func noteID(at time: Timestamp) -> NoteID { client.noteID(at: time) }

    func close() async { await client.close() }

    func answer<Answer: WireResult>(
        to call: Call, as answer: Answer.Type, progress: (@Sendable (RequestProgress) -> Void)?
    ) async throws -> Answer {
        try await world.called(isBefore: true)
        let result = try await client.answer(to: call, as: answer, progress: progress)
        try await world.called(isBefore: false)
        return result
    }
}
