/// A connection to the daemon for one task at a time.
final class Client {
    private var socket: LineSocket
    private var id = 0

    var descriptor: Descriptor { socket.descriptor }

    /// Sends hello and waits for its response.
    init(_ descriptor: Descriptor, positionEncoding: String = "utf-8", label: String? = nil) throws(Failure) {
        socket = LineSocket(descriptor)
        _ = try call(.hello(positionEncoding: positionEncoding, label: label))
    }

    /// Sends a request without waiting for the response.
    func send(_ request: Request) throws(Failure) {
        try descriptor.writeAll(line(request))
    }

    /// Sends several requests in one write.
    func send(_ requests: [Request]) throws(Failure) {
        try descriptor.writeAll(requests.flatMap(line))
    }

    /// Encodes the next request, for callers that send it themselves.
    func line(_ request: Request) -> [UInt8] {
        id += 1
        return request.line(id: id)
    }

    /// Waits for the next line.
    func next() throws(Failure) -> Response {
        Response(line: try socket.next())
    }

    /// The next line if it has arrived.
    func nextIfThere() throws(Failure) -> Response? {
        try socket.nextIfThere().map { Response(line: $0) }
    }

    /// Sends a request and waits for its response; skips notifications before it.
    func call(_ request: Request) throws(Failure) -> Response {
        try send(request)
        return try nextAnswer()
    }

    /// Waits for the response to the oldest outstanding request; skips notifications before it.
    func nextAnswer() throws(Failure) -> Response {
        while true {
            let answer = try next()
            if !answer.isNotification { return try answer.result() }
        }
    }

    /// Starts a watch and waits until it is synced. Returns the cursor at which it started.
    func watch(_ request: Request) throws(Failure) -> String {
        let cursor = try call(request).required(Keys.cursor)
        while try !next().isSynced {}
        return cursor
    }

    /// Waits for the notification of a change, and returns the note's version.
    func changedVersion() throws(Failure) -> String {
        while true {
            let line = try next()
            if !line.isBookmark { return try line.required(Keys.version) }
        }
    }
}
