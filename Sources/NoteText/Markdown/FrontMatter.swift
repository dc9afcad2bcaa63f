/// YAML front matter, which is a block between a first line `---` and the next line `---` or `...`. A
/// byte order mark may precede it.
///
/// The parser reads five keys. `tags:` and `aliases:` have three forms: `tags: [a, b]`; `tags: a, b` or
/// `tags: a b`; and a block list of `- a` lines below the key. It strips quotes and a leading `#` from a
/// value. `title:` is one line, with or without quotes. As names for links, `aliases:` and `alias:` have the
/// same forms, except that spaces and `#` belong to a value, and `id:` is one value. Any other form yields nothing: front matter is
/// part of the note's text, so it is never an error.
package struct FrontMatter {
    /// The size of front matter in which links, tags and aliases count, in bytes.
    package static let bytesMax = 64 << 10

    /// The lines of the block.
    let lines: [ArraySlice<UInt8>]
    /// The byte offset at which the text continues after the block.
    package let end: Int

    /// The byte offset at which a text starts: after a byte order mark, if it has one.
    static func start(of text: [UInt8]) -> Int { text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

    /// Parses the front matter; nil when the text does not start with `---` or the block does not
    /// end.
    package init?(_ text: [UInt8]) {
        var lines = TextLines(text, from: Self.start(of: text))
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

    /// The other names of the note, under which links find it: the values of `aliases:`, `alias:` and
    /// `id:`, in order.
    var linkNames: [ByteString] {
        var names: [ByteString] = []
        for (index, line) in lines.enumerated() {
            guard let key = ["aliases:", "alias:", "id:"].first(where: { line.starts(with: $0.utf8) }) else { continue }
            let value = Self.trimmed(line.dropFirst(key.utf8.count))
            if value.isEmpty || value.first == UInt8(ascii: "#") {
                names += items(after: index).compactMap(Self.unquoted)
            } else if value.first == UInt8(ascii: "[") {
                guard let close = value.lastIndex(of: UInt8(ascii: "]")) else { continue }
                names += value[(value.startIndex + 1)..<close].split(separator: UInt8(ascii: ",")).compactMap(Self.unquoted)
            } else if key == "id:" || value.first == UInt8(ascii: "\"") || value.first == UInt8(ascii: "'") {
                Self.unquoted(value).map { names.append($0) }
            } else {
                names += value.split(separator: UInt8(ascii: ",")).compactMap(Self.unquoted)
            }
        }
        return names
    }

    private func list(_ key: String) -> [ByteString] {
        guard let start = lines.firstIndex(where: { $0.starts(with: key.utf8) }) else { return [] }
        let value = Self.trimmed(lines[start].dropFirst(key.utf8.count))
        if !value.isEmpty, value.first != UInt8(ascii: "#") { return Self.values(inLine: value) }
        return items(after: start).compactMap(Self.tag)
    }

    /// The values of the block list below a line.
    private func items(after index: Int) -> [ArraySlice<UInt8>] {
        var items: [ArraySlice<UInt8>] = []
        for line in lines[(index + 1)...] {
            let item = Self.trimmed(line)
            if item.isEmpty { continue }
            guard item.first == UInt8(ascii: "-"), item.count == 1 || isBlank(item[item.startIndex + 1]) else { break }
            items.append(item.dropFirst())
        }
        return items
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
        let value = unquoted(raw)?.utf8.drop { $0 == UInt8(ascii: "#") } ?? []
        return value.isEmpty ? nil : ByteString(validUTF8: Array(value))
    }

    /// One value without quotes; nil when nothing remains.
    private static func unquoted(_ raw: ArraySlice<UInt8>) -> ByteString? {
        var value = trimmed(raw)
        if value.count >= 2, let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
            value.last == quote
        {
            value = trimmed(value.dropFirst().dropLast())
        }
        return value.isEmpty ? nil : ByteString(validUTF8: Array(value))
    }

    private static func trimmed(_ slice: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = slice.drop(while: isBlank)
        return start.prefix((start.lastIndex { !isBlank($0) } ?? start.startIndex - 1) + 1 - start.startIndex)
    }
}
