/// What a store is told to call another one that it exchanges revisions with: not a replica, which is one run of it.
package struct PeerName: Hashable, Sendable {
    package static let bytesMax = 64
    /// How many peers a store keeps the knowledge of.
    package static let countMax = 256

    package let bytes: ByteString

    /// Nil where it is empty or longer than `bytesMax`.
    package init?(_ bytes: ByteString) {
        guard !bytes.utf8.isEmpty, bytes.utf8.count <= Self.bytesMax else { return nil }
        self.bytes = bytes
    }
}
