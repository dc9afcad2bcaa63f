/// The endings of files that links may mean and that are no notes.
package enum Attachments {
    /// Whether the last part of a target has a known ending. A `?` and what follows it do not count.
    package static func isAttachment(_ target: ByteString) -> Bool {
        let path = target.utf8.prefix((target.utf8.lastIndex { $0 != UInt8(ascii: "/") } ?? -1) + 1)
        let last = LinkPath.last(ByteString(validUTF8: Array(path))).utf8
        guard let dot = last.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return endings.contains(last[(dot + 1)...].prefix { $0 != UInt8(ascii: "?") }.map(asciiLowercased))
    }

    private static let endings = media.union(
        words("csv json yaml yml toml html htm css js ts py rs go c h sh txt asc adoc org tex bib"))

    /// Whether the ending of a file's name is that of a picture, sound, film, a document or an archive: of no text.
    package static func isMedia(_ name: some BidirectionalCollection<UInt8>) -> Bool { media.contains(ending(of: name)) }

    /// The ending of a name, in lower case; empty if there is none.
    package static func ending(of name: some BidirectionalCollection<UInt8>) -> [UInt8] {
        let rest = name.dropFirst()
        return rest.lastIndex(of: UInt8(ascii: ".")).map { rest[$0...].dropFirst().map(asciiLowercased) } ?? []
    }

    private static let media = words(
        """
        png jpg jpeg gif bmp svg webp avif tif tiff ico heic mp3 wav m4a ogg oga opus flac 3gp aac mp4 webm ogv mov
        mkv avi pdf canvas base excalidraw zip gz tar docx xlsx pptx odt ods epub
        """)

    private static func words(_ list: String) -> Set<[UInt8]> {
        Set(list.split { $0 == " " || $0.isNewline }.map { Array($0.utf8) })
    }
}
