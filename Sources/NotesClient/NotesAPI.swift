package import NotesModel
package import NotesWire

/// Who asks the daemon: `NotesClient`, which any number of tasks use at once and which watches too, or `BlockingClient`, for a
/// program that asks a thing or two and ends. What there is to ask stands in extensions of this.
package protocol NotesAPI: Sendable {
    /// What the daemon said at the newest hello; nil before that.
    var hello: HelloResult? { get async }

    /// Sends a call and reads its result.
    ///
    /// - Parameter progress: told how far the daemon is, where it says so; it must not wait.
    /// - Throws: `ClientError`, or `CancellationError`.
    func answer<Response: WireResult>(
        to call: Call, as answer: Response.Type, progress: (@Sendable (RequestProgress) -> Void)?
    ) async throws -> Response

    /// A new id for a note, so that its creation can be repeated without making it twice.
    func noteID(at time: Timestamp) -> NoteID

    /// Closes the connection.
    func close() async
}

extension NotesAPI {
    /// As `answer`, of the type that is wanted.
    package func call<Response: WireResult>(
        _ call: Call, answer: Response.Type = Response.self, progress: (@Sendable (RequestProgress) -> Void)? = nil
    ) async throws -> Response {
        try await self.answer(to: call, as: answer, progress: progress)
    }
}

extension NotesClient: NotesAPI {
    package func answer<Response: WireResult>(
        to call: Call, as answer: Response.Type, progress: (@Sendable (RequestProgress) -> Void)?
    ) async throws -> Response {
        try await self.call(call, answer: answer, progress: progress)
    }
}
