package import Causality
package import NotesModel
package import TextMerge

/// A request's method with its params, typed. Names, versions and edits are as the client gave them, well formed but not yet
/// checked against any note: that is the model's to do.
package enum Call: Hashable, Sendable {
    case hello(HelloParams)
    case ping
    case discover
    case createNote(CreateParams)
    case getNote(GetParams)
    case listNotes(ListParams)
    case search(SearchParams)
    case saveNote(SaveParams)
    case editNote(EditParams)
    case deleteNote(DeleteParams)
    case history(HistoryParams)
    case watch(WatchParams)
    case unwatch(UnwatchParams)
    case setPresence(PresenceParams)
    case listDependents
    case status
    case audit
    case config
    case backup(BackupParams)
    case metrics

    package var method: Method {
        switch self {
        case .hello: .hello
        case .ping: .ping
        case .discover: .discover
        case .createNote: .createNote
        case .getNote: .getNote
        case .listNotes: .listNotes
        case .search: .search
        case .saveNote: .saveNote
        case .editNote: .editNote
        case .deleteNote: .deleteNote
        case .history: .history
        case .watch: .watch
        case .unwatch: .unwatch
        case .setPresence: .setPresence
        case .listDependents: .listDependents
        case .status: .status
        case .audit: .audit
        case .config: .config
        case .backup: .backup
        case .metrics: .metrics
        }
    }
}

/// The methods that this daemon knows, by their names on the wire.
package enum Method: String, CaseIterable, Hashable, Sendable {
    case hello = "session.hello"
    case ping = "session.ping"
    case discover = "rpc.discover"
    case createNote = "note.create"
    case getNote = "note.get"
    case listNotes = "note.list"
    case search = "note.search"
    case saveNote = "note.save"
    case editNote = "note.edit"
    case deleteNote = "note.delete"
    case history = "note.history"
    case watch = "notes.watch"
    case unwatch = "notes.unwatch"
    case setPresence = "presence.set"
    case listDependents = "dependents.list"
    case status = "daemon.status"
    case audit = "daemon.audit"
    case config = "daemon.config"
    case backup = "daemon.backup"
    case metrics = "daemon.metrics"

    static let byName = Dictionary(uniqueKeysWithValues: allCases.map { (ByteString($0.rawValue), $0) })

    /// Whether it is answered to a connection that has not said hello.
    package var isAnsweredBeforeHello: Bool {
        switch self {
        case .hello, .ping, .discover: true
        case .createNote, .getNote, .listNotes, .search, .saveNote, .editNote, .deleteNote, .history, .watch, .unwatch,
            .setPresence, .listDependents, .status, .audit, .config, .backup, .metrics:
            false
        }
    }

    /// Whether it may be sent without an id, and then is not answered.
    package var mayBeUnanswered: Bool { self == .setPresence }

    /// What one has to be allowed who calls it.
    package var access: HelloResult.Access {
        switch self {
        case .hello, .ping, .discover, .getNote, .listNotes, .search, .history, .watch, .unwatch, .setPresence,
            .listDependents, .status, .audit, .metrics:
            .read
        case .createNote, .saveNote, .editNote, .deleteNote: .write
        case .config, .backup: .admin
        }
    }
}

package struct ClientInfo: Hashable, Sendable {
    package var name: ByteString
    package var version: ByteString?

    package init(name: ByteString, version: ByteString? = nil) {
        self.name = name
        self.version = version
    }
}

package struct HelloParams: Hashable, Sendable {
    /// Never without `WireProtocol.version`: a hello that does not speak it is refused where it is read.
    package var protocols: [Int64]
    package var client: ClientInfo
    package var label: ByteString?
    /// Those that are known, in the client's order of preference.
    package var positionEncodings: [PositionEncoding]

    package init(
        protocols: [Int64] = [Int64(WireProtocol.version)], client: ClientInfo, label: ByteString? = nil,
        positionEncodings: [PositionEncoding] = []
    ) {
        self.protocols = protocols
        self.client = client
        self.label = label
        self.positionEncodings = positionEncodings
    }

    /// What the session counts in.
    package var positionEncoding: PositionEncoding { positionEncodings.first ?? .utf8 }
}

package struct CreateParams: Hashable, Sendable {
    package var text: [UInt8]
    package var name: ByteString?
    package var id: NoteID?
    package var op: ByteString?

    package init(text: [UInt8], name: ByteString? = nil, id: NoteID? = nil, op: ByteString? = nil) {
        self.text = text
        self.name = name
        self.id = id
        self.op = op
    }
}

package struct GetParams: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
        case id(NoteID)
        case name(ByteString)
    }

    package var subject: Subject
    package var at: Version?
    /// Where it is given, edits from that version's text are asked for in place of the text.
    package var from: Version?

    package init(_ subject: Subject, at: Version? = nil, from: Version? = nil) {
        self.subject = subject
        self.at = at
        self.from = from
    }
}

package struct ListParams: Hashable, Sendable {
    package var filter: Filter
    package var limit: Int
    package var after: ListPosition?

    package init(filter: Filter = Filter(), limit: Int = WireProtocol.listLimitDefault, after: ListPosition? = nil) {
        self.filter = filter
        self.limit = limit
        self.after = after
    }
}

package struct SearchParams: Hashable, Sendable {
    package var query: SearchQuery
    package var limit: Int
    package var after: SearchPosition?

    package init(query: SearchQuery, limit: Int = WireProtocol.searchLimitDefault, after: SearchPosition? = nil) {
        self.query = query
        self.limit = limit
        self.after = after
    }
}

package struct SaveParams: Hashable, Sendable {
    package var id: NoteID
    /// Nil where none was given, which is not `Version.nothing`.
    package var base: Version?
    package var text: [UInt8]?
    package var name: NameRequest
    /// Nil where none was given; a save has one of text, name and resolves at least.
    package var resolves: [ConflictID]?
    package var op: ByteString?

    package init(
        id: NoteID, base: Version?, text: [UInt8]? = nil, name: NameRequest = .leave, resolves: [ConflictID]? = nil,
        op: ByteString? = nil
    ) {
        self.id = id
        self.base = base
        self.text = text
        self.name = name
        self.resolves = resolves
        self.op = op
    }
}

package struct EditParams: Hashable, Sendable {
    package var id: NoteID
    package var base: Version?
    /// In the session's encoding.
    package var edits: [PositionedEdit]
    package var resolves: [ConflictID]?
    package var op: ByteString?

    package init(id: NoteID, base: Version?, edits: [PositionedEdit], resolves: [ConflictID]? = nil, op: ByteString? = nil) {
        self.id = id
        self.base = base
        self.edits = edits
        self.resolves = resolves
        self.op = op
    }
}

package struct DeleteParams: Hashable, Sendable {
    package var id: NoteID
    package var base: Version?
    package var op: ByteString?

    package init(id: NoteID, base: Version?, op: ByteString? = nil) {
        self.id = id
        self.base = base
        self.op = op
    }
}

package struct HistoryParams: Hashable, Sendable {
    package var id: NoteID
    package var limit: Int
    /// Only revisions before this one in commit order.
    package var before: Dot?

    package init(id: NoteID, limit: Int = WireProtocol.listLimitDefault, before: Dot? = nil) {
        self.id = id
        self.limit = limit
        self.before = before
    }
}

package struct WatchParams: Hashable, Sendable {
    package var filter: Filter
    package var include: Include
    package var since: Cursor?
    /// Whether to start with what is there; of no weight beside `since`.
    package var snapshot: Bool
    /// Whether to be told of the connection's own writes.
    package var echo: Bool

    package init(
        filter: Filter = Filter(), include: Include = .meta, since: Cursor? = nil, snapshot: Bool = true,
        echo: Bool = true
    ) {
        self.filter = filter
        self.include = include
        self.since = since
        self.snapshot = snapshot
        self.echo = echo
    }

    /// What the lines of a watch carry of a note.
    package enum Include: String, CaseIterable, Hashable, Sendable {
        case meta, text, edits
    }
}

package struct BackupParams: Hashable, Sendable {
    /// An absolute path of the daemon's machine, or a name in its folder for backups; nil for a name by the time there.
    package var path: ByteString?

    package init(path: ByteString? = nil) {
        self.path = path
    }

    /// Whether it says in which folder, and not a name alone.
    package var namesPlace: Bool { path?.utf8.contains(UInt8(ascii: "/")) ?? false }
}

package struct UnwatchParams: Hashable, Sendable {
    package var watch: UInt64

    package init(watch: UInt64) {
        self.watch = watch
    }
}

package struct PresenceParams: Hashable, Sendable {
    /// Nil: in no note any more.
    package var place: Position?

    package init(_ place: Position?) {
        self.place = place
    }

    package struct Position: Hashable, Sendable {
        package var note: NoteID
        /// What is shown of it; nil where that is not said.
        package var version: Version?
        /// In the text at the version, so never without one.
        package var selection: SelectionObject?

        package init(note: NoteID, version: Version? = nil, selection: SelectionObject? = nil) {
            self.note = note
            self.version = version
            self.selection = selection
        }
    }
}
