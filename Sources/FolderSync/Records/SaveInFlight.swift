import Causality
import NoteText
import NotesModel
import NotesWire

/// A save of a mirrored file whose answer is not recorded yet.
///
/// It is recorded before it is sent. A mirror that was killed in between sends it again, and the daemon
/// recognises it by its `op`. Otherwise a text that a program has written since would be saved on the
/// version before, as if its writer had also written what the save brought.
struct SaveInFlight: Hashable, Sendable {
    let note: NoteID
    let base: Version
    let text: [UInt8]
    let op: ByteString
    /// The time of change that the file stated; nil if it was not sent.
    let modified: Timestamp?
    /// When the base was chosen, in milliseconds since 1970.
    let time: Int64

    var params: SaveNote {
        SaveNote(id: note, base: base, text: text, op: op, times: modified.map { FileTimes(modified: $0) })
    }
}
