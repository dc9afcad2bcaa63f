package import Causality
package import NoteText
package import NotesModel

/// The methods of the protocol.
///
/// `row` is the one table of them: what a method is named, who may call it, and how the server, the engine and
/// a client treat it. Params are read and written in `NotesWire`; `docs/openrpc.json` describes the same
/// methods in the same order, which a test checks.
package enum Method: Int, CaseIterable, Hashable, Sendable {
    case hello, limit, ping, discover
    case createNote, getNote, listNotes, listTags, listRevisions
    case knownRevisions, watchRevisions, proceed, completeRevisions, adopt, listPeers, forgetPeer, listHeld, dropHeld
    case incomingLinks, missingLinks, resolveLinks, search
    case saveNote, editNote, deleteNote, undoNote, purgeNote, history
    case watch, unwatch, setPresence, listDependents
    case beginFile, putFile, getFile, checkFile, haveFiles, listFiles
    case status, audit, config, backup, metrics

    private var row: Row {
        switch self {
        case .hello: Row("session.hello", .read, [.beforeHello, .exchange, .ofOneNote])
        case .limit: Row("session.limit", .read, [.beforeHello, .exchange, .ofOneNote])
        case .ping: Row("session.ping", .read, [.beforeHello, .exchange, .ofOneNote, .repeatable], .ping)
        case .discover: Row("rpc.discover", .read, [.beforeHello, .exchange, .ofOneNote, .repeatable], .discover)

        case .createNote: Row("note.create", .write)
        case .saveNote: Row("note.save", .write, .ofOneNote)
        case .editNote: Row("note.edit", .write, .ofOneNote)
        case .deleteNote: Row("note.delete", .write)
        case .undoNote: Row("note.undo", .write)
        case .purgeNote: Row("note.purge", .admin)

        case .getNote: Row("note.get", .read, [.ofOneNote, .pure])
        case .listNotes: Row("note.list", .read, .pure)
        case .listTags: Row("tags.list", .read, .pure)
        case .listRevisions: Row("revisions.list", .read, .pure)
        case .history: Row("note.history", .read, [.ofOneNote, .pure])
        case .search: Row("note.search", .read, [.pure, .long])

        case .incomingLinks: Row("links.to", .read, [.pure, .long])
        case .missingLinks: Row("links.missing", .read, [.pure, .long])
        case .resolveLinks: Row("links.resolve", .read, [.pure, .long])

        case .watch: Row("notes.watch", .read, .ofOneNote)
        case .unwatch: Row("notes.unwatch", .read, .ofOneNote)
        case .setPresence: Row("presence.set", .read, [.ofOneNote, .repeatable, .unanswered])
        case .listDependents: Row("dependents.list", .read, .pure, .listDependents)

        case .knownRevisions: Row("revisions.known", .read, [.exchange, .pure, .long])
        case .watchRevisions: Row("revisions.watch", .read, [.exchange, .long])
        case .proceed: Row("revisions.proceed", .read, [.exchange, .long])
        case .completeRevisions: Row("revisions.complete", .read, [.exchange, .long])
        case .adopt: Row("revisions.adopt", .sync, [.exchange, .repeatable, .long])

        case .listPeers: Row("peers.list", .read, [.exchange, .pure, .long], .listPeers)
        case .forgetPeer: Row("peers.forget", .sync, .repeatable)
        case .listHeld: Row("revisions.held", .read, [.pure, .long])
        case .dropHeld: Row("revisions.drop", .admin, .long)

        case .beginFile: Row("file.begin", .write, [.exchange, .repeatable, .long])
        case .putFile: Row("file.put", .write, [.exchange, .repeatable, .long])
        case .getFile: Row("file.get", .read, [.exchange, .pure, .long])
        case .checkFile: Row("file.check", .write, [.repeatable, .long])
        case .haveFiles: Row("files.have", .read, [.exchange, .pure, .long])
        case .listFiles: Row("files.list", .read, [.exchange, .pure, .long])

        case .status: Row("daemon.status", .read, .pure, .status)
        case .audit: Row("daemon.audit", .write, [.repeatable, .long])
        case .config: Row("daemon.config", .admin, .repeatable, .config)
        case .backup: Row("daemon.backup", .admin, .long)
        case .metrics: Row("daemon.metrics", .read, .pure, .metrics)
        }
    }

    private struct Row {
        let name: String
        let access: Access
        let traits: Traits
        let plain: Call?

        /// - Parameter plain: the call of a method without params.
        init(_ name: String, _ access: Access, _ traits: Traits = [], _ plain: Call? = nil) {
            (self.name, self.access, self.traits, self.plain) = (name, access, traits, plain)
        }
    }

    /// The properties of a method besides its access.
    package struct Traits: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The daemon executes it on a connection that is not registered.
        package static let beforeHello = Traits(rawValue: 1)
        /// The exchange of revisions between two stores uses it. A connection that is limited to the exchange
        /// has no other method, so new methods are not available to it either.
        package static let exchange = Traits(rawValue: 2)
        /// A request may omit its id. The daemon then sends no response.
        package static let unanswered = Traits(rawValue: 4)
        /// To send it twice has the effect of sending it once. A write has this property if it has an `op`.
        /// Watches belong to a connection, so a session restores them and does not repeat the call.
        package static let repeatable = Traits(rawValue: 8)
        /// It changes nothing, so that only its response matters.
        package static let readOnly = Traits(rawValue: 16)
        /// It may take longer than a short read or write, so the engine does not run it on the thread of an
        /// event loop.
        package static let long = Traits(rawValue: 32)
        /// A connection that is limited to one note has it, for that note and as `SessionLimits` describes.
        /// Such a connection has no other method, so new methods are not available to it either.
        package static let ofOneNote = Traits(rawValue: 64)

        fileprivate static let pure: Traits = [.readOnly, .repeatable]
    }

    /// The name on the wire.
    package var name: String { row.name }

    /// The method with a name on the wire; nil if there is none.
    package static func named(_ name: ByteString) -> Method? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { (ByteString($0.name), $0) })

    /// The access that the user needs.
    package var access: Access { row.access }

    package func has(_ trait: Traits) -> Bool { row.traits.contains(trait) }

    /// The call of a method that has no params; nil for the others.
    package var plainCall: Call? { row.plain }
}

/// A method and its typed params.
///
/// Names, versions and edits are syntactically valid but not checked against any note; the model
/// checks them.
package enum Call: Hashable, Sendable {
    case hello(HelloParams)
    case limit(SessionLimits)
    case ping
    case discover
    case write(Command)
    case get(GetNote)
    case list(ListNotes)
    case listTags(ListTags)
    case listRevisions(ListRevisions)
    case history(ReadHistory)
    case search(SearchNotes)
    case links(LinkQuery)
    case watch(WatchNotes)
    case unwatch(WatchID)
    case setPresence(SetPresence)
    case listDependents
    case file(FileRequest)
    /// The dots of the store's revisions, and digests of some of them.
    case knownRevisions(digests: DotSet = DotSet())
    case watchRevisions(WatchRevisions)
    case proceed(ProceedParams)
    /// The peer of the feed has the bytes that these revisions name.
    case completeRevisions(DotSet)
    case adopt(AdoptParams)
    case listPeers
    case forgetPeer(ReplicaID)
    case listHeld(ListHeld)
    case dropHeld([Dot])
    case status
    /// `files`: whether to hash the bytes of all files.
    case auditing(files: Bool)
    case config
    /// `to` is an absolute path on the daemon's machine, or a file name in the daemon's backup directory;
    /// nil lets the daemon choose a name from the current time.
    case backup(to: ByteString?)
    case metrics

    /// An audit without the hashes of files.
    package static var audit: Call { .auditing(files: false) }

    package var method: Method {
        switch self {
        case .hello: .hello
        case .limit: .limit
        case .ping: .ping
        case .discover: .discover
        case .write(.createNote): .createNote
        case .write(.saveNote): .saveNote
        case .write(.editNote): .editNote
        case .write(.deleteNote): .deleteNote
        case .write(.undoNote): .undoNote
        case .write(.purgeNote): .purgeNote
        case .get: .getNote
        case .list: .listNotes
        case .listTags: .listTags
        case .listRevisions: .listRevisions
        case .history: .history
        case .search: .search
        case .links(.incoming): .incomingLinks
        case .links(.missing): .missingLinks
        case .links(.resolve): .resolveLinks
        case .watch: .watch
        case .unwatch: .unwatch
        case .setPresence: .setPresence
        case .listDependents: .listDependents
        case .file(.begin): .beginFile
        case .file(.put): .putFile
        case .file(.get): .getFile
        case .file(.check): .checkFile
        case .file(.have): .haveFiles
        case .file(.list): .listFiles
        case .knownRevisions: .knownRevisions
        case .watchRevisions: .watchRevisions
        case .proceed: .proceed
        case .completeRevisions: .completeRevisions
        case .adopt: .adopt
        case .listPeers: .listPeers
        case .forgetPeer: .forgetPeer
        case .listHeld: .listHeld
        case .dropHeld: .dropHeld
        case .status: .status
        case .auditing: .audit
        case .config: .config
        case .backup: .backup
        case .metrics: .metrics
        }
    }
}
