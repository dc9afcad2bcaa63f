import NoteText
import NotesMethods
import NotesWire
import TestKit

/// Random limits of connections.
extension SeededGenerator {
    mutating func sessionLimits() -> SessionLimits {
        SessionLimits(
            access: maybe(pick(Access.allCases)), methods: pick(SessionLimits.Methods.allCases), user: maybe(person()),
            note: maybe(anyNoteID()))
    }

    mutating func limitResult() -> LimitResult {
        LimitResult(
            access: pick(Access.allCases), methods: pick(SessionLimits.Methods.allCases), user: maybe(person()),
            note: maybe(anyNoteID()))
    }

    mutating func person() -> ByteString { pick(["ada", "Ada L.", "é", "a/b"]) }
}
