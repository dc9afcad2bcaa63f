import NotesModel
import NotesWire
import StrictJSON

extension NoteRevision {
    /// The entry as one JSON object.
    package var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}
