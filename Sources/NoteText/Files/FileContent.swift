import Causality
package import TextMerge

/// The bytes that a file has or had, as its text names them: a *pointer line*, `notesd-file sha256:HASH BYTES`.
///
/// A note is a *file* if the first line of its text is a pointer line. A text with several has one content for each:
/// several people gave the file new bytes at once.
package struct FileContent: Hashable, Sendable {
    /// The hash of the bytes.
    package let hash: FileHash
    /// The number of bytes, at most `bytesMax`.
    package let bytes: Int

    /// Maximum number of bytes that a pointer line states: what a number in JSON holds exactly.
    package static let bytesMax = 1 << 53

    /// - Precondition: `bytes` is at most `bytesMax`, and not negative.
    package init(hash: FileHash, bytes: Int) {
        precondition(0...Self.bytesMax ~= bytes, "the size of a file is a number that JSON holds")
        self.hash = hash
        self.bytes = bytes
    }

    /// Parses a pointer line without its line feed; nil for any other line.
    package init?(line: some Collection<UInt8>) {
        guard line.count <= Self.lineBytesMax, line.starts(with: Self.start) else { return nil }
        let rest = line.dropFirst(Self.start.count)
        guard let hash = FileHash(parsing: rest.prefix(FileHash.textBytes)) else { return nil }
        let number = rest.dropFirst(FileHash.textBytes)
        guard number.first == UInt8(ascii: " "), let bytes = Self.size(number.dropFirst()) else { return nil }
        self.init(hash: hash, bytes: bytes)
    }

    /// The beginning of each pointer line, 19 bytes.
    package static let start = Array("notesd-file sha256:".utf8)
    private static let lineBytesMax = start.count + FileHash.textBytes + 1 + 16

    /// The number that decimal digits without leading zeros denote.
    private static func size(_ digits: some Collection<UInt8>) -> Int? {
        guard digits.count <= 16, let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
        var size = 0
        for digit in digits {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
            size = size * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return size <= bytesMax ? size : nil
    }

    /// The pointer line, without a line feed.
    package var line: [UInt8] {
        var utf8 = Self.start
        hash.appendText(to: &utf8)
        return utf8 + Array(" \(bytes)".utf8)
    }

    /// Whether a text is that of a file.
    package static func isFile(_ text: [UInt8]) -> Bool {
        text.starts(with: start) && first(of: text) != nil
    }

    /// The first content of a file; nil for another text.
    ///
    /// - Complexity: O(bytes of the first line).
    package static func first(of text: [UInt8]) -> FileContent? {
        guard text.starts(with: start) else { return nil }
        return FileContent(line: text.prefix(lineBytesMax + 1).prefix { $0 != UInt8(ascii: "\n") })
    }

    /// The contents of a file, each once, in the order of their lines; none for another text.
    ///
    /// - Complexity: O(bytes).
    package static func all(of text: [UInt8]) -> [FileContent] {
        guard isFile(text) else { return [] }
        var contents: [FileContent] = []
        for line in TextLines(text) {
            if let content = FileContent(line: line), !contents.contains(content) { contents.append(content) }
        }
        return contents
    }

    /// The hashes of the pointer lines in a text that need not be a file, in the order of their lines.
    ///
    /// - Complexity: O(bytes).
    package static func named(in text: [UInt8]) -> [FileHash] {
        guard text.count >= start.count else { return [] }
        return TextLines(text).compactMap { FileContent(line: $0)?.hash }
    }

    /// Whether a text may name a file. Pointer lines need not begin lines of it, as in the joined replacements of edits.
    ///
    /// - Complexity: O(bytes).
    package static func mayBeNamed(in text: [UInt8]) -> Bool {
        text.indices.contains { text[$0] == start[0] && text[$0...].starts(with: start) }
    }

    /// The text of a file with spaces in place of its pointer lines, so that the offsets of its description stay.
    ///
    /// - Complexity: O(bytes).
    package static func blanked(_ text: [UInt8]) -> [UInt8] {
        var blanked = text
        var offset = 0
        for line in TextLines(text) {
            if FileContent(line: line) != nil {
                for index in offset..<offset + line.count { blanked[index] = UInt8(ascii: " ") }
            }
            offset += line.count + 1
        }
        return blanked
    }

    /// The text without its pointer lines and without empty lines before the rest.
    ///
    /// - Complexity: O(bytes).
    package static func description(of text: [UInt8]) -> [UInt8] {
        let lines = TextLines(text).filter { FileContent(line: $0) == nil }
        return Array(lines.drop(while: \.isEmpty).joined(separator: [UInt8(ascii: "\n")]))
    }

    /// The edits that give a file other bytes: they remove all of its pointer lines, and insert a new one in place of the
    /// first, also if the line is the same. So of two people who settle a file differently, both are kept; a difference
    /// by lines could leave nothing.
    ///
    /// - Precondition: `text` is that of a file.
    package func edits(of text: [UInt8]) -> [Edit] {
        precondition(Self.isFile(text), "only a file gets other bytes")
        var edits: [Edit] = []
        var offset = 0
        for bytes in TextLines(text) {
            let end = Swift.min(offset + bytes.count + 1, text.count)
            if FileContent(line: bytes) != nil {
                let feed = end > offset + bytes.count ? [UInt8(ascii: "\n")] : []
                edits.append(Edit(start: offset, end: end, replacement: edits.isEmpty ? line + feed : []))
            }
            offset = end
        }
        return edits
    }
}
