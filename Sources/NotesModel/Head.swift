package import Causality

/// What lists and `meta` lines show of a note: its state at one commit, without its text.
package struct Head: Hashable, Sendable {
    package let id: NoteID
    package var name: NoteName?
    /// What the shown text covers. Its dots are the siblings.
    package var version: Version
    /// Newest counter a replica, for `note.get`.
    package var vector: VersionVector
    package var title: ByteString
    /// Lower case, sorted by bytes, once each.
    package var tags: [ByteString]
    package var created: Timestamp
    /// Time and author of the newest revision shown, in this store's commit order.
    package var modified: Timestamp
    package var author: Author
    /// Size of the shown text in UTF-8.
    package var bytes: Int
    package var isDeleted: Bool
    /// What concurrent writes touched and nobody has settled; by id.
    package var conflicts: [OpenConflict]

    package init(
        id: NoteID, name: NoteName?, version: Version, vector: VersionVector, title: ByteString, tags: [ByteString],
        created: Timestamp, modified: Timestamp, author: Author, bytes: Int, isDeleted: Bool,
        conflicts: [OpenConflict] = []
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.vector = vector
        self.title = title
        self.tags = tags
        self.created = created
        self.modified = modified
        self.author = author
        self.bytes = bytes
        self.isDeleted = isDeleted
        self.conflicts = conflicts
    }
}
