import NoteText

/// The beginning of a link or a tag before the cursor.
struct CompletionContext: Equatable {
    enum Kind: Equatable {
        /// The target of `[[`.
        case wiki
        /// The target of `](`, perhaps in angle brackets.
        case path(isAngled: Bool)
        /// The fragment of a link to this target, which is empty for the document itself.
        case heading(of: ByteString, isWiki: Bool)
        case tag
    }

    let kind: Kind
    /// The bytes to replace, up to the cursor.
    let range: Range<Int>
    /// The offset of `[[`, or of the text that is shown for a path link.
    let start: Int
    /// The characters that close the link, if they are not there yet.
    let closing: String

    /// - Returns: nil if the place is in code, or if nothing that can be completed is before it.
    /// - Complexity: O(bytes).
    init?(at offset: Int, in text: PlacedText) {
        let line = text.range(ofLine: text.line(of: offset))
        let bytes = text.bytes
        let before = bytes[line.lowerBound..<min(max(offset, line.lowerBound), line.upperBound)]
        let rest = bytes[before.endIndex..<line.upperBound]
        let wiki = Self.opening("[[", in: before, unlessClosedBy: "]]")
        let path = Self.opening("](", in: before, unlessClosedBy: ")")
        if let wiki, wiki > path ?? -1 {
            self.init(wiki: wiki, before: before, rest: rest, bytes: bytes)
        } else if let path {
            self.init(path: path, before: before, rest: rest, bytes: bytes)
        } else {
            self.init(tagIn: before, bytes: bytes)
        }
    }

    /// Whether the link of a text is an embed or an image, which shows what it means.
    func isShowing(in bytes: [UInt8]) -> Bool {
        var open = start
        if case .path = kind {
            let line = bytes[..<start].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            guard let bracket = bytes[line..<start].lastIndex(of: UInt8(ascii: "[")) else { return false }
            open = bracket
        }
        return open > 0 && bytes[open - 1] == UInt8(ascii: "!")
    }

    private init(kind: Kind, range: Range<Int>, start: Int, closing: String = "") {
        (self.kind, self.range, self.start, self.closing) = (kind, range, start, closing)
    }

    private init?(wiki open: Int, before: ArraySlice<UInt8>, rest: ArraySlice<UInt8>, bytes: [UInt8]) {
        let typed = before[(open + 2)...]
        guard !typed.contains(UInt8(ascii: "|")), Self.isLink("[[x]]", from: open, to: before.endIndex, in: bytes) else {
            return nil
        }
        // `]]` that another link opens does not close this one.
        let until = Self.first("[[", in: rest) ?? rest.endIndex
        let isClosed = Self.first("]]", in: rest[..<until]) != nil
        let closing = isClosed ? "" : rest.first == UInt8(ascii: "]") ? "]" : "]]"
        if let hash = typed.firstIndex(of: UInt8(ascii: "#")) {
            let target = ByteString(validUTF8: Array(Headings.trimmed(typed[..<hash])))
            let last = typed.lastIndex(of: UInt8(ascii: "#")) ?? hash
            self.init(
                kind: .heading(of: target, isWiki: true), range: last + 1..<before.endIndex, start: open, closing: closing)
        } else {
            self.init(kind: .wiki, range: open + 2..<before.endIndex, start: open, closing: closing)
        }
    }

    private init?(path open: Int, before: ArraySlice<UInt8>, rest: ArraySlice<UInt8>, bytes: [UInt8]) {
        let isAngled = before.count > open + 2 - before.startIndex && before[open + 2] == UInt8(ascii: "<")
        let typed = before[(open + (isAngled ? 3 : 2))...]
        guard isAngled || !typed.contains(UInt8(ascii: " ")), !typed.contains(UInt8(ascii: ">")),
            Self.isLink("](x)", from: open, to: before.endIndex, in: bytes)
        else { return nil }
        let isClosed = Self.first(")", in: rest) != nil
        let closing = isClosed ? "" : isAngled ? ">)" : ")"
        if let hash = typed.firstIndex(of: UInt8(ascii: "#")) {
            self.init(
                kind: .heading(of: ByteString(validUTF8: Array(typed[..<hash])), isWiki: false),
                range: hash + 1..<before.endIndex,
                start: open, closing: closing)
        } else {
            self.init(kind: .path(isAngled: isAngled), range: typed.startIndex..<before.endIndex, start: open, closing: closing)
        }
    }

    private init?(tagIn before: ArraySlice<UInt8>, bytes: [UInt8]) {
        guard let hash = before.lastIndex(of: UInt8(ascii: "#")) else { return nil }
        // A word that nobody uses is a tag where the user types exactly if the scanner finds it.
        let probe = "notesd-probe-of-a-tag"
        guard !before[hash...].contains(where: { $0 <= 0x20 }),
            Tags.of(Array(bytes[...hash] + Array(probe.utf8) + bytes[before.endIndex...]), isLimited: false).contains(
                ByteString(probe))
        else { return nil }
        self.init(kind: .tag, range: hash + 1..<before.endIndex, start: hash)
    }

    /// Whether the scanner finds a link in place of the begun one, which is so unless it is in code.
    private static func isLink(_ link: String, from start: Int, to end: Int, in bytes: [UInt8]) -> Bool {
        let probe = bytes[..<start] + Array(link.utf8) + bytes[end...]
        return Links.of(Array(probe)).contains { $0.range.lowerBound == start + 2 }
    }

    /// The offset of the last opening mark that no closing mark follows.
    private static func opening(_ mark: String, in before: ArraySlice<UInt8>, unlessClosedBy closing: String) -> Int? {
        guard before.count >= 2 else { return nil }
        let mark = Array(mark.utf8)
        let found = (before.startIndex...before.endIndex - 2).last { before[$0..<$0 + 2].elementsEqual(mark) }
        guard let found, first(closing, in: before[(found + 2)...]) == nil else { return nil }
        return found
    }

    private static func first(_ mark: String, in bytes: ArraySlice<UInt8>) -> Int? {
        let mark = Array(mark.utf8)
        guard bytes.count >= mark.count else { return nil }
        return (bytes.startIndex...bytes.endIndex - mark.count).first { bytes[$0..<$0 + mark.count].elementsEqual(mark) }
    }
}
