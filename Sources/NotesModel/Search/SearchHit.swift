import NoteText

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
