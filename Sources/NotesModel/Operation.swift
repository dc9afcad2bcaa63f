package import Causality

/// A write's name, unique for its user, under which it is never done twice.
package struct OperationKey: Hashable, Sendable {
    package let user: UInt32
    package let name: ByteString

    package init(user: UInt32, name: ByteString) {
        self.user = user
        self.name = name
    }

    /// Longest name, in bytes.
    package static let nameBytesMax = 64
    /// How many records are kept a user, the newest.
    package static let keptMax = 100_000
}

/// What a named write did, committed with it.
package struct OperationRecord: Hashable, Sendable {
    package let key: OperationKey
    /// SHA-256 of what was asked (`Command.fingerprint`): other params under a used name are refused.
    package let fingerprint: [UInt8]
    package let note: NoteID
    /// Nil where the write left the note unchanged.
    package let dot: Dot?
    package let version: Version

    package init(key: OperationKey, fingerprint: [UInt8], note: NoteID, dot: Dot?, version: Version) {
        self.key = key
        self.fingerprint = fingerprint
        self.note = note
        self.dot = dot
        self.version = version
    }
}
