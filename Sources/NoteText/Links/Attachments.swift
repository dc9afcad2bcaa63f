/// The endings of files that links may mean and that are no notes.
package enum Attachments {
    /// Whether the last part of a target has a known ending. A `?` and what follows it do not count.
    package static func isAttachment(_ target: ByteString) -> Bool {
        ending(of: target).map { media.contains($0) || sources.contains($0) } ?? false
    }

    /// Whether the ending is that of a picture, a sound, a film or a document, and not of source code or plain text.
    package static func isMedium(_ target: ByteString) -> Bool { ending(of: target).map(media.contains) ?? false }

    private static func ending(of target: ByteString) -> [UInt8]? {
        let path = target.utf8.prefix((target.utf8.lastIndex { $0 != UInt8(ascii: "/") } ?? -1) + 1)
        let last = LinkPath.last(ByteString(validUTF8: Array(path))).utf8
        guard let dot = last.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        return last[(dot + 1)...].prefix { $0 != UInt8(ascii: "?") }.map(asciiLowercased)
    }

    private static let media = words(
        """
        png jpg jpeg gif bmp svg webp avif tif tiff ico heic mp3 wav m4a ogg oga opus flac 3gp aac mp4 webm ogv mov
        mkv avi pdf canvas base excalidraw zip gz tar docx xlsx pptx odt ods epub
        """)
    private static let sources = words(
        "csv json yaml yml toml html htm css js ts py rs go c h sh txt asc adoc org tex bib")

    private static func words(_ text: String) -> Set<[UInt8]> {
        Set(text.split { $0 == " " || $0.isNewline }.map { Array($0.utf8) })
    }
}
