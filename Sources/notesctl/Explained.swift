import NotesClient
import NotesWire

/// An error of the client, with what was to be done before it; others as they are.
func explained(_ error: any Error, _ subject: String) -> any Error {
    guard let error = error as? ClientError else { return error }
    return ExitFailure(error, subject)
}

extension ConflictObject {
    /// As the protocol has it.
    var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

extension NoteObject {
    /// As the protocol has it.
    var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

extension OutcomeResult {
    /// As the protocol has it.
    var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}
