package import Causality
package import Dependents
package import NotesModel

/// An input of the engine. Inputs are taken in order of arrival.
package enum Input: Sendable {
    /// A request of a connection.
    case request(Request)
    /// The connection has written all lines that it was handed. Reported once for each output with
    /// notifications or presence, and once for each `lagging`.
    case drained(DependentID)
    /// The connection did not accept all lines of a broadcast. It keeps the rest, and those of later
    /// broadcasts, in order.
    case lagging(DependentID)
    /// An event loop has passed a broadcast to its connections. `weight` is that of its part.
    case broadcastWritten(weight: Int)
    /// The connection has ended; nothing is sent to it any more.
    case released(DependentID)
    /// A job of a caller that is not a connection.
    case errand(Errand)
    /// A monotonic time in seconds, sent now and then, for timers such as bookmarks of idle
    /// watches.
    case tick(seconds: Int)
}

/// One request of a connection. Its response carries the same request number, and a connection's
/// responses are in the order of its requests.
package struct Request: Sendable {
    /// The connection.
    package let dependent: DependentID
    /// The number that the response carries.
    package let requestNumber: UInt64
    /// What is requested.
    package let body: Body
    /// Released when the engine is done with the request: it was answered, or never will be. Nil if
    /// no one counts pending requests.
    package let reservation: (any AnyObject & Sendable)?

    package init(dependent: DependentID, requestNumber: UInt64, body: Body, reservation: (any AnyObject & Sendable)? = nil) {
        self.dependent = dependent
        self.requestNumber = requestNumber
        self.body = body
        self.reservation = reservation
    }

    /// A copy of the request with another body. Its response answers the original request.
    func with(_ body: Body) -> Request {
        Request(dependent: dependent, requestNumber: requestNumber, body: body, reservation: reservation)
    }

    /// The kinds of requests.
    package enum Body: Sendable {
        /// The first request of a connection, which registers it as a dependent.
        case register(Registration)
        /// A write; `operation` names it, so that a repetition is recognised.
        case write(Command, operation: ByteString?)
        /// A read of one note.
        case get(GetNote)
        /// A page of the notes that match a filter.
        case list(ListNotes)
        /// A page of the tags of living notes.
        case listTags(ListTags)
        /// A page of the revisions of all notes.
        case listRevisions(ListRevisions)
        /// The dots of the store's revisions.
        case knownRevisions
        /// The start of a feed of revisions.
        case feedRevisions(FeedRevisions)
        /// The acknowledgement of pages of a feed; the peer does not hold the dots in `lacking`.
        case proceed(WatchID, through: UInt64, lacking: [Dot])
        /// An offer of revisions of a peer.
        case adopt(OfferedRevisions)
        /// The list of peers.
        case listPeers
        /// The removal of the record of a peer.
        case forgetPeer(ReplicaID)
        /// A query about links.
        case links(LinkQuery)
        /// A full-text search.
        case search(SearchNotes)
        /// A page of a note's revisions.
        case history(ReadHistory)
        /// The start of a watch.
        case watch(WatchNotes)
        /// The end of a watch.
        case unwatch(WatchID)
        /// The publication of where the user is.
        case setPresence(SetPresence)
        /// The list of dependents.
        case listDependents
        /// The state of the daemon and its store.
        case status
        /// An audit of the store.
        case audit
        /// A backup; the path is interpreted as in `BackupTarget`.
        case backup(ByteString?)
        /// The metrics as OpenMetrics text.
        case metrics
    }
}

/// A read of one note.
package struct GetNote: Sendable {
    /// How the note is named.
    package enum Key: Hashable, Sendable {
        /// By its id, which also finds tombstones.
        case id(NoteID)
        /// By its name, which finds living notes only.
        case name(ByteString)
    }

    /// The note.
    package let key: Key
    /// The version to read; nil for the current text.
    package let at: Version?
    /// If set, the response contains the text of this version too, for edits that start from it.
    package let from: Version?

    package init(key: Key, at: Version? = nil, from: Version? = nil) {
        self.key = key
        self.at = at
        self.from = from
    }
}

/// A read of one page of notes.
package struct ListNotes: Sendable {
    /// The notes to list.
    package let filter: Filter
    /// The maximum number of notes in the page.
    package let limit: Int
    /// The order, and where the page begins.
    package let place: ListPlace

    package init(filter: Filter, limit: Int, place: ListPlace) {
        self.filter = filter
        self.limit = limit
        self.place = place
    }
}

/// A read of one page of tags.
package struct ListTags: Sendable {
    /// The bytes that each tag begins with.
    package let prefix: ByteString
    /// The maximum number of tags in the page.
    package let limit: Int
    /// The tag after which the page begins; nil for the first page.
    package let after: ByteString?

    package init(prefix: ByteString, limit: Int, after: ByteString?) {
        self.prefix = prefix
        self.limit = limit
        self.after = after
    }
}

/// A read of one page of the revisions of all notes.
package struct ListRevisions: Sendable {
    /// The revisions to list.
    package let filter: RevisionFilter
    /// The maximum number of revisions in the page.
    package let limit: Int
    /// The commit before which the page begins; nil for the first page.
    package let before: UInt64?

    package init(filter: RevisionFilter, limit: Int, before: UInt64?) {
        self.filter = filter
        self.limit = limit
        self.before = before
    }
}

/// A search for notes by their text, names and tags.
package struct SearchNotes: Sendable {
    /// The parsed query.
    package let query: SearchQuery
    /// The maximum number of hits in the page.
    package let limit: Int
    /// The position after which the page begins; nil for the first page.
    package let after: SearchPosition?

    package init(query: SearchQuery, limit: Int, after: SearchPosition?) {
        self.query = query
        self.limit = limit
        self.after = after
    }
}

/// A read of one page of a note's revisions, newest first.
package struct ReadHistory: Sendable {
    /// The note whose revisions are read.
    package let id: NoteID
    /// The maximum number of revisions in the page.
    package let limit: Int
    /// The revision before which the page begins; nil for the newest.
    package let before: Dot?

    package init(id: NoteID, limit: Int, before: Dot?) {
        self.id = id
        self.limit = limit
        self.before = before
    }
}

/// The publication of the note that a dependent's user has open.
package struct SetPresence: Sendable {
    /// The position; nil removes the presence.
    package let place: Position?
    /// Whether the client expects no response. Of several such publications that wait, only the
    /// last valid one takes effect.
    package let isQuiet: Bool

    package init(place: Position?, isQuiet: Bool) {
        self.place = place
        self.isQuiet = isQuiet
    }

    /// A position as the client sent it, not yet checked against the note.
    package struct Position: Sendable {
        /// The note that is open.
        package let note: NoteID
        /// The version that the user sees; nil if the client sent none.
        package let version: Version?
        /// The selection in the text of the version, in the client's units.
        package let selection: (start: Int, end: Int)?
        /// The unit of the selection's offsets.
        package let encoding: PositionEncoding

        package init(note: NoteID, version: Version?, selection: (start: Int, end: Int)?, encoding: PositionEncoding) {
            self.note = note
            self.version = version
            self.selection = selection
            self.encoding = encoding
        }
    }
}

/// The start of a watch.
package struct WatchNotes: Sendable {
    /// The notes to watch.
    package let filter: Filter
    /// How much of a note each line contains.
    package let include: WatchDetail
    /// The cursor to resume from; nil starts at the newest commit, with a snapshot or without one.
    package let since: Cursor?
    /// Whether a watch without a cursor begins with a snapshot.
    package let snapshot: Bool
    /// Whether the watch reports the connection's own writes.
    package let echo: Bool

    package init(filter: Filter, include: WatchDetail, since: Cursor?, snapshot: Bool, echo: Bool) {
        self.filter = filter
        self.include = include
        self.since = since
        self.snapshot = snapshot
        self.echo = echo
    }
}
