/// The unit of a client's offsets. Inside the daemon all offsets are bytes.
package enum PositionEncoding: String, Hashable, Sendable, CaseIterable {
    /// UTF-8 code units, that is, bytes.
    case utf8 = "utf-8"
    /// UTF-16 code units.
    case utf16 = "utf-16"
    /// Unicode scalars.
    case utf32 = "utf-32"
}

/// An edit with offsets in a client's encoding, not yet checked against a text.
package struct PositionedEdit: Hashable, Sendable {
    /// Start of the range to replace.
    package var start: Int
    /// End of the range to replace, exclusive.
    package var end: Int
    /// The replacement, in UTF-8.
    package var text: [UInt8]

    package init(start: Int, end: Int, text: [UInt8]) {
        self.start = start
        self.end = end
        self.text = text
    }
}
