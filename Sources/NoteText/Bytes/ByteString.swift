/// A UTF-8 string that is compared, hashed and ordered by its bytes.
///
/// Swift's `String` treats canonically equivalent text (NFC and NFD) as equal. The daemon must
/// return text byte for byte, and daemons of different versions must agree on equality, so it does
/// not use `String`.
///
/// Invariant: the bytes are valid UTF-8.
package struct ByteString: Hashable, Comparable, Sendable {
    /// The bytes.
    package let utf8: [UInt8]

    /// Wraps bytes without checking them.
    ///
    /// - Precondition: the bytes are valid UTF-8.
    package init(validUTF8 utf8: [UInt8]) {
        self.utf8 = utf8
    }

    /// Validates the bytes; nil when they are not UTF-8.
    ///
    /// - Complexity: O(n).
    package init?(checkedUTF8 utf8: [UInt8]) {
        guard UTF8Validation.isValid(utf8) else { return nil }
        self.utf8 = utf8
    }

    /// Copies the UTF-8 of a string.
    package init(_ string: String) {
        utf8 = Array(string.utf8)
    }

    /// Whether the string has no bytes.
    package var isEmpty: Bool { utf8.isEmpty }

    /// Whether the bytes start with those of `prefix`.
    package func hasPrefix(_ prefix: ByteString) -> Bool {
        utf8.starts(with: prefix.utf8)
    }

    /// Orders lexicographically by bytes.
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

/// The check for well-formed UTF-8.
package enum UTF8Validation {
    /// Whether the bytes are well-formed UTF-8: no overlong form, no surrogate, nothing above
    /// U+10FFFF.
    ///
    /// - Complexity: O(n).
    package static func isValid(_ utf8: [UInt8]) -> Bool {
        String(validating: utf8, as: UTF8.self) != nil
    }
}
