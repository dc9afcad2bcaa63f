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
