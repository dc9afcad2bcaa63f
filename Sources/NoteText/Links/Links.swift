import TextMerge

/// The links of a text: `[[wiki links]]`, `![[embeds]]`, and the inline links, images and reference
/// definitions of CommonMark whose target has no scheme other than `note:`.
///
/// Code and closed HTML comments contain no links. Front matter contains wiki links only. The rules
/// and their reasons are in `docs/decisions/links.md#0068`.
package enum Links {
    /// Finds the links of a text, in order of position, at most `LinkLimits.linksMax`.
    ///
    /// Ranges do not overlap: of links that do, as in `[a]: b?[[c]]`, only the first counts.
    ///
    /// - Complexity: O(bytes).
    package static func of(_ text: [UInt8]) -> [Link] {
        var steps = 0
        return of(text, countingSteps: &steps)
    }

    /// Finds the links of a text, and counts the bytes that it examines.
    ///
    /// - Parameter steps: increased by the number of examined bytes, most of which are examined more
    ///   than once.
    package static func of(_ text: [UInt8], countingSteps steps: inout Int) -> [Link] {
        guard text.firstOffset(of: UInt8(ascii: "["), from: 0) != nil else { return [] }
        var links: [Link] = []
        var body = text[FrontMatter.start(of: text)...]
        if let frontMatter = FrontMatter(text), frontMatter.end <= FrontMatter.bytesMax {
            for line in frontMatter.lines { links += WikiLinkScanner.links(ofLine: line, in: text) }
            body = text[frontMatter.end...]
        }
        for paragraph in Paragraphs(body, hidesComments: true) {
            guard links.count < LinkLimits.linksMax else { break }
            steps += paragraph.count
            guard paragraph.contains(UInt8(ascii: "[")) else { continue }
            var scanner = LinkScanner(paragraph, of: text)
            links += scanner.links()
            steps += scanner.steps
        }
        links.sort { $0.range.lowerBound < $1.range.lowerBound }
        var end = 0
        links.removeAll { link in
            guard link.range.lowerBound >= end else { return true }
            end = link.range.upperBound
            return false
        }
        return Array(links.prefix(LinkLimits.linksMax))
    }
}
