package import Causality
package import NoteText

/// The name that a client gave a write, unique for its user. The daemon carries out a name at most
/// once.
package struct OperationKey: Hashable, Sendable {
    /// The user id (uid) of the client.
    package let user: UInt32
    /// The name (`op`), at most `nameBytesMax` bytes.
    package let name: ByteString

    package init(user: UInt32, name: ByteString) {
        self.user = user
        self.name = name
    }

    /// Maximum length of a name, in bytes.
    package static let nameBytesMax = 64
    /// Number of records kept for each user; older ones are removed.
    package static let keptMax = 100_000
}

/// The result of a named write, committed in the same transaction.
package struct OperationRecord: Hashable, Sendable {
    /// The user and the name.
    package let key: OperationKey
    /// The SHA-256 of the request (`Command.fingerprint`). A request with the same name and other
    /// parameters is rejected.
    package let fingerprint: [UInt8]
    /// The note that was written.
    package let note: NoteID
    /// The dot of the revision; nil when the write left the note unchanged.
    package let dot: Dot?
    /// The version that the response returned as the next base.
    package let version: Version

    package init(key: OperationKey, fingerprint: [UInt8], note: NoteID, dot: Dot?, version: Version) {
        self.key = key
        self.fingerprint = fingerprint
        self.note = note
        self.dot = dot
        self.version = version
    }
}
