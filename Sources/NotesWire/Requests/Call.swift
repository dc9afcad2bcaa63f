package import Causality
package import NoteText
package import NotesModel

/// A method and its typed params.
///
/// Names, versions and edits are syntactically valid but not checked against any note; the model
/// checks them.
package enum Call: Hashable, Sendable {
    case hello(HelloParams)
    case limit(SessionLimits)
    case ping
    case discover
    case createNote(CreateParams)
    case getNote(GetNote)
    case listNotes(ListNotes)
    case listTags(ListTags)
    case listRevisions(ListRevisions)
    case knownRevisions(digests: DotSet = DotSet())
    case watchRevisions(WatchRevisionsParams)
    case proceed(ProceedParams)
    case adopt(AdoptParams)
    case listPeers
    case forgetPeer(ReplicaID)
    case listHeld(ListHeld)
    case dropHeld([Dot])
    case incomingLinks(ListIncomingLinks)
    case missingLinks(ListMissingLinks)
    case resolveLinks(ResolveLinks)
    case search(SearchNotes)
    case saveNote(SaveNote)
    case editNote(EditNote)
    case deleteNote(DeleteNote)
    case undoNote(UndoNote)
    case purgeNote(PurgeNote)
    case history(ReadHistory)
    case watch(WatchNotes)
    case unwatch(WatchID)
    case setPresence(SetPresence)
    case listDependents
    case status
    case audit
    case config
    /// `to` is an absolute path on the daemon's machine, or a file name in the daemon's backup directory;
    /// nil lets the daemon choose a name from the current time.
    case backup(to: ByteString?)
    case metrics

    /// The method that the call names.
    package var method: Method {
        switch self {
        case .hello: .hello
        case .limit: .limit
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
        case .listHeld: .listHeld
        case .dropHeld: .dropHeld
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
    case limit = "session.limit"
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
    case listHeld = "revisions.held"
    case dropHeld = "revisions.drop"
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
        case .hello, .limit, .ping, .discover: true
        case .createNote, .getNote, .listNotes, .listTags, .listRevisions, .knownRevisions, .watchRevisions, .proceed, .adopt,
            .listPeers, .forgetPeer, .listHeld, .dropHeld, .incomingLinks, .missingLinks, .resolveLinks, .search, .saveNote,
            .editNote, .deleteNote,
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
        case .hello, .limit, .ping, .discover, .getNote, .listNotes, .listTags, .listRevisions, .knownRevisions, .watchRevisions,
            .proceed, .listPeers, .listHeld, .incomingLinks, .missingLinks, .resolveLinks, .search, .history, .watch, .unwatch,
            .setPresence, .listDependents, .status, .metrics:
            .read
        case .createNote, .saveNote, .editNote, .deleteNote, .undoNote, .audit: .write
        case .adopt, .forgetPeer: .sync
        case .backup, .config, .dropHeld, .purgeNote: .admin
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
