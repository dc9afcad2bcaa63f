import NoteText
import TextMerge

/// The link, tag or heading at an offset of a document.
enum PlaceSubject {
    case link(Link)
    case tag(ByteString)
    case heading(Sections.Section)
    case nothing

    init(at offset: Int, in text: PlacedText) {
        let line = text.range(ofLine: text.line(of: offset))
        let bytes = text.bytes
        if let link = Links.of(bytes).first(where: { LinkExtent.of($0, in: bytes, line: line).contains(offset) }) {
            self = .link(link)
        } else if let tag = Self.tag(at: offset, in: bytes, line: line) {
            self = .tag(tag)
        } else if let section = Sections(bytes).section(withHeadingAt: offset) {
            self = .heading(section)
        } else {
            self = .nothing
        }
    }

    /// The tag word that contains an offset.
    private static func tag(at offset: Int, in bytes: [UInt8], line: Range<Int>) -> ByteString? {
        let isEnd = { (byte: UInt8) in byte <= 0x20 || "#()[],.;:!?\"".utf8.contains(byte) }
        let before = bytes[line.lowerBound..<min(offset + 1, line.upperBound)]
        guard let hash = before.lastIndex(of: UInt8(ascii: "#")) else { return nil }
        let word = bytes[(hash + 1)..<line.upperBound].prefix { !isEnd($0) }
        guard !word.isEmpty, offset <= word.endIndex else { return nil }
        // The tags of the text up to the word have the word only if the scanner counts it.
        let tag = Tags.lowercased(ByteString(validUTF8: Array(word)))
        return Tags.of(Array(bytes[..<word.endIndex]), isLimited: false).contains(tag) ? tag : nil
    }
}

/// The bytes of a link with its brackets.
enum LinkExtent {
    /// - Parameter line: the bytes of the line to look at; a link elsewhere has no extent.
    static func of(_ link: Link, in bytes: [UInt8], line: Range<Int>) -> ClosedRange<Int> {
        guard line.contains(link.range.lowerBound) || line.upperBound == link.range.lowerBound else { return -1...(-1) }
        let (start, end) = (link.range.lowerBound, link.range.upperBound)
        switch link.kind {
        case .wiki, .embed:
            var first = start
            while first > line.lowerBound + 1, !(bytes[first - 1] == bracket && bytes[first - 2] == bracket) { first -= 1 }
            return max(first - 2, line.lowerBound)...closing("]]", in: bytes, from: end, line)
        case .path, .id:
            var first = start
            while first > line.lowerBound, bytes[first - 1] != UInt8(ascii: "(") {
                // A reference definition, or a target that follows white space.
                guard bytes[first - 1] != UInt8(ascii: "]") else { return start...end }
                first -= 1
            }
            guard first > line.lowerBound + 1, bytes[first - 2] == UInt8(ascii: "]") else { return start...end }
            var (depth, open) = (0, first - 2)
            while open > line.lowerBound {
                if bytes[open] == UInt8(ascii: "]") { depth += 1 } else if bytes[open] == bracket { depth -= 1 }
                if depth == 0 { break }
                open -= 1
            }
            return open...closing(")", in: bytes, from: end, line)
        }
    }

    private static let bracket = UInt8(ascii: "[")

    /// The offset after a mark that follows an offset on the line; the offset itself if none does.
    private static func closing(_ mark: String, in bytes: [UInt8], from start: Int, _ line: Range<Int>) -> Int {
        let mark = Array(mark.utf8)
        guard start <= line.upperBound - mark.count else { return start }
        return (start...line.upperBound - mark.count).first { bytes[$0..<$0 + mark.count].elementsEqual(mark) }
            .map { $0 + mark.count } ?? start
    }
}
