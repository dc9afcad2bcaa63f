/// The endings of files that links may mean and that are no notes.
package enum Attachments {
    /// Whether the last part of a target has a known ending. A `?` and what follows it do not count.
    package static func isAttachment(_ target: ByteString) -> Bool {
        let path = target.utf8.prefix((target.utf8.lastIndex { $0 != UInt8(ascii: "/") } ?? -1) + 1)
        let last = LinkPath.last(ByteString(validUTF8: Array(path))).utf8
        guard let dot = last.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return endings.contains(last[(dot + 1)...].prefix { $0 != UInt8(ascii: "?") }.map(asciiLowercased))
    }

    private static let endings = Set(
        """
        png jpg jpeg gif bmp svg webp avif tif tiff ico heic mp3 wav m4a ogg oga opus flac 3gp aac mp4 webm ogv mov
        mkv avi pdf canvas base excalidraw zip gz tar csv json yaml yml toml html htm css js ts py rs go c h sh txt
        asc adoc org tex bib docx xlsx pptx odt ods epub
        """.split { $0 == " " || $0.isNewline }.map { Array($0.utf8) })
}
