import NotesClient
import NotesWire

/// Converts a client error to an `ExitFailure` whose message begins with `subject`, such as
/// `cannot save work/inbox`. Returns other errors unchanged.
func explained(_ error: any Error, _ subject: String) -> any Error {
    guard let error = error as? ClientError else { return error }
    return ExitFailure(error, subject)
}

extension ConflictObject {
    /// The object in the protocol's JSON.
    var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

extension NoteObject {
    /// The object in the protocol's JSON.
    var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

extension OutcomeResult {
    /// The object in the protocol's JSON.
    var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}
