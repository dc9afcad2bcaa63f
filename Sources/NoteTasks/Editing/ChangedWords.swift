package import Causality
import EditSession
package import NoteText
import NotesClient
package import NotesModel
package import NotesWire
import TextMerge

extension NotesAPI {
    /// Writes what a program changed in a text. If it only changed words within lines, these are sent as
    /// edits, so that what others type in the lines meanwhile stays in them. Otherwise the text is saved, so
    /// that equal lines of two programs appear once, and other lines in one place are a conflict.
    ///
    /// - Parameters:
    ///   - base: the version whose text is `old`.
    ///   - op: the name of the write.
    package func change(
        _ id: NoteID, base: Version, from old: [UInt8], to new: [UInt8], op: ByteString? = nil
    ) async throws -> OutcomeResult {
        let edits = StatedDiff.edits(from: old, to: new)
        let lineFeed = UInt8(ascii: "\n")
        guard !edits.isEmpty,
            !edits.contains(where: { $0.replacement.contains(lineFeed) || old[$0.start..<$0.end].contains(lineFeed) })
        else { return try await save(id, base: base, text: new, op: op) }
        let positioned = edits.map { PositionedEdit(start: $0.start, end: $0.end, text: $0.replacement) }
        return try await edit(id, base: base, edits: positioned, op: op)
    }
}
