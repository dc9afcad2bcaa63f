import Causality
import Glibc
import Hub
import NoteText
import NotesWire
import Replication

/// Runs a gateway between standard input and output and a database.
final class GatewayService {
    /// The time between two looks at the log, in milliseconds: with notices of new rows, and without.
    private static let (lookMilliseconds, pollMilliseconds): (Int32, Int32) = (5_000, 100)
    private static let readBytes = 64 << 10

    private let database: HubDatabase
    private var gateway: HubGateway
    private var framer = LineFramer(lineBytesMax: WireProtocol.helloLineBytesMax)

    init(_ address: HubAddress) {
        var generator = SystemRandomNumberGenerator()
        database = HubDatabase(address)
        let name = getpwuid(getuid()).flatMap { $0.pointee.pw_name }.map { String(cString: $0) } ?? "\(getuid())"
        gateway = HubGateway(
            replica: ReplicaID(bits: generator.next()), user: UserInfo(uid: getuid(), name: ByteString(name)),
            version: ByteString(Program.version))
    }

    /// Serves the client until it leaves.
    ///
    /// - Throws: `ExitFailure`.
    func run() throws(ExitFailure) {
        signal(SIGPIPE, SIG_IGN)
        var lastLook = Self.milliseconds()
        while true {
            // Notices that came with the result of a statement are in libpq's memory, and `poll` does not see them.
            do throws(PostgresFault) {
                if try database.connection?.takeNotices() == true { gateway.wake() }
            } catch {
                throw ExitFailure(error.sentence, .notNow)
            }
            if try hasInput(until: lastLook &+ Int64(interval)), try !receive() { return }
            if Self.milliseconds() &- lastLook >= Int64(interval) {
                lastLook = Self.milliseconds()
                gateway.look()
            }
            if let query = gateway.next() { try carryOut([.ask(query)]) }
        }
    }

    private var interval: Int32 { database.isListening ? Self.lookMilliseconds : Self.pollMilliseconds }

    private static func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Waits for the client, the database or a time; not at all if the gateway has work. Returns whether the
    /// client sent something or left.
    private func hasInput(until time: Int64) throws(ExitFailure) -> Bool {
        let remaining = database.connection == nil ? -1 : Int32(clamping: max(0, time &- Self.milliseconds()))
        var inputs = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: database.connection?.socket ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        var copy = gateway
        guard poll(&inputs, nfds_t(inputs.count), copy.next() == nil ? remaining : 0) >= 0 || errno == EINTR else {
            throw ExitFailure("cannot wait for input: \(String(cString: strerror(errno)))", .notNow)
        }
        return inputs[0].revents != 0
    }

    /// Reads from the client and answers. Returns whether it is still there.
    private func receive() throws(ExitFailure) -> Bool {
        var bytes = [UInt8](repeating: 0, count: Self.readBytes)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        guard count > 0 else { return count < 0 && (errno == EINTR || errno == EAGAIN) }
        framer.receive(Array(bytes.prefix(count)))
        while true {
            framer.lineBytesMax = gateway.lineBytesMax
            guard let event = framer.next() else { return true }
            try carryOut(gateway.receive(event))
        }
    }

    private func carryOut(_ actions: [HubGateway.Action]) throws(ExitFailure) {
        for action in actions {
            switch action {
            case .send(let line): try send(line)
            case .report(let sentence): Output.note(sentence)
            case .end(let status): exit(status)
            case .ask(let query):
                let answer: HubAnswer
                do throws(PostgresFault) {
                    answer = try database.answer(query)
                } catch {
                    throw ExitFailure(error.sentence, .notNow)
                }
                try carryOut(gateway.take(answer))
            }
        }
    }

    private func send(_ line: [UInt8]) throws(ExitFailure) {
        var rest = line[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                // The client left.
                exit(0)
            }
        }
    }
}
