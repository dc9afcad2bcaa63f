import Causality
import NoteText
import NotesModel
import NotesStore

extension NoteCache {
    /// How far a read of one note is.
    enum Read {
        case answered(Response)
        /// The rest of the rows has to be read, and the next step computed from them (`take`).
        case version(VersionRead)
        /// The note has to be loaded first (`Loaded.long`).
        case load(NoteLoad)
    }

    /// Reads what the response to a read of one note needs. The current note is answered at once.
    mutating func read(_ request: GetNote) throws(JournalError) -> Read {
        guard let id = try id(of: request.key) else { return .answered(.refused(.noteNotFound)) }
        guard request.at != nil || request.from != nil else { return try current(id, from: nil) }
        guard let head = try newestHead(of: id) else { return .answered(.refused(.noteNotFound)) }
        var read = VersionRead(request, of: id, author: head.author)
        revisionsRead += max(64, try read.readRows(from: journal, rowsMax: shortRowsMax))
        return .version(read)
    }

    /// Reads the same after a load of the current note. The name of the note may belong to another
    /// note meanwhile.
    mutating func read(_ request: GetNote, after load: NoteLoad) throws(JournalError) -> Read {
        guard let from = load.from, try id(of: request.key) == load.id else { return try read(request) }
        return try current(load.id, from: from)
    }

    /// Takes in the result of a step: completes the response, or reads what the next step needs.
    mutating func take(_ step: VersionRead.Step, of read: VersionRead) throws(JournalError) -> Read {
        switch step {
        case .refused(let rejection): return .answered(.refused(rejection))
        case .needs(let depth):
            var read = read
            read.extend(downTo: depth)
            try read.readRows(from: journal, rowsMax: shortRowsMax)
            return .version(read)
        case .found(let found):
            guard let shown = found.shown else { return try current(read.note, from: found.from) }
            guard let newest = try newestHead(of: read.note) else { return .answered(.refused(.noteNotFound)) }
            return .answered(
                .note(
                    NoteResponse(
                        head: shown.head, text: shown.text, siblings: newest.version, conflicts: shown.conflicts,
                        from: found.from)))
        }
    }

    /// The response with the current note, and the text of an earlier version.
    mutating func current(_ id: NoteID, from: [UInt8]?) throws(JournalError) -> Read {
        switch try note(id, from: from) {
        case .long(let load): return .load(load)
        case .ready(nil): return .answered(.refused(.noteNotFound))
        case .ready(var note?):
            switch try details(in: &note, from: from) {
            case .long(let load): return .load(load)
            case .ready(let conflicts):
                return .answered(
                    .note(
                        NoteResponse(
                            head: note.head, text: note.text, siblings: note.version, conflicts: conflicts, from: from)))
            }
        }
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
        switch request.place {
        case .byName(let after):
            let heads = try journal.heads(matching: request.filter, after: after, limit: request.limit + 1)
            let page = heads.prefix(request.limit).map(\.head)
            return .notes(page, next: heads.count > page.count ? page.last.map { .byName(after: $0.position) } : nil)
        case .newest(let before):
            let page = try journal.newestHeads(matching: request.filter, before: before, limit: request.limit)
            return .notes(page.heads.map(\.head), next: page.next.map { .newest(before: $0) })
        }
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
