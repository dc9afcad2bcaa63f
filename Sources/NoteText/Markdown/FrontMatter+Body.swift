extension FrontMatter {
    /// The byte offset at which a text continues after its front matter; 0 if it has none, or more than
    /// `bytesMax`.
    package static func bodyStart(of text: [UInt8]) -> Int {
        let beginning = start(of: text)
        guard text[beginning...].starts(with: "---".utf8) else { return 0 }
        let end = FrontMatter(Array(text.prefix(bytesMax)))?.end ?? 0
        // The last line of a text may end without a line feed, and a cut one is none.
        return end == bytesMax && end < text.count ? 0 : end
    }
}
