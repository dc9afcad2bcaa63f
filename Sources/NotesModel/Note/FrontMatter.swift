/// YAML front matter, which is a block between a first line `---` and the next line `---` or `...`. A
/// byte order mark may precede it.
///
/// The parser reads three keys. `tags:` and `aliases:` have three forms: `tags: [a, b]`; `tags: a, b` or
/// `tags: a b`; and a block list of `- a` lines below the key. It strips quotes and a leading `#` from a
/// value. `title:` is one line, with or without quotes. Any other form yields nothing: front matter is
/// part of the note's text, so it is never an error.
struct FrontMatter {
    /// The lines of the block.
    private let lines: [ArraySlice<UInt8>]
    /// The byte offset at which the text continues after the block.
    let end: Int

    /// The byte offset at which a text starts: after a byte order mark, if it has one.
    static func start(of text: [UInt8]) -> Int { text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

    /// Parses the front matter; nil when the text does not start with `---` or the block does not
    /// end.
    init?(_ text: [UInt8]) {
        var lines = Lines(text, from: Self.start(of: text))
        guard let first = lines.next(), Self.isMark(first, "---") else { return nil }
        var content: [ArraySlice<UInt8>] = []
        while let line = lines.next() {
            if Self.isMark(line, "---") || Self.isMark(line, "...") {
                end = min(line.endIndex + 1, text.count)
                self.lines = content
                return
            }
            content.append(line)
        }
        return nil
    }

    private static func isMark(_ line: ArraySlice<UInt8>, _ mark: StaticString) -> Bool {
        line.prefix(3).elementsEqual(UnsafeBufferPointer(start: mark.utf8Start, count: 3))
            && line.dropFirst(3).allSatisfy(isBlank)
    }

    /// The values of `tags:`.
    var tags: [ByteString] { list("tags:") }

    /// The first value of `aliases:`.
    var firstAlias: ByteString? { list("aliases:").first }

    /// The value of `title:`; nil if it is empty or has more than one line.
    var title: [UInt8]? {
        guard let line = lines.first(where: { $0.starts(with: "title:".utf8) }) else { return nil }
        let value = Self.trimmed(line.dropFirst(6))
        guard let first = value.first, !"|>[{#".utf8.contains(first) else { return nil }
        for quote in ["\"", "'"] where value.count >= 2 && [first] == Array(quote.utf8) && value.last == first {
            let inner = String(decoding: value.dropFirst().dropLast(), as: UTF8.self)
            let title = inner.replacing(quote == "'" ? "''" : "\\\"", with: quote).utf8
            return title.isEmpty ? nil : Array(title)
        }
        // A comment starts with a space and #.
        let comment = value.indices.dropFirst().first { value[$0] == UInt8(ascii: "#") && isBlank(value[$0 - 1]) }
        return Array(Self.trimmed(value[..<(comment ?? value.endIndex)]))
    }

    private func list(_ key: String) -> [ByteString] {
        guard let start = lines.firstIndex(where: { $0.starts(with: key.utf8) }) else { return [] }
        let value = Self.trimmed(lines[start].dropFirst(key.utf8.count))
        if !value.isEmpty, value.first != UInt8(ascii: "#") { return Self.values(inLine: value) }
        var values: [ByteString] = []
        for line in lines[(start + 1)...] {
            let item = Self.trimmed(line)
            if item.isEmpty { continue }
            guard item.first == UInt8(ascii: "-"), item.count == 1 || isBlank(item[item.startIndex + 1]) else { break }
            Self.tag(item.dropFirst()).map { values.append($0) }
        }
        return values
    }

    private static func values(inLine value: ArraySlice<UInt8>) -> [ByteString] {
        var value = value
        let isList = value.first == UInt8(ascii: "[")
        if isList {
            guard let close = value.lastIndex(of: UInt8(ascii: "]")) else { return [] }
            value = value[(value.startIndex + 1)..<close]
        }
        let bySpaces = !isList && !value.contains(UInt8(ascii: ","))
        return value.split { $0 == UInt8(ascii: ",") || bySpaces && isBlank($0) }.compactMap(tag)
    }

    /// One value without quotes and leading `#`; nil when nothing remains.
    private static func tag(_ raw: ArraySlice<UInt8>) -> ByteString? {
        var value = trimmed(raw)
        if value.count >= 2, let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
            value.last == quote
        {
            value = trimmed(value.dropFirst().dropLast())
        }
        value = value.drop { $0 == UInt8(ascii: "#") }
        return value.isEmpty ? nil : ByteString(validUTF8: Array(value))
    }

    private static func trimmed(_ slice: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = slice.drop(while: isBlank)
        return start.prefix((start.lastIndex { !isBlank($0) } ?? start.startIndex - 1) + 1 - start.startIndex)
    }
}
