/// The texts under which links find a note.
package struct NoteLabels: Hashable, Sendable {
    /// The name; nil if the note has none.
    package let name: ByteString?
    /// The values of `aliases:`, `alias:` and `id:` of the front matter, at most
    /// `LinkLimits.aliasesMax`.
    package let aliases: [ByteString]
    /// The title (`Title`); empty if there is none.
    package let title: ByteString

    /// Reads the labels of a note.
    ///
    /// - Complexity: That of `Title.of`, and O(bytes of the front matter).
    package init(name: NoteName?, text: [UInt8]) {
        self.name = name?.bytes
        title = Title.of(text)
        let matter = FrontMatter(text)
        let names = matter.map { $0.end <= FrontMatter.bytesMax ? $0.linkNames : [] } ?? []
        aliases = Array(names.prefix(LinkLimits.aliasesMax))
    }

    package init(name: ByteString?, aliases: [ByteString], title: ByteString) {
        self.name = name
        self.aliases = aliases
        self.title = title
    }

    /// The id at the start of the name's last part, as Zettelkasten programs write it; nil if there is
    /// none.
    ///
    /// It is a word before a space, `-` or `_`: of eight or more digits, or of four or more letters and
    /// digits with both, of which the first is no capital letter. In lower case.
    package var leadingID: ByteString? { name.flatMap(Self.leadingID) }

    /// The keys (`LinkPath.key`) of all links that can mean the note by a label: one for each number of
    /// last parts of the name, one for each alias, and those of the title and the leading id.
    package var keys: Set<ByteString> {
        var keys = Set((aliases + [title, leadingID].compactMap { $0 }).map(LinkPath.key))
        if let name {
            let whole = LinkPath.key(name)
            for (offset, byte) in whole.utf8.enumerated() where byte == UInt8(ascii: "/") {
                keys.insert(ByteString(validUTF8: Array(whole.utf8[...offset])))
            }
        }
        keys.remove(ByteString(validUTF8: []))
        return keys
    }

    private static func leadingID(of name: ByteString) -> ByteString? {
        let last = LinkPath.last(name).utf8
        let word = last.prefix { isLetter($0) || isDigit($0) }
        guard let first = word.first, word.endIndex < last.endIndex, " -_".utf8.contains(last[word.endIndex]) else { return nil }
        let digits = word.count(where: isDigit)
        guard digits == word.count ? digits >= 8 : word.count >= 4 && digits > 0 && !(0x41...0x5A).contains(first) else {
            return nil
        }
        return ByteString(validUTF8: word.map(asciiLowercased))
    }
}
