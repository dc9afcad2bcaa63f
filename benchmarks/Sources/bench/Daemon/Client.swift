/// One connection to the daemon, on which one thing is done at a time.
final class Client {
    let descriptor: Descriptor
    private var reader = LineReader()
    private var id = 0

    /// Says hello.
    init(_ descriptor: Descriptor, positionEncoding: String = "utf-8") throws(Failure) {
        self.descriptor = descriptor
        descriptor.setReadLimit(seconds: 60)
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

    private func line(_ request: Request) -> [UInt8] {
        id += 1
        return request.line(id: id)
    }

    /// The next line, waited for.
    func next() throws(Failure) -> Answer {
        while true {
            if let line = reader.next() { return Answer(line: line) }
            _ = try reader.fill(from: descriptor, isWaiting: true)
        }
    }

    /// The next line, if it is there.
    func nextIfThere() throws(Failure) -> Answer? {
        if let line = reader.next() { return Answer(line: line) }
        guard try reader.fill(from: descriptor, isWaiting: false) else { return nil }
        return reader.next().map { Answer(line: $0) }
    }

    /// The answer to what is asked; notifications before it are left out.
    func call(_ request: Request) throws(Failure) -> Answer {
        try send(request)
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
