/// Operations on targets and names as paths whose parts are separated by `/`.
package enum LinkPath {
    private static let slash = UInt8(ascii: "/")

    /// The last part of a path.
    static func last(_ path: ByteString) -> ByteString {
        guard let slash = path.utf8.lastIndex(of: slash) else { return path }
        return ByteString(validUTF8: Array(path.utf8[(slash + 1)...]))
    }

    /// The folder of a note: its name without the last part; empty at the root.
    package static func folder(of name: ByteString) -> ByteString {
        ByteString(validUTF8: Array(name.utf8[..<(name.utf8.lastIndex(of: slash) ?? 0)]))
    }

    /// The target without a final `.md` or `.markdown` in any case; nil if it has none.
    package static func withoutExtension(_ target: ByteString) -> ByteString? {
        for ending in [".markdown", ".md"] where target.utf8.count > ending.utf8.count {
            let stem = target.utf8.dropLast(ending.utf8.count)
            if target.utf8[stem.endIndex...].lazy.map(asciiLowercased).elementsEqual(ending.utf8) {
                return ByteString(validUTF8: Array(stem))
            }
        }
        return nil
    }

    /// Whether the last part is empty, `.` or `..`, so that the target is a folder.
    package static func isFolder(_ target: ByteString) -> Bool {
        let last = last(target).utf8
        return last.isEmpty || last == [UInt8(ascii: ".")] || last == Array("..".utf8)
    }

    /// Whether the target is relative: its first part is `.` or `..`.
    package static func isRelative(_ target: ByteString) -> Bool {
        let first = target.utf8.prefix { $0 != slash }
        return first.elementsEqual(".".utf8) || first.elementsEqual("..".utf8)
    }

    /// Whether the target starts at the root.
    package static func isRooted(_ target: ByteString) -> Bool { target.utf8.first == slash }

    /// The path that a target means in a folder, without `.`, `..` and empty parts; nil above the root.
    package static func joined(_ folder: ByteString, _ target: ByteString) -> ByteString? {
        var parts = folder.isEmpty ? [] : folder.utf8.split(separator: slash)
        for part in target.utf8.split(separator: slash) where !part.elementsEqual(".".utf8) {
            if part.elementsEqual("..".utf8) {
                if parts.popLast() == nil { return nil }
            } else {
                parts.append(part)
            }
        }
        return ByteString(validUTF8: Array(parts.joined(separator: [slash])))
    }

    /// The path folded and in reverse, each part with a `/` after it and the last part without any final
    /// `.md` or `.markdown`: `work/A.md` becomes `a/work/`. A link that means a note by a label has a key
    /// that is a prefix of the label's key. Parts `..` remove the part before them.
    package static func key(_ path: ByteString) -> ByteString {
        var parts: [ByteString] = []
        for part in NameFolding.fold(path).utf8.split(separator: slash) where !part.elementsEqual(".".utf8) {
            if part.elementsEqual("..".utf8) { _ = parts.popLast() } else { parts.append(ByteString(validUTF8: Array(part))) }
        }
        while let last = parts.last, let stem = withoutExtension(last) { parts[parts.count - 1] = stem }
        var key: [UInt8] = []
        for part in parts.reversed() {
            key += part.utf8
            key.append(slash)
        }
        return ByteString(validUTF8: key)
    }
}
