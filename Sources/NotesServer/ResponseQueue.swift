import NIOCore
import NotesEngine
import NotesWire

/// What a connection is still owed, in the order in which it is written, and how much of what was written has not left yet.
///
/// Answers go out in the order of their requests. Some are made here at once, others come from the engine: an answer made here
/// waits behind the engine's older ones. The engine answers a connection in the order of its requests, so whatever stands
/// before an engine's answer is ready when it comes. Hence the lines of watches that come with it go right behind it, and no
/// line that shows a write can overtake the write's answer.
///
///     requests   1 save   2 ping   3 save        awaited: [1, pong 2, 3]    ready: []
///     the engine answers 1, with notice n        awaited: [3]               ready: [answer 1, pong 2, n]
///
/// Invariant: the first of `awaited`, if there is one, is a request that the engine has.
struct ResponseQueue: Sendable {
    private enum Awaited: Sendable {
        indirect case engine(PendingRequest)
        case made(OutboundLine)
    }

    /// How much may wait unsent before no more is encoded.
    let responseBytesMax: Int
    /// The same for lines of watches: they are shared until they are encoded, so a slow reader costs little.
    let notificationBytesMax: Int

    private var awaited = CircularBuffer<Awaited>()
    private var ready = CircularBuffer<OutboundLine>()
    private var responsesReady = 0
    private var notificationsReady = 0
    /// Of answers among `ready`, by weight.
    private var responseWeight = 0
    /// Of requests that the engine has not answered, in bytes of their lines.
    private(set) var requestBytes = 0

    /// Bytes written and bytes that have left since the connection was made.
    private var written: UInt64 = 0
    private var left: UInt64 = 0
    /// Up to where `left` has to come for all notices to have left; nil where that was told.
    private var notificationsEnd: UInt64?
    /// Where the oldest answer that has not left starts in what was written, and where the newest ends.
    private var responsesStart: UInt64 = 0
    private var responsesEnd: UInt64 = 0

    init(responseBytesMax: Int, notificationBytesMax: Int) {
        self.responseBytesMax = responseBytesMax
        self.notificationBytesMax = notificationBytesMax
    }

    /// Requests whose answers were not written yet.
    var inFlight: Int { awaited.count + responsesReady }
    var unsentBytes: Int { Int(clamping: written - left) }
    /// Answers that the peer has not read, in bytes: those not encoded yet by weight; of the others what has not left, with the notices
    /// that stand between two of them.
    var unreadResponseBytes: Int { responseWeight + Int(clamping: responsesEnd - min(responsesEnd, max(left, responsesStart))) }
    /// Whether nothing is ready to be written, and all that was written has left. Requests may be with the engine.
    var isQuiet: Bool { ready.isEmpty && written == left }
    /// Whether everything that was owed has left.
    var isSettled: Bool { awaited.isEmpty && ready.isEmpty && written == left }
}

// MARK: - What is owed

extension ResponseQueue {
    mutating func requested(_ request: PendingRequest) {
        requestBytes += request.bytes
        awaited.append(.engine(request))
    }

    /// An answer that the engine has no part in.
    mutating func made(_ line: OutboundLine) {
        if awaited.isEmpty { makeReady(line) } else { awaited.append(.made(line)) }
    }

    /// - Returns: what was asked; nil where that is not the request whose turn it is.
    mutating func answered(_ requestNumber: UInt64, with answer: Response) -> PendingRequest? {
        guard case .engine(let request)? = awaited.first, request.requestNumber == requestNumber else { return nil }
        awaited.removeFirst()
        requestBytes -= request.bytes
        makeReady(.answer(request, answer))
        while case .made(let line)? = awaited.first {
            awaited.removeFirst()
            makeReady(line)
        }
        return request
    }

    /// Tells how far a request has come that the engine has. What was told of it before and has not been written is forgotten,
    /// so that one who does not read costs no more than one such line.
    ///
    /// - Returns: false where the engine does not have it.
    /// - Complexity: O(requests in flight + lines that are ready).
    mutating func progressed(_ requestNumber: UInt64, done: Int, total: Int) -> Bool {
        let asked = awaited.lazy.compactMap { awaited -> PendingRequest? in
            if case .engine(let request) = awaited, request.requestNumber == requestNumber { request } else { nil }
        }
        guard let request = asked.first else { return false }
        let line = OutboundLine.progress(request, done: done, total: total)
        let told = ready.firstIndex { line in
            if case .progress(let earlier, _, _) = line { earlier.requestNumber == requestNumber } else { false }
        }
        if let told { ready[told] = line } else { ready.append(line) }
        return true
    }

    /// A line that answers nothing.
    mutating func told(_ line: OutboundLine) {
        ready.append(line)
        switch line {
        case .notification, .presence: notificationsReady += 1
        // The last word stands where an answer would.
        case .closing: responsesReady += 1
        case .progress, .answer, .refusal, .pong, .document, .settings: break
        }
    }

    private mutating func makeReady(_ line: OutboundLine) {
        ready.append(line)
        responsesReady += 1
        responseWeight += line.weight
    }

    /// Forgets the requests that the engine has not answered, and what waits behind them.
    mutating func abandonAwaited() {
        awaited.removeAll()
        requestBytes = 0
    }
}

// MARK: - What is written

extension ResponseQueue {
    /// The next line to be written, while there is room.
    mutating func next() -> OutboundLine? {
        guard let line = ready.first, unsentBytes < (line.isNotification ? notificationBytesMax : responseBytesMax) else { return nil }
        ready.removeFirst()
        switch line {
        case .notification, .presence: notificationsReady -= 1
        case .progress: break
        case .closing, .answer, .refusal, .pong, .document, .settings:
            responsesReady -= 1
            responseWeight -= line.weight
        }
        return line
    }

    /// The line that `next` gave was handed to the socket.
    mutating func wrote(bytes: Int, isNotification: Bool) {
        if !isNotification, responsesEnd <= left { responsesStart = written }
        written += UInt64(bytes)
        if isNotification { notificationsEnd = written } else { responsesEnd = written }
    }

    mutating func sent(bytes: Int) {
        left += UInt64(bytes)
    }

    /// Whether notices were written and all of them have left; true once for each time.
    mutating func takeDrained() -> Bool {
        guard notificationsReady == 0, let end = notificationsEnd, left >= end else { return false }
        notificationsEnd = nil
        return true
    }
}
