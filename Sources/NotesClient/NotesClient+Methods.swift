package import Causality
package import NoteText
import NotesMethods
package import NotesModel
package import NotesWire

/// One function for each method of the protocol. All throw `ClientError`, or `CancellationError`.
extension NotesAPI {
    /// Creates a note.
    package func create(
        text: [UInt8], name: ByteString? = nil, id: NoteID? = nil, op: ByteString? = nil, times: FileTimes? = nil
    ) async throws -> CreateResult {
        try await call(.write(.createNote(CreateNote(text: text, name: name, id: id, op: op, times: times))))
    }

    /// Creates a note with an id that follows from its name, so that it is one note with one that another
    /// machine begins under that name; with a new id if there is no name, or if a note has that id.
    ///
    /// - Parameters:
    ///   - isFile: whether the text is that of a file, so that only equal files make one note.
    ///   - time: the time for a new id.
    package func begin(
        text: [UInt8], name: ByteString?, isFile: Bool = false, at time: Timestamp, times: FileTimes? = nil
    ) async throws -> CreateResult {
        guard let name else { return try await create(text: text, id: noteID(at: time), times: times) }
        let id = isFile ? NoteID(named: name, text: text) : NoteID(named: name)
        do {
            return try await create(text: text, name: name, id: id, times: times)
        } catch ClientError.refused(let error) where error.kind == .noteExists && error.details.contains(.id(id)) {
            // It was renamed or deleted. If it has this name, the second attempt fails, too.
            return try await create(text: text, name: name, id: noteID(at: time), times: times)
        }
    }

    /// Makes a note of a file whose bytes the daemon has. Equal files of one name are one note, on all machines.
    package func begin(
        file: FileContent, name: ByteString, at time: Timestamp, times: FileTimes? = nil
    ) async throws -> NoteObject {
        let id = NoteID(named: name, text: file.line)
        func create(_ id: NoteID) async throws -> NoteObject {
            let note = CreateNote(file: file, name: name, id: id, times: times)
            return try await call(.write(.createNote(note)), response: CreateResult.self).note
        }
        do {
            return try await create(id)
        } catch ClientError.refused(let error) where error.kind == .noteExists && error.details.contains(.id(id)) {
            let found = try await self.note(.id(id))
            // It was renamed, deleted or given other bytes. If it has this name, the second attempt fails, too.
            guard found.head.name?.bytes != name || found.head.file != file else { return found }
            return try await create(noteID(at: time))
        }
    }

    /// Asks which of these files the store does not have.
    package func absent(_ hashes: some Collection<FileHash>) async throws -> AbsentFiles {
        var absent = AbsentFiles()
        var rest = Array(hashes)[...]
        while !rest.isEmpty {
            let page = Array(rest.prefix(Self.hashesMax))
            let result = try await call(.file(.have(page)), response: HaveFilesResult.self)
            absent.hashes.formUnion(result.lacks.filter(page.indices.contains).map { page[$0] })
            absent.lost.formUnion(result.lost.filter(page.indices.contains).map { page[$0] })
            absent.fetchBytesMax = result.fetchBytesMax
            rest = rest.dropFirst(page.count)
        }
        return absent
    }

    /// Most hashes in one `files.have`.
    private static var hashesMax: Int { 1_000 }

    /// Calls `body` with each file of a list.
    package func eachFile(_ list: ListFiles, _ body: (ListedFile) async throws -> Void) async throws {
        var list = list
        repeat {
            let page = try await call(.file(.list(list)), response: ListFilesResult.self)
            for file in page.files { try await body(file) }
            list.after = page.next
        } while list.after != nil
    }

    /// Reads a note, at `at` or in its current version. With `from`, the result contains edits from
    /// that version's text instead of the text.
    package func note(_ subject: GetNote.Key, at: Version? = nil, from: Version? = nil) async throws -> NoteObject {
        try await call(.get(GetNote(subject, at: at, from: from)), response: GetResult.self).note
    }

    /// One page of a list.
    package func list(_ params: ListNotes = ListNotes()) async throws -> ListResult {
        try await call(.list(params))
    }

    /// All tags of living notes with the number of notes that have each, by their bytes.
    package func tags(startingWith prefix: ByteString = "") async throws -> [TagCount] {
        var params = ListTags(prefix: prefix, limit: WireProtocol.listLimits.upperBound)
        var tags: [TagCount] = []
        repeat {
            let page = try await call(.listTags(params), response: TagsResult.self)
            tags += page.tags
            params.after = page.next
        } while params.after != nil
        return tags
    }

    /// Reads the revisions of all notes page by page, newest first, and holds one page at a time.
    ///
    /// - Parameters:
    ///   - filter: the revisions to read.
    ///   - limit: the number of revisions in a page.
    ///   - body: gets a page and returns whether to continue.
    package func eachRevisionPage(
        _ filter: RevisionFilter, limit: Int = WireProtocol.listLimits.upperBound,
        _ body: ([NoteRevision]) throws -> Bool
    ) async throws {
        var params = ListRevisions(filter: filter, limit: limit)
        while true {
            let page = try await call(.listRevisions(params), response: RevisionsResult.self)
            guard try body(page.entries), let next = page.next else { return }
            params.before = next
        }
    }

    /// Calls `body` with each page of the holding area.
    package func eachHeldPage(_ list: ListHeld, _ body: (HeldPage) async throws -> Void) async throws {
        var list = list
        repeat {
            let page = try await call(.listHeld(list), response: HeldResult.self).page
            try await body(page)
            list.after = page.next
        } while list.after != nil
    }

    /// The heads of notes, deleted ones included. An id without a note is left out.
    package func heads(of ids: [NoteID]) async throws -> [NoteID: Head] {
        var heads: [NoteID: Head] = [:]
        var rest = Set(ids).sorted()[...]
        while !rest.isEmpty {
            let chunk = Set(rest.prefix(WireProtocol.listLimits.upperBound))
            rest = rest.dropFirst(chunk.count)
            for deleted in [false, true] {
                for note in try await listAll(Filter(ids: chunk, deleted: deleted, kind: nil)) { heads[note.head.id] = note.head }
            }
        }
        return heads
    }

    /// All pages of a list, in its order. A note that is renamed meanwhile may occur twice or not
    /// at all.
    package func listAll(_ filter: Filter = Filter()) async throws -> [NoteObject] {
        var notes: [NoteObject] = []
        try await eachPage(filter) { page in
            notes.append(contentsOf: page)
            return true
        }
        return notes
    }

    /// Reads a list page by page and holds one page at a time. A note that is renamed meanwhile may
    /// occur twice or not at all.
    ///
    /// - Parameters:
    ///   - order: the order of the notes.
    ///   - limit: the number of notes in a page.
    ///   - body: gets a page and returns whether to continue.
    package func eachPage(
        _ filter: Filter = Filter(), order: ListPlace.Order = .name, limit: Int = WireProtocol.listLimits.upperBound,
        _ body: ([NoteObject]) throws -> Bool
    ) async throws {
        var params = ListNotes(filter: filter, limit: limit, place: ListPlace(startOf: order))
        while true {
            let page = try await list(params)
            guard try body(page.notes), let next = page.next else { return }
            params.place = next
        }
    }

    /// One page of the links that mean a note, newest linking note first.
    package func links(to params: ListIncomingLinks) async throws -> IncomingLinksResult {
        try await call(.links(.incoming(params)))
    }

    /// One page of the link targets that mean nothing, by their bytes.
    package func missingLinks(_ params: ListMissingLinks = ListMissingLinks()) async throws -> MissingLinksResult {
        try await call(.links(.missing(params)))
    }

    /// The kind of the notes that a link can mean: both, or texts if the daemon does not know files.
    package var linkedKind: NoteKind? {
        get async { await hello?.capabilities.contains("files") == true ? nil : .text }
    }

    /// The notes that targets can mean. Asks again for those that the daemon left out.
    package func resolveLinks(_ params: ResolveLinks) async throws -> ResolvedLinksResult {
        var result = ResolvedLinksResult(found: [])
        var rest = params
        while result.found.count < params.targets.count {
            rest.targets = Array(params.targets[result.found.count...])
            let part: ResolvedLinksResult = try await call(.links(.resolve(rest)))
            guard !part.found.isEmpty else { break }
            result.found += part.found
        }
        return result
    }

    /// One page of the notes that match a query, best first.
    package func search(_ params: SearchNotes) async throws -> SearchResult {
        try await call(.search(params))
    }

    /// Writes a whole text. If `base` is not the current version, the daemon merges; it refuses a
    /// nil base.
    package func save(_ id: NoteID, base: Version?, text: [UInt8], op: ByteString? = nil) async throws -> OutcomeResult {
        try await call(.write(.saveNote(SaveNote(id: id, base: base, text: text, op: op))))
    }

    /// Writes a text, a name or resolutions of conflicts.
    package func save(_ params: SaveNote) async throws -> OutcomeResult {
        try await call(.write(.saveNote(params)))
    }

    /// Writes edits to the text of `base`, in the session's position encoding.
    package func edit(_ id: NoteID, base: Version?, edits: [PositionedEdit], op: ByteString? = nil) async throws -> OutcomeResult
    {
        try await call(.write(.editNote(EditNote(id: id, base: base, edits: edits, op: op))))
    }

    /// Deletes a note, unless a concurrent write keeps it.
    package func delete(_ id: NoteID, base: Version?, op: ByteString? = nil) async throws -> OutcomeResult {
        try await call(.write(.deleteNote(DeleteNote(id: id, base: base, op: op))))
    }

    /// Withdraws revisions of a note that are in the past of `base`. The response has the merged text
    /// as edits of the text of `base`.
    package func undo(_ params: UndoNote) async throws -> OutcomeResult {
        try await call(.write(.undoNote(params)))
    }

    /// Erases everything that a note does not show any more. `base` must be the current version.
    /// Requires `admin` access.
    package func purge(_ params: PurgeNote) async throws -> PurgeResult {
        try await call(.write(.purgeNote(params)))
    }

    /// One page of a note's revisions, newest first.
    package func history(_ params: ReadHistory) async throws -> HistoryResult {
        try await call(.history(params))
    }

    /// Publishes which note is open here, its version and the selection; nil publishes that none is
    /// open.
    ///
    /// The presence holds until the next call or the end of the connection. Clients that watch the
    /// note are notified.
    package func setPresence(_ place: SetPresence.Position?) async throws {
        _ = try await call(.setPresence(SetPresence(place)), response: EmptyResult.self)
    }

    /// The registered connections.
    package func dependents() async throws -> [DependentObject] {
        try await call(.listDependents, response: DependentsResult.self).dependents
    }

    /// The state of the daemon and its store.
    package func status() async throws -> StatusResult {
        try await call(.status)
    }

    /// Makes the daemon read its whole store again and compare the result with what it serves.
    ///
    /// - Parameters:
    ///   - files: whether to hash the bytes of all files, too.
    ///   - progress: as in `call`.
    package func audit(
        files: Bool = false, progress: (@Sendable (RequestProgress) -> Void)? = nil
    ) async throws -> AuditResult {
        try await call(.auditing(files: files), progress: progress)
    }

    /// The settings in effect and their sources. Requires `admin` access.
    package func config() async throws -> ConfigResult {
        try await call(.config)
    }

    /// Makes the daemon copy its store into a file. Requires `admin` access.
    ///
    /// - Parameters:
    ///   - path: an absolute path on the daemon's machine, or a file name in its backup directory;
    ///     nil lets the daemon choose a name.
    ///   - progress: as in `call`, in bytes.
    package func backUp(
        to path: ByteString? = nil, progress: (@Sendable (RequestProgress) -> Void)? = nil
    ) async throws -> BackupResult {
        try await call(.backup(to: path), progress: progress)
    }

    /// The daemon's metrics as OpenMetrics text.
    package func metrics() async throws -> ByteString {
        try await call(.metrics, response: MetricsResult.self).text
    }

    /// Returns when the daemon has responded.
    package func ping() async throws {
        _ = try await call(.ping, response: EmptyResult.self)
    }

    /// The OpenRPC document of the daemon, as JSON.
    package func discover() async throws -> [UInt8] {
        try await call(.discover, response: DocumentResult.self).json
    }
}
