package import Causality
package import NotesClient
package import NotesMethods
package import NotesModel
package import NotesWire

/// A client that records each write in the operation log.
package struct RecordingClient: NotesAPI {
    let client: any NotesAPI
    let log: OperationLog

    package init(client: any NotesAPI, log: OperationLog) {
        self.client = client
        self.log = log
    }

    package var hello: HelloResult? {
        get async { await client.hello }
    }

    package func noteID(at time: Timestamp) -> NoteID { client.noteID(at: time) }

    package func close() async { await client.close() }

    package func response<Response: WireResult>(
        to call: Call, as response: Response.Type, progress: (@Sendable (RequestProgress) -> Void)?
    ) async throws -> Response {
        let result = try await client.response(to: call, as: response, progress: progress)
        guard call.isWrite, let store = await client.hello?.store else { return result }
        if let made = (result as? CreateResult)?.note.head, let dot = made.version.single {
            log.record(made.id, dot, store: store)
        } else if let dot = (result as? OutcomeResult)?.dot, let note = call.note {
            log.record(note, dot, store: store)
        }
        return result
    }
}

extension NotesAPI {
    /// The id of the daemon's store.
    package func store() async throws -> ReplicaID {
        // The ping throws the reason if there was no hello.
        try await ping()
        guard let store = await hello?.store else { throw ClientError.closed }
        return store
    }
}

extension Call {
    /// The note that the call writes; nil if it creates or purges one, or writes nothing.
    fileprivate var note: NoteID? {
        switch self {
        case .write(.createNote), .write(.purgeNote): nil
        case .write(let command): command.note
        default: nil
        }
    }
}
