import Dependents
import NotesEngine
import NotesModel
import NotesWire

extension Request.Body {
    /// Translates a call into a request to the engine; nil for calls that the server answers
    /// itself.
    ///
    /// - Parameters:
    ///   - call: the parsed call.
    ///   - encoding: unit of the connection's offsets.
    ///   - access: the access of the user.
    ///   - drawNoteID: generates the id of a note for which the client chose none.
    init?(_ call: Call, encoding: PositionEncoding, access: Access, drawNoteID: () -> NoteID) {
        switch call {
        case .hello, .ping, .discover, .config:
            return nil
        case .createNote(let params):
            let create = CreateNote(
                id: params.id ?? drawNoteID(), isIDChosen: params.id != nil, name: params.name, text: params.text,
                times: params.times)
            self = .write(.createNote(create), operation: params.op)
        case .saveNote(let params):
            let save = SaveNote(
                id: params.id, base: params.base, text: params.text, name: params.name, resolves: params.resolves ?? [],
                times: params.times)
            self = .write(.saveNote(save), operation: params.op)
        case .editNote(let params):
            let edit = EditNote(
                id: params.id, base: params.base, edits: params.edits, encoding: encoding, resolves: params.resolves ?? [])
            self = .write(.editNote(edit), operation: params.op)
        case .deleteNote(let params):
            self = .write(.deleteNote(DeleteNote(id: params.id, base: params.base)), operation: params.op)
        case .undoNote(let params):
            let undo = UndoNote(
                id: params.id, base: params.base, revisions: params.revisions, operations: params.ops,
                times: params.times, isPreview: params.isPreview)
            self = .write(.undoNote(undo), operation: params.isPreview ? nil : params.op)
        case .purgeNote(let params):
            self = .write(.purgeNote(PurgeNote(id: params.id, base: params.base)), operation: params.op)
        case .getNote(let params):
            self = .get(GetNote(key: GetNote.Key(params.subject), at: params.at, from: params.from))
        case .listNotes(let params):
            self = .list(ListNotes(filter: params.filter, limit: params.limit, place: params.place))
        case .listTags(let params):
            self = .listTags(ListTags(prefix: params.prefix, limit: params.limit, after: params.after))
        case .listRevisions(let params):
            self = .listRevisions(ListRevisions(filter: params.filter, limit: params.limit, before: params.before))
        case .knownRevisions, .watchRevisions, .proceed, .adopt, .listPeers, .forgetPeer:
            guard let exchange = Self.exchange(call, access) else { return nil }
            self = exchange
        case .incomingLinks(let params):
            self = .links(.incoming(params.id, limit: params.limit, after: params.after))
        case .missingLinks(let params):
            self = .links(.missing(limit: params.limit, after: params.after))
        case .resolveLinks(let params):
            self = .links(.resolve(params.targets, from: params.from))
        case .search(let params):
            self = .search(SearchNotes(query: params.query, limit: params.limit, after: params.after))
        case .history(let params):
            self = .history(ReadHistory(id: params.id, limit: params.limit, before: params.before))
        case .watch(let params):
            self = .watch(
                WatchNotes(
                    filter: params.filter, include: WatchDetail(params.include), since: params.since, snapshot: params.snapshot,
                    echo: params.echo))
        case .unwatch(let params):
            self = .unwatch(WatchID(params.watch))
        case .setPresence(let params):
            self = .setPresence(SetPresence(params, encoding: encoding, isQuiet: false))
        case .listDependents:
            self = .listDependents
        case .status:
            self = .status
        case .audit:
            self = .audit
        case .backup(let params):
            self = .backup(params.path)
        case .metrics:
            self = .metrics
        }
    }
}

extension Request.Body {
    /// Translates a call for the exchange between stores; nil for others.
    fileprivate static func exchange(_ call: Call, _ access: Access) -> Request.Body? {
        switch call {
        case .knownRevisions: .knownRevisions
        case .watchRevisions(let params):
            .feedRevisions(
                FeedRevisions(
                    peer: RevisionPeer(store: params.store, replica: params.replica), known: params.known,
                    refuses: params.refuses, isRecorded: access >= .sync))
        case .proceed(let params): .proceed(WatchID(params.watch), through: params.seq, lacking: params.lacking)
        case .adopt(let params): .adopt(OfferedRevisions(params, mayPurge: access >= .admin))
        case .listPeers: .listPeers
        case .forgetPeer(let params): .forgetPeer(params.store)
        default: nil
        }
    }
}

extension OfferedRevisions {
    /// Decodes the revisions.
    ///
    /// - Complexity: O(bytes of the revisions).
    init(_ params: AdoptParams, mayPurge: Bool) {
        var (revisions, unreadable): ([LinkedRevision], [Int]) = ([], [])
        for (index, wire) in params.revisions.enumerated() {
            if let revision = RevisionCodec.revision(from: wire), !wire.text.contains(0) {
                revisions.append(revision)
            } else {
                unreadable.append(index)
            }
        }
        self.init(
            revisions: revisions, unreadable: unreadable, beginnings: params.beginnings.compactMap(\.beginning),
            mayPurge: mayPurge)
    }
}

extension SetPresence {
    /// Translates the params. A quiet request gets no response.
    init(_ params: PresenceParams, encoding: PositionEncoding, isQuiet: Bool) {
        let place = params.place.map { place in
            Position(
                note: place.note, version: place.version, selection: place.selection.map { ($0.start, $0.end) },
                encoding: encoding)
        }
        self.init(place: place, isQuiet: isQuiet)
    }
}

extension WatchDetail {
    fileprivate init(_ include: WatchParams.Include) {
        switch include {
        case .meta: self = .meta
        case .text: self = .text
        case .edits: self = .edits
        }
    }
}

extension GetNote.Key {
    fileprivate init(_ subject: GetParams.Subject) {
        switch subject {
        case .id(let id): self = .id(id)
        case .name(let name): self = .name(name)
        }
    }
}
