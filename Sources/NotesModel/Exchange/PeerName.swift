package import NoteText

/// The name by which a store records what a peer store is known to have. It identifies the peer
/// permanently, unlike a replica, which is one run of a daemon.
package struct PeerName: Hashable, Sendable {
    /// Maximum length of a name, in bytes.
    package static let bytesMax = 64
    /// Maximum number of peers that a store records.
    package static let countMax = 256

    /// The name in UTF-8.
    package let bytes: ByteString

    /// Validates a name; nil when it is empty or longer than `bytesMax`.
    package init?(_ bytes: ByteString) {
        guard !bytes.utf8.isEmpty, bytes.utf8.count <= Self.bytesMax else { return nil }
        self.bytes = bytes
    }
}
