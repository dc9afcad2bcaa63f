package import Causality
package import NoteText

/// A read of one note.
package struct GetNote: Hashable, Sendable {
    /// A way to name a note.
    package enum Key: Hashable, Sendable {
        /// By its id, which also finds tombstones.
        case id(NoteID)
        /// By its name, which finds living notes only.
        case name(ByteString)
    }

    /// The note to read.
    package var key: Key
    /// The version to read; nil for the current one.
    package var at: Version?
    /// A version that the client has. If it is set, the response contains edits from that version's
    /// text instead of the text.
    package var from: Version?

    package init(_ key: Key, at: Version? = nil, from: Version? = nil) {
        self.key = key
        self.at = at
        self.from = from
    }
}

/// A read of one page of notes.
package struct ListNotes: Hashable, Sendable {
    /// The notes to list.
    package var filter: Filter
    /// Largest number of notes in the page.
    package var limit: Int
    /// The order, and the `next` of the previous page.
    package var place: ListPlace

    package init(filter: Filter = Filter(), limit: Int = PageSize.listed, place: ListPlace = .byName(after: nil)) {
        self.filter = filter
        self.limit = limit
        self.place = place
    }
}

/// A read of one page of tags.
package struct ListTags: Hashable, Sendable {
    /// The bytes that each tag begins with.
    package var prefix: ByteString
    /// Largest number of tags in the page.
    package var limit: Int
    /// The `next` of the previous page; nil for the first page.
    package var after: ByteString?

    package init(prefix: ByteString = "", limit: Int = PageSize.listed, after: ByteString? = nil) {
        self.prefix = prefix
        self.limit = limit
        self.after = after
    }
}

/// A read of one page of the holding area.
package struct ListHeld: Hashable, Sendable {
    /// The dot of the revisions to list, with their whole texts; nil for all revisions, with the beginnings
    /// of theirs.
    package var dot: Dot?
    /// Largest number of revisions in the page.
    package var limit: Int
    /// The `next` of the previous page; nil for the first page.
    package var after: HeldPlace?

    package init(dot: Dot? = nil, limit: Int = PageSize.listed, after: HeldPlace? = nil) {
        self.dot = dot
        self.limit = limit
        self.after = after
    }
}

/// A read of one page of the revisions of all notes, newest first.
package struct ListRevisions: Hashable, Sendable {
    /// The revisions to list.
    package var filter: RevisionFilter
    /// Largest number of revisions in the page.
    package var limit: Int
    /// The `next` of the previous page, which is a commit; nil for the first page.
    package var before: UInt64?

    package init(filter: RevisionFilter = RevisionFilter(), limit: Int = PageSize.listed, before: UInt64? = nil) {
        self.filter = filter
        self.limit = limit
        self.before = before
    }
}

/// A read of one page of a note's revisions, newest first.
package struct ReadHistory: Hashable, Sendable {
    /// The note whose revisions are read.
    package var id: NoteID
    /// Largest number of revisions in the page.
    package var limit: Int
    /// The revision before which the page begins, in commit order; nil for the newest.
    package var before: Dot?

    package init(id: NoteID, limit: Int = PageSize.listed, before: Dot? = nil) {
        self.id = id
        self.limit = limit
        self.before = before
    }
}

/// A search for notes by their text, names and tags.
package struct SearchNotes: Hashable, Sendable {
    /// The parsed query.
    package var query: SearchQuery
    /// The kind of the notes to find; nil for both.
    package var kind: NoteKind?
    /// Largest number of hits in the page.
    package var limit: Int
    /// The `next` of the previous page; nil for the first page.
    package var after: SearchPosition?

    package init(
        query: SearchQuery, kind: NoteKind? = .text, limit: Int = PageSize.found, after: SearchPosition? = nil
    ) {
        self.query = query
        self.kind = kind
        self.limit = limit
        self.after = after
    }
}

/// A request about the links between all notes, which the search index answers.
package enum LinkQuery: Hashable, Sendable {
    /// The links that mean a note.
    case incoming(ListIncomingLinks)
    /// The targets that mean nothing.
    case missing(ListMissingLinks)
    /// The notes that targets mean.
    case resolve(ResolveLinks)

    /// The note that must live for the query to have an answer.
    package var note: NoteID? {
        switch self {
        case .incoming(let list): list.id
        case .missing: nil
        case .resolve(let resolve): resolve.from
        }
    }
}

/// A read of one page of the links that mean a note.
package struct ListIncomingLinks: Hashable, Sendable {
    /// The note that the links mean.
    package var id: NoteID
    /// Largest number of links in the page.
    package var limit: Int
    /// The `next` of the previous page; nil for the first page.
    package var after: LinkPosition?

    package init(id: NoteID, limit: Int = PageSize.listed, after: LinkPosition? = nil) {
        self.id = id
        self.limit = limit
        self.after = after
    }
}

/// A read of one page of the targets of links that mean nothing.
package struct ListMissingLinks: Hashable, Sendable {
    /// Largest number of targets in the page.
    package var limit: Int
    /// The `next` of the previous page; nil for the first page.
    package var after: MissingLinkPosition?

    package init(limit: Int = PageSize.listed, after: MissingLinkPosition? = nil) {
        self.limit = limit
        self.after = after
    }
}

/// A query for the notes that targets of links mean.
package struct ResolveLinks: Hashable, Sendable {
    /// The targets; the protocol limits their number.
    package var targets: [LinkTarget]
    /// The linking note; nil for one at the root.
    package var from: NoteID?
    /// The kind of the notes; nil for both. A target means a file only if it means no text.
    package var kind: NoteKind?

    package init(targets: [LinkTarget], from: NoteID? = nil, kind: NoteKind? = .text) {
        self.targets = targets
        self.kind = kind
        self.from = from
    }
}

/// Sizes of pages for requests that state no `limit`.
package enum PageSize {
    /// Number of entries of a list or a history.
    package static let listed = 100
    /// Number of hits of a search.
    package static let found = 20
}
