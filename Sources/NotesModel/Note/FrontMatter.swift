/// The `tags:` of YAML front matter, which is a block between a first line `---` and the next line
/// `---` or `...`.
///
/// The parser reads only this key, in three forms: `tags: [a, b]`; `tags: a, b` or `tags: a b`; and
/// a block list of `- a` lines below the key. It strips quotes and a leading `#` from a value. Any
/// other form yields no tags: front matter is part of the note's text, so it is never an error.
struct FrontMatter {
    let tags: [ByteString]
    /// The byte offset at which the text continues after the block.
    let end: Int

    /// Parses the front matter; nil when the text does not start with `---` or the block does not
    /// end.
    init?(_ text: [UInt8]) {
        var lines = Lines(text)
        guard let first = lines.next(), Self.isMark(first, "---") else { return nil }
        var content: [ArraySlice<UInt8>] = []
        while let line = lines.next() {
            if Self.isMark(line, "---") || Self.isMark(line, "...") {
                end = min(line.endIndex + 1, text.count)
                tags = Self.tags(in: content)
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

    private static func tags(in lines: [ArraySlice<UInt8>]) -> [ByteString] {
        guard let key = lines.firstIndex(where: { $0.starts(with: "tags:".utf8) }) else { return [] }
        let value = trimmed(lines[key].dropFirst(5))
        if !value.isEmpty, value.first != UInt8(ascii: "#") { return values(inLine: value) }
        var tags: [ByteString] = []
        for line in lines[(key + 1)...] {
            let item = trimmed(line)
            if item.isEmpty { continue }
            guard item.first == UInt8(ascii: "-"), item.count == 1 || isBlank(item[item.startIndex + 1]) else { break }
            tag(item.dropFirst()).map { tags.append($0) }
        }
        return tags
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
