/// Whether the byte is a space, a tab or the CR of a line ending.
func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
}

/// Whether the byte is an ASCII letter.
func isLetter(_ byte: UInt8) -> Bool {
    byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
}

/// Whether the byte is an ASCII digit.
func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
}

/// Whether the byte is ASCII punctuation, which a backslash can escape in Markdown.
func isPunctuation(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && !isLetter(byte) && !isDigit(byte)
}

/// The byte with an ASCII capital letter in lower case.
func asciiLowercased(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
}

/// The first scalar of valid UTF-8 and its length in bytes; nil at the end.
func firstScalar(_ utf8: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar, length: Int)? {
    guard let lead = utf8.first else { return nil }
    if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    let slice = utf8.prefix(length)
    let mask: UInt8 = length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07
    let value = slice.dropFirst().reduce(UInt32(lead & mask)) { $0 << 6 | UInt32($1 & 0x3F) }
    return Unicode.Scalar(value).map { ($0, slice.count) }
}
