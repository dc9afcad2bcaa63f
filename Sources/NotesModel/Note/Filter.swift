package import NoteText

/// The notes that a list or a watch selects. A note must satisfy every member; a nil member is
/// ignored.
package struct Filter: Hashable, Sendable {
    /// The ids to select.
    package var ids: Set<NoteID>?
    /// The bytes that the name must start with. Notes without a name do not match.
    package var prefix: ByteString?
    /// A tag that the note must have, in lower case.
    package var tag: ByteString?
    /// Whether the note must have open conflicts (true) or must have none (false).
    package var conflicted: Bool?
    /// Whether to select only deleted notes (true) or only notes that are not deleted (false).
    package var deleted: Bool
    /// The kind of the note; nil for both. A deleted note has no kind, and matches each.
    package var kind: NoteKind?

    package init(
        ids: Set<NoteID>? = nil, prefix: ByteString? = nil, tag: ByteString? = nil, conflicted: Bool? = nil,
        deleted: Bool = false,
        kind: NoteKind? = .text
    ) {
        self.ids = ids
        self.prefix = prefix
        self.tag = tag
        self.conflicted = conflicted
        self.deleted = deleted
        self.kind = kind
    }

    /// Whether the note satisfies the filter.
    ///
    /// - Complexity: O(length of the prefix + tags of the note).
    package func matches(_ head: Head) -> Bool {
        if let ids, !ids.contains(head.id) { return false }
        if let prefix, head.name?.bytes.hasPrefix(prefix) != true { return false }
        if let tag, !head.tags.contains(tag) { return false }
        if let conflicted, conflicted == head.conflicts.isEmpty { return false }
        if let kind, !head.isDeleted, kind != head.kind { return false }
        return head.isDeleted == deleted
    }
}

/// The two kinds of content that a note can have.
package enum NoteKind: String, CaseIterable, Hashable, Sendable {
    /// A text.
    case text
    /// Bytes outside of the store's database (`FileContent`).
    case file
}

extension Head {
    /// The first content of a file; nil for a text, and for a deleted note.
    package var file: FileContent? { FileContent(line: title.utf8) }

    package var kind: NoteKind { file == nil ? .text : .file }
}
