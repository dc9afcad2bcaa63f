import Causality
import EditSession
import NoteTasks
import NoteText
import NotesModel
import NotesWire
import StrictJSON
import TextMerge

/// The notes of one editor: receives the editor's lines and the daemon's responses, and returns lines and
/// requests (docs/attach.md). It never waits.
struct EditorHost {
    /// Names a buffer for as long as its session lives, which is longer than the editor's number is in use.
    typealias Key = Int

    /// The writer on this connection: 8 hexadecimal digits.
    private(set) var writer: String
    var lines = HostLines()
    private var hello: EditorHello?
    /// The request of the hello, and the lines after it, while the first attempt to connect goes on.
    private var waiting: (id: RequestID, lines: [LineFramer.Event])?
    /// The daemon's hello; nil while it does not answer.
    private(set) var daemon: HelloResult?
    var buffers: [Key: HostBuffer] = [:]
    var keys: [Int: Key] = [:]
    /// Notes whose text is in a draft because the daemon did not answer when the editor came back.
    var kept: Set<NoteID> = []
    var opening: [Key: (id: RequestID, OpenBuffer)] = [:]
    var lastKey: Key = 0
    /// The buffer in which the user is, whose place the others learn.
    var focus: Key?
    /// Numbers of buffers that were open, so that late messages about them are no faults.
    var used: Set<Int> = []
    private var longLines = 0
    var hasEnded = false
    var actions: [HostAction] = []

    /// - Parameter writer: who types, unless the editor says who typed before.
    init(writer: String) { self.writer = writer }

    /// The time of the next `clock` event; nil if none is needed.
    var deadline: Duration? { buffers.values.compactMap(\.session.deadline).min() }

    /// Whether the editor has gone and everything it typed is saved or in a draft.
    var isFinished: Bool { hasEnded && waiting == nil && opening.isEmpty && buffers.isEmpty }

    /// Handles an event and returns the actions that it causes.
    mutating func receive(_ event: HostEvent, at now: Duration) -> [HostAction] {
        switch event {
        case .line(let line) where waiting != nil: waiting?.lines.append(line)
        case .line(.line(let line)): read(line, now)
        case .line(.tooLong):
            longLines += 1
            send(WireError.lineTooLong(limit: AttachProtocol.lineBytesMax).line(id: nil))
            if longLines == AttachProtocol.longLinesMax { end(now) }
        case .ended: end(now)
        case .daemon(let hello):
            let isChange = (daemon == nil) != (hello == nil)
            daemon = hello
            // The daemon reports all people again. A watch of a note may begin after it has.
            for key in buffers.keys { buffers[key]?.people = [:] }
            if let (id, later) = waiting {
                waiting = nil
                send(lines.hello(id, hello))
                var all = actions
                actions = []
                for line in later { all += receive(.line(line), at: now) }
                actions = all
            } else if isChange {
                send(HostLines.daemon(hello))
                // The watches of the notes notice it later.
                if hello == nil {
                    for key in buffers.keys { give(.disconnected, to: key, now) }
                    for key in opening.keys.sorted() { opened(key, .failure(.offline), now) }
                }
            }
        case .opened(let key, let result): opened(key, result, now)
        case .noted(let key, let note, let event):
            if var buffer = buffers[key] {
                let state = HostBuffer.NoteState(note)
                buffer.lastName = state.name ?? buffer.lastName
                let isChange = state != buffer.state
                buffer.state = state
                buffers[key] = buffer
                if let event { give(event, to: key, now) }
                if isChange, let buffer = buffers[key], buffer.closing == nil { send(lines.state(buffer)) }
            }
        case .session(let key, let event): give(event, to: key, now)
        case .watching(let key):
            guard let buffer = buffers[key] else { break }
            buffers[key]?.wasWatched = true
            if buffer.wasWatched || !buffer.session.isOnline { give(.connected, to: key, now) }
        case .presence(let presence):
            for (key, buffer) in buffers where buffer.session.note == presence.note { moved(presence, in: key) }
        case .reverted(let key, let id, let text):
            buffers[key]?.steps.append(id)
            give(.wanted(text), to: key, now)
        case .respond(let line): send(line)
        case .listed(let note): send(HostLines.listed(note))
        case .draftFailed(let note, let reason): tellDraftFailed(note, reason)
        case .clock:
            for (key, buffer) in buffers where buffer.session.deadline.map({ $0 <= now }) == true { give(.clock, to: key, now) }
        }
        defer { actions = [] }
        return actions
    }

    /// Keeps drafts of all that is not saved, and ends.
    mutating func giveUp() -> [HostAction] {
        actions = buffers.filter { !$0.value.session.isSaved }.map { keepDraft($0.key, $0.value) }
        buffers = [:]
        defer { actions = [] }
        return actions
    }

    mutating func send(_ line: [UInt8]) { if !hasEnded { actions.append(.send(line)) } }

    // MARK: Lines of the editor

    private mutating func read(_ line: [UInt8], _ now: Duration) {
        let document: JSONDocument
        do {
            document = try JSONDocument(parsing: line, depthMax: AttachProtocol.depthMax)
        } catch {
            return send(WireError.parseError(error).line(id: nil))
        }
        do throws(Envelope.Fault) {
            let envelope = try Envelope(document, mayLackID: EditorMessage.notifications.contains)
            do throws(WireError) {
                let message = try EditorMessage(envelope)
                try handle(message, envelope.id, now)
                if let id = envelope.id, EditorMessage.notifications.contains(envelope.method) { send(HostLines.result(id)) }
            } catch {
                refuse(error, envelope, now)
            }
        } catch {
            send(error.reason.line(id: error.id))
        }
    }

    /// Reports a message that cannot be executed. The text of a buffer is no longer the editor's after a
    /// change that the host cannot read.
    private mutating func refuse(_ error: WireError, _ envelope: Envelope, _ now: Duration) {
        guard envelope.id == nil, let number = envelope.params["buffer"]?.integer, let key = keys[Int(number)] else {
            return send(error.line(id: envelope.id))
        }
        fault(key, error.message, now)
    }

    private mutating func handle(_ message: EditorMessage, _ id: RequestID?, _ now: Duration) throws(WireError) {
        if case .hello(let hello) = message {
            guard self.hello == nil else { throw .invalidRequest("attach.hello was sent before") }
            self.hello = hello
            lines.positions = hello.positions
            writer = hello.writer ?? writer
            actions.append(.connect(writer: writer, label: hello.label, hello.positions.encoding))
            waiting = id.map { ($0, []) }
            return
        }
        guard hello != nil else { throw WireError(.helloRequired, "send attach.hello first") }
        switch message {
        case .hello: break
        case .ping: if let id { send(HostLines.result(id)) }
        case .open(let open): if let id { try self.open(open, id) }
        case .change(let change): try changed(change, now)
        case .accept(let buffer, let edit, let changes): try accepted(buffer, edit, changes, now)
        case .decline(let buffer, let edit, _, let isBusy):
            try give(.declined(edit, isBusy: isBusy), toBuffer: buffer, now)
        case .ready(let buffer): try give(.ready, toBuffer: buffer, now)
        case .select(let buffer, let changes, let selection): try selected(buffer, changes, selection, now)
        case .step(let buffer, let isUndo):
            let key = try key(of: buffer)
            if let id { buffers[key]?.steps.append(id) }
            give(isUndo ? .undo : .redo, to: key, now)
        case .save(let buffer):
            let key = try key(of: buffer)
            if let id { buffers[key]?.saves.append(id) }
            give(.saveAsked, to: key, now)
        case .close(let buffer): try close(buffer, id, now)
        case .rename(let buffer, let name):
            let (key, session) = try session(of: buffer)
            let request: NameRequest = name.map { .set($0) } ?? .clear
            if let id { actions.append(.rename(id, key, session.note, session.version, request)) }
        case .delete(let buffer):
            let (key, session) = try session(of: buffer)
            if let id { actions.append(.delete(id, key, session.note, session.version)) }
        case .restore(let buffer):
            let (key, session) = try session(of: buffer)
            if let id { actions.append(.restore(id, key, session.note, name: buffers[key]?.lastName, session.text)) }
        case .revert(let buffer, let version):
            let (key, session) = try session(of: buffer)
            if let id { actions.append(.revert(id, key, session.note, version)) }
        case .resolve(let buffer, let conflict, let take):
            let (key, session) = try session(of: buffer)
            if let id { actions.append(.resolve(id, key, session.note, conflict: conflict, take)) }
        case .watch(let kind):
            if let id { send(HostLines.result(id)) }
            actions.append(.watchList(kind))
        case .forward(let method, let params): if let id { actions.append(.forward(id, method: method, params: params)) }
        }
    }

    func key(of buffer: Int) throws(WireError) -> Key {
        guard let key = keys[buffer], buffers[key] != nil else {
            throw .invalidParams(ParamFault(path: "params.buffer", reason: "is \(buffer), which is not open"))
        }
        return key
    }

    private func session(of buffer: Int) throws(WireError) -> (Key, EditSession) {
        let key = try key(of: buffer)
        guard let session = buffers[key]?.session else { preconditionFailure("a key is that of an open buffer") }
        return (key, session)
    }

    private mutating func give(_ event: EditEvent, toBuffer number: Int, _ now: Duration) throws(WireError) {
        guard let key = try known(number) else { return }
        give(event, to: key, now)
    }

    /// The key of an open buffer; nil for one that was open, about which messages may be late.
    func known(_ number: Int) throws(WireError) -> Key? {
        guard keys[number] == nil, used.contains(number) else { return try key(of: number) }
        return nil
    }

    /// Ends a buffer whose text is not the editor's.
    ///
    /// - Parameter isKept: whether what the session has goes to the daemon or into a draft; not if another
    ///   session of the editor goes on with it.
    mutating func fault(_ key: Key, _ reason: String, _ now: Duration, isKept: Bool = true) {
        guard let buffer = buffers[key], buffer.closing == nil else { return }
        send(HostLines.fault(buffer.number, reason))
        keys[buffer.number] = nil
        for id in buffer.saves + buffer.steps { send(WireError(.invalidRequest, reason).line(id: id)) }
        buffers[key]?.saves = []
        buffers[key]?.steps = []
        if isKept { return leave(key, now) }
        buffers[key] = nil
        actions += [.unwatch(key), .removeDraft(buffer.session.note)]
    }

    private mutating func end(_ now: Duration) {
        hasEnded = true
        for key in buffers.keys.sorted() where buffers[key]?.closing == nil { leave(key, now) }
    }

    // MARK: Sessions

    /// Hands an event to the session of a buffer, and performs its actions.
    mutating func give(_ event: EditEvent, to key: Key, _ now: Duration) {
        guard let result = buffers[key]?.session.receive(event, at: now), let buffer = buffers[key] else { return }
        var isRefused = false
        for action in result {
            switch action {
            case .write(let number, let write): actions.append(.write(key, number, write))
            case .read(let number, let read): actions.append(.read(key, buffer.session.note, number, read))
            case .offer(let offer):
                if buffer.closing == nil { send(lines.edit(buffer, offer)) }
            case .saved(let changes, let offers, let version):
                if buffer.closing == nil { send(HostLines.saved(buffer.number, changes: changes, edits: offers, version)) }
            case .presence(let version, let caret, let anchor):
                guard buffer.closing == nil, focus == key else { break }
                let selection = Selection(start: min(caret, anchor), end: max(caret, anchor))
                actions.append(.presence(buffer.session.note, version, selection))
            case .durable(let version):
                for id in buffers[key]?.saves ?? [] {
                    send(HostLines.result(id) { $0.object { $0.member("version", version) } })
                }
                buffers[key]?.saves = []
            case .tell(let notice):
                if case .refused = notice { isRefused = true }
                tell(notice, key)
                if case (.refused, .refused(_, let error)) = (notice, event) { refuseSaves(of: key, error) }
            case .keepDraft:
                buffers[key]?.hasDraft = true
                actions.append(keepDraft(key, buffer))
            case .removeDraft:
                buffers[key]?.hasDraft = false
                buffers[key]?.hasToldOfDraft = false
                actions.append(.removeDraft(buffer.session.note))
            case .fault(let fault): self.fault(key, fault.sentence, now, isKept: fault != .written)
            case .apply: break
            }
        }
        if case .written = event, !buffer.state.conflicts.isEmpty { actions.append(.refresh(key, buffer.session.note)) }
        tellPlaces(key)
        settle(key, isRefused: isRefused)
    }

    /// Answers those who wait for a text to be on disk: the daemon refused it.
    private mutating func refuseSaves(of key: Key, _ error: WireError) {
        for id in buffers[key]?.saves ?? [] { send(error.line(id: id)) }
        buffers[key]?.saves = []
    }

    func keepDraft(_ key: Key, _ buffer: HostBuffer) -> HostAction {
        .keepDraft(
            buffer.session.note, name: buffer.state.name ?? ByteString("\(buffer.session.note)"), buffer.session.text,
            base: buffer.session.version)
    }

    private mutating func tell(_ notice: EditNotice, _ key: Key) {
        guard let buffer = buffers[key] else { return }
        switch notice {
        case .nothingToUndo, .nothingToRedo:
            guard let id = buffer.steps.first else { return }
            buffers[key]?.steps.removeFirst()
            send(HostLines.result(id) { $0.object { $0.member("done", false) } })
        case .offline:
            for id in buffer.saves { sendOffline(id, buffer.session.note) }
            buffers[key]?.saves = []
        case .bothKept:
            buffers[key]?.isBothKept = true
            fallthrough
        default:
            let (kind, sentence) = notice.words
            if buffer.closing == nil { send(HostLines.notice(buffer.number, kind, sentence)) }
        }
    }
}
