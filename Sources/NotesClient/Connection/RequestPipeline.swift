import NIOCore

/// A request on its way to the daemon and back.
struct Request: Sendable {
    let id: Int64
    /// With its LF.
    let line: [UInt8]
    /// Whether it asks for a change.
    let isWrite: Bool
    /// Whether it may be sent a second time when nobody knows what became of the first.
    let mayBeRepeated: Bool
}

/// Which requests wait to be sent and which for their answers.
///
/// Requests are sent in the order given, and the daemon answers in the order sent, so an answer is always for the oldest one
/// in flight; anything else is a fault of the peer. So that neither the daemon nor the socket's buffer has to hold more than
/// was agreed, at most `inFlightMax` requests and about `inFlightBytesMax` bytes are in flight; the rest wait here.
///
/// Invariant: no id is in both queues, and `inFlightBytes` is the sum of the lines in flight.
struct RequestPipeline {
    /// Told by the daemon at hello.
    var inFlightMax = 256
    /// One request may always be sent, however long.
    let inFlightBytesMax: Int
    private var waiting = CircularBuffer<Request>()
    private var inFlight = CircularBuffer<Request>()
    private var inFlightBytes = 0

    init(inFlightBytesMax: Int = 8 * 1_024 * 1_024) {
        self.inFlightBytesMax = inFlightBytesMax
    }

    var isAnyInFlight: Bool { !inFlight.isEmpty }

    mutating func submit(_ request: Request) {
        waiting.append(request)
    }

    /// The next request to be written; from now on it is in flight. Nil where nothing waits or enough is in flight.
    mutating func nextToSend() -> Request? {
        guard let request = waiting.first, inFlight.count < inFlightMax else { return nil }
        guard inFlight.isEmpty || inFlightBytes + request.line.count <= inFlightBytesMax else { return nil }
        waiting.removeFirst()
        inFlight.append(request)
        inFlightBytes += request.line.count
        return request
    }

    /// - Returns: false where the answer is not for the oldest request in flight.
    mutating func answered(_ id: Int64) -> Bool {
        guard let oldest = inFlight.first, oldest.id == id else { return false }
        inFlight.removeFirst()
        inFlightBytes -= oldest.line.count
        return true
    }

    /// Takes back a request that was not sent yet; false where it is in flight or gone.
    ///
    /// - Complexity: O(requests that wait).
    mutating func withdraw(_ id: Int64) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// What was in flight is no longer.
    ///
    /// - Parameter resends: whether what may be repeated is put back, in front of what waits and in its order.
    /// - Returns: the requests whose answers will not come.
    mutating func connectionLost(resends: Bool) -> [Request] {
        var lost: [Request] = []
        var kept: [Request] = []
        for request in inFlight {
            if resends && request.mayBeRepeated { kept.append(request) } else { lost.append(request) }
        }
        inFlight.removeAll()
        inFlightBytes = 0
        for request in kept.reversed() { waiting.prepend(request) }
        return lost
    }

    /// Gives up everything: what was in flight, and what was never sent.
    mutating func close() -> (inFlight: [Request], waiting: [Request]) {
        defer {
            inFlight.removeAll()
            waiting.removeAll()
            inFlightBytes = 0
        }
        return (Array(inFlight), Array(waiting))
    }
}
