import Causality

/// The SHA-256 of some bytes, which names them in a store. Written as 64 lower-case hexadecimal digits, and
/// ordered as that text.
package struct FileHash: Hashable, Comparable, Sendable {
    /// The 32 bytes as four numbers, big-endian.
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// The length of the hash, in bytes.
    package static let byteCount = 32
    /// The length of the text form, in bytes.
    package static let textBytes = 64

    /// Creates a hash from its bytes; nil if they are not 32.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        var rest = bytes[...]
        func word() -> UInt64 {
            defer { rest = rest.dropFirst(8) }
            return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
        words = (word(), word(), word(), word())
    }

    /// Parses exactly 64 lower-case hexadecimal digits; nil for anything else.
    package init?(parsing utf8: some Collection<UInt8>) {
        func words(_ digits: UnsafeBufferPointer<UInt8>) -> (UInt64, UInt64, UInt64, UInt64)? {
            func word(_ number: Int) -> UInt64? {
                hexadecimalWord(UnsafeBufferPointer(rebasing: digits[(number * 16)..<(number * 16 + 16)]))
            }
            guard let first = word(0), let second = word(1), let third = word(2), let fourth = word(3) else { return nil }
            return (first, second, third, fourth)
        }
        guard utf8.count == Self.textBytes, let words = utf8.withContiguousBytes(words) else { return nil }
        self.words = words
    }

    /// The 32 bytes.
    package var bytes: [UInt8] {
        [words.0, words.1, words.2, words.3].flatMap { word in withUnsafeBytes(of: word.bigEndian, Array.init) }
    }

    package static func == (one: FileHash, other: FileHash) -> Bool { one.words == other.words }

    package static func < (one: FileHash, other: FileHash) -> Bool { one.words < other.words }

    package func hash(into hasher: inout Hasher) {
        // The words are random, so one of them tells hashes apart.
        hasher.combine(words.0)
    }
}

extension FileHash: TextForm, CustomStringConvertible {
    package var description: String { textForm }

    /// Appends the text form that `init(parsing:)` reads.
    package func appendText(to utf8: inout [UInt8]) {
        for word in [words.0, words.1, words.2, words.3] { appendHexadecimal(word, digits: 16, to: &utf8) }
    }
}
