import Causality

/// The first 8 bytes of the SHA-256 of a revision's canonical bytes: enough to tell two contents of one dot by accident
/// apart, in a row of a few dozen. Who means to make two alike can: where that matters, contents are compared.
package struct RevisionHash: Hashable, Sendable {
    package let bits: UInt64

    package init(bits: UInt64) {
        self.bits = bits
    }

    /// - Complexity: O(bytes of the revision).
    package init(of revision: Revision) {
        self.init(RevisionCodec.hash(of: revision))
    }

    /// Of a text that is kept for itself.
    ///
    /// - Complexity: O(bytes).
    package init(ofText text: [UInt8]) {
        self.init(SHA256.hash(of: text))
    }

    private init(_ hash: [UInt8]) {
        bits = hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension RevisionHash: CustomStringConvertible {
    package var description: String { ReplicaID(bits: bits).description }
}
