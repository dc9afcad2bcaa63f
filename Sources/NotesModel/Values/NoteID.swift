import Causality
package import NoteText

/// The permanent id of a note: a UUID of version 7 (RFC 9562).
///
/// Ids sort approximately by creation time. Invariant: version 7 and variant 2.
package struct NoteID: Hashable, Comparable, Sendable {
    /// The first 8 bytes, big-endian: 48 bits of milliseconds, the version, 12 random bits.
    package let high: UInt64
    /// The last 8 bytes, big-endian: the variant and 62 random bits.
    package let low: UInt64

    /// Creates an id from its two words.
    ///
    /// - Precondition: the words are a UUID of version 7 and variant 2.
    package init(high: UInt64, low: UInt64) {
        precondition(Self.isVersion7(high: high, low: low), "a note's id is a UUID of version 7")
        self.high = high
        self.low = low
    }

    /// Creates an id from its two words; nil when they are not a UUID of version 7.
    package init?(checkedHigh high: UInt64, low: UInt64) {
        guard Self.isVersion7(high: high, low: low) else { return nil }
        self.high = high
        self.low = low
    }

    /// The id that stands for one that has yet to be drawn.
    package static let undrawn = NoteID(high: 0x7000, low: 1 << 63)

    /// Reads an id from its `bytes`; nil when they are not a UUID of version 7.
    package init?(bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let high = reader.word(), let low = reader.word(), reader.isAtEnd else { return nil }
        self.init(checkedHigh: high, low: low)
    }

    /// The id as 16 bytes, which sort as the ids do.
    package var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.word(high)
        writer.word(low)
        return writer.bytes
    }

    /// Creates a new id from 48 bits of time and 74 random bits.
    package init(at time: Timestamp, random: (UInt64, UInt64)) {
        let milliseconds = UInt64(clamping: time.milliseconds) & 0xFFFF_FFFF_FFFF
        high = milliseconds << 16 | 0x7000 | random.0 & 0x0FFF
        low = 0x8000_0000_0000_0000 | random.1 & 0x3FFF_FFFF_FFFF_FFFF
    }

    /// The id of a note that is begun under a name, the same on every machine. So a note that two
    /// machines begin under one name, without knowing of each other, is one note.
    ///
    /// Its bits are those of SHA-256 of `notesd name`, a zero byte and the name; its time means nothing.
    package init(named name: ByteString) {
        self.init(digestOf: Array("notesd name\0".utf8) + name.utf8)
    }

    /// The id of a note that is made from a file, the same on every machine. Files of one name with
    /// different texts make different notes.
    ///
    /// Its bits are those of SHA-256 of `notesd file`, a zero byte, the name, a zero byte and the text; its
    /// time means nothing.
    package init(named name: ByteString, text: [UInt8]) {
        self.init(digestOf: Array("notesd file\0".utf8) + name.utf8 + [0] + text)
    }

    private init(digestOf bytes: [UInt8]) {
        let digest = SHA256.hash(of: bytes)
        func word(_ start: Int) -> UInt64 { digest[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        // The first digit is 0, as in all ids until the year 2527.
        high = word(0) & 0x0FFF_FFFF_FFFF_0FFF | 0x7000
        low = 0x8000_0000_0000_0000 | word(8) & 0x3FFF_FFFF_FFFF_FFFF
    }

    /// Parses the lower-case text form of a UUID of version 7; nil for anything else.
    package init?(parsing utf8: some Collection<UInt8>) {
        guard let words = utf8.withContiguousBytes(Self.words), Self.isVersion7(high: words.high, low: words.low) else {
            return nil
        }
        (high, low) = words
    }

    /// Parses an array. Most lines have an id, and the generic initializer takes five times as long for callers in
    /// other modules.
    package init?(parsing utf8: [UInt8]) {
        guard let words = utf8.withUnsafeBufferPointer(Self.words), Self.isVersion7(high: words.high, low: words.low) else {
            return nil
        }
        (high, low) = words
    }

    private static func words(_ utf8: UnsafeBufferPointer<UInt8>) -> (high: UInt64, low: UInt64)? {
        let hyphen = UInt8(ascii: "-")
        guard utf8.count == textBytes, utf8[8] == hyphen, utf8[13] == hyphen, utf8[18] == hyphen, utf8[23] == hyphen,
            let first = number(utf8, 0..<8), let second = number(utf8, 9..<13), let third = number(utf8, 14..<18),
            let fourth = number(utf8, 19..<23), let last = number(utf8, 24..<36)
        else { return nil }
        return (first << 32 | second << 16 | third, fourth << 48 | last)
    }

    private static func number(_ utf8: UnsafeBufferPointer<UInt8>, _ digits: Range<Int>) -> UInt64? {
        hexadecimalWord(UnsafeBufferPointer(rebasing: utf8[digits]))
    }

    /// Length of the text form, in bytes.
    package static let textBytes = 36

    private static func isVersion7(high: UInt64, low: UInt64) -> Bool {
        high >> 12 & 0xF == 7 && low >> 62 == 0b10
    }

    /// Orders by the 16 bytes, and so approximately by creation time.
    package static func < (left: NoteID, right: NoteID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension NoteID: TextForm, CustomStringConvertible {
    package var description: String { textForm }

    /// Appends the lower-case text form, 36 characters.
    package func appendText(to utf8: inout [UInt8]) {
        appendHexadecimal(high >> 32, digits: 8, to: &utf8)
        utf8.append(UInt8(ascii: "-"))
        appendHexadecimal(high >> 16, digits: 4, to: &utf8)
        utf8.append(UInt8(ascii: "-"))
        appendHexadecimal(high, digits: 4, to: &utf8)
        utf8.append(UInt8(ascii: "-"))
        appendHexadecimal(low >> 48, digits: 4, to: &utf8)
        utf8.append(UInt8(ascii: "-"))
        appendHexadecimal(low, digits: 12, to: &utf8)
    }
}
