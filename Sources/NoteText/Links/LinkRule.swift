/// The rules by which a target means a note (`docs/decisions/links.md#0068`), strongest
/// first.
package enum LinkRule: Int, Comparable {
    /// The name relative to the folder of the linking note.
    case relative = 0
    /// The whole name.
    case root = 1
    /// The last parts of the name.
    case tail = 2
    /// An alias, the title or the id at the start of the name.
    case label = 3

    package static func < (left: LinkRule, right: LinkRule) -> Bool { left.rawValue < right.rawValue }

    /// Whether the rule reads the name.
    package var isName: Bool { self != .label }
}

extension LinkTarget {
    /// The rule by which this target means a note in a folder, and whether without the `?` and what
    /// follows it; nil if no rule finds a note with this name for a path link.
    package func rule(in folder: ByteString, findingNoteNamed name: ByteString?) -> (rule: LinkRule, isBeforeQuery: Bool)? {
        if let name {
            let folded = NameFolding.fold(name)
            if let rule = Self.rule(of: text, isPath: kind == .path, in: folder, finding: folded) { return (rule, false) }
            if kind == .path, let beforeQuery,
                let rule = Self.rule(of: beforeQuery, isPath: true, in: folder, finding: folded)
            {
                return (rule, true)
            }
        }
        return kind == .path ? nil : (.label, false)
    }

    private static func rule(
        of target: ByteString, isPath: Bool, in folder: ByteString, finding folded: ByteString
    ) -> LinkRule? {
        guard !LinkPath.isFolder(target) else { return nil }
        let (isRelative, isRooted) = (LinkPath.isRelative(target), LinkPath.isRooted(target))
        for written in [target, LinkPath.withoutExtension(target)].compactMap({ $0 }) {
            if isPath && !isRooted || isRelative, let name = LinkPath.joined(folder, written),
                NameFolding.fold(name) == folded
            {
                return .relative
            }
            if isRelative { continue }
            let whole = NameFolding.fold(isRooted ? ByteString(validUTF8: Array(written.utf8.dropFirst())) : written)
            if whole == folded { return .root }
            let ending = [UInt8(ascii: "/")] + whole.utf8
            if !isRooted, folded.utf8.suffix(ending.count) == ending[...] { return .tail }
        }
        return nil
    }
}
