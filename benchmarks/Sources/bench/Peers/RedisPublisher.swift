/// A connection that publishes a message many times in one write.
final class RedisPublisher: BatchSender {
    static let channel = "notes"

    private let connection: RedisConnection
    private let bytes: [UInt8]
    /// The expected response to each message: the number of receivers.
    private let answer: String

    private(set) var waiting = 0
    var descriptor: Descriptor { connection.descriptor }
    let batch: Int

    init(_ connection: RedisConnection, payload: [UInt8], batch: Int, subscribers: Int) {
        self.connection = connection
        self.batch = batch
        bytes = Array(repeatElement(RedisWire.command("PUBLISH", Self.channel, payload), count: batch).joined())
        answer = ":\(subscribers)"
    }

    func send(turn: Int) throws(Failure) {
        try connection.send(bytes)
        waiting += batch
    }

    func receive() throws(Failure) {
        while waiting > 0, let line = try connection.nextIfThere() {
            try RedisWire.expect(answer, in: line)
            waiting -= 1
        }
    }
}
