/// UTF-8 that is compared, hashed and ordered by its bytes.
///
/// Swift's `String` holds NFC and NFD equal; nothing here may, since text comes back byte for byte and two daemons of
/// different age must agree.
///
/// Invariant: the bytes are valid UTF-8.
package struct ByteString: Hashable, Comparable, Sendable {
    package let utf8: [UInt8]

    /// - Precondition: the bytes are valid UTF-8 (checked where they came in).
    package init(validUTF8 utf8: [UInt8]) {
        self.utf8 = utf8
    }

    /// Nil where the bytes are not UTF-8.
    ///
    /// - Complexity: O(n).
    package init?(checkedUTF8 utf8: [UInt8]) {
        guard UTF8Validation.isValid(utf8) else { return nil }
        self.utf8 = utf8
    }

    package init(_ string: String) {
        utf8 = Array(string.utf8)
    }

    package var isEmpty: Bool { utf8.isEmpty }

    package func hasPrefix(_ prefix: ByteString) -> Bool {
        utf8.starts(with: prefix.utf8)
    }

    package static func < (left: ByteString, right: ByteString) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}

extension ByteString: CustomStringConvertible, ExpressibleByStringLiteral {
    package var description: String { String(decoding: utf8, as: UTF8.self) }

    package init(stringLiteral value: String) {
        self.init(value)
    }
}

package enum UTF8Validation {
    /// Whether the bytes are well-formed UTF-8: no overlong form, no surrogate, nothing past U+10FFFF.
    package static func isValid(_ utf8: [UInt8]) -> Bool {
        String(validating: utf8, as: UTF8.self) != nil
    }
}
