import Causality

/// The first 8 bytes of the SHA-256 of a revision's canonical bytes.
///
/// A hash of 64 bits detects accidental differences between two contents of one dot and takes
/// little space in a row. It does not resist a deliberate collision; code that must, compares the
/// contents themselves.
package struct RevisionHash: Hashable, Sendable {
    /// The 8 bytes, big-endian.
    package let bits: UInt64

    /// Restores a hash that a store kept.
    package init(bits: UInt64) {
        self.bits = bits
    }

    /// Computes the hash of a revision.
    ///
    /// - Complexity: O(bytes of the revision).
    package init(of revision: LinkedRevision) {
        bits = SHA256.firstWord(of: RevisionCodec.canonicalBytes(of: revision))
    }

    /// Computes the hash of a text, in the same form.
    ///
    /// - Complexity: O(bytes).
    package init(ofText text: [UInt8]) {
        bits = SHA256.firstWord(of: text)
    }
}

extension RevisionHash: TextForm, CustomStringConvertible {
    package var description: String { textForm }

    /// Appends the hash as 16 hexadecimal digits.
    package func appendText(to utf8: inout [UInt8]) {
        appendHexadecimal(bits, digits: 16, to: &utf8)
    }
}
