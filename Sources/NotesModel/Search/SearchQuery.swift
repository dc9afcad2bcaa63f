/// A parsed full-text search query.
///
///     query = all { "OR" all }
///     all   = item { ["AND"] item }
///     item  = ["-" | "NOT"] ( "(" query ")" | ["tag:" | "name:" | "link:"] ( word | phrase ) )
///
/// A word ends at white space, a quotation mark or a parenthesis. A phrase is enclosed in quotation
/// marks. A `*` at the end of either matches the rest of its last word. `AND` binds tighter than
/// `OR`.
///
/// Invariants: no list is empty; every excluded node has a wanted sibling; the query is
/// within `Limits`.
package struct SearchQuery: Hashable, Sendable {
    /// The query as the user typed it.
    package let text: ByteString
    /// The root of the syntax tree.
    package let root: Node

    /// A node of the syntax tree.
    package indirect enum Node: Hashable, Sendable {
        /// A word or phrase.
        case term(Term)
        /// A note matches if it matches every wanted node and no excluded node.
        case all(required: [Node], excluded: [Node])
        /// A note matches if it matches at least one of the nodes.
        case any([Node])
    }

    /// A sequence of adjacent words.
    package struct Term: Hashable, Sendable {
        /// The part of a note to search.
        package enum Field: Hashable, Sendable {
            /// The text or the name.
            case any
            /// The name.
            case name
            /// A complete tag, in lower case, or the start of one.
            case tag
            /// The target of a wiki link. Notes with a link of the same meaning match.
            case link
        }

        /// The part of a note to search.
        package let field: Field
        /// The words as typed; not empty.
        package let words: ByteString
        /// Whether the last word matches every word that starts with it.
        package let isPrefix: Bool
        /// The byte offset of the words in the query.
        package let offset: Int

        package init(field: Field, words: ByteString, isPrefix: Bool, offset: Int) {
            self.field = field
            self.words = words
            self.isPrefix = isPrefix
            self.offset = offset
        }
    }

    /// The limits on a query.
    package enum Limits {
        /// Maximum length of a query, in bytes of UTF-8.
        package static let bytesMax = 4_096
        /// Maximum number of terms.
        package static let termsMax = 64
        /// Maximum nesting depth of parentheses.
        package static let depthMax = 16
    }
}

extension SearchQuery.Node {
    /// The terms outside excluded nodes. A note that matches contains at least one of them.
    package var requiredTerms: [SearchQuery.Term] {
        switch self {
        case .term(let term): [term]
        case .all(let required, _): required.flatMap(\.requiredTerms)
        case .any(let nodes): nodes.flatMap(\.requiredTerms)
        }
    }
}

/// The reason why a query cannot be parsed or run.
package struct SearchQueryFault: Error, Hashable, Sendable {
    /// The position of the fault, as a byte offset into the query.
    package let offset: Int
    /// The fault and its remedy, as the predicate of a sentence whose subject is the byte at
    /// `offset`.
    package let reason: String

    package init(offset: Int, reason: String) {
        self.offset = offset
        self.reason = reason
    }
}

/// The end of a page of hits. Later hits have a lower score, or the same score and an older commit.
package struct SearchPosition: Hashable, Sendable {
    /// The bit pattern of the last hit's score. Scores are not negative, so the patterns sort as
    /// the scores do.
    package let scoreBits: UInt64
    /// The last hit's row number in the index, which rises with its commit.
    package let number: UInt64
    /// The statistics used to score the first page; nil when they are unknown.
    package var scale: SearchScale?

    package init(scoreBits: UInt64, number: UInt64, scale: SearchScale? = nil) {
        self.scoreBits = scoreBits
        self.number = number
        self.scale = scale
    }
}

/// The statistics of the index from which scores are computed, as they were for the first page.
///
/// Later pages use the same statistics: notes may be written between two pages, and a change of
/// scores could move a hit from one page to another.
package struct SearchScale: Hashable, Sendable {
    /// The number of notes.
    package let notes: UInt64
    /// The total size of their texts, in bytes.
    package let bytes: UInt64
    /// The approximate number of notes that contain each phrase of the query, in the index's order
    /// of phrases.
    package let counts: [UInt64]

    /// The exclusive upper bound of all numbers.
    package static let end: UInt64 = 1 << 53
    /// An upper bound for the number of counts: no query has more words than bytes.
    package static let countsMax = SearchQuery.Limits.bytesMax

    package init(notes: UInt64, bytes: UInt64, counts: [UInt64]) {
        self.notes = notes
        self.bytes = bytes
        self.counts = counts
    }
}

/// A note that matched, in its state at the time of the search.
package struct SearchHit: Hashable, Sendable {
    /// The note's state.
    package let head: Head
    /// The part of its text to display.
    package let excerpt: SearchExcerpt

    package init(head: Head, excerpt: SearchExcerpt) {
        self.head = head
        self.excerpt = excerpt
    }
}

/// A part of a note's text around the matches.
package struct SearchExcerpt: Hashable, Sendable {
    /// A contiguous part of the text, cut at character boundaries.
    package let text: [UInt8]
    /// The matches as byte ranges in `text`; ascending, disjoint and not empty.
    package let ranges: [Range<Int>]

    package init(text: [UInt8], ranges: [Range<Int>]) {
        self.text = text
        self.ranges = ranges
    }
}
