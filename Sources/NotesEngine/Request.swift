package import Causality
package import Dependents
package import NotesModel

/// What reaches the engine, in the order in which it is to be taken.
package enum Input: Sendable {
    case request(Request)
    /// The dependent's socket can take more lines: those sent so far have left.
    case drained(DependentID)
    /// The same of each.
    case allDrained([DependentID])
    /// The connection is gone. Nothing is sent to it any more.
    case released(DependentID)
    /// What others than connections ask.
    case errand(Errand)
    /// A monotonic time in seconds, now and then, for bookmarks of idle watches.
    case tick(seconds: Int)
}

/// One request of one connection. Its answer carries the same ticket; answers of a connection come in the order of its requests.
package struct Request: Sendable {
    package let dependent: DependentID
    package let requestNumber: UInt64
    package let body: Body
    /// Let go of when the engine has done with the request: it is answered, or never will be. Nil where nobody counts them.
    package let reservation: (any AnyObject & Sendable)?

    package init(dependent: DependentID, requestNumber: UInt64, body: Body, reservation: (any AnyObject & Sendable)? = nil) {
        self.dependent = dependent
        self.requestNumber = requestNumber
        self.body = body
        self.reservation = reservation
    }

    package enum Body: Sendable {
        /// First of a connection; makes it a dependent.
        case register(Registration)
        case write(Command, operation: ByteString?)
        case get(GetNote)
        case list(ListNotes)
        case search(SearchNotes)
        case history(ReadHistory)
        case watch(WatchNotes)
        case unwatch(WatchID)
        case setPresence(SetPresence)
        case listDependents
        case status
        case audit
        /// Where to, as in `BackupTarget`.
        case backup(ByteString?)
        case metrics
    }
}

package struct GetNote: Sendable {
    package enum Key: Hashable, Sendable {
        case id(NoteID)
        case name(ByteString)
    }

    package let key: Key
    /// Nil: what the note shows now.
    package let at: Version?
    /// Where given, the answer carries this version's text too, for edits from it.
    package let from: Version?

    package init(key: Key, at: Version? = nil, from: Version? = nil) {
        self.key = key
        self.at = at
        self.from = from
    }
}

package struct ListNotes: Sendable {
    package let filter: Filter
    package let limit: Int
    package let after: ListPosition?

    package init(filter: Filter, limit: Int, after: ListPosition?) {
        self.filter = filter
        self.limit = limit
        self.after = after
    }
}

package struct SearchNotes: Sendable {
    package let query: SearchQuery
    package let limit: Int
    package let after: SearchPosition?

    package init(query: SearchQuery, limit: Int, after: SearchPosition?) {
        self.query = query
        self.limit = limit
        self.after = after
    }
}

package struct ReadHistory: Sendable {
    package let id: NoteID
    package let limit: Int
    package let before: Dot?

    package init(id: NoteID, limit: Int, before: Dot?) {
        self.id = id
        self.limit = limit
        self.before = before
    }
}

/// Where a dependent says that its user is.
package struct SetPresence: Sendable {
    /// Nil: nowhere.
    package let place: Position?
    /// Whether nobody waits for what becomes of it. Of several that came one behind the other, the last that can be is
    /// carried out.
    package let isQuiet: Bool

    package init(place: Position?, isQuiet: Bool) {
        self.place = place
        self.isQuiet = isQuiet
    }

    /// As the client stated it, not checked against the note yet.
    package struct Position: Sendable {
        package let note: NoteID
        /// Nil where it was not said.
        package let version: Version?
        /// In the text at the version, as the client counts.
        package let selection: (start: Int, end: Int)?
        package let encoding: PositionEncoding

        package init(note: NoteID, version: Version?, selection: (start: Int, end: Int)?, encoding: PositionEncoding) {
            self.note = note
            self.version = version
            self.selection = selection
            self.encoding = encoding
        }
    }
}

package struct WatchNotes: Sendable {
    package let filter: Filter
    package let include: WatchDetail
    /// Nil: from the store as it is, with or without a snapshot of it.
    package let since: Cursor?
    package let snapshot: Bool
    package let echo: Bool

    package init(filter: Filter, include: WatchDetail, since: Cursor?, snapshot: Bool, echo: Bool) {
        self.filter = filter
        self.include = include
        self.since = since
        self.snapshot = snapshot
        self.echo = echo
    }
}
