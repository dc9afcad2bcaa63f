package import NoteText

/// A user of this machine.
package struct User: Hashable, Sendable {
    /// Numeric id.
    package let id: UInt32
    /// Name in the user database, or the id in digits if it has none.
    package let name: ByteString

    /// Creates a user with a known name.
    package init(id: UInt32, name: ByteString) {
        self.id = id
        self.name = name
    }

    /// Looks up the name in the user database, which may block.
    package init(id: UInt32) {
        self.init(id: id, name: UserDatabase.name(of: id))
    }
}
