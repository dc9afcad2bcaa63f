/// Which notes a list or a watch is about. All members must hold; one that is nil asks nothing.
package struct Filter: Hashable, Sendable {
    package var ids: Set<NoteID>?
    package var prefix: ByteString?
    package var tag: ByteString?
    /// Whether the note has open conflicts.
    package var conflicted: Bool?
    /// Only tombstones; without it none.
    package var deleted: Bool

    package init(
        ids: Set<NoteID>? = nil, prefix: ByteString? = nil, tag: ByteString? = nil, conflicted: Bool? = nil, deleted: Bool = false
    ) {
        self.ids = ids
        self.prefix = prefix
        self.tag = tag
        self.conflicted = conflicted
        self.deleted = deleted
    }

    /// - Complexity: O(length of the prefix + tags of the note).
    package func matches(_ head: Head) -> Bool {
        if let ids, !ids.contains(head.id) { return false }
        if let prefix, head.name?.bytes.hasPrefix(prefix) != true { return false }
        if let tag, !head.tags.contains(tag) { return false }
        if let conflicted, conflicted == head.conflicts.isEmpty { return false }
        return head.isDeleted == deleted
    }
}
