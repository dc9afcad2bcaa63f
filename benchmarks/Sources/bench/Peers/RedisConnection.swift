/// A connection to Redis. What it answers to what is sent here comes in lines.
final class RedisConnection {
    private var socket: LineSocket

    var descriptor: Descriptor { socket.descriptor }

    init(_ descriptor: Descriptor) {
        socket = LineSocket(descriptor)
    }

    func send(_ bytes: [UInt8]) throws(Failure) {
        try descriptor.writeAll(bytes)
    }

    /// The next line, if it is there.
    func nextIfThere() throws(Failure) -> [UInt8]? {
        try socket.nextIfThere()
    }

    /// Sets a value, and waits for the answer.
    func set(_ key: String, to value: [UInt8]) throws(Failure) {
        try send(RedisWire.command("SET", key, value))
        try RedisWire.expect("+OK", in: try socket.next())
    }

    /// Returns when the messages of the channel come.
    func subscribe(to channel: String) throws(Failure) {
        try send(RedisWire.command("SUBSCRIBE", channel))
        for _ in 0..<6 { _ = try socket.next() }
    }
}
