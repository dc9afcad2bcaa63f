package import Causality
package import NoteText

/// The state of a note at one commit without its text, as lists and `meta` lines report it.
package struct Head: Hashable, Sendable {
    /// The members. They are behind one reference, since a write copies its note's head several times, and
    /// a copy of the members would retain about ten.
    private struct Members: Hashable, Sendable {
        let id: NoteID
        var name: NoteName?
        var version: Version
        var vector: VersionVector
        var title: ByteString
        var tags: [ByteString]
        var created: Timestamp
        var modified: Timestamp
        var author: Author
        var bytes: Int
        var isDeleted: Bool
        var conflicts: [OpenConflict]
    }

    private final class Box: Sendable {
        let members: Members

        init(_ members: Members) {
            self.members = members
        }
    }

    private var box: Box

    private mutating func change(_ body: (inout Members) -> Void) {
        var members = box.members
        body(&members)
        box = Box(members)
    }

    /// The note's id.
    package var id: NoteID { box.members.id }
    /// The name; nil when the note has none or is deleted.
    package var name: NoteName? {
        get { box.members.name }
        set { change { $0.name = newValue } }
    }
    /// The version of the merged text. Its dots are the note's siblings.
    package var version: Version {
        get { box.members.version }
        set { change { $0.version = newValue } }
    }
    /// The newest counter of each replica, for `note.get`.
    package var vector: VersionVector {
        get { box.members.vector }
        set { change { $0.vector = newValue } }
    }
    /// The title of the merged text (`Title`).
    package var title: ByteString {
        get { box.members.title }
        set { change { $0.title = newValue } }
    }
    /// The tags of the merged text: lower case, sorted by bytes, without duplicates.
    package var tags: [ByteString] {
        get { box.members.tags }
        set { change { $0.tags = newValue } }
    }
    /// The time of creation that the note's first revision states, or else that revision's time.
    package var created: Timestamp {
        get { box.members.created }
        set { change { $0.created = newValue } }
    }
    /// The time of change that the newest revision in this store's commit order states, or else that
    /// revision's time.
    package var modified: Timestamp {
        get { box.members.modified }
        set { change { $0.modified = newValue } }
    }
    /// The author of the newest revision, in this store's commit order.
    package var author: Author {
        get { box.members.author }
        set { change { $0.author = newValue } }
    }
    /// Size of the merged text in UTF-8 bytes.
    package var bytes: Int {
        get { box.members.bytes }
        set { change { $0.bytes = newValue } }
    }
    /// Whether the note is deleted.
    package var isDeleted: Bool {
        get { box.members.isDeleted }
        set { change { $0.isDeleted = newValue } }
    }
    /// The open conflicts, sorted by id.
    package var conflicts: [OpenConflict] {
        get { box.members.conflicts }
        set { change { $0.conflicts = newValue } }
    }

    package init(
        id: NoteID, name: NoteName?, version: Version, vector: VersionVector, title: ByteString, tags: [ByteString],
        created: Timestamp, modified: Timestamp, author: Author, bytes: Int, isDeleted: Bool,
        conflicts: [OpenConflict] = []
    ) {
        box = Box(
            Members(
                id: id, name: name, version: version, vector: vector, title: title, tags: tags, created: created,
                modified: modified, author: author, bytes: bytes, isDeleted: isDeleted, conflicts: conflicts))
    }

    package static func == (one: Head, other: Head) -> Bool {
        one.box === other.box || one.box.members == other.box.members
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(box.members)
    }
}
