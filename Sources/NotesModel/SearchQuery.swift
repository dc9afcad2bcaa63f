/// What somebody looks for among the notes, read from the words that he typed.
///
///     query = all { "OR" all }
///     all   = item { ["AND"] item }
///     item  = ["-" | "NOT"] ( "(" query ")" | ["tag:" | "name:"] ( word | phrase ) )
///
/// A word goes up to white space, a quotation mark or a parenthesis; a phrase stands in quotation marks; either may end in `*`,
/// which stands for the rest of its last word. `AND` binds tighter than `OR`.
///
/// Invariants: every list has something in it; what is excluded stands beside something that is wanted; within `Limits`.
package struct SearchQuery: Hashable, Sendable {
    /// As it was typed.
    package let text: ByteString
    package let root: Node

    package indirect enum Node: Hashable, Sendable {
        case term(Term)
        /// All of the wanted, and none of the excluded.
        case all(wanted: [Node], excluded: [Node])
        case any([Node])
    }

    /// Words that stand one after the other.
    package struct Term: Hashable, Sendable {
        package enum Field: Hashable, Sendable {
            /// The text or the name.
            case any
            case name
            /// All of a tag, in lower case; or what it starts with.
            case tag
        }

        package let field: Field
        /// Not empty.
        package let words: ByteString
        /// Whether the last of them stands for all that start so.
        package let isPrefix: Bool
        /// Where the words begin in the query, in bytes of UTF-8.
        package let offset: Int

        package init(field: Field, words: ByteString, isPrefix: Bool, offset: Int) {
            self.field = field
            self.words = words
            self.isPrefix = isPrefix
            self.offset = offset
        }
    }

    package enum Limits {
        /// Of a query, in bytes of UTF-8.
        package static let bytesMax = 4_096
        package static let termsMax = 64
        /// Parentheses within each other.
        package static let depthMax = 16
    }
}

extension SearchQuery.Node {
    /// The terms that a note is found by: none of those that are excluded.
    package var wantedTerms: [SearchQuery.Term] {
        switch self {
        case .term(let term): [term]
        case .all(let wanted, _): wanted.flatMap(\.wantedTerms)
        case .any(let nodes): nodes.flatMap(\.wantedTerms)
        }
    }
}

/// Why a query says nothing that could be looked for.
package struct SearchQueryFault: Error, Hashable, Sendable {
    /// Where, in bytes of the query's UTF-8.
    package let offset: Int
    /// What is wrong there, and what to write. Goes on a sentence that names the query and the place.
    package let reason: String

    package init(offset: Int, reason: String) {
        self.offset = offset
        self.reason = reason
    }
}

/// Where a page of hits ended: the next have a lower score, or the same and an older commit.
package struct SearchPosition: Hashable, Sendable {
    /// Of a double that is not negative: such bits sort as their numbers do.
    package let scoreBits: UInt64
    /// The hit's number in the index, which rises with its commit.
    package let number: UInt64
    /// What the first page was ranked by; nil where it is not known.
    package var scale: SearchScale?

    package init(scoreBits: UInt64, number: UInt64, scale: SearchScale? = nil) {
        self.scoreBits = scoreBits
        self.number = number
        self.scale = scale
    }
}

/// What scores are reckoned by beside the note itself, as it was when the first page was: other notes may be written between two pages, and
/// what has a place on one must not have another on the next.
package struct SearchScale: Hashable, Sendable {
    /// How many notes there are, and their texts' bytes.
    package let notes: UInt64
    package let bytes: UInt64
    /// About how many have each phrase of the query, in the order in which the index takes them.
    package let counts: [UInt64]

    /// All numbers are below this.
    package static let end: UInt64 = 1 << 53
    /// More counts than a query can have words.
    package static let countsMax = SearchQuery.Limits.bytesMax

    package init(notes: UInt64, bytes: UInt64, counts: [UInt64]) {
        self.notes = notes
        self.bytes = bytes
        self.counts = counts
    }
}

/// A note that was found, as it stood when it was looked for.
package struct SearchHit: Hashable, Sendable {
    package let head: Head
    package let excerpt: SearchExcerpt

    package init(head: Head, excerpt: SearchExcerpt) {
        self.head = head
        self.excerpt = excerpt
    }
}

/// A piece of a note's text around what was found in it.
package struct SearchExcerpt: Hashable, Sendable {
    /// Whole characters of the text, one after the other.
    package let text: [UInt8]
    /// What matched within it, in bytes; ascending, apart, none empty.
    package let ranges: [Range<Int>]

    package init(text: [UInt8], ranges: [Range<Int>]) {
        self.text = text
        self.ranges = ranges
    }
}
