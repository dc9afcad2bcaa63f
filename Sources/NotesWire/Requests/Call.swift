package import Causality
package import NotesModel

/// A method and its typed params.
///
/// Names, versions and edits are syntactically valid but not checked against any note; the model
/// checks them.
package enum Call: Hashable, Sendable {
    case hello(HelloParams)
    case ping
    case discover
    case createNote(CreateParams)
    case getNote(GetParams)
    case listNotes(ListParams)
    case listTags(TagsParams)
    case listRevisions(RevisionsParams)
    case knownRevisions
    case watchRevisions(WatchRevisionsParams)
    case proceed(ProceedParams)
    case adopt(AdoptParams)
    case listPeers
    case forgetPeer(ForgetPeerParams)
    case incomingLinks(IncomingLinksParams)
    case missingLinks(MissingLinksParams)
    case resolveLinks(ResolveLinksParams)
    case search(SearchParams)
    case saveNote(SaveParams)
    case editNote(EditParams)
    case deleteNote(DeleteParams)
    case undoNote(UndoParams)
    case purgeNote(PurgeParams)
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

    /// The method that the call names.
    package var method: Method {
        switch self {
        case .hello: .hello
        case .ping: .ping
        case .discover: .discover
        case .createNote: .createNote
        case .getNote: .getNote
        case .listNotes: .listNotes
        case .listTags: .listTags
        case .listRevisions: .listRevisions
        case .knownRevisions: .knownRevisions
        case .watchRevisions: .watchRevisions
        case .proceed: .proceed
        case .adopt: .adopt
        case .listPeers: .listPeers
        case .forgetPeer: .forgetPeer
        case .incomingLinks: .incomingLinks
        case .missingLinks: .missingLinks
        case .resolveLinks: .resolveLinks
        case .search: .search
        case .saveNote: .saveNote
        case .editNote: .editNote
        case .deleteNote: .deleteNote
        case .undoNote: .undoNote
        case .purgeNote: .purgeNote
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

/// The methods of the protocol. The raw value is the name on the wire.
package enum Method: String, CaseIterable, Hashable, Sendable {
    case hello = "session.hello"
    case ping = "session.ping"
    case discover = "rpc.discover"
    case createNote = "note.create"
    case getNote = "note.get"
    case listNotes = "note.list"
    case listTags = "tags.list"
    case listRevisions = "revisions.list"
    case knownRevisions = "revisions.known"
    case watchRevisions = "revisions.watch"
    case proceed = "revisions.proceed"
    case adopt = "revisions.adopt"
    case listPeers = "peers.list"
    case forgetPeer = "peers.forget"
    case incomingLinks = "links.to"
    case missingLinks = "links.missing"
    case resolveLinks = "links.resolve"
    case search = "note.search"
    case saveNote = "note.save"
    case editNote = "note.edit"
    case deleteNote = "note.delete"
    case undoNote = "note.undo"
    case purgeNote = "note.purge"
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

    /// All methods by name.
    static let byName = Dictionary(uniqueKeysWithValues: allCases.map { (ByteString($0.rawValue), $0) })

    /// Whether the daemon executes the method on a connection that is not registered.
    package var isAnsweredBeforeHello: Bool {
        switch self {
        case .hello, .ping, .discover: true
        case .createNote, .getNote, .listNotes, .listTags, .listRevisions, .knownRevisions, .watchRevisions, .proceed, .adopt,
            .listPeers, .forgetPeer, .incomingLinks, .missingLinks, .resolveLinks, .search, .saveNote, .editNote, .deleteNote,
            .undoNote, .purgeNote, .history, .watch, .unwatch, .setPresence, .listDependents, .status, .audit, .config, .backup,
            .metrics:
            false
        }
    }

    /// Whether a request may omit its id. The daemon then sends no response.
    package var mayBeUnanswered: Bool { self == .setPresence }

    /// The access that the user needs.
    package var access: HelloResult.Access {
        switch self {
        case .hello, .ping, .discover, .getNote, .listNotes, .listTags, .listRevisions, .knownRevisions, .watchRevisions,
            .proceed, .listPeers, .incomingLinks, .missingLinks, .resolveLinks, .search, .history, .watch, .unwatch,
            .setPresence, .listDependents, .status, .metrics:
            .read
        case .createNote, .saveNote, .editNote, .deleteNote, .undoNote, .audit: .write
        case .adopt, .forgetPeer: .sync
        case .backup, .config, .purgeNote: .admin
        }
    }
}

/// The program at one end of a connection.
package struct ClientInfo: Hashable, Sendable {
    /// Name of the program, at most `WireProtocol.labelBytesMax` bytes.
    package var name: ByteString
    /// Version of the program, for people.
    package var version: ByteString?

    package init(name: ByteString, version: ByteString? = nil) {
        self.name = name
        self.version = version
    }
}

/// Params of `session.hello`, which registers a connection.
package struct HelloParams: Hashable, Sendable {
    /// Protocol versions that the client supports. `RequestReader` refuses a list without
    /// `WireProtocol.version`.
    package var protocols: [Int64]
    /// The client program.
    package var client: ClientInfo
    /// A name for this connection, which other clients see next to its changes.
    package var label: ByteString?
    /// The known encodings of the client's list, in its order of preference. Unknown ones are left
    /// out.
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

    /// The encoding of the session: the first known one, or UTF-8.
    package var positionEncoding: PositionEncoding { positionEncodings.first ?? .utf8 }
}

/// Params of `note.create`.
package struct CreateParams: Hashable, Sendable {
    /// The text of the new note, in UTF-8.
    package var text: [UInt8]
    /// The name of the new note; nil for none.
    package var name: ByteString?
    /// The id of the new note; nil lets the daemon choose. A client that chooses it can retry
    /// without creating two notes.
    package var id: NoteID?
    /// A key that makes a retry of the request safe; nil if the client sent none.
    package var op: ByteString?
    /// The times of the file that has the text; nil if the client sent none.
    package var times: FileTimes?

    package init(
        text: [UInt8], name: ByteString? = nil, id: NoteID? = nil, op: ByteString? = nil, times: FileTimes? = nil
    ) {
        self.text = text
        self.name = name
        self.id = id
        self.op = op
        self.times = times
    }
}

/// Params of `note.get`.
package struct GetParams: Hashable, Sendable {
    /// The note to read.
    package enum Subject: Hashable, Sendable {
        /// The note with this id.
        case id(NoteID)
        /// The note with this name.
        case name(ByteString)
    }

    /// The note to read.
    package var subject: Subject
    /// The version to read; nil for the current one.
    package var at: Version?
    /// A version that the client has. If it is set, the response contains edits from that version's
    /// text instead of the text.
    package var from: Version?

    package init(_ subject: Subject, at: Version? = nil, from: Version? = nil) {
        self.subject = subject
        self.at = at
        self.from = from
    }
}

/// Params of `note.list`.
package struct ListParams: Hashable, Sendable {
    /// The notes to list.
    package var filter: Filter
    /// Largest number of notes in the response.
    package var limit: Int
    /// The order, and the `next` of the previous page.
    package var place: ListPlace

    package init(
        filter: Filter = Filter(), limit: Int = WireProtocol.listLimitDefault, place: ListPlace = .byName(after: nil)
    ) {
        self.filter = filter
        self.limit = limit
        self.place = place
    }
}

/// Params of `tags.list`.
package struct TagsParams: Hashable, Sendable {
    /// The bytes that each tag begins with.
    package var prefix: ByteString
    /// Largest number of tags in the response.
    package var limit: Int
    /// The `next` of the previous page; nil for the first page.
    package var after: ByteString?

    package init(prefix: ByteString = "", limit: Int = WireProtocol.listLimitDefault, after: ByteString? = nil) {
        self.prefix = prefix
        self.limit = limit
        self.after = after
    }
}

/// Params of `revisions.list`.
package struct RevisionsParams: Hashable, Sendable {
    /// The revisions to list.
    package var filter: RevisionFilter
    /// Largest number of revisions in the response.
    package var limit: Int
    /// The `next` of the previous page; nil for the first page.
    package var before: UInt64?

    package init(
        filter: RevisionFilter = RevisionFilter(), limit: Int = WireProtocol.listLimitDefault, before: UInt64? = nil
    ) {
        self.filter = filter
        self.limit = limit
        self.before = before
    }
}

/// Params of `note.search`.
package struct SearchParams: Hashable, Sendable {
    /// The parsed query.
    package var query: SearchQuery
    /// Largest number of hits in the response.
    package var limit: Int
    /// The `next` of the previous page; nil for the first page.
    package var after: SearchPosition?

    package init(query: SearchQuery, limit: Int = WireProtocol.searchLimitDefault, after: SearchPosition? = nil) {
        self.query = query
        self.limit = limit
        self.after = after
    }
}

/// Params of `note.history`.
package struct HistoryParams: Hashable, Sendable {
    /// The note whose revisions are listed.
    package var id: NoteID
    /// Largest number of revisions in the response.
    package var limit: Int
    /// Lists only revisions before this one in commit order; nil starts with the newest.
    package var before: Dot?

    package init(id: NoteID, limit: Int = WireProtocol.listLimitDefault, before: Dot? = nil) {
        self.id = id
        self.limit = limit
        self.before = before
    }
}

/// Params of `notes.watch`.
package struct WatchParams: Hashable, Sendable {
    /// The notes to watch.
    package var filter: Filter
    /// How lines carry the text of a note.
    package var include: Include
    /// The cursor to resume from; nil starts a new watch.
    package var since: Cursor?
    /// Whether to start with a snapshot of the matching notes. Ignored if `since` is set.
    package var snapshot: Bool
    /// Whether to report the writes of the same connection.
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

    /// How the lines of a watch carry a note's text: not at all, whole, or as edits.
    package enum Include: String, CaseIterable, Hashable, Sendable {
        case meta, text, edits
    }
}

/// Params of `daemon.backup`.
package struct BackupParams: Hashable, Sendable {
    /// An absolute path on the daemon's machine, or a file name in the daemon's backup directory;
    /// nil lets the daemon choose a name from the current time.
    package var path: ByteString?

    package init(path: ByteString? = nil) {
        self.path = path
    }

    /// Whether `path` names a directory and not only a file.
    package var namesPlace: Bool { path?.utf8.contains(UInt8(ascii: "/")) ?? false }
}

/// Params of `notes.unwatch`.
package struct UnwatchParams: Hashable, Sendable {
    /// The number of the watch to end.
    package var watch: UInt64

    package init(watch: UInt64) {
        self.watch = watch
    }
}
