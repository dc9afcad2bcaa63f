import Causality
import Console
import EditSession
import NoteTasks
import NoteText
import NotesClient
import NotesMethods
import NotesModel
import NotesWire
import StrictJSON

/// Performs the requests of an `EditorHost` for the daemon, each in a task of its own, and puts the
/// responses into the inbox.
///
/// A connection has the label of the editor and its writer. Another one, in the editor's unit of
/// positions, carries what goes through.
actor HostRequests {
    private let access: HostAccess
    private let inbox: HostInbox
    private var writer = ""
    private var label: ByteString = ""
    private var encoding = PositionEncoding.utf8
    private var client: NotesClient?
    private var asides: [String: NotesClient] = [:]
    private var connecting: Task<Void, Never>?
    private var watches: [EditorHost.Key: Task<Void, Never>] = [:]
    private var watched: [EditorHost.Key: NoteID] = [:]
    private var listWatch: Task<Void, Never>?

    init(_ access: HostAccess, _ inbox: HostInbox) {
        (self.access, self.inbox) = (access, inbox)
    }

    func cancel() {
        connecting?.cancel()
        for watch in watches.values { watch.cancel() }
        listWatch?.cancel()
    }

    // MARK: Connections

    /// Connects, again and again until the daemon answers, and keeps the host informed.
    private func connect(as writer: String, label: ByteString, _ encoding: PositionEncoding) {
        (self.writer, self.label, self.encoding) = (writer, access.label ?? label, encoding)
        connecting = Task {
            var backoff = Backoff()
            var random = SystemRandomNumberGenerator()
            while !Task.isCancelled {
                do {
                    try await follow(try await connection(suffix: "", .utf8))
                } catch {
                    inbox.put(.daemon(nil))
                }
                try? await Task.sleep(for: backoff.next(using: &random))
            }
        }
    }

    private func connection(suffix: String, _ encoding: PositionEncoding) async throws -> NotesClient {
        let label = ByteString(validUTF8: self.label.utf8 + Array("/\(writer)\(suffix)".utf8))
        var options = try access.options()
        options.label = label
        options.positionEncodings = [encoding]
        options.reconnecting = Backoff()
        options.resending = .whatMayBeRepeated
        return try await NotesClient.connect(options)
    }

    /// Watches no note, so that the host learns when the connection is lost and restored, and of people.
    private func follow(_ client: NotesClient) async throws {
        self.client = client
        defer { self.client = nil }
        // Watches of a connection that ended for good.
        for (key, note) in watched { watch(key, note) }
        for try await event in try await client.watch(WatchNotes(filter: Filter(ids: []), include: .meta, snapshot: false)) {
            switch event {
            case .started, .reset: inbox.put(.daemon(await client.hello))
            case .interrupted: inbox.put(.daemon(nil))
            case .presence(let presence): inbox.put(.presence(presence))
            case .changed, .synced, .bookmark: break
            }
        }
    }

    /// Runs a request in a task. Without a connection, it fails at once.
    private func run<Value: Sendable>(
        _ request: @escaping @Sendable (NotesClient) async throws -> Value,
        then answer: @escaping @Sendable (Result<Value, HostFailure>) -> Void
    ) {
        guard let client else { return answer(.failure(.offline)) }
        Task {
            do {
                answer(.success(try await request(client)))
            } catch ClientError.refused(let error) {
                answer(.failure(.refused(error)))
            } catch {
                answer(.failure(.offline))
            }
        }
    }

    // MARK: Requests

    func perform(_ action: HostAction) {
        switch action {
        case .connect(let writer, let label, let encoding): connect(as: writer, label: label, encoding)
        case .open(let key, let subject, let resume): open(key, subject, resume)
        case .watch(let key, let note): watch(key, note)
        case .unwatch(let key):
            watches.removeValue(forKey: key)?.cancel()
            watched[key] = nil
        case .write(let key, let number, .repair(let params)):
            // Under another label, so that a later session does not take it for something that the user saw.
            answer(key, number) { [self] _ in
                try await withAside(Self.repairs, .utf8) { client in
                    try await client.response(to: .repair(params), number)
                }
            }
        case .write(let key, let number, let write):
            answer(key, number) { try await $0.response(to: write, number) }
        case .read(let key, let note, let number, let read): self.read(key, note, number, read)
        case .refresh(let key, let note):
            run(
                { try await $0.note(.id(note)) },
                then: { [inbox] result in
                    if case .success(let note) = result { inbox.put(.noted(key, note, nil)) }
                })
        case .presence(let note, let version, let selection):
            let position = SetPresence.Position(note: note, version: version, selection: selection)
            run({ try await $0.setPresence(position) }, then: { _ in })
        case .absent: run({ try await $0.setPresence(nil) }, then: { _ in })
        case .rename(let id, let key, let note, let base, let name):
            change(id, key, note) { try await $0.save(SaveNote(id: note, base: base, name: name)) }
        case .delete(let id, let key, let note, let base):
            change(id, key, note) { try await $0.delete(note, base: base) }
        case .restore(let id, let key, let note, let name, let text):
            change(id, key, note) { client in
                let now = try await client.note(.id(note)).head
                let request = now.name == nil ? name.map { NameRequest.set($0) } : nil
                return try await client.save(SaveNote(id: note, base: now.version, text: text, name: request ?? .leave))
            }
        case .resolve(let id, let key, let note, let conflict, let take):
            change(id, key, note) { client in
                let now = try await client.note(.id(note))
                return try await Self.resolution(of: conflict, take, in: now).write(over: now.head, client)
            }
        case .revert(let id, let key, let note, let version):
            let old: @Sendable (NotesClient) async throws -> [UInt8] = { try await $0.note(.id(note), at: version).text ?? [] }
            run(old) { [inbox] result in
                switch result {
                case .success(let text): inbox.put(.reverted(key, id, text))
                case .failure(let failure): inbox.put(.respond(HostLines.failure(id, failure)))
                }
            }
        case .forward(let id, let method, let params): forward(id, method, params)
        case .watchList(let kind): watchList(kind)
        case .send, .sendAfterDraft, .keepDraft, .keepNewDraft, .removeDraft, .leaveDraft, .discard: break
        }
    }

    private func open(_ key: EditorHost.Key, _ subject: NoteOpening.Subject, _ resume: ResumedText?) {
        run { [access, inbox] client in
            if let writer = resume?.writer { await access.others?.endFormer(access.label, writer, own: inbox) }
            return try await NoteOpening(client: client, takesUpDrafts: access.takesUpDrafts).open(subject, resume)
        } then: { [inbox] in
            inbox.put(.opened(key, $0))
        }
    }

    /// Sends a request of a session. After a lost connection, the session sends it again.
    private func answer(
        _ key: EditorHost.Key, _ number: UInt64, _ request: @escaping @Sendable (NotesClient) async throws -> EditEvent
    ) {
        run(request) { [inbox] result in
            switch result {
            case .success(let event): inbox.put(.session(key, event))
            case .failure(.refused(let error)): inbox.put(.session(key, .refused(number, error)))
            case .failure(.offline): break
            }
        }
    }

    private func read(_ key: EditorHost.Key, _ note: NoteID, _ number: UInt64, _ read: EditRead) {
        run { client in
            try await client.response(to: read, of: note, number)
        } then: { [inbox] result in
            switch result {
            case .success(let event):
                // Only the newest note says what the note is now besides its text.
                if case .newest = read, case .read(_, let note) = event {
                    inbox.put(.noted(key, note, event))
                } else {
                    inbox.put(.session(key, event))
                }
            case .failure(.refused(let error)): inbox.put(.session(key, .refused(number, error)))
            case .failure(.offline): break
            }
        }
    }

    private static func resolution(
        of conflict: ByteString, _ take: ConflictTake, in note: NoteObject
    ) throws -> ConflictResolution {
        let choice = ConflictChoice(note)
        do throws(ExitFailure) {
            let conflict = try choice.conflict(conflict.description)
            switch take {
            case .shown: return .keeping([conflict])
            case .side(let dot):
                return .taking(try choice.side(dot.description, of: conflict), in: conflict, of: note.text ?? [])
            case .text(let words):
                let text = ConflictResolution.replacing(conflict.range, by: words, in: note.text ?? [])
                return ConflictResolution(text: text, resolves: [conflict.id])
            }
        } catch {
            throw ClientError.refused(WireError(.invalidParams, error.message))
        }
    }

    /// Sends a write that the user asked for, and tells the editor what the note is then.
    private func change(
        _ id: RequestID, _ key: EditorHost.Key, _ note: NoteID,
        _ write: @escaping @Sendable (NotesClient) async throws -> OutcomeResult
    ) {
        run { client in
            let version = try await write(client).version
            return (version, try await client.note(.id(note)))
        } then: { [inbox] result in
            switch result {
            case .success((let version, let note)):
                // The state comes before the response, so that the editor can tell what became of the note.
                inbox.put(.noted(key, note, .watched(note)))
                inbox.put(.respond(HostLines.result(id) { $0.object { $0.member("version", version) } }))
            case .failure(let failure): inbox.put(.respond(HostLines.failure(id, failure)))
            }
        }
    }

    private func forward(_ id: RequestID, _ method: ByteString, _ params: [UInt8]) {
        guard client != nil else { return inbox.put(.respond(HostLines.offline(id))) }
        Task {
            do {
                let result = try await withAside(Self.lists, encoding) {
                    try await $0.call(method: method.description, params: params)
                }
                inbox.put(.respond(HostLines.result(id) { $0.raw(result.source) }))
            } catch ClientError.refused(let error) {
                inbox.put(.respond(error.line(id: id)))
            } catch {
                inbox.put(.respond(HostLines.offline(id)))
            }
        }
    }

    /// Endings of the labels of further connections.
    private static let (lists, repairs) = ("-list", "-r")

    /// A connection of the editor besides the one of its writer.
    private func aside(_ suffix: String, _ encoding: PositionEncoding) async throws -> NotesClient {
        if let client = asides[suffix] { return client }
        let client = try await connection(suffix: suffix, encoding)
        if let first = asides[suffix] { return first }
        asides[suffix] = client
        return client
    }

    /// Runs a request on another connection. If that fails, the next request opens a new one.
    ///
    /// - Throws: `ClientError.refused`, and retryable if the connection failed.
    private func withAside<Value: Sendable>(
        _ suffix: String, _ encoding: PositionEncoding, _ request: @Sendable (NotesClient) async throws -> Value
    ) async throws -> Value {
        do {
            return try await request(try await aside(suffix, encoding))
        } catch let error as ClientError {
            if case .refused = error { throw error }
            await asides.removeValue(forKey: suffix)?.close()
            throw ClientError.refused(WireError(.overloaded, "\(error)"))
        }
    }

    // MARK: Watches

    /// Watches all notes of a kind on the connection for lists, which reconnects by itself.
    private func watchList(_ kind: NoteKind?) {
        guard listWatch == nil else { return }
        listWatch = Task {
            var backoff = Backoff()
            var random = SystemRandomNumberGenerator()
            while !Task.isCancelled {
                do {
                    try await withAside(Self.lists, encoding) { [inbox] client in
                        for try await event in try await client.watch(
                            WatchNotes(filter: Filter(kind: kind), include: .meta, snapshot: false))
                        {
                            switch event {
                            case .changed(let change):
                                if case .shown(let note) = change.note {
                                    inbox.put(.listed(note))
                                } else {
                                    inbox.put(.listed(nil))
                                }
                            case .started(let start): if !start.isResumed { inbox.put(.listed(nil)) }
                            case .reset: inbox.put(.listed(nil))
                            case .synced, .bookmark, .presence, .interrupted: break
                            }
                        }
                    }
                } catch ClientError.refused(let error) where !error.isRetryable {
                    return
                } catch {}
                try? await Task.sleep(for: backoff.next(using: &random))
            }
        }
    }

    private func watch(_ key: EditorHost.Key, _ note: NoteID) {
        watched[key] = note
        watches[key]?.cancel()
        guard let client else { return inbox.put(.session(key, .disconnected)) }
        watches[key] = Task { [inbox] in
            do {
                let watch = try await client.watch(
                    WatchNotes(filter: Filter(ids: [note], kind: nil), include: .edits, snapshot: false, echo: false))
                for try await event in watch {
                    switch event {
                    case .started, .reset:
                        let now = try await client.note(.id(note))
                        inbox.put(.watching(key))
                        inbox.put(.noted(key, now, .watched(now)))
                    case .changed(let change):
                        if case .shown(let shown) = change.note { inbox.put(.noted(key, shown, .watched(shown))) }
                    case .interrupted: inbox.put(.session(key, .disconnected))
                    case .synced, .bookmark, .presence: break
                    }
                }
            } catch is CancellationError {
            } catch {
                inbox.put(.session(key, .disconnected))
            }
        }
    }
}
