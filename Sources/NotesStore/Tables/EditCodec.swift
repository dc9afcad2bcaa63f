import NoteText
import NotesModel
import NotesSQL
package import TextMerge

/// Encodes a revision's edits: for each, the gap since the end of the one before, the number of
/// bytes removed, and the counted replacement. A keystroke takes 4 to 6 bytes.
package enum EditCodec {
    package static func bytes(of edits: [Edit]) -> [UInt8] {
        var writer = ByteWriter(capacity: edits.reduce(8) { $0 + $1.replacement.count + 8 })
        var end = 0
        for edit in edits {
            // Edits ascend (`Edit`), so no gap is negative.
            writer.number(UInt64(edit.start - end))
            writer.number(UInt64(edit.end - edit.start))
            writer.counted(edit.replacement)
            end = edit.end
        }
        return writer.bytes
    }

    static func edits(from bytes: [UInt8]) throws(SQLFault) -> [Edit] {
        var reader = ByteReader(bytes)
        var edits: [Edit] = []
        var end = 0
        while !reader.isAtEnd {
            guard let gap = reader.number().flatMap(Int.init(exactly:)),
                let removed = reader.number().flatMap(Int.init(exactly:)),
                let replacement = reader.counted()
            else { throw .malformed("a revision's edits cannot be read") }
            let (start, startOverflows) = end.addingReportingOverflow(gap)
            let (next, endOverflows) = start.addingReportingOverflow(removed)
            guard !startOverflows, !endOverflows else { throw .malformed("a revision's edits cannot be read") }
            guard UTF8Validation.isValid(replacement) else { throw .malformed("a revision's edits are not UTF-8") }
            edits.append(Edit(start: start, end: next, replacement: replacement))
            end = next
        }
        return edits
    }
}
