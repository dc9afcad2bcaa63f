import Glibc
import NoteText
import NotesClient
import NotesMethods
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Tests that a connection's backlog affects no other: it waits in the connection's socket, not
    /// in the daemon's memory, and not ahead of others' requests.
    @Suite struct FairnessTests {
        private static let requests = 2_000
        private static let textBytes = 100_000

        private static let config = """
            [limits]
            in_flight_max = 8
            response_bytes_max = 65536
            watches_max = 4
            """

        /// A client requests 200 MB and reads nothing. The daemon accepts a few requests and leaves
        /// the others in the socket until the client reads. Others are served meanwhile, and in the
        /// end every request is answered in order.
        @Test func requestsOverInFlightLimit_waitInSocketInOrder() async throws {
            try await DaemonProcess.run(config: Self.config) { daemon in
                let bystander = try await daemon.client("bystander")
                let note = noteID(1)
                let text = [UInt8](repeating: UInt8(ascii: "a"), count: Self.textBytes - 1) + [UInt8(ascii: "\n")]
                _ = try await bystander.create(text: text, id: note)
                let base = try daemon.residentBytes()
                let greedy = try GreedyClient(daemon.socket)
                // A thousand bytes each, so that they do not all fit in the socket.
                let label = String(repeating: "x", count: 1_000)
                let ids = (0..<Self.requests).map { "\(label)\($0)" }
                for id in ids { await greedy.queue(Call.get(GetNote(.id(note))).line(id: .string(ByteString(id)))) }
                // As long as the daemon accepts requests, and then for as many turns as others may
                // need.
                var left = try await greedy.sendAvailable()
                var idleRounds = 0
                while left > 0 && idleRounds < 100 {
                    _ = try await bystander.note(.id(note))
                    let now = try await greedy.sendAvailable()
                    idleRounds = now == left ? idleRounds + 1 : 0
                    left = now
                }
                #expect(left > 0, "the daemon accepted all requests of a client that reads no responses")
                let grown = try daemon.residentBytes() - base
                #expect(grown < 32 << 20, "\(grown >> 20) MiB, with limits of 8 requests and 64 kB of responses")
                let answered = try await greedy.answers(ids.count)
                #expect(answered == ids, "each once, in the order in which they were sent")
                await bystander.close()
            }
        }

        /// Eight connections send 160 requests of 100 kB while the daemon may buffer 64 kB. Some
        /// are refused as overloaded; all are answered in order, refused requests leave nothing
        /// behind, and the notes of accepted ones exist.
        @Test func requestsOverMemoryLimit_areRefusedAsOverloaded() async throws {
            try await DaemonProcess.run(config: "[limits]\nrequest_bytes_max = 65536") { daemon in
                let text = [UInt8](repeating: UInt8(ascii: "a"), count: Self.textBytes - 1) + [UInt8(ascii: "\n")]
                var refused = 0
                var made = 0
                for _ in 0..<20 where refused == 0 {
                    var connections: [RawConnection] = []
                    for _ in 0..<8 { connections.append(try await RawConnection.registered(daemon.socket)) }
                    for number in 1...20 {
                        for connection in connections {
                            try await connection.send(
                                Call.write(.createNote(CreateNote(text: text))).line(id: .integer(Int64(number))))
                        }
                    }
                    for connection in connections {
                        for number in 1...20 {
                            guard let line = try await connection.line() else {
                                throw RawConnection.Ended(what: "a response is missing")
                            }
                            switch try ServerLine(parsing: line) {
                            case .result(let id, _):
                                #expect(id == .integer(Int64(number)))
                                made += 1
                            case .failure(let id, let error):
                                #expect(id == .integer(Int64(number)) && error.kind == .overloaded && error.isRetryable)
                                refused += 1
                            case .notification: Issue.record("nobody watches")
                            }
                        }
                    }
                }
                #expect(refused > 0 && made > 0, "\(refused) of \(made + refused) were refused")
                let bystander = try await daemon.client("bystander")
                #expect(try await bystander.status().store.notes == made)
                await bystander.close()
            }
        }

        /// One watch reads ten thousand notes as fast as it can; requests from others are answered
        /// meanwhile.
        @Test func watchOfAllNotes_delaysNoOther() async throws {
            try await DaemonProcess.run { daemon in
                let bystander = try await daemon.client("bystander")
                let writer = try GreedyClient(daemon.socket)
                let text = bytes("a note\n")
                for number in 1...10_000 {
                    await writer.queue(Call.write(.createNote(CreateNote(text: text))).line(id: .string(ByteString("\(number)"))))
                }
                #expect(try await writer.answers(10_000).count == 10_000)
                // The number depends on scheduling too; if others were blocked, it would be one or
                // two each.
                var most = 0
                for _ in 0..<20 where most < 10 {
                    most = max(most, try await Self.answers(to: bystander, whileAllIsToldBy: daemon))
                }
                #expect(most >= 10, "\(most) requests were answered while 10,000 notes were sent")
                await bystander.close()
            }
        }

        private static func answers(to bystander: NotesClient, whileAllIsToldBy daemon: DaemonProcess) async throws -> Int {
            let path = daemon.socket
            let hasRead = Flag()
            let reading = Task {
                defer { hasRead.set() }
                try await blocking { try readSnapshot(path) }
            }
            var answered = 0
            while !hasRead.isSet {
                _ = try await bystander.status()
                answered += 1
            }
            try await reading.value
            return answered
        }

        /// Reads a snapshot of all notes as fast as it arrives and looks only for its end.
        private static func readSnapshot(_ path: String) throws {
            let descriptor = try UnixSocket.connected(to: path)
            defer { close(descriptor) }
            let hello = Call.hello(HelloParams(client: ClientInfo(name: "reader"))).line(id: .integer(0))
            let asked = hello + Call.watch(WatchNotes()).line(id: .integer(1))
            guard send(descriptor, asked, asked.count, 0) == asked.count else { throw SystemFault("send") }
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            var tail = ""
            // The last line, possibly in two pieces: no line follows it.
            while !tail.contains("watch.synced") {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { throw SystemFault("recv") }
                tail = String((tail + String(decoding: buffer[max(0, count - 500)..<count], as: UTF8.self)).suffix(1_000))
            }
        }

        /// A watch above the limit is refused before it costs anything, and the existing watches
        /// continue.
        @Test func watchOverLimit_isRefused_andOthersContinue() async throws {
            try await DaemonProcess.run(config: Self.config) { daemon in
                let connection = try await RawConnection.registered(daemon.socket)
                let watch = #"{"jsonrpc":"2.0","id":1,"method":"notes.watch","params":{"snapshot":false}}"#
                for _ in 0..<4 { _ = try await connection.result(of: .watch(WatchNotes(snapshot: false))) }
                guard case .failure(_, let error) = try await connection.call(watch) else {
                    throw RawConnection.Ended(what: "a watch above the limit was accepted")
                }
                #expect(error.kind == .overloaded && error.kind.code == 4003 && !error.isRetryable)
                _ = try await connection.result(of: .unwatch(WatchID(2)))
                _ = try await connection.result(of: .watch(WatchNotes(snapshot: false)))
                try await connection.send(Call.write(.createNote(CreateNote(text: bytes("a\n")))).line(id: .integer(1)))
                var told: Set<UInt64> = []
                while told.count < 4, let bytes = try await connection.line() {
                    guard let line = try bytes.withUnsafeBytes({ try WatchLine(parsing: $0) }), line.change != nil else {
                        continue
                    }
                    #expect(told.insert(line.watch).inserted)
                }
                #expect(told == [1, 3, 4, 5])
            }
        }
    }
}

/// A client that sends as much as the daemon accepts, and reads only on request.
private actor GreedyClient {
    private let socket: CrowdSocket
    private var ids: [String] = []

    init(_ path: String) throws {
        socket = try CrowdSocket(path, label: "greedy")
    }

    func queue(_ line: [UInt8]) { socket.queue(line) }

    /// - Returns: the bytes not yet sent.
    func sendAvailable() throws -> Int {
        try socket.flush()
        return socket.unsentBytes
    }

    /// Reads a number of responses, and keeps sending meanwhile.
    ///
    /// - Returns: the ids of the responses.
    func answers(_ count: Int) throws -> [String] {
        while ids.count < count {
            try socket.wait()
            try socket.flush()
            try socket.receive { line in
                guard case .result(.string(let id), _) = try ServerLine(parsing: Array(line)) else { return }
                ids.append("\(id)")
            }
        }
        return ids
    }
}
