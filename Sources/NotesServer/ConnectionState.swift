import Dependents
import NIOCore
import NotesEngine
import NotesModel
import NotesWire

/// The life of one connection, without its socket.
///
/// Whoever drives it tells it what happened and then does what `next` says until that is nothing:
///
///     state.received(bytes)
///     while let action = state.next() { … }
///     if state.wantsBytes { read on }
///
///     awaiting hello ──(hello)──► serving ──► leaving ──(all left)──► drained off ──(peer hangs up)──► closed
///           └──(not admitted, too slow)────────┘   └──(peer hung up, daemon stops)───────────────────────┘
///
/// Lines are taken one at a time while there is room for their answers; the rest waits unread, in here up to one read, then in
/// the socket. That is no error, and the peer is answered all the same.
struct ConnectionState: Sendable {
    enum Action: Sendable {
        /// To the engine, in this order. The first of a connection is `register`, and no other is.
        /// `bytes` is the length of the line.
        case submit(requestNumber: UInt64, Request.Body, bytes: Int)
        /// To be encoded, handed to the socket and reported with `wrote`.
        case write(OutboundLine)
        /// The engine may send more lines.
        case drained
        /// Say nothing more, and throw away what comes until the peer hangs up: closing at once could take the last answer away
        /// from a peer that is still sending.
        case closeOutput
        case close
    }

    private enum Phase: Sendable {
        case awaitingHello
        case serving
        /// No line is taken and nothing new is told; what is owed still leaves.
        case leaving(How)
        case drainedOff
        case closed
    }

    private enum How: Sendable {
        /// The peer may still be sending, and is told that it can stop.
        case politely
        /// The peer sends no more, and reads its answers in its own time.
        case afterHangUp
        case atOnce
    }

    private let user: User
    /// Whether he could do himself whatever the daemon can.
    private let isPrivileged: Bool
    /// What the peer may do; nil for one who is not let in.
    private(set) var access: Access?
    private let limits: ServiceLimits
    private let reader: RequestReader
    /// Ids for notes whose client chose none.
    private let drawNoteID: @Sendable () -> NoteID

    private var phase = Phase.awaitingHello
    private var framer: LineFramer
    private var outgoing: ResponseQueue
    private var tooLongLines = 0
    /// Tickets number the engine's requests of this connection, from 1.
    private var lastRequestNumber: UInt64 = 0
    private var isInputClosed = false
    /// Whether the daemon stops: no more lines are taken, answers still come.
    private var isStopping = false

    /// Whether the engine has as many requests, of all connections, as it may: then one more is refused at once.
    var isOverloaded = false
    /// When `next` is asked.
    var now = NIODeadline.uptimeNanoseconds(0)
    /// What waits on the other connections (`MemoryAccount`).
    var othersWaitingBytes = 0
    /// What waits on this one: bytes of which no line was taken, and answers not read.
    var bufferedBytes: Int { framer.bufferedBytes + outgoing.unreadResponseBytes }
    private var memoryPressure: MemoryPressure { limits.memoryPressure(at: othersWaitingBytes + bufferedBytes) }
    /// What was handed to the socket and has not left.
    var unsentBytes: Int { outgoing.unsentBytes }
    /// Requests whose answers were not written yet.
    var inFlight: Int { outgoing.inFlight }

    /// What offsets count; set by hello.
    private(set) var encoding = PositionEncoding.utf8
    /// Whether the engine was told of this connection.
    private(set) var isRegistered = false

    init(user: User, access: Access?, configuration: ServerConfiguration, drawNoteID: @escaping @Sendable () -> NoteID) {
        self.user = user
        isPrivileged = configuration.access.isPrivileged(user.id)
        self.access = access
        self.drawNoteID = drawNoteID
        limits = configuration.limits
        reader = RequestReader(depthMax: configuration.limits.depthMax)
        framer = LineFramer(lineBytesMax: min(configuration.helloLineBytesMax, configuration.limits.lineBytesMax))
        outgoing = ResponseQueue(
            responseBytesMax: limits.responseBytesMax, notificationBytesMax: min(limits.responseBytesMax, Self.notificationBytesMax))
    }

    /// How much of its watches' lines is encoded for one connection ahead of what its socket takes.
    static let notificationBytesMax = 256 << 10

    /// Whether more bytes are to be read from the peer.
    var wantsBytes: Bool {
        guard !isInputClosed else { return false }
        switch phase {
        case .awaitingHello, .serving: return hasRoom
        case .drainedOff: return true
        case .leaving, .closed: return false
        }
    }

    /// Whether the daemon is ending the connection, which a peer that does not read, or does not stop, must not put off for ever.
    var isEnding: Bool {
        switch phase {
        case .leaving(.politely), .leaving(.atOnce), .drainedOff: true
        case .awaitingHello, .serving, .leaving(.afterHangUp), .closed: false
        }
    }

    /// Whether another request may be taken: its answer has a place, and what its predecessors brought is not too much.
    private var hasRoom: Bool {
        !isStopping && outgoing.inFlight < limits.inFlightMax && outgoing.requestBytes < limits.lineBytesMax
            && outgoing.unsentBytes < limits.responseBytesMax && outgoing.unreadResponseBytes < limits.responseBytesMax && !addsToCrowd
    }

    /// Whether it is crowded, and this connection's peer leaves answers unread.
    private var addsToCrowd: Bool {
        outgoing.unreadResponseBytes > ServiceLimits.slightBytesMax && memoryPressure >= .high
    }
}

// MARK: - What happens

extension ConnectionState {
    mutating func received(_ bytes: UnsafeRawBufferPointer) {
        switch phase {
        case .awaitingHello, .serving: framer.receive(bytes)
        case .leaving, .drainedOff, .closed: break
        }
    }

    /// The peer says no more. What it has said is answered; half a line is none.
    mutating func inputClosed() {
        isInputClosed = true
    }

    mutating func helloTimedOut() {
        guard case .awaitingHello = phase else { return }
        leave(.atOnce)
    }

    /// The engine answers requests of this connection and tells it of changes.
    ///
    /// - Returns: false where the answers are not those of the oldest requests: the engine and this connection disagree on what
    ///   was asked, and it must not go on.
    mutating func delivered(_ parcel: Parcel) -> Bool {
        for answer in parcel.answers {
            guard take(answer) else { return false }
        }
        if case .serving = phase {
            for notification in parcel.notifications { outgoing.told(.notification(notification)) }
            for presence in parcel.presences { outgoing.told(.presence(presence)) }
        }
        if parcel.isCutShort {
            outgoing.abandonAwaited()
            leave(.politely)
        }
        return true
    }

    /// The same of a notice that comes alone.
    ///
    /// - Returns: whether there is something to be done.
    mutating func delivered(_ notification: WatchNotification) -> Bool {
        guard case .serving = phase else { return false }
        outgoing.told(.notification(notification))
        return true
    }

    /// Whether a notice may be written before anything else is asked of `next`: nothing is ready, and all that was written has left.
    var tellsAtOnce: Bool {
        guard case .serving = phase else { return false }
        return outgoing.isQuiet
    }

    private mutating func take(_ answer: NumberedResponse) -> Bool {
        if case .progress(let done, let total) = answer.answer {
            guard case .serving = phase else { return true }
            return outgoing.progressed(answer.requestNumber, done: done, total: total)
        }
        let isTooMuch = answer.answer.isRead && (addsToCrowd || memoryPressure == .full)
        let given = isTooMuch ? .failed(.overloaded) : answer.answer
        guard let asked = outgoing.answered(answer.requestNumber, with: given) else { return hasAbandoned }
        if asked.method == .hello {
            if case .registered = answer.answer {} else { leave(.politely) }
        }
        return true
    }

    /// The engine takes no more requests: this one is answered here.
    mutating func refusedByEngine(requestNumber: UInt64) {
        _ = outgoing.answered(requestNumber, with: .failed(.shuttingDown))
    }

    /// The line that `next` gave out was handed to the socket.
    mutating func wrote(_ line: OutboundLine, bytes: Int) {
        outgoing.wrote(bytes: bytes, isNotification: line.isNotification)
    }

    /// A notice was handed to the socket that went past `next`.
    mutating func wroteNotification(bytes: Int) {
        outgoing.wrote(bytes: bytes, isNotification: true)
    }

    /// So many of the bytes that were written have left.
    mutating func sent(bytes: Int) {
        outgoing.sent(bytes: bytes)
    }

    /// The daemon stops: what was taken is still answered.
    mutating func stopTaking() {
        isStopping = true
    }

    /// The daemon has answered all that it took. The last word goes to whoever was registered.
    mutating func sayClosing() {
        outgoing.abandonAwaited()
        if case .serving = phase { outgoing.told(.closing(.shuttingDown)) }
        switch phase {
        case .awaitingHello, .serving, .leaving: phase = .leaving(.atOnce)
        case .drainedOff: isInputClosed = true
        case .closed: break
        }
    }

    /// What the peer may do has changed. Who may do nothing is answered what he was promised, told why, and goes.
    mutating func accessChanged(to access: Access?) {
        self.access = access
        guard access == nil, case .serving = phase else { return }
        outgoing.made(.closing(.permissionDenied))
        leave(.politely)
    }

    private mutating func leave(_ how: How) {
        switch phase {
        case .awaitingHello, .serving: phase = .leaving(how)
        case .leaving, .drainedOff, .closed: break
        }
    }

    /// Whether requests were given up, so that late answers to them are of no use to anyone.
    private var hasAbandoned: Bool {
        switch phase {
        case .leaving, .drainedOff, .closed: true
        case .awaitingHello, .serving: false
        }
    }
}

// MARK: - What is to be done

extension ConnectionState {
    /// The next thing to be done; nil until something happens.
    mutating func next() -> Action? {
        while true {
            if let line = outgoing.next() { return .write(line) }
            if outgoing.takeDrained(), case .serving = phase { return .drained }
            switch takeLine() {
            case .submit(let requestNumber, let body, let bytes): return .submit(requestNumber: requestNumber, body, bytes: bytes)
            case .answeredHere: continue
            case .nothing: break
            }
            return ending()
        }
    }

    private enum Taken {
        case submit(requestNumber: UInt64, Request.Body, bytes: Int)
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
            if tooLongLines >= WireProtocol.tooLongLinesMax { leave(.politely) }
            return .answeredHere
        case nil:
            if isInputClosed {
                leave(.afterHangUp)
            } else if framer.bufferedBytes > ServiceLimits.slightBytesMax, memoryPressure >= .high {
                framer.skipLine()
                outgoing.made(.refusal(nil, .overloaded))
                return .answeredHere
            }
            return .nothing
        }
    }

    private mutating func take(_ line: IncomingLine, bytes: Int) -> Taken {
        switch line {
        case .refused(let id, let error):
            outgoing.made(.refusal(id, error))
        case .request(let id, .ping):
            outgoing.made(.pong(id))
        case .request(let id, .discover):
            outgoing.made(.document(id))
        case .request(let id, .hello(let hello)):
            return take(hello, id: id, bytes: bytes)
        case .request(let id, _) where isOverloaded || memoryPressure == .full:
            outgoing.made(.refusal(id, .overloaded))
        case .request(let id, let call) where call.method.access > access ?? .read:
            outgoing.made(.refusal(id, .permissionDenied(toCall: call.method)))
        case .request(let id, .backup(let backup)) where !isPrivileged && backup.namesPlace:
            outgoing.made(
                .refusal(
                    id,
                    .permissionDenied(
                        "a place for a backup may be named by the user that the daemon runs as and by root only; give a name alone, and it is "
                            + "put in the daemon's folder for backups")))
        case .request(let id, .config):
            outgoing.made(.settings(id))
        case .request(let id, let call):
            guard let body = Request.Body(call, encoding: encoding, drawNoteID: drawNoteID) else {
                outgoing.made(.refusal(id, .internal))
                return .answeredHere
            }
            return submit(body, id: id, method: call.method, bytes: bytes)
        case .unanswered(.setPresence(let params)) where !isOverloaded && memoryPressure < .full && access != nil:
            let set = SetPresence(params, encoding: encoding, isQuiet: true)
            return submit(.setPresence(set), id: nil, method: .setPresence, bytes: bytes)
        case .unanswered, .dropped: break
        }
        return .answeredHere
    }

    private mutating func take(_ hello: HelloParams, id: RequestID, bytes: Int) -> Taken {
        guard access != nil else {
            outgoing.made(
                .refusal(
                    id,
                    .permissionDenied(
                        "this daemon does not serve you; whoever administers it can let you in: access.read, access.write or "
                            + "access.admin in its configuration")))
            leave(.politely)
            return .answeredHere
        }
        phase = .serving
        isRegistered = true
        encoding = hello.positionEncoding
        framer.lineBytesMax = limits.lineBytesMax
        let registration = Registration(
            clientName: hello.client.name, clientVersion: hello.client.version ?? "", label: hello.label, userID: user.id,
            userName: user.name, encoding: encoding)
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
            if case .politely = how, !isInputClosed {
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
