/// The times that a file states, of which a write took the text
/// (`docs/decisions/revisions.md#0064`). They are for display only, as all times are.
package struct FileTimes: Hashable, Sendable {
    /// The time of the file's last change.
    package let modified: Timestamp
    /// The time of the file's creation; nil if it is unknown. A note shows that of its first revision.
    package let created: Timestamp?

    package init(modified: Timestamp, created: Timestamp? = nil) {
        self.modified = modified
        self.created = created
    }

    /// Reads the times from the tagged fields of a revision; nil if these contain no times in the form
    /// that `TaggedFields.fileTimes` describes.
    ///
    /// - Complexity: O(bytes).
    package init?(taggedFields bytes: [UInt8]) {
        guard !bytes.isEmpty, let field = TaggedFields.field(TaggedFields.fileTimes, in: bytes) else { return nil }
        var reader = ByteReader(field)
        guard let modified = reader.signed() else { return nil }
        self.modified = Timestamp(milliseconds: modified)
        if reader.isAtEnd {
            created = nil
        } else {
            guard let created = reader.signed(), reader.isAtEnd else { return nil }
            self.created = Timestamp(milliseconds: created)
        }
    }

    /// Only the time of creation, for a revision whose other fields are erased; nil if it is unknown.
    package var ofCreation: FileTimes? { created.map { FileTimes(modified: $0, created: $0) } }

    /// The tagged fields of a revision that states these times and nothing else.
    package var taggedFields: [UInt8] {
        var field = ByteWriter()
        field.signed(modified.milliseconds)
        if let created { field.signed(created.milliseconds) }
        var writer = ByteWriter()
        writer.number(TaggedFields.fileTimes)
        writer.counted(field.bytes)
        return writer.bytes
    }
}

extension Revision {
    /// The times that the writer took from a file; nil for any other write.
    package var fileTimes: FileTimes? { FileTimes(taggedFields: reserved) }

    /// The time of change of a note whose newest revision this is.
    package var modified: Timestamp { fileTimes?.modified ?? time }

    /// The time of creation of a note whose first revision this is.
    package var created: Timestamp { fileTimes?.created ?? time }
}
