/// The target of a link, as its meaning depends on it.
package struct LinkTarget: Hashable, Sendable {
    /// The form of the link. `embed` means the same as `wiki`.
    package let kind: Link.Kind
    /// `Link.target`.
    package let text: ByteString
    /// `Link.targetBeforeQuery`.
    package let beforeQuery: ByteString?

    package init(kind: Link.Kind, text: ByteString, beforeQuery: ByteString?) {
        self.kind = kind
        self.text = text
        self.beforeQuery = beforeQuery
    }

    /// The target of a request, without escapes.
    package init(kind: Link.Kind, decoded text: ByteString) {
        let query = kind == .path ? text.utf8.firstIndex(of: UInt8(ascii: "?")) : nil
        self.init(kind: kind, text: text, beforeQuery: query.map { ByteString(validUTF8: Array(text.utf8[..<$0])) })
    }

    package init(_ link: Link) {
        self.init(kind: link.kind, text: link.target, beforeQuery: link.targetBeforeQuery)
    }
}

extension LinkTarget {
    /// The text under which a link is listed if it means nothing: the name that it would mean in the
    /// folder of the linking note if that matters, otherwise the target.
    package func listed(in folder: ByteString) -> ByteString {
        guard kind == .path || (kind != .id && LinkPath.isRelative(text)) else { return text }
        let base = LinkPath.isRooted(text) ? ByteString(validUTF8: []) : folder
        return LinkPath.joined(base, text) ?? text
    }
}
