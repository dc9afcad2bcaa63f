package import Causality

/// The state of a note at one commit without its text, as lists and `meta` lines report it.
package struct Head: Hashable, Sendable {
    /// The note's id.
    package let id: NoteID
    /// The name; nil when the note has none or is deleted.
    package var name: NoteName?
    /// The version of the merged text. Its dots are the note's siblings.
    package var version: Version
    /// The newest counter of each replica, for `note.get`.
    package var vector: VersionVector
    /// The title of the merged text (`Title`).
    package var title: ByteString
    /// The tags of the merged text: lower case, sorted by bytes, without duplicates.
    package var tags: [ByteString]
    /// The time of creation that the note's first revision states, or else that revision's time.
    package var created: Timestamp
    /// The time of change that the newest revision in this store's commit order states, or else that
    /// revision's time.
    package var modified: Timestamp
    /// The author of the newest revision, in this store's commit order.
    package var author: Author
    /// Size of the merged text in UTF-8 bytes.
    package var bytes: Int
    /// Whether the note is deleted.
    package var isDeleted: Bool
    /// The open conflicts, sorted by id.
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
