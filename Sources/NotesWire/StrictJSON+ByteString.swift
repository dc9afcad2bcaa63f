package import NoteText
package import StrictJSON

extension JSONValue {
    /// The decoded string; nil for other types.
    ///
    /// - Complexity: O(length). Each call decodes the string again.
    package var string: ByteString? { utf8.map { ByteString(validUTF8: $0) } }
}

extension JSONValue.Member {
    /// The decoded name. O(length).
    package var name: ByteString { ByteString(validUTF8: nameUTF8) }
}

extension JSONWriter {
    /// Writes a string, escaped.
    package mutating func string(_ string: ByteString) { self.string(string.utf8) }

    /// Writes a member with a string, or with null if `value` is nil.
    package mutating func member(_ name: StaticString, _ value: ByteString?) {
        self.name(name)
        if let value { string(value) } else { null() }
    }
}
