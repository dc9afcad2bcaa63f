/// A connection that sets and publishes a value in one write, and a subscriber of the messages.
final class RedisExchange: Exchange {
    private let setter: RedisConnection
    private let subscriber: RedisConnection
    private let bytes: [UInt8]
    /// Number of lines of messages so far; a message has seven.
    private var lines = 0

    var writer: Descriptor { setter.descriptor }
    var listener: Descriptor { subscriber.descriptor }

    /// - Parameters:
    ///   - value: The value to set.
    ///   - payload: The message to publish, without an LF.
    init(of redis: RedisServer, value: [UInt8], payload: [UInt8]) throws(Failure) {
        setter = try redis.connection()
        subscriber = try redis.connection()
        try subscriber.subscribe(to: RedisPublisher.channel)
        bytes = RedisWire.command("SET", "note", value) + RedisWire.command("PUBLISH", RedisPublisher.channel, payload)
    }

    /// Does nothing: every write is the same.
    func prepare() {}

    func send() throws(Failure) {
        try setter.send(bytes)
    }

    func takeAnswer() throws(Failure) -> Bool {
        var isAnswered = false
        while let line = try setter.nextIfThere() {
            // The response to PUBLISH: the number of receivers.
            if line.first == UInt8(ascii: ":") { continue }
            try RedisWire.expect("+OK", in: line)
            isAnswered = true
        }
        return isAnswered
    }

    func takeNotification() throws(Failure) -> Bool {
        let before = lines / 7
        while try subscriber.nextIfThere() != nil { lines += 1 }
        return lines / 7 > before
    }
}
