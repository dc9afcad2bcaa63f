import NIOCore

/// A request line and what is needed to track it.
struct ClientRequest: Sendable {
    let id: Int64
    /// The line, including its LF.
    let line: [UInt8]
    /// Whether the request changes a note.
    let isWrite: Bool
    /// Whether the request may be sent again if the outcome of the first is unknown.
    let mayBeRepeated: Bool
}

/// The queue of requests to send and the queue of requests that wait for a response.
///
/// Requests are sent in order, and the daemon responds in order. So a response is always for the
/// oldest request in flight; any other one is a fault of the daemon. To bound the memory in the
/// daemon and in the socket buffer, at most `inFlightMax` requests and about `inFlightBytesMax`
/// bytes are in flight; the rest wait here.
///
/// Invariant: no id is in both queues, and `inFlightBytes` is the size of the lines in flight.
struct RequestPipeline {
    /// Largest number of requests in flight, from the hello response.
    var inFlightMax = 256
    /// Largest number of bytes in flight. A single request may exceed it.
    let inFlightBytesMax: Int
    private var waiting = CircularBuffer<ClientRequest>()
    private var inFlight = CircularBuffer<ClientRequest>()
    private var inFlightBytes = 0

    init(inFlightBytesMax: Int = 8 * 1_024 * 1_024) {
        self.inFlightBytesMax = inFlightBytesMax
    }

    var isAnyInFlight: Bool { !inFlight.isEmpty }

    /// The request whose response comes next.
    var oldestInFlight: Int64? { inFlight.first?.id }

    mutating func submit(_ request: ClientRequest) {
        waiting.append(request)
    }

    /// The next request to write, which is in flight from now on. Nil if no request waits or enough
    /// are in flight.
    mutating func nextToSend() -> ClientRequest? {
        guard let request = waiting.first, inFlight.count < inFlightMax else { return nil }
        guard inFlight.isEmpty || inFlightBytes + request.line.count <= inFlightBytesMax else { return nil }
        waiting.removeFirst()
        inFlight.append(request)
        inFlightBytes += request.line.count
        return request
    }

    /// Removes a request that got its response.
    ///
    /// - Returns: false if the response is not for the oldest request in flight.
    mutating func answered(_ id: Int64) -> Bool {
        guard let oldest = inFlight.first, oldest.id == id else { return false }
        inFlight.removeFirst()
        inFlightBytes -= oldest.line.count
        return true
    }

    /// Removes a request that was not sent yet. Returns false if it is in flight or unknown.
    ///
    /// - Complexity: O(waiting requests).
    mutating func withdraw(_ id: Int64) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// Clears the requests in flight.
    ///
    /// - Parameter resends: whether repeatable requests return to the front of the queue, in their
    ///   order.
    /// - Returns: the requests that will get no response.
    mutating func connectionLost(resends: Bool) -> [ClientRequest] {
        var lost: [ClientRequest] = []
        var kept: [ClientRequest] = []
        for request in inFlight {
            if resends && request.mayBeRepeated { kept.append(request) } else { lost.append(request) }
        }
        inFlight.removeAll()
        inFlightBytes = 0
        for request in kept.reversed() { waiting.prepend(request) }
        return lost
    }

    /// Clears both queues and returns their requests.
    mutating func close() -> (inFlight: [ClientRequest], waiting: [ClientRequest]) {
        defer {
            inFlight.removeAll()
            waiting.removeAll()
            inFlightBytes = 0
        }
        return (Array(inFlight), Array(waiting))
    }
}

extension ClientError {
    /// The error of a request in flight when this one ended the connection: the reason, if it is known and
    /// the request changes nothing; otherwise nil.
    func ofLost(_ request: ClientRequest) -> ClientError? {
        guard case .silent = self, !request.isWrite else { return nil }
        return self
    }
}
