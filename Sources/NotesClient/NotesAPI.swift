package import NotesMethods
package import NotesModel
package import NotesWire

/// The operations of a client, whichever way it connects.
///
/// `NotesClient` serves any number of concurrent tasks and supports watches. `BlockingClient` is
/// for programs that make a few calls and exit. The methods of the protocol are in an extension of
/// this.
package protocol NotesAPI: Sendable {
    /// The daemon's response to the newest hello; nil before the first.
    var hello: HelloResult? { get async }

    /// Sends a call and reads its result.
    ///
    /// - Parameter progress: called with the progress that the daemon reports; must not block.
    /// - Throws: `ClientError`, or `CancellationError`.
    func response<Response: WireResult>(
        to call: Call, as response: Response.Type, progress: (@Sendable (RequestProgress) -> Void)?
    ) async throws -> Response

    /// A new note id. A client that sends the id with `note.create` can retry without creating two
    /// notes.
    func noteID(at time: Timestamp) -> NoteID

    /// Closes the connection.
    func close() async
}

extension NotesAPI {
    /// Sends a call and reads its result, whose type the context gives.
    ///
    /// - Throws: `ClientError`, or `CancellationError`.
    package func call<Response: WireResult>(
        _ call: Call, response: Response.Type = Response.self, progress: (@Sendable (RequestProgress) -> Void)? = nil
    ) async throws -> Response {
        try await self.response(to: call, as: response, progress: progress)
    }
}

extension NotesClient: NotesAPI {
    package func response<Response: WireResult>(
        to call: Call, as response: Response.Type, progress: (@Sendable (RequestProgress) -> Void)?
    ) async throws -> Response {
        try await self.call(call, response: response, progress: progress)
    }
}
