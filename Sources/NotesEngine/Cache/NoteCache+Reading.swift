import Causality
import NotesModel
import NotesStore

extension NoteCache {
    /// The response to a read of one note.
    mutating func get(_ request: GetNote) throws(JournalError) -> Response {
        guard let id = try id(of: request.key), var newest = try note(id) else { return .refused(.noteNotFound) }
        guard request.at != nil || request.from != nil else {
            return .note(try answer(&newest, from: nil))
        }
        let asked = (request.at ?? .nothing).union(request.from ?? .nothing)
        guard let record = try journal.note(id, downTo: .dots(asked), asOf: nil) else { return .refused(.noteNotFound) }
        var note = Note(record.through(asked))
        for version in [request.at, request.from] {
            if let version, note.readable(of: version) == nil {
                return .refused(.revisionGone(version, oldest: note.compactionFloor))
            }
        }
        let readable = note.readable(of: asked) ?? .nothing
        guard note.knows(readable) else {
            return .refused(.unknownBase(known: note.known(of: readable), unknown: note.unknown(of: readable)))
        }
        func reduced(_ version: Version) -> Version { note.reduced(note.readable(of: version) ?? .nothing) }
        let (reducedAt, reducedFrom) = (request.at.map(reduced), request.from.map(reduced))
        let from = reducedFrom.map { note.text(at: $0) }
        guard let at = reducedAt else {
            return .note(try answer(&newest, from: from))
        }
        let writing = record.newest(of: at) ?? (newest.head.author, record.created)
        let head = note.head(at: at, author: writing.author, time: writing.time)
        let conflicts = try details(of: head.conflicts, in: &note, at: at)
        return .note(
            NoteResponse(head: head, text: note.text(at: at), siblings: newest.version, conflicts: conflicts, from: from))
    }

    /// The response with the current note.
    private mutating func answer(_ note: inout Note, from: [UInt8]?) throws(JournalError) -> NoteResponse {
        let conflicts = try details(of: note.head.conflicts, in: &note, at: note.version)
        return NoteResponse(head: note.head, text: note.text, siblings: note.version, conflicts: conflicts, from: from)
    }

    /// The id of a requested note. A name is that of a living note; if several have it, the one
    /// with the lowest id. Tombstones are found by id only.
    private func id(of key: GetNote.Key) throws(JournalError) -> NoteID? {
        switch key {
        case .id(let id): return id
        case .name(let bytes):
            // Bytes that are not a valid name are the name of no note.
            guard let name = try? NoteName(bytes) else { return nil }
            return try journal.existingNotes(named: name).first
        }
    }

    /// One page of a list of notes.
    func list(_ request: ListNotes) throws(JournalError) -> Response {
        let heads = try journal.heads(matching: request.filter, after: request.after, limit: request.limit + 1)
        let page = heads.prefix(request.limit).map(\.head)
        let next = heads.count > page.count ? page.last.map { ListPosition(name: $0.name, id: $0.id) } : nil
        return .notes(page, next: next)
    }

    /// One page of a note's revisions, newest first.
    func history(_ request: ReadHistory) throws(JournalError) -> Response {
        guard let revisions = try journal.history(of: request.id, before: request.before, limit: request.limit + 1) else {
            return try journal.head(of: request.id) == nil ? .refused(.noteNotFound) : .failed(.unknownPosition)
        }
        let page = Array(revisions.prefix(request.limit))
        return .history(page, next: revisions.count > page.count ? page.last?.dot : nil)
    }
}

extension NoteRecord {
    /// The author and time of the newest revision of a version in commit order. That is one of the
    /// version's dots, since children follow their parents.
    fileprivate func newest(of version: Version) -> (author: Author, time: Timestamp)? {
        if let revision = tail.last(where: { version.dots.contains($0.dot) }) { return (revision.author, revision.time) }
        guard let floor, version.dots.contains(floor.dot) else { return nil }
        return (floor.author, floor.time)
    }
}
