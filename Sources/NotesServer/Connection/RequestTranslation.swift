import NotesEngine
import NotesModel
import NotesWire

extension Request.Body {
    /// The request to the engine for a call; nil for calls that the server answers itself. Params go to the
    /// engine as they were read; the session adds its unit of offsets, the id of a new note, and the
    /// user's rights.
    ///
    /// - Parameters:
    ///   - call: the parsed call.
    ///   - encoding: unit of the connection's offsets.
    ///   - access: the access of the user.
    ///   - drawNoteID: generates the id of a note for which the client chose none.
    init?(_ call: Call, encoding: PositionEncoding, access: Access, drawNoteID: () -> NoteID) {
        switch call {
        case .hello, .limit, .ping, .discover, .config: return nil
        case .createNote(let params):
            let create = CreateNote(
                id: params.id ?? drawNoteID(), isIDChosen: params.id != nil, name: params.name, text: params.text,
                op: params.op, times: params.times)
            self = .write(.createNote(create))
        case .saveNote(let save): self = .write(.saveNote(save))
        case .editNote(var edit):
            edit.encoding = encoding
            self = .write(.editNote(edit))
        case .deleteNote(let delete): self = .write(.deleteNote(delete))
        case .undoNote(let undo): self = .write(.undoNote(undo))
        case .purgeNote(let purge): self = .write(.purgeNote(purge))
        case .getNote(let get): self = .get(get)
        case .listNotes(let list): self = .list(list)
        case .listTags(let list): self = .listTags(list)
        case .listRevisions(let list): self = .listRevisions(list)
        case .knownRevisions(let digests): self = .knownRevisions(digests: digests)
        case .watchRevisions(let params):
            let peer = RevisionPeer(store: params.store, replica: params.replica)
            self = .feedRevisions(
                FeedRevisions(peer: peer, known: params.known, refuses: params.refuses, isRecorded: access >= .sync))
        case .proceed(let params):
            self = .proceed(WatchID(params.watch), through: params.seq, lacking: params.lacking)
        case .adopt(let params): self = .adopt(OfferedRevisions(params, mayPurge: access >= .admin))
        case .listPeers: self = .listPeers
        case .forgetPeer(let store): self = .forgetPeer(store)
        case .listHeld(let list): self = .listHeld(list)
        case .dropHeld(let dots): self = .dropHeld(dots)
        case .incomingLinks(let list): self = .links(.incoming(list))
        case .missingLinks(let list): self = .links(.missing(list))
        case .resolveLinks(let resolve): self = .links(.resolve(resolve))
        case .search(let search): self = .search(search)
        case .history(let read): self = .history(read)
        case .watch(let watch): self = .watch(watch)
        case .unwatch(let watch): self = .unwatch(watch)
        case .setPresence(var set):
            set.place?.encoding = encoding
            self = .setPresence(set)
        case .listDependents: self = .listDependents
        case .status: self = .status
        case .audit: self = .audit
        case .backup(let path): self = .backup(path)
        case .metrics: self = .metrics
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
