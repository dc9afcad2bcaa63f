/// A value that one connection sets, and publishes in the same write, and whose messages another has subscribed to.
final class RedisExchange: Exchange {
    private let setter: RedisConnection
    private let subscriber: RedisConnection
    private let bytes: [UInt8]
    /// Of the messages so far: seven make one.
    private var lines = 0

    var writer: Descriptor { setter.descriptor }
    var listener: Descriptor { subscriber.descriptor }

    /// - Parameters:
    ///   - value: what is set.
    ///   - payload: what is published; without an LF.
    init(of redis: RedisServer, value: [UInt8], payload: [UInt8]) throws(Failure) {
        setter = try redis.connection()
        subscriber = try redis.connection()
        try subscriber.subscribe(to: RedisPublisher.channel)
        bytes = RedisWire.command("SET", "note", value) + RedisWire.command("PUBLISH", RedisPublisher.channel, payload)
    }

    /// It is the same each time.
    func prepare() {}

    func send() throws(Failure) {
        try setter.send(bytes)
    }

    func takeAnswer() throws(Failure) -> Bool {
        var isAnswered = false
        while let line = try setter.nextIfThere() {
            // What PUBLISH is answered with: how many were told.
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
