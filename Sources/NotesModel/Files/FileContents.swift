package import NoteText

/// Where the bytes of files come from: a store's folder, a connection to a daemon, a file of the user, memory. What shows
/// or copies a file takes any of them.
package protocol FileContents {
    /// The number of bytes of a file; nil if they are not there. The file of no bytes is always there.
    nonisolated(nonsending) func size(of hash: FileHash) async throws -> Int?

    /// Bytes of a file, from the start of the range on: all that the range has of the file or fewer, and at least one
    /// unless it has none. Does not compare the hash.
    ///
    /// - Precondition: the range begins at 0 or later.
    /// - Throws: `FileContentsFault.missing` if the bytes are not there, and errors of the place.
    nonisolated(nonsending) func bytes(of hash: FileHash, in range: Range<Int>) async throws -> [UInt8]
}

/// Why bytes cannot be used.
package enum FileContentsFault: Error, Hashable {
    /// They are not there.
    case missing
    /// They do not have their size or their hash.
    case damaged
}

extension FileHash {
    /// The hash of no bytes. Their file is always there.
    package static let ofNothing: FileHash = {
        let digits = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        guard let hash = FileHash(parsing: digits.utf8) else { preconditionFailure("these are 64 hexadecimal digits") }
        return hash
    }()
}

extension FileContent {
    /// The content of some bytes.
    package init(of bytes: [UInt8]) {
        guard let hash = FileHash(bytes: SHA256.hash(of: bytes)) else { preconditionFailure("a hash has 32 bytes") }
        self.init(hash: hash, bytes: bytes.count)
    }
}
