package import Causality
package import NotesModel
package import NotesWire

/// One function a method. All throw `ClientError`, or `CancellationError`.
extension NotesAPI {
    package func create(
        text: [UInt8], name: ByteString? = nil, id: NoteID? = nil, op: ByteString? = nil
    ) async throws -> CreateResult {
        try await call(.createNote(CreateParams(text: text, name: name, id: id, op: op)))
    }

    package func note(_ subject: GetParams.Subject, at: Version? = nil, from: Version? = nil) async throws -> NoteObject {
        try await call(.getNote(GetParams(subject, at: at, from: from)), answer: GetResult.self).note
    }

    /// One page.
    package func list(_ params: ListParams = ListParams()) async throws -> ListResult {
        try await call(.listNotes(params))
    }

    /// All pages, in the order of lists. A note that is renamed meanwhile may come twice or not at all.
    package func listAll(_ filter: Filter = Filter()) async throws -> [NoteObject] {
        var notes: [NoteObject] = []
        try await eachPage(filter) { page in
            notes.append(contentsOf: page)
            return true
        }
        return notes
    }

    /// One page after the other, as `listAll` has them, of which one is held at a time.
    ///
    /// - Parameter body: returns whether to go on.
    package func eachPage(_ filter: Filter = Filter(), _ body: ([NoteObject]) throws -> Bool) async throws {
        var params = ListParams(filter: filter, limit: WireProtocol.listLimits.upperBound)
        repeat {
            let page = try await list(params)
            guard try body(page.notes) else { return }
            params.after = page.next
        } while params.after != nil
    }

    /// One page of the notes that a query finds, best first.
    package func search(_ params: SearchParams) async throws -> SearchResult {
        try await call(.search(params))
    }

    /// Writes a whole text. A base that is not the newest is merged; nil is refused by the daemon.
    package func save(_ id: NoteID, base: Version?, text: [UInt8], op: ByteString? = nil) async throws -> OutcomeResult {
        try await call(.saveNote(SaveParams(id: id, base: base, text: text, op: op)))
    }

    package func save(_ params: SaveParams) async throws -> OutcomeResult {
        try await call(.saveNote(params))
    }

    /// Writes changes of the base's text, in the session's position encoding.
    package func edit(_ id: NoteID, base: Version?, edits: [PositionedEdit], op: ByteString? = nil) async throws -> OutcomeResult {
        try await call(.editNote(EditParams(id: id, base: base, edits: edits, op: op)))
    }

    package func delete(_ id: NoteID, base: Version?, op: ByteString? = nil) async throws -> OutcomeResult {
        try await call(.deleteNote(DeleteParams(id: id, base: base, op: op)))
    }

    /// One page, newest first.
    package func history(_ params: HistoryParams) async throws -> HistoryResult {
        try await call(.history(params))
    }

    /// Says which note is open here, what is shown of it and what is selected there; nil: none. It holds until the connection ends, or
    /// something else is said; whoever watches the note is told.
    package func setPresence(_ place: PresenceParams.Position?) async throws {
        _ = try await call(.setPresence(PresenceParams(place)), answer: EmptyResult.self)
    }

    package func dependents() async throws -> [DependentObject] {
        try await call(.listDependents, answer: DependentsResult.self).dependents
    }

    package func status() async throws -> StatusResult {
        try await call(.status)
    }

    /// Has the daemon read its whole store again and compare it with what it shows.
    ///
    /// - Parameter progress: as in `call`.
    package func audit(progress: (@Sendable (RequestProgress) -> Void)? = nil) async throws -> AuditResult {
        try await call(.audit, progress: progress)
    }

    /// The settings that hold, and where each was said. Needs `admin`.
    package func config() async throws -> ConfigResult {
        try await call(.config)
    }

    /// Has the daemon copy its store into a file.
    ///
    /// - Parameters:
    ///   - path: absolute, of the daemon's machine, or a name in its folder for backups; nil lets it choose the name.
    ///   - progress: as in `call`, in bytes.
    package func backUp(
        to path: ByteString? = nil, progress: (@Sendable (RequestProgress) -> Void)? = nil
    ) async throws -> BackupResult {
        try await call(.backup(BackupParams(path: path)), progress: progress)
    }

    /// What the daemon counts of itself, as OpenMetrics text.
    package func metrics() async throws -> ByteString {
        try await call(.metrics, answer: MetricsResult.self).text
    }

    package func ping() async throws {
        _ = try await call(.ping, answer: EmptyResult.self)
    }

    /// The OpenRPC document of the daemon, as JSON.
    package func discover() async throws -> [UInt8] {
        try await call(.discover, answer: DocumentResult.self).json
    }
}
