import NotesEngine
import NotesMethods
import NotesModel
import NotesWire

extension Request.Body {
    /// The request to the engine for a call; nil for calls that the session answers itself. Params go to the
    /// engine as they were read; the session adds its unit of offsets, the id of a new note, and the
    /// user's rights.
    ///
    /// - Parameters:
    ///   - encoding: unit of the connection's offsets.
    ///   - access: the access of the user.
    ///   - isExchangeOnly: whether the connection is limited to the exchange.
    ///   - drawNoteID: generates the id of a note for which the client chose none.
    init?(_ call: Call, encoding: PositionEncoding, access: Access, isExchangeOnly: Bool, drawNoteID: () -> NoteID) {
        switch call {
        case .hello, .limit, .ping, .discover, .config: return nil
        case .adopt(let params): self = .adopt(OfferedRevisions(params, mayPurge: access >= .admin))
        case .write(.createNote(var create)) where !create.isIDChosen:
            create.id = drawNoteID()
            self = .call(.write(.createNote(create)))
        case .write(.editNote(var edit)):
            edit.encoding = encoding
            self = .call(.write(.editNote(edit)))
        case .setPresence(var set):
            set.place?.encoding = encoding
            self = .call(.setPresence(set))
        case .watchRevisions(var start):
            start.isRecorded = access >= .sync
            self = .call(.watchRevisions(start))
        case .file(let file) where isExchangeOnly: self = .call(.file(file.forPeer))
        default: self = .call(call)
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
