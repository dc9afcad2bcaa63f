/// The writing of other targets for one link, in the style of its writer.
package struct LinkSpelling {
    /// A text that can replace the target of the link.
    package struct Written: Hashable {
        /// The bytes to write at `Link.range`.
        package let bytes: [UInt8]
        /// The target that a reader finds in the new spelling.
        package let target: LinkTarget
    }

    private let link: Link
    /// The target as written.
    private let raw: ArraySlice<UInt8>
    /// Whether the target is in angle brackets.
    private let isAngled: Bool
    /// Whether the link is in front matter.
    private let isInFrontMatter: Bool
    /// Whether letters beyond ASCII have percent escapes.
    private let escapesAll: Bool

    /// - Parameter bodyStart: the offset after the front matter.
    package init(_ link: Link, of text: [UInt8], bodyStart: Int) {
        self.link = link
        let raw = text[link.range]
        self.raw = raw
        isAngled = link.kind == .path && link.range.lowerBound > 0 && text[link.range.lowerBound - 1] == UInt8(ascii: "<")
        isInFrontMatter = link.range.lowerBound < bodyStart
        escapesAll = raw.indices.dropLast(2).contains { index in
            raw[index] == UInt8(ascii: "%") && "89abcdefABCDEF".utf8.contains(raw[index + 1])
        }
    }

    /// The targets for a note, best first: in the style of the link, then the fallbacks that every link
    /// of this kind can use. Targets that this link cannot contain are left out.
    ///
    /// - Parameters:
    ///   - rule: the rule by which the link meant the note.
    ///   - isBeforeQuery: whether the `?` and what follows it did not belong to the name.
    ///   - old: the note's name when the link meant it.
    ///   - new: the note's name.
    ///   - folder: the folder of the linking note.
    package func targets(
        of rule: LinkRule, isBeforeQuery: Bool, from old: ByteString?, to new: ByteString, in folder: ByteString
    ) -> [Written] {
        let target = isBeforeQuery ? link.targetBeforeQuery ?? link.target : link.target
        let query = isBeforeQuery ? raw.drop { $0 != UInt8(ascii: "?") } : []
        var names: [ByteString] = []
        let ending = Self.ending(of: target, afterNameOf: old)
        for name in styled(target, rule, new, folder) { names.append(name + ending) }
        if ending.isEmpty { names.append("/" + new + ".md") }
        var seen: Set<ByteString> = []
        return names.compactMap { name in seen.insert(name).inserted ? written(name, query: query) : nil }
    }

    /// The targets for a file that is no note, best first: in the style of the link, then one that the
    /// root and the last parts of names have no part in.
    ///
    /// - Parameters:
    ///   - place: the path of the file (`FilePlace`).
    ///   - folder: the folder of the linking note.
    package func targets(ofFile place: ByteString, in folder: ByteString) -> [Written] {
        let target = link.targetBeforeQuery ?? link.target
        let query = link.targetBeforeQuery == nil ? [] : raw.drop { $0 != UInt8(ascii: "?") }
        let relative = Self.relative(place, to: folder)
        let dotted = LinkPath.isRelative(relative) ? relative : "./" + relative
        let isDotted = link.kind != .path || target.hasPrefix("./")
        return (isDotted ? [dotted] : [relative, dotted]).compactMap { written($0, query: query) }
    }

    // MARK: - Style

    private func styled(
        _ target: ByteString, _ rule: LinkRule, _ name: ByteString, _ folder: ByteString
    ) -> [ByteString] {
        let relative = Self.relative(name, to: folder)
        let dotted = LinkPath.isRelative(relative) ? relative : "./" + relative
        let rooted = "/" + name
        if link.kind == .path {
            let fallbacks = [dotted, rooted]
            return switch rule {
            case .relative: [target.hasPrefix("./") ? dotted : relative] + fallbacks
            case .root: [LinkPath.isRooted(target) ? rooted : name] + fallbacks
            case .tail, .label: Self.tails(of: name, like: target) + fallbacks
            }
        }
        if LinkPath.isRelative(target) { return [dotted, rooted] }
        if LinkPath.isRooted(target) { return [rooted] }
        if rule == .root, target.utf8.contains(UInt8(ascii: "/")) { return [name, rooted] }
        return Self.tails(of: name, like: target) + [name, rooted]
    }

    /// The last parts of a name, first as many as the target has, then more.
    private static func tails(of name: ByteString, like target: ByteString) -> [ByteString] {
        let parts = name.utf8.split(separator: UInt8(ascii: "/"))
        let words = target.utf8.split(separator: UInt8(ascii: "/"))
        let count = words.count { !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
        return (min(max(count, 1), parts.count)...parts.count).map {
            ByteString(validUTF8: Array(parts.suffix($0).joined(separator: [UInt8(ascii: "/")])))
        }
    }

    /// The path from a folder to a name.
    private static func relative(_ name: ByteString, to folder: ByteString) -> ByteString {
        let here = folder.utf8.split(separator: UInt8(ascii: "/"))
        let parts = name.utf8.split(separator: UInt8(ascii: "/"))
        let common = zip(here, parts.dropLast()).prefix { $0.elementsEqual($1) }.count
        let ups = Array(repeating: ArraySlice("..".utf8), count: here.count - common)
        return ByteString(validUTF8: Array((ups + parts[common...]).joined(separator: [UInt8(ascii: "/")])))
    }

    /// The extension of a target; empty if it belongs to the name of the note.
    private static func ending(of target: ByteString, afterNameOf name: ByteString?) -> ByteString {
        guard let name, let stem = LinkPath.withoutExtension(target),
            NameFolding.fold(stem).utf8.reversed().starts(with: NameFolding.fold(LinkPath.last(name)).utf8.reversed())
        else { return "" }
        return ByteString(validUTF8: Array(target.utf8.dropFirst(stem.utf8.count)))
    }

    // MARK: - Escapes

    /// The target as this link can contain it; nil if it cannot.
    private func written(_ target: ByteString, query: ArraySlice<UInt8>) -> Written? {
        if link.kind == .path { return writtenPath(target, query: query) }
        guard !Self.isUnsafe(target.utf8), !isInFrontMatter || Self.isSafeInYAML(target.utf8) else { return nil }
        return reread(target.utf8, inside: ("[[", "]]"))
    }

    /// A path with the escapes that CommonMark needs, and otherwise those that the writer used.
    private func writtenPath(_ target: ByteString, query: ArraySlice<UInt8>) -> Written? {
        var bytes: [UInt8] = []
        let path = target.utf8
        let isNested = Self.hasNestedParentheses(path)
        let keepsSpaces = isAngled && !raw.contains(subsequence: "%20".utf8)
        for (index, byte) in path.enumerated() {
            let isParenthesis = "()".utf8.contains(byte)
            let needsPercent =
                byte < 0x20 || byte == 0x7F || "%#?|\\<>`".utf8.contains(byte) || byte == 0x20 && !keepsSpaces
                || byte >= 0x80 && (escapesAll || Self.isBlank(path, at: index))
                || "()[]*_\"'".utf8.contains(byte) && raw.contains(subsequence: Self.percent(byte))
                || byte == UInt8(ascii: "&") && path[index...].starts(with: "&amp;".utf8)
            if needsPercent {
                bytes += Self.percent(byte)
            } else {
                if !isAngled, "[]".utf8.contains(byte) || isParenthesis && !isNested { bytes.append(UInt8(ascii: "\\")) }
                bytes.append(byte)
            }
        }
        let around = isAngled ? ("[x](<", ">)") : ("[x](", ")")
        return reread(bytes + query, inside: around) ?? reread(Array("./".utf8) + bytes + query, inside: around)
    }

    /// Reads the link again with another target; nil if it would not read as the target.
    private func reread(_ bytes: [UInt8], inside around: (String, String)) -> Written? {
        let start = Array(around.0.utf8)
        let links = Links.of(start + bytes + around.1.utf8)
        guard links.count == 1, let found = links.first, (found.kind == .path) == (link.kind == .path),
            found.range == start.count..<start.count + bytes.count, found.fragment == nil
        else { return nil }
        return Written(bytes: bytes, target: LinkTarget(found))
    }

    /// Whether a wiki target could be read otherwise because of the text around the link.
    private static func isUnsafe(_ target: [UInt8]) -> Bool {
        let isTag = target.indices.dropLast().contains { target[$0] == UInt8(ascii: "<") && isLetter(target[$0 + 1]) }
        return isTag || target.contains(UInt8(ascii: "`")) || target.last == UInt8(ascii: "\\")
            || target[...].contains(subsequence: "<!--".utf8) || target[...].contains(subsequence: "-->".utf8)
    }

    private static func isSafeInYAML(_ target: [UInt8]) -> Bool {
        !target.contains { "\"'\\,{}[]`".utf8.contains($0) } && target.last != UInt8(ascii: ":")
            && !target[...].contains(subsequence: ": ".utf8) && !target[...].contains(subsequence: " #".utf8)
    }

    private static func hasNestedParentheses(_ path: [UInt8]) -> Bool {
        var depth = 0
        for byte in path {
            if byte == UInt8(ascii: "(") { depth += 1 } else if byte == UInt8(ascii: ")") { depth -= 1 }
            if depth < 0 || depth > LinkLimits.parenthesesMax { return false }
        }
        return depth == 0
    }

    /// Whether the byte belongs to white space beyond ASCII, which some programs end a target at.
    private static func isBlank(_ path: [UInt8], at index: Int) -> Bool {
        var start = index
        while start > 0, path[start] & 0xC0 == 0x80 { start -= 1 }
        return firstScalar(path[start...])?.scalar.properties.isWhitespace == true
    }

    private static func percent(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
    }
}

extension ArraySlice<UInt8> {
    /// Whether the bytes contain others, with ASCII letters in any case.
    fileprivate func contains(subsequence bytes: some Collection<UInt8>) -> Bool {
        guard count >= bytes.count else { return false }
        return (startIndex...(endIndex - bytes.count)).contains { start in
            self[start..<start + bytes.count].lazy.map(asciiLowercased).elementsEqual(bytes.lazy.map(asciiLowercased))
        }
    }
}

private func + (left: ByteString, right: ByteString) -> ByteString { ByteString(validUTF8: left.utf8 + right.utf8) }
