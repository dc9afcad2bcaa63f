package import NoteText

/// The author of a revision.
package struct Author: Hashable, Sendable {
    /// The user of the connection.
    package let user: ByteString
    /// The label that the client gave in its hello; nil when it gave none.
    package let label: ByteString?

    package init(user: ByteString, label: ByteString?) {
        self.user = user
        self.label = label
    }
}
