/// One connection to the daemon, on which one thing is done at a time.
final class Client {
    private var socket: LineSocket
    private var id = 0

    var descriptor: Descriptor { socket.descriptor }

    /// Says hello.
    init(_ descriptor: Descriptor, positionEncoding: String = "utf-8") throws(Failure) {
        socket = LineSocket(descriptor)
        _ = try call(.hello(positionEncoding: positionEncoding))
    }

    /// Sends without waiting for the answer.
    func send(_ request: Request) throws(Failure) {
        try descriptor.writeAll(line(request))
    }

    /// Several at once, in one write.
    func send(_ requests: [Request]) throws(Failure) {
        try descriptor.writeAll(requests.flatMap(line))
    }

    /// The next request as it is sent, for those who do that themselves.
    func line(_ request: Request) -> [UInt8] {
        id += 1
        return request.line(id: id)
    }

    /// The next line, waited for.
    func next() throws(Failure) -> Response {
        Response(line: try socket.next())
    }

    /// The next line, if it is there.
    func nextIfThere() throws(Failure) -> Response? {
        try socket.nextIfThere().map { Response(line: $0) }
    }

    /// The answer to what is asked; notifications before it are left out.
    func call(_ request: Request) throws(Failure) -> Response {
        try send(request)
        return try nextAnswer()
    }

    /// The answer to the first request that has none yet; notifications before it are left out.
    func nextAnswer() throws(Failure) -> Response {
        while true {
            let answer = try next()
            if !answer.isNotification { return try answer.result() }
        }
    }

    /// Starts a watch, and returns when it is up to date. Returns where it started.
    func watch(_ request: Request) throws(Failure) -> String {
        let cursor = try call(request).required(Keys.cursor)
        while try !next().isSynced {}
        return cursor
    }
}
