package import NoteText
package import NotesModel

/// The text form of positions in lists of links, which clients treat as opaque: `<id>/<number>` of the
/// last link, for missing targets followed by `/<kind>/<target>`.
package enum LinkToken {
    /// The text of a position in `links.to`.
    package static func text(_ position: LinkPosition) -> ByteString { ByteString("\(position.note)/\(position.number)") }

    /// The text of a position in `links.missing`.
    package static func text(_ position: MissingLinkPosition) -> ByteString {
        ByteString(validUTF8: text(position.link).utf8 + Array("/\(position.kind.word.rawValue)/".utf8) + position.target.utf8)
    }

    /// The position with this text; nil for anything but the canonical form.
    package static func position(parsing text: ByteString) -> LinkPosition? {
        position(text.utf8.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false))
    }

    /// The position with this text; nil for anything but the canonical form.
    package static func missing(parsing text: ByteString) -> MissingLinkPosition? {
        let parts = text.utf8.split(separator: separator, maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let link = position(Array(parts.prefix(2))),
            let word = Link.Kind.Word(rawValue: String(decoding: parts[2], as: UTF8.self))
        else { return nil }
        return MissingLinkPosition(target: ByteString(validUTF8: Array(parts[3])), kind: word.kind, link: link)
    }

    private static func position(_ parts: [ArraySlice<UInt8>]) -> LinkPosition? {
        guard parts.count == 2, let id = NoteID(parsing: parts[0]), parts[1].count <= 9,
            parts[1].allSatisfy({ (0x30...0x39).contains($0) }),
            parts[1].count == 1 || parts[1].first != UInt8(ascii: "0"),
            let number = Int(String(decoding: parts[1], as: UTF8.self))
        else { return nil }
        return LinkPosition(note: id, number: number)
    }

    private static let separator = UInt8(ascii: "/")
}
