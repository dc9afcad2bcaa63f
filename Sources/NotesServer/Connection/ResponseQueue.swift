import NIOCore
import NotesEngine
import NotesWire

/// Outbound lines of a connection in the order in which they are written, and the number of written
/// bytes that were not sent yet.
///
/// Responses leave in the order of their requests. The server makes some of them at once; such a
/// response waits for older ones of the engine. The engine answers the requests of a connection in
/// order, so when a response arrives from the engine, all responses before it are ready.
/// Notifications that arrive with it are therefore appended directly, and no notification of a
/// write can overtake the response to that write.
///
///     requests 1 save, 2 ping, 3 save                  awaited: [1, pong 2, 3]  ready: []
///     the engine answers 1 and sends notification n    awaited: [3]             ready: [response 1, pong 2, n]
///
/// Invariant: the first element of `awaited`, if any, is a request that the engine has not
/// answered.
struct ResponseQueue: Sendable {
    private enum Awaited: Sendable {
        indirect case engine(PendingRequest)
        case made(OutboundLine)
    }

    /// Number of unsent bytes at which no more lines are encoded.
    let responseBytesMax: Int
    /// The same limit for notifications. It is lower, because notifications share memory between
    /// connections until they are encoded, so that a slow reader costs little.
    let notificationBytesMax: Int

    /// Responses that wait, and requests that the engine has not answered, in the order of the
    /// requests.
    private var awaited = CircularBuffer<Awaited>()
    /// Lines that can be written.
    private var ready = CircularBuffer<OutboundLine>()
    private var responsesReady = 0
    private var notificationsReady = 0
    /// Total weight of the responses in `ready`, in bytes.
    private var responseWeight = 0
    /// Length of the requests that the engine has not answered, in bytes.
    private(set) var requestBytes = 0

    /// Number of bytes written, and number of bytes sent, since the connection was created.
    private var written: UInt64 = 0
    private var sent: UInt64 = 0
    /// Value of `sent` at which all written notifications are sent.
    private var notificationsEnd: UInt64 = 0
    /// How many times the engine still has to be told that all notifications are sent.
    private var reportsDue = 0
    /// Positions in the written bytes at which the oldest unsent response starts and the newest one
    /// ends.
    private var responsesStart: UInt64 = 0
    private var responsesEnd: UInt64 = 0

    init(responseBytesMax: Int, notificationBytesMax: Int) {
        self.responseBytesMax = responseBytesMax
        self.notificationBytesMax = notificationBytesMax
    }

    /// Number of requests whose responses were not written yet.
    var inFlight: Int { awaited.count + responsesReady }
    /// Number of bytes written and not sent.
    var unsentBytes: Int { Int(clamping: written - sent) }
    /// Size of the unread responses, in bytes: by weight before they are encoded, then by the bytes
    /// not sent, including notifications between two responses.
    var unreadResponseBytes: Int { responseWeight + Int(clamping: responsesEnd - min(responsesEnd, max(sent, responsesStart))) }
    /// Whether no line is ready and all written bytes were sent. The engine may still have
    /// requests.
    var isQuiet: Bool { ready.isEmpty && written == sent }
    /// Whether all responses and lines were sent.
    var isSettled: Bool { awaited.isEmpty && ready.isEmpty && written == sent }
}

// MARK: - Queueing

extension ResponseQueue {
    /// Appends a request that was submitted to the engine.
    mutating func requested(_ request: PendingRequest) {
        requestBytes += request.bytes
        awaited.append(.engine(request))
    }

    /// Appends a response that the server made itself.
    mutating func made(_ line: OutboundLine) {
        if awaited.isEmpty { makeReady(line) } else { awaited.append(.made(line)) }
    }

    /// Makes the engine's response ready, and the server's responses that waited for it.
    ///
    /// - Returns: the request; nil if it is not the oldest one that the engine has, and nothing is
    ///   changed.
    mutating func answered(_ requestNumber: UInt64, with response: Response) -> PendingRequest? {
        guard case .engine(let request)? = awaited.first, request.requestNumber == requestNumber else { return nil }
        awaited.removeFirst()
        requestBytes -= request.bytes
        makeReady(.response(request, response))
        while case .made(let line)? = awaited.first {
            awaited.removeFirst()
            makeReady(line)
        }
        return request
    }

    /// Queues the progress of a request. It replaces an earlier line of the same request that was
    /// not written, so that a client that does not read costs only one such line.
    ///
    /// - Returns: false if the engine does not have the request.
    /// - Complexity: O(requests in flight + ready lines).
    mutating func progressed(_ requestNumber: UInt64, done: Int, total: Int) -> Bool {
        let asked = awaited.lazy.compactMap { awaited -> PendingRequest? in
            if case .engine(let request) = awaited, request.requestNumber == requestNumber { request } else { nil }
        }
        guard let request = asked.first else { return false }
        let line = OutboundLine.progress(request, done: done, total: total)
        let queued = ready.firstIndex { line in
            if case .progress(let earlier, _, _) = line { earlier.requestNumber == requestNumber } else { false }
        }
        if let queued { ready[queued] = line } else { ready.append(line) }
        return true
    }

    /// Appends a line that is not a response.
    mutating func enqueue(_ line: OutboundLine) {
        ready.append(line)
        switch line {
        case .notification, .presence: notificationsReady += 1
        // Counted like a response.
        case .closing: responsesReady += 1
        case .progress, .response, .refusal, .pong, .limits, .document, .settings: break
        }
    }

    private mutating func makeReady(_ line: OutboundLine) {
        ready.append(line)
        responsesReady += 1
        responseWeight += line.weight
    }

    /// Drops the requests that the engine has not answered, and the responses that wait for them.
    mutating func abandonAwaited() {
        awaited.removeAll()
        requestBytes = 0
    }
}

// MARK: - Writing

extension ResponseQueue {
    /// Removes and returns the next line to write; nil if there is none or a limit on unsent bytes
    /// is reached.
    mutating func next() -> OutboundLine? {
        guard let line = ready.first, unsentBytes < (line.isNotification ? notificationBytesMax : responseBytesMax) else {
            return nil
        }
        ready.removeFirst()
        switch line {
        case .notification, .presence: notificationsReady -= 1
        case .progress: break
        case .closing, .response, .refusal, .pong, .limits, .document, .settings:
            responsesReady -= 1
            responseWeight -= line.weight
        }
        return line
    }

    /// Records that a line was passed to the socket.
    mutating func wrote(bytes: Int, isNotification: Bool) {
        if !isNotification, responsesEnd <= sent { responsesStart = written }
        written += UInt64(bytes)
        if isNotification { notificationsEnd = written } else { responsesEnd = written }
    }

    /// Records that the socket sent written bytes.
    mutating func sent(bytes: Int) {
        sent += UInt64(bytes)
    }

    /// Records that the engine waits for a report that all notifications are sent.
    mutating func reportIsDue() {
        reportsDue += 1
    }

    /// Whether all notifications are sent and the engine waits for a report. Returns true once for
    /// each report that is due.
    mutating func takeDrained() -> Bool {
        guard reportsDue > 0, areNotificationsSent else { return false }
        reportsDue -= 1
        return true
    }

    /// Whether lines of a broadcast were not sent, and the engine does not know that. Returns true
    /// once; then a report is due.
    mutating func takeLagging() -> Bool {
        guard reportsDue == 0, !areNotificationsSent else { return false }
        reportsDue = 1
        return true
    }

    private var areNotificationsSent: Bool { notificationsReady == 0 && sent >= notificationsEnd }
}
