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
struct Outgoing: Sendable {
    private enum Awaited: Sendable {
        indirect case engine(AwaitedAnswer)
        case made(OutgoingLine)
    }

    /// How much may wait unsent before no more is encoded.
    let answerBytesMax: Int
    /// The same for lines of watches: they are shared until they are encoded, so a slow reader costs little.
    let noticeBytesMax: Int

    private var awaited = CircularBuffer<Awaited>()
    private var ready = CircularBuffer<OutgoingLine>()
    private var answersReady = 0
    private var noticesReady = 0
    /// Of answers among `ready`, by weight.
    private var answerWeight = 0
    /// Of requests that the engine has not answered, in bytes of their lines.
    private(set) var requestBytes = 0

    /// Bytes written and bytes that have left since the connection was made.
    private var written: UInt64 = 0
    private var left: UInt64 = 0
    /// Up to where `left` has to come for all notices to have left; nil where that was told.
    private var noticesEnd: UInt64?
    /// Where the oldest answer that has not left starts in what was written, and where the newest ends.
    private var answersStart: UInt64 = 0
    private var answersEnd: UInt64 = 0

    init(answerBytesMax: Int, noticeBytesMax: Int) {
        self.answerBytesMax = answerBytesMax
        self.noticeBytesMax = noticeBytesMax
    }

    /// Requests whose answers were not written yet.
    var inFlight: Int { awaited.count + answersReady }
    var unsentBytes: Int { Int(clamping: written - left) }
    /// Answers that the peer has not read, in bytes: those not encoded yet by weight; of the others what has not left, with the notices
    /// that stand between two of them.
    var unreadAnswerBytes: Int { answerWeight + Int(clamping: answersEnd - min(answersEnd, max(left, answersStart))) }
    /// Whether nothing is ready to be written, and all that was written has left. Requests may be with the engine.
    var isQuiet: Bool { ready.isEmpty && written == left }
    /// Whether everything that was owed has left.
    var isSettled: Bool { awaited.isEmpty && ready.isEmpty && written == left }
}

// MARK: - What is owed

extension Outgoing {
    mutating func requested(_ request: AwaitedAnswer) {
        requestBytes += request.bytes
        awaited.append(.engine(request))
    }

    /// An answer that the engine has no part in.
    mutating func made(_ line: OutgoingLine) {
        if awaited.isEmpty { makeReady(line) } else { awaited.append(.made(line)) }
    }

    /// - Returns: what was asked; nil where that is not the request whose turn it is.
    mutating func answered(_ ticket: UInt64, with answer: Answer) -> AwaitedAnswer? {
        guard case .engine(let request)? = awaited.first, request.ticket == ticket else { return nil }
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
    mutating func progressed(_ ticket: UInt64, done: Int, total: Int) -> Bool {
        let asked = awaited.lazy.compactMap { awaited -> AwaitedAnswer? in
            if case .engine(let request) = awaited, request.ticket == ticket { request } else { nil }
        }
        guard let request = asked.first else { return false }
        let line = OutgoingLine.progress(request, done: done, total: total)
        let told = ready.firstIndex { line in
            if case .progress(let earlier, _, _) = line { earlier.ticket == ticket } else { false }
        }
        if let told { ready[told] = line } else { ready.append(line) }
        return true
    }

    /// A line that answers nothing.
    mutating func told(_ line: OutgoingLine) {
        ready.append(line)
        switch line {
        case .notice, .presence: noticesReady += 1
        // The last word stands where an answer would.
        case .closing: answersReady += 1
        case .progress, .answer, .refusal, .pong, .document, .settings: break
        }
    }

    private mutating func makeReady(_ line: OutgoingLine) {
        ready.append(line)
        answersReady += 1
        answerWeight += line.weight
    }

    /// Forgets the requests that the engine has not answered, and what waits behind them.
    mutating func abandonAwaited() {
        awaited.removeAll()
        requestBytes = 0
    }
}

// MARK: - What is written

extension Outgoing {
    /// The next line to be written, while there is room.
    mutating func next() -> OutgoingLine? {
        guard let line = ready.first, unsentBytes < (line.isNotice ? noticeBytesMax : answerBytesMax) else { return nil }
        ready.removeFirst()
        switch line {
        case .notice, .presence: noticesReady -= 1
        case .progress: break
        case .closing, .answer, .refusal, .pong, .document, .settings:
            answersReady -= 1
            answerWeight -= line.weight
        }
        return line
    }

    /// The line that `next` gave was handed to the socket.
    mutating func wrote(bytes: Int, isNotice: Bool) {
        if !isNotice, answersEnd <= left { answersStart = written }
        written += UInt64(bytes)
        if isNotice { noticesEnd = written } else { answersEnd = written }
    }

    mutating func sent(bytes: Int) {
        left += UInt64(bytes)
    }

    /// Whether notices were written and all of them have left; true once for each time.
    mutating func takeDrained() -> Bool {
        guard noticesReady == 0, let end = noticesEnd, left >= end else { return false }
        noticesEnd = nil
        return true
    }
}
