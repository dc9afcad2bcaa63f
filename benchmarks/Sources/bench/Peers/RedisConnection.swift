/// A connection to Redis whose responses are all lines.
final class RedisConnection {
    private var socket: LineSocket

    var descriptor: Descriptor { socket.descriptor }

    init(_ descriptor: Descriptor) {
        socket = LineSocket(descriptor)
    }

    func send(_ bytes: [UInt8]) throws(Failure) {
        try descriptor.writeAll(bytes)
    }

    /// The next line if it has arrived.
    func nextIfThere() throws(Failure) -> [UInt8]? {
        try socket.nextIfThere()
    }

    /// Sets a value and waits for the response.
    func set(_ key: String, to value: [UInt8]) throws(Failure) {
        try send(RedisWire.command("SET", key, value))
        try RedisWire.expect("+OK", in: try socket.next())
    }

    /// Subscribes, and returns when the subscription is active.
    func subscribe(to channel: String) throws(Failure) {
        try send(RedisWire.command("SUBSCRIBE", channel))
        for _ in 0..<6 { _ = try socket.next() }
    }
}
