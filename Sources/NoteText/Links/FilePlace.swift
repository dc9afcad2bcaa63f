/// The places of files that are no notes, as links mean them.
///
/// A link to such a file is a path from the folder of the linking note, as in CommonMark. The daemon does
/// not know the files, so a place is known and its file may not exist.
package enum FilePlace {
    private static let slash = UInt8(ascii: "/")
    private static let above = Array("..".utf8)
    /// The length of an ending such as `png`, in bytes.
    private static let endingBytesMax = 12

    /// The path from the root of the notes that a link in a folder means, without `.` and with `..` only at
    /// its start; nil if the link does not mean a file by a relative path.
    ///
    /// A wiki link without `./` or `../` means a file by its name, wherever that file is.
    package static func of(_ link: Link, in folder: ByteString) -> ByteString? {
        let target = link.targetBeforeQuery ?? link.target
        guard link.kind == .path ? !LinkPath.isRooted(target) : LinkPath.isRelative(target), isFile(target) else { return nil }
        var parts = folder.utf8.split(separator: slash)
        for part in target.utf8.split(separator: slash) where !part.elementsEqual(".".utf8) {
            if part.elementsEqual(above), let last = parts.last, !last.elementsEqual(above) {
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        return ByteString(validUTF8: Array(parts.joined(separator: [slash])))
    }

    /// Whether the last part of a target ends like a file that is no note: in a dot and a few letters and
    /// digits, which are not those of a note.
    private static func isFile(_ target: ByteString) -> Bool {
        guard LinkPath.withoutExtension(target) == nil else { return false }
        let last = LinkPath.last(target).utf8
        guard let dot = last.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return false }
        let ending = last[(dot + 1)...]
        return (1...endingBytesMax).contains(ending.count) && ending.contains(where: isLetter)
            && ending.allSatisfy { isLetter($0) || isDigit($0) }
    }
}
