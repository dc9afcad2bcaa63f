/// What the offsets of a client count: code units of UTF-8 or UTF-16, or Unicode scalars. Inside the daemon all count bytes.
package enum PositionEncoding: String, Hashable, Sendable, CaseIterable {
    case utf8 = "utf-8"
    case utf16 = "utf-16"
    case utf32 = "utf-32"
}

/// An edit as a client states it or is told it: offsets in a client's encoding, not yet checked against a text.
package struct PositionedEdit: Hashable, Sendable {
    package var start: Int
    package var end: Int
    package var text: [UInt8]

    package init(start: Int, end: Int, text: [UInt8]) {
        self.start = start
        self.end = end
        self.text = text
    }
}
