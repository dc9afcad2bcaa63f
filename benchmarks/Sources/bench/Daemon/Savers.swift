/// A connection that saves one value at a time.
protocol Saver: AnyObject {
    var descriptor: Descriptor { get }

    /// Sends the next save. The last one was acknowledged.
    func save() throws(Failure)
    /// Reads what has arrived. Returns whether the acknowledgement was among it.
    func takeAnswer() throws(Failure) -> Bool
}

/// Connections that each save their own value over and over. The benchmark drives both sides of a
/// comparison with it.
final class Savers {
    private let savers: [any Saver]
    /// When each connection sent its last save, in seconds.
    private var starts: [Double]
    private let poller: Poller
    /// Time of each save of the last run until its response, in seconds.
    private(set) var times = Samples()

    var count: Int { savers.count }

    init(_ savers: [any Saver]) throws(Failure) {
        self.savers = savers
        starts = [Double](repeating: 0, count: savers.count)
        poller = try Poller()
        for (index, saver) in savers.enumerated() { try poller.add(saver.descriptor, as: index) }
    }

    /// Saves on all connections until the time is over, or so many saves are sent, and each is acknowledged.
    ///
    /// - Parameter most: At least one for each connection.
    func run(for time: Double = .infinity, most: Int = .max) throws(Failure) -> LoadRate {
        times = Samples()
        let start = seconds()
        for index in savers.indices { try save(index) }
        var (waiting, sent) = (savers.count, savers.count)
        while waiting > 0 {
            for index in try poller.wait(milliseconds: 1_000) {
                guard try savers[index].takeAnswer() else { continue }
                let now = seconds()
                times.add(now - starts[index])
                guard now - start < time, sent < most else {
                    waiting -= 1
                    continue
                }
                try save(index)
                sent += 1
            }
        }
        return LoadRate(perSecond: Double(times.values.count) / (seconds() - start), operations: times.values.count)
    }

    private func save(_ index: Int) throws(Failure) {
        starts[index] = seconds()
        try savers[index].save()
    }
}

extension Savers {
    /// Connections to the daemon that each replace a line of their own note.
    convenience init(_ count: Int, of daemon: DaemonProcess.Address) throws(Failure) {
        var savers: [any Saver] = []
        for index in 0..<count { savers.append(try NoteSaver(try daemon.client(), number: index)) }
        try self.init(savers)
    }

    /// Connections to Redis that each set their own key.
    convenience init(_ count: Int, of redis: RedisServer) throws(Failure) {
        var savers: [any Saver] = []
        for index in 0..<count { savers.append(KeySaver(try redis.connection(), number: index)) }
        try self.init(savers)
    }

    /// Connections to etcd that each put new bytes under their own key.
    convenience init(_ count: Int, of etcd: EtcdServer) throws(Failure) {
        var savers: [any Saver] = []
        for index in 0..<count { savers.append(PutSaver(try etcd.connection(), number: index)) }
        try self.init(savers)
    }
}

/// A connection that saves its own note on the note's newest version.
private final class NoteSaver: Saver {
    private let client: Client
    private let note: String
    private var version: String
    private var number: Int

    var descriptor: Descriptor { client.descriptor }

    init(_ client: Client, number: Int) throws(Failure) {
        self.client = client
        self.number = number
        let made = try client.call(.createNote(json: ReplacedLine.json(number)))
        note = try made.required(Keys.id)
        version = try made.required(Keys.version)
    }

    func save() throws(Failure) {
        number += 1
        try client.send(.saveNote(note, base: version, json: ReplacedLine.json(number)))
    }

    func takeAnswer() throws(Failure) -> Bool {
        guard let answer = try client.nextIfThere() else { return false }
        version = try answer.result().required(Keys.version)
        return true
    }
}

/// A connection that sets its own key, to as many bytes as a `NoteSaver` replaces.
private final class KeySaver: Saver {
    private let connection: RedisConnection
    private let command: [UInt8]

    var descriptor: Descriptor { connection.descriptor }

    init(_ connection: RedisConnection, number: Int) {
        self.connection = connection
        command = RedisWire.command("SET", "note:\(number)", [UInt8](repeating: 0x2e, count: ReplacedLine.bytes))
    }

    func save() throws(Failure) {
        try connection.send(command)
    }

    func takeAnswer() throws(Failure) -> Bool {
        guard let line = try connection.nextIfThere() else { return false }
        try RedisWire.expect("+OK", in: line)
        return true
    }
}

/// A connection that puts its own key, to as many new bytes as a `NoteSaver` replaces.
private final class PutSaver: Saver {
    private let connection: EtcdConnection
    private let key: [UInt8]
    private var value = [UInt8](repeating: 0x2e, count: ReplacedLine.bytes)
    private var number = 0

    var descriptor: Descriptor { connection.descriptor }

    init(_ connection: EtcdConnection, number: Int) {
        self.connection = connection
        key = Array("note:\(number)".utf8)
    }

    func save() throws(Failure) {
        number += 1
        let digits = Array(String(number).utf8)
        value.replaceSubrange(..<digits.count, with: digits)
        try connection.put(key, value)
    }

    func takeAnswer() throws(Failure) -> Bool {
        try connection.takeAnswer()
    }
}
