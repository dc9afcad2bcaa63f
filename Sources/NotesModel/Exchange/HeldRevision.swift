package import Causality
package import NoteText
import TextMerge

/// A revision of a holding area, as people see it.
package struct HeldRevision: Hashable, Sendable {
    /// The number of bytes of the inserted text that a list shows.
    package static let excerptBytesMax = 200

    /// The note that the revision is for. The store may have no such note.
    package var note: NoteID
    /// The revision's dot. A revision of the note may have the same dot and other content.
    package var dot: Dot
    /// The reason why the revision was not accepted, as a clause about the revision ("its dot …"); nil
    /// while it waits for its parents.
    package var reason: String?
    /// The user and label that made the write, as its peer states them.
    package var author: Author
    /// The wall-clock time of the write, as its peer states it.
    package var time: Timestamp
    /// The text that the revision inserts, or its beginning. Invalid UTF-8 is replaced.
    package var inserts: ByteString
    /// The number of bytes that the revision inserts.
    package var bytes: Int

    package init(
        note: NoteID, dot: Dot, reason: String?, author: Author, time: Timestamp, inserts: ByteString, bytes: Int
    ) {
        self.note = note
        self.dot = dot
        self.reason = reason
        self.author = author
        self.time = time
        self.inserts = inserts
        self.bytes = bytes
    }

    /// Describes a revision. Its author is cut like the text of a list: a revision may have been refused
    /// because its author is too long.
    ///
    /// - Parameter bytesMax: the maximum length of `inserts`.
    /// - Complexity: O(edits + bytes of `inserts`).
    package init(_ revision: Revision, reason: QuarantineReason?, bytesMax: Int = excerptBytesMax) {
        var inserts: [UInt8] = []
        for edit in revision.edits where inserts.count <= bytesMax {
            // A byte beyond the maximum tells that the text is cut.
            inserts += edit.replacement.prefix(bytesMax - inserts.count + (bytesMax == .max ? 0 : 1))
        }
        self.init(
            note: revision.note, dot: revision.dot, reason: reason.map { "\($0)" },
            author: Author(
                user: Self.beginning(of: revision.author.user.utf8, bytesMax: Self.excerptBytesMax),
                label: revision.author.label.map { Self.beginning(of: $0.utf8, bytesMax: Self.excerptBytesMax) }),
            time: revision.time, inserts: Self.beginning(of: inserts, bytesMax: bytesMax),
            bytes: revision.edits.reduce(0) { $0 + $1.replacement.count })
    }

    /// The first bytes of a text without a part of a character at their end. Invalid UTF-8 is replaced.
    private static func beginning(of utf8: [UInt8], bytesMax: Int) -> ByteString {
        guard utf8.count > bytesMax else { return ByteString(String(decoding: utf8, as: UTF8.self)) }
        let end = utf8[...bytesMax].lastIndex { $0 & 0xC0 != 0x80 } ?? 0
        return ByteString(String(decoding: utf8[..<end], as: UTF8.self))
    }
}
