import NoteText
import NotesModel
import NotesWire
import StrictJSON

/// The state of one session with an editor.
///
/// The session takes events and returns actions. It holds the documents as the editor has them, and never
/// reads their files. Requests that need the daemon are answered by others, in any order.
struct LanguageSession {
    private enum Phase {
        case new
        case running
        case shutDown
        case ended
    }

    private var phase = Phase.new
    private var encoding = PositionEncoding.utf16
    private var abilities = EditorAbilities()
    /// The folder of the editor's workspace.
    private var workspace: String?
    private var documents: [String: OpenDocument] = [:]
    /// Documents that are in no mirrored folder.
    private var outside: Set<String> = []
    private var pending: Set<LanguageRequestID> = []
    /// When to check a document again.
    private var checks: [String: Duration] = [:]
    /// Documents that are being checked. They are not checked again before the end of that.
    private var checking: Set<String> = []
    private var notices: Set<LanguageNotice> = []
    /// Whether the user knows that the daemon is away.
    private var hasReportedAway = false
    private var requests = 0

    /// The time without typing after which a document is checked.
    private static let typingPause = Duration.milliseconds(300)
    /// The time after a change of notes after which documents are checked.
    private static let changePause = Duration.milliseconds(300)

    var isEnded: Bool { phase == .ended }

    /// When the session wants `LanguageEvent.clock`.
    var deadline: Duration? { checks.lazy.filter { !checking.contains($0.key) }.map(\.value).min() }

    /// - Parameter now: the time of a monotonic clock.
    mutating func receive(_ event: LanguageEvent, at now: Duration) -> [LanguageAction] {
        guard phase != .ended else { return [] }
        switch event {
        case .input(.fault(let reason)):
            return [.send(LanguageLines.failure(nil, LanguageFault(.parseError, reason)))] + doubt()
        case .input(.body(let body)): return message(LanguageMessage(parsing: body), at: now)
        case .inputEnded:
            phase = .ended
            return [.exit(code: 0)]
        case .daemonUp:
            hasReportedAway = false
            return checkAll(at: now)
        case .daemonAway(let reason):
            guard !hasReportedAway else { return [] }
            hasReportedAway = true
            return [.send(LanguageLines.show(.warning, "\(reason); until the daemon is back, only open documents are known"))]
        case .notesChanged: return checkAll(at: now + Self.changePause)
        case .answered(let id, let result):
            guard pending.remove(id) != nil else { return [] }
            switch result {
            case .success(let json): return [.send(LanguageLines.result(id, json))]
            case .failure(let fault): return [.send(LanguageLines.failure(id, fault))]
            }
        case .checked(let uri, let version, let diagnostics):
            checking.remove(uri)
            return publish(uri, version, diagnostics)
        case .notice(let notice): return show(notice)
        case .shown(let uri):
            guard abilities.showsDocuments else { return [] }
            requests += 1
            return [
                .send(
                    LanguageLines.request(requests, "window/showDocument") {
                        $0.member("uri", uri)
                        $0.member("takeFocus", true)
                    })
            ]
        case .clock: return checkDue(at: now)
        }
    }

    // MARK: Messages

    private mutating func message(_ message: LanguageMessage, at now: Duration) -> [LanguageAction] {
        switch message {
        case .response: return []
        case .fault(let id, let fault):
            return [.send(LanguageLines.failure(id, fault))] + (fault.code == .parseError ? doubt() : [])
        case .notification(let method, let params): return notified(method, params, at: now)
        case .request(let id, let method, let params):
            do throws(LanguageFault) {
                return try requested(id, method, params)
            } catch {
                return [.send(LanguageLines.failure(id, error))]
            }
        }
    }

    private mutating func requested(
        _ id: LanguageRequestID, _ method: String, _ params: JSONValue
    ) throws(LanguageFault) -> [LanguageAction] {
        guard params.kind == .object else { throw LanguageFault(.invalidParams, "the params must be an object") }
        switch (phase, method) {
        case (.new, "initialize"): return initialize(id, params)
        case (.new, _): throw LanguageFault(.serverNotInitialized, "send the request initialize first")
        case (.shutDown, _), (.ended, _): throw LanguageFault(.invalidRequest, "the server is shut down; send exit")
        case (.running, "initialize"): throw LanguageFault(.invalidRequest, "the server is already initialized")
        case (.running, "shutdown"):
            phase = .shutDown
            checks = [:]
            return [.send(LanguageLines.result(id) { $0.null() })]
        case (.running, _): break
        }
        guard let (question, uri) = try LanguageRequests.question(method, params) else {
            throw LanguageFault(.methodNotFound, "this server has no method \"\(method)\"")
        }
        guard !pending.contains(id) else { throw LanguageFault(.invalidRequest, "a request with this id has no response yet") }
        guard pending.count < LanguageProtocol.requestsMax else {
            throw LanguageFault(.requestFailed, "\(LanguageProtocol.requestsMax) requests have no response yet")
        }
        if let uri, outside.contains(uri) || documents[uri] == nil {
            return [.send(LanguageLines.result(id) { $0.null() })]
        }
        pending.insert(id)
        return [.ask(id, question, scene(uri))]
    }

    private func scene(_ uri: String?) -> LanguageScene {
        let known = documents.values.filter { !outside.contains($0.uri) }
        return LanguageScene(
            document: uri.map { documents[$0] } ?? known.first, documents: known, workspace: workspace, abilities: abilities)
    }

    private mutating func initialize(_ id: LanguageRequestID, _ params: JSONValue) -> [LanguageAction] {
        phase = .running
        let capabilities = params["capabilities"] ?? JSONDocument.emptyObject.root
        let offered = capabilities["general"]?["positionEncodings"]?.elements.compactMap { $0.string?.description } ?? []
        encoding = offered.contains("utf-8") ? .utf8 : .utf16
        abilities = EditorAbilities(capabilities)
        var folders = params["workspaceFolders"]?.elements
        let root = folders?.next()?["uri"]?.string ?? params["rootUri"]?.string
        workspace = root.flatMap { FileURI.path(of: $0.description) }
        let client = params["clientInfo"]?["name"]?.string?.description ?? ""
        return [.send(LanguageLines.result(id, LanguageRequests.greeting(encoding, abilities))), .connect(client: client)]
    }

    private mutating func notified(_ method: String, _ params: JSONValue, at now: Duration) -> [LanguageAction] {
        if method == "exit" {
            let code: Int32 = phase == .shutDown ? 0 : 1
            phase = .ended
            return [.exit(code: code)]
        }
        guard phase == .running else { return [] }
        switch method {
        case "textDocument/didOpen": return open(params)
        case "textDocument/didChange": return change(params, at: now)
        case "textDocument/didSave":
            if let uri = try? LanguageParams.uri(params), documents[uri] != nil { checks[uri] = now }
            return checkDue(at: now)
        case "textDocument/didClose": return close(params)
        case "$/cancelRequest":
            guard let id = params["id"].flatMap({ LanguageRequestID($0) }), pending.remove(id) != nil else { return [] }
            return [.cancel(id), .send(LanguageLines.failure(id, .cancelled))]
        default: return []
        }
    }

    // MARK: Documents

    private mutating func open(_ params: JSONValue) -> [LanguageAction] {
        guard let uri = try? LanguageParams.uri(params), let text = params["textDocument"]?["text"]?.utf8 else { return [] }
        guard documents.count < LanguageProtocol.documentsMax || documents[uri] != nil else {
            return show(.failed("more than \(LanguageProtocol.documentsMax) documents are open"))
        }
        let document = OpenDocument(
            uri: uri, path: FileURI.path(of: uri), version: params["textDocument"]?["version"]?.integer,
            text: PlacedText(text, encoding))
        documents[uri] = document
        outside.remove(uri)
        guard document.path != nil else {
            outside.insert(uri)
            return []
        }
        checking.insert(uri)
        return [.check(scene(uri), isNew: true)]
    }

    private mutating func change(_ params: JSONValue, at now: Duration) -> [LanguageAction] {
        guard let uri = try? LanguageParams.uri(params), documents[uri] != nil else { return [] }
        do throws(LanguageFault) {
            guard let changes = params["contentChanges"], changes.kind == .array else {
                throw LanguageParams.missing("contentChanges")
            }
            try documents[uri]?.apply(changes)
            documents[uri]?.version = params["textDocument"]?["version"]?.integer
            if !outside.contains(uri) { checks[uri] = now + Self.typingPause }
            return []
        } catch {
            // What the editor shows is not known any more.
            forget(uri)
            return show(.failed("a change of a document is malformed (\(error.message)); close the document and open it again"))
        }
    }

    private mutating func close(_ params: JSONValue) -> [LanguageAction] {
        guard let uri = try? LanguageParams.uri(params), documents[uri] != nil else { return [] }
        let wasOutside = outside.contains(uri)
        forget(uri)
        return wasOutside ? [] : [.send(LanguageRequests.diagnostics(uri, version: nil, Array("[]".utf8)))]
    }

    private mutating func forget(_ uri: String) {
        (documents[uri], checks[uri]) = (nil, nil)
        outside.remove(uri)
    }

    /// Forgets the documents after a message that could not be read, which may have been a change.
    private mutating func doubt() -> [LanguageAction] {
        guard !documents.isEmpty else { return [] }
        for uri in documents.keys { forget(uri) }
        return show(.failed("a message of the editor cannot be read; close the documents and open them again"))
    }

    // MARK: Checks

    private mutating func checkAll(at time: Duration) -> [LanguageAction] {
        for uri in documents.keys where !outside.contains(uri) { checks[uri] = min(checks[uri] ?? time, time) }
        return []
    }

    private mutating func checkDue(at now: Duration) -> [LanguageAction] {
        let due = checks.filter { $0.value <= now && !checking.contains($0.key) }.map(\.key).sorted()
        for uri in due { checks[uri] = nil }
        checking.formUnion(due)
        return due.map { .check(scene($0), isNew: false) }
    }

    /// Sends diagnostics, unless the document has changed since, which is then checked again.
    private func publish(_ uri: String, _ version: Int64?, _ diagnostics: [UInt8]?) -> [LanguageAction] {
        guard let diagnostics, let document = documents[uri], document.version == version, !outside.contains(uri),
            phase == .running
        else { return [] }
        return [.send(LanguageRequests.diagnostics(uri, version: version, diagnostics))]
    }

    private mutating func show(_ notice: LanguageNotice) -> [LanguageAction] {
        switch notice {
        case .outside(let path):
            for document in documents.values where document.path == path { outside.insert(document.uri) }
            guard !notices.contains(where: { if case .outside = $0 { true } else { false } }) else { return [] }
            notices.insert(notice)
            let text = "\(path) is in no folder that notesctl mirror keeps, so there is nothing to show for it"
            return [.send(LanguageLines.show(.info, text))]
        case .mirrorStopped(let folder):
            guard notices.insert(notice).inserted else { return [] }
            let text = "no mirror is running on \(folder), so files and notes may differ; run `notesctl mirror \(folder)`"
            return [.send(LanguageLines.show(.warning, text))]
        case .noRecord(let reason):
            return notices.insert(notice).inserted ? [.send(LanguageLines.show(.error, reason))] : []
        case .failed(let text): return [.send(LanguageLines.show(.error, text))]
        case .done(let text): return [.send(LanguageLines.show(.info, text))]
        }
    }
}
