package import NoteText
import NotesModel

/// Bytes that a user uploads. An upload belongs to a user and a hash, so it continues on another connection and after a
/// restart.
package struct FileUpload: Hashable, Sendable {
    /// Id of the user at the operating system.
    package let user: UInt32
    package let hash: FileHash
    /// The number of bytes that the whole file has.
    package let bytes: Int

    package init(user: UInt32, hash: FileHash, bytes: Int) {
        (self.user, self.hash, self.bytes) = (user, hash, bytes)
    }

    var key: UploadKey { UploadKey(user: user, hash: hash) }
    /// Whether it is the file without bytes, which is always there.
    var isEmpty: Bool { bytes == 0 && hash == .ofNothing }
}

/// The user and the hash of an upload.
package struct UploadKey: Hashable, Sendable {
    package let user: UInt32
    package let hash: FileHash

    package init(user: UInt32, hash: FileHash) {
        (self.user, self.hash) = (user, hash)
    }

    /// The name of the upload's part, `UID-HASH`.
    var name: String { "\(user)-\(hash)" }

    /// The key of a part; nil for another name.
    init?(name: String) {
        let halves = name.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, let user = UInt32(halves[0]), let hash = FileHash(parsing: halves[1].utf8) else { return nil }
        self.init(user: user, hash: hash)
        guard self.name == name else { return nil }
    }
}

/// An upload that the folder has a part of.
package struct UploadState: Hashable, Sendable {
    package let key: UploadKey
    /// The bytes received so far.
    package let received: Int
    /// The number of bytes that the whole file has; nil since a restart, until the upload begins again.
    package let bytes: Int?
}
