/// A link in the text of a note.
package struct Link: Hashable, Sendable {
    /// The form of a link.
    package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// `[[target]]`.
        case wiki = 0
        /// `![[target]]`.
        case embed = 1
        /// An inline link, an image or a reference definition of CommonMark.
        case path = 2
        /// A path link whose target is `note:` and an id.
        case id = 3
    }

    /// The form of the link.
    package let kind: Kind
    /// The byte range of the target as written, without the fragment and without `note:`.
    package let range: Range<Int>
    /// The target: of a path link without escapes; of an id link the id as written. Empty only for a
    /// wiki link or embed that has a fragment, which means the note itself.
    package let target: ByteString
    /// The target up to the first `?` as written, for a path link that has one.
    package let targetBeforeQuery: ByteString?
    /// The text after the first `#`; nil if the link has none.
    package let fragment: ByteString?
    /// Whether a path or id link is an image of CommonMark.
    package var isImage = false

    package init(
        kind: Kind, range: Range<Int>, target: ByteString, targetBeforeQuery: ByteString? = nil, fragment: ByteString? = nil
    ) {
        self.kind = kind
        self.range = range
        self.target = target
        self.targetBeforeQuery = targetBeforeQuery
        self.fragment = fragment
    }
}

/// Limits of the links of one note.
package enum LinkLimits {
    /// The number of links of a text that count.
    package static let linksMax = 10_000
    /// The length of a target as written, in bytes. A longer target is no link.
    package static let targetBytesMax = 3_500
    /// The number of aliases of a note that count.
    package static let aliasesMax = 100
    /// The depth of parentheses in the target of a path link.
    package static let parenthesesMax = 32
}
