/// An offset into a text, in all three encodings. A list can thus report positions to any client
/// without loading the text.
package struct TextPosition: Hashable, Sendable {
    /// The offset in bytes.
    package let utf8: Int
    /// The offset in UTF-16 code units.
    package let utf16: Int
    /// The offset in Unicode scalars.
    package let utf32: Int

    package init(utf8: Int, utf16: Int, utf32: Int) {
        self.utf8 = utf8
        self.utf16 = utf16
        self.utf32 = utf32
    }

    /// The offset in one encoding.
    package subscript(encoding: PositionEncoding) -> Int {
        switch encoding {
        case .utf8: utf8
        case .utf16: utf16
        case .utf32: utf32
        }
    }
}
