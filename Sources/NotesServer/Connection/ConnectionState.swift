import Dependents
import NIOCore
import NoteText
import NotesEngine
import NotesMethods
import NotesModel
import NotesWire

/// State machine of one connection, without its socket.
///
/// The driver reports each event and then carries out the actions of `next` until it returns nil:
///
///     state.received(bytes)
///     while let action = state.next() { … }
///     if state.wantsBytes { read on }
///
///     awaiting hello ──(hello)──► serving ──► leaving ──(all sent)──► drained off ──(client hangs up)──► closed
///           └──(not admitted, too slow)────────┘   └──(client hung up, daemon stops)───────────────────────┘
///
/// Lines are taken one at a time while there is room for their responses. The rest waits, up to one
/// read in this object and beyond that in the socket, and is answered later.
struct ConnectionState: Sendable {
    private enum Phase: Sendable {
        case awaitingHello
        case serving
        /// No line is taken and no notification is queued. Queued lines are still sent.
        case leaving(How)
        case drainedOff
        case closed
    }

    private enum How: Sendable {
        /// Close the output, then wait for the client to hang up, because it may still be sending.
        case afterClientClosed
        /// The client has closed its output and reads the responses at its own pace.
        case afterHangUp
        case atOnce
    }

    private let user: User
    private var rights: SessionRights
    private let limits: ServiceLimits
    private let reader: RequestReader
    /// Generates ids of notes for clients that choose none.
    private let drawNoteID: @Sendable () -> NoteID

    private var phase = Phase.awaitingHello
    private var framer: LineFramer
    private var outgoing: ResponseQueue
    private var tooLongLines = 0
    /// Number of the last request that was submitted to the engine, from 1.
    private var lastRequestNumber: UInt64 = 0
    private var isInputClosed = false
    /// Whether the daemon is stopping: no more lines are taken, and responses are still sent.
    private var isStopping = false

    /// Whether a limit on requests, of all connections or of the user, is reached.
    var isOverloaded = false
    /// Whether `next` may return lines to write.
    var mayWrite = true
    /// Time of the current calls of `next`.
    var now = NIODeadline.uptimeNanoseconds(0)
    /// `MemoryAccount.bufferedBytes` without the share of this connection.
    var othersWaitingBytes = 0
    var bufferedBytes: Int { framer.bufferedBytes + outgoing.unreadResponseBytes }
    /// `bufferedBytes` and `inFlight`. Mutating, because a caller copies the whole state for a call that is not.
    mutating func shares() -> (bytes: Int, requests: Int) { (bufferedBytes, inFlight) }
    private var memoryPressure: MemoryPressure { limits.memoryPressure(at: othersWaitingBytes + bufferedBytes) }
    /// Bytes passed to the socket and not sent.
    var unsentBytes: Int { outgoing.unsentBytes }
    /// Number of requests whose responses were not written yet.
    var inFlight: Int { outgoing.inFlight }

    /// Access level of the connection; nil if its user has none.
    var access: Access? { rights.access }
    /// Unit of offsets; set by hello.
    private(set) var encoding = PositionEncoding.utf8
    /// Whether a valid hello was submitted to the engine.
    private(set) var isRegistered = false

    init(user: User, access: Access?, configuration: ServerConfiguration, drawNoteID: @escaping @Sendable () -> NoteID) {
        self.user = user
        rights = SessionRights(userAccess: access, isPrivileged: configuration.access.isPrivileged(user.id))
        self.drawNoteID = drawNoteID
        limits = configuration.limits
        reader = RequestReader(depthMax: configuration.limits.depthMax)
        framer = LineFramer(lineBytesMax: min(configuration.helloLineBytesMax, configuration.limits.lineBytesMax))
        outgoing = ResponseQueue(
            responseBytesMax: limits.responseBytesMax,
            notificationBytesMax: min(limits.responseBytesMax, Self.notificationBytesMax))
    }

    /// Limit on encoded notifications that wait for the socket of one connection, in bytes.
    static let notificationBytesMax = 256 << 10

    /// Whether to read more bytes from the client.
    var wantsBytes: Bool {
        guard !isInputClosed else { return false }
        switch phase {
        case .awaitingHello, .serving: return hasRoom
        case .drainedOff: return true
        case .leaving, .closed: return false
        }
    }

    /// Whether the daemon is ending the connection. The driver then sets a timeout, because a client
    /// that does not read or does not hang up must not delay the end forever.
    var isEnding: Bool {
        switch phase {
        case .leaving(.afterClientClosed), .leaving(.atOnce), .drainedOff: true
        case .awaitingHello, .serving, .leaving(.afterHangUp), .closed: false
        }
    }

    /// Whether another line may be taken. Each term is one limit of this connection.
    private var hasRoom: Bool {
        !isStopping && outgoing.inFlight < limits.inFlightMax && outgoing.requestBytes < limits.lineBytesMax
            && outgoing.unsentBytes < limits.responseBytesMax && outgoing.unreadResponseBytes < limits.responseBytesMax
            && !contributesToPressure
    }

    /// Whether memory pressure is high and this client leaves responses unread.
    private var contributesToPressure: Bool {
        outgoing.unreadResponseBytes > ServiceLimits.smallResponseBytesMax && memoryPressure >= .high
    }
}

// MARK: - Events

extension ConnectionState {
    /// Bytes arrived from the client.
    mutating func received(_ bytes: UnsafeRawBufferPointer) {
        switch phase {
        case .awaitingHello, .serving: framer.receive(bytes)
        case .leaving, .drainedOff, .closed: break
        }
    }

    /// The client closed its output. Complete lines are still answered, an incomplete one is dropped.
    mutating func inputClosed() {
        isInputClosed = true
    }

    /// The time for hello is over.
    mutating func helloTimedOut() {
        guard case .awaitingHello = phase else { return }
        leave(.atOnce)
    }

    /// The engine delivered responses and notifications.
    ///
    /// - Returns: false if the responses do not match the oldest requests. Then the engine and this
    ///   connection disagree, and the connection must be closed.
    mutating func delivered(_ output: ConnectionOutput) -> Bool {
        for (requestNumber, response) in output.responses {
            guard take(response, to: requestNumber) else { return false }
        }
        if case .serving = phase {
            for notification in output.notifications { outgoing.enqueue(.notification(notification)) }
            for presence in output.presences { outgoing.enqueue(.presence(presence)) }
            if !output.notifications.isEmpty || !output.presences.isEmpty { outgoing.reportIsDue() }
        }
        if output.isCutShort {
            outgoing.abandonAwaited()
            leave(.afterClientClosed)
        }
        return true
    }

    /// The engine broadcast a notification, and it could not bypass `next`.
    mutating func delivered(_ notification: WatchNotification) {
        if case .serving = phase { outgoing.enqueue(.notification(notification)) }
    }

    /// Whether lines of a broadcast were not sent, and to report it. True once; `drained` follows.
    mutating func takeLagging() -> Bool {
        if case .serving = phase { outgoing.takeLagging() } else { false }
    }

    /// Whether a broadcast may bypass `next`: no line is ready, and all written bytes were sent.
    var canBypassQueue: Bool {
        guard case .serving = phase else { return false }
        return outgoing.isQuiet
    }

    private mutating func take(_ response: Response, to requestNumber: UInt64) -> Bool {
        if case .progress(let done, let total) = response {
            guard case .serving = phase else { return true }
            return outgoing.progressed(requestNumber, done: done, total: total)
        }
        let isTooMuch = response.isRead && (contributesToPressure || memoryPressure == .full)
        let given = isTooMuch ? .failed(.overloaded) : response
        guard let asked = outgoing.answered(requestNumber, with: given) else { return hasAbandoned }
        if asked.method == .hello {
            if case .registered = response {} else { leave(.afterClientClosed) }
        }
        return true
    }

    /// The engine is stopping and did not take a request. It gets the error `shutting_down`.
    mutating func refusedByEngine(requestNumber: UInt64) {
        _ = outgoing.answered(requestNumber, with: .failed(.shuttingDown))
    }

    /// The line that `next` returned was passed to the socket.
    mutating func wrote(_ line: OutboundLine, bytes: Int) {
        outgoing.wrote(bytes: bytes, isNotification: line.isNotification)
    }

    /// A notification that bypassed `next` was passed to the socket.
    mutating func wroteNotification(bytes: Int) {
        outgoing.wrote(bytes: bytes, isNotification: true)
    }

    /// That many written bytes were sent.
    mutating func sent(bytes: Int) {
        outgoing.sent(bytes: bytes)
    }

    /// The daemon is stopping. Requests that were taken are still answered.
    mutating func stopTaking() {
        isStopping = true
    }

    /// The daemon has answered all requests that it took. Registered clients get `session.closing`.
    mutating func sayClosing() {
        outgoing.abandonAwaited()
        if case .serving = phase { outgoing.enqueue(.closing(.shuttingDown)) }
        switch phase {
        case .awaitingHello, .serving, .leaving: phase = .leaving(.atOnce)
        case .drainedOff: isInputClosed = true
        case .closed: break
        }
    }

    /// Narrows the rights of the connection, and answers the request for it.
    ///
    /// - Parameter isCounted: whether the person whom the limits name may have the connection. If not,
    ///   the limits do not change.
    mutating func limit(_ id: RequestID, to limits: SessionLimits, isCounted: Bool = true) {
        outgoing.made(isCounted ? .limits(id, rights.narrow(to: limits)) : .refusal(id, .tooManyOfPerson))
    }

    /// The access level changed. Without access, the session ends after the pending responses.
    mutating func accessChanged(to access: Access?) {
        rights.userAccess = access
        guard access == nil, case .serving = phase else { return }
        outgoing.made(.closing(.permissionDenied))
        leave(.afterClientClosed)
    }

    private mutating func leave(_ how: How) {
        switch phase {
        case .awaitingHello, .serving: phase = .leaving(how)
        case .leaving, .drainedOff, .closed: break
        }
    }

    /// Whether requests may have been abandoned, so that late responses to them are no error.
    private var hasAbandoned: Bool {
        switch phase {
        case .leaving, .drainedOff, .closed: true
        case .awaitingHello, .serving: false
        }
    }
}

// MARK: - Actions

extension ConnectionState {
    /// The next action; nil until another event happens.
    mutating func next() -> Action? {
        while true {
            if mayWrite, let line = outgoing.next() { return .write(line) }
            if outgoing.takeDrained(), case .serving = phase { return .drained }
            switch takeLine() {
            case .submit(let requestNumber, let body, let bytes): return .submit(requestNumber: requestNumber, body, bytes: bytes)
            case .count(let id, let limits): return .count(id, limits)
            case .answeredHere: continue
            case .nothing: break
            }
            return ending()
        }
    }

    private enum Taken {
        case submit(requestNumber: UInt64, Request.Body, bytes: Int)
        case count(RequestID, SessionLimits)
        case answeredHere
        case nothing
    }

    private mutating func takeLine() -> Taken {
        switch phase {
        case .awaitingHello, .serving: break
        case .leaving, .drainedOff, .closed: return .nothing
        }
        guard hasRoom else { return .nothing }
        switch framer.next() {
        case .line(let line):
            return take(reader.read(line, isRegistered: isRegistered), bytes: line.count)
        case .tooLong:
            outgoing.made(.refusal(nil, .lineTooLong(limit: framer.lineBytesMax)))
            tooLongLines += 1
            if tooLongLines >= WireProtocol.tooLongLinesMax { leave(.afterClientClosed) }
            return .answeredHere
        case nil:
            if isInputClosed {
                leave(.afterHangUp)
            } else if framer.bufferedBytes > ServiceLimits.smallResponseBytesMax, memoryPressure >= .high {
                framer.skipLine()
                outgoing.made(.refusal(nil, .overloaded))
                return .answeredHere
            }
            return .nothing
        }
    }

    private mutating func take(_ line: IncomingLine, bytes: Int) -> Taken {
        switch line {
        case .refused(let id, let error): outgoing.made(.refusal(id, error))
        case .request(let id, .ping): outgoing.made(.pong(id))
        case .request(let id, .discover): outgoing.made(.document(id))
        case .request(let id, .limit(let limits)):
            if let refusal = rights.refusal(of: limits, isRegistered: isRegistered) {
                outgoing.made(.refusal(id, refusal))
            } else if limits.user != nil, rights.limits.user == nil {
                return .count(id, limits)
            } else {
                limit(id, to: limits)
            }
        case .request(let id, .hello(let hello)):
            return take(hello, id: id, bytes: bytes)
        case .request(let id, _) where isOverloaded || memoryPressure == .full:
            outgoing.made(.refusal(id, .overloaded))
        case .request(let id, let call):
            if let refusal = rights.refusal(of: call) {
                outgoing.made(.refusal(id, refusal))
            } else if case .config = call {
                outgoing.made(.settings(id))
            } else if let body = Request.Body(
                call, encoding: encoding, access: access ?? .read, isExchangeOnly: rights.limits.methods == .exchange,
                drawNoteID: drawNoteID)
            {
                return submit(body, id: id, method: call.method, bytes: bytes)
            } else {
                outgoing.made(.refusal(id, .internal))
            }
        case .unanswered(.setPresence(var set))
        where !isOverloaded && memoryPressure < .full
            && rights.refusal(of: .setPresence(set)) == nil:
            set.place?.encoding = encoding
            set.isQuiet = true
            return submit(.call(.setPresence(set)), id: nil, method: .setPresence, bytes: bytes)
        case .unanswered, .dropped: break
        }
        return .answeredHere
    }

    private mutating func take(_ hello: HelloParams, id: RequestID, bytes: Int) -> Taken {
        guard access != nil else {
            outgoing.made(.refusal(id, .noAccess))
            leave(.afterClientClosed)
            return .answeredHere
        }
        phase = .serving
        isRegistered = true
        encoding = hello.positionEncoding
        framer.lineBytesMax = limits.lineBytesMax
        let registration = Registration(
            clientName: hello.client.name, clientVersion: hello.client.version ?? "", label: hello.label, userID: user.id,
            userName: user.name, person: rights.limits.user, onlyNote: rights.limits.note, encoding: encoding)
        return submit(.register(registration), id: id, method: .hello, bytes: bytes)
    }

    private mutating func submit(_ body: Request.Body, id: RequestID?, method: Method, bytes: Int) -> Taken {
        lastRequestNumber += 1
        outgoing.requested(PendingRequest(requestNumber: lastRequestNumber, id: id, method: method, bytes: bytes, began: now))
        return .submit(requestNumber: lastRequestNumber, body, bytes: bytes)
    }

    private mutating func ending() -> Action? {
        switch phase {
        case .leaving(let how):
            guard outgoing.isSettled else { return nil }
            if case .afterClientClosed = how, !isInputClosed {
                phase = .drainedOff
                return .closeOutput
            }
        case .drainedOff:
            guard isInputClosed else { return nil }
        case .awaitingHello, .serving, .closed:
            return nil
        }
        phase = .closed
        return .close
    }
}
