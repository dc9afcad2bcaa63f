import ClientTestKit
import NoteText
import NotesClient
import NotesMethods
import NotesModel
import NotesWire
import StrictJSON
import Testing

/// Calls over one connection, against a scripted peer.
struct CallTests {
    private func withPeer(
        _ body: (ScriptedPeer, NotesClient, ScriptedConnection) async throws -> Void
    ) async throws {
        let peer = try await ScriptedPeer()
        async let accepted = peer.accept()
        let client = try await NotesClient.connect(peer.options())
        let connection = try await accepted
        try await body(peer, client, connection)
        await client.close()
        connection.close()
        await peer.close()
    }

    @Test func hello_identifiesTheClient() async throws {
        let peer = try await ScriptedPeer()
        async let client = NotesClient.connect(peer.options())
        let connection = try await peer.acceptSilent()
        let (id, call) = try await connection.request()
        guard case .hello(let hello) = call else {
            Issue.record("the first line is \(call)")
            return
        }
        #expect(hello.client == ClientInfo(name: "test", version: "1"))
        #expect(hello.label == "label")
        #expect(hello.positionEncodings == [.utf8])
        try await connection.send(Canned.hello().line(id: id))
        #expect(try await client.hello?.dependent == DependentID(1))
        connection.close()
        await peer.close()
    }

    @Test func pipelinedCalls_getTheirOwnResponses() async throws {
        try await withPeer { _, client, connection in
            let count = 100
            try await withThrowingTaskGroup { group in
                for number in 1...UInt64(count) {
                    group.addTask {
                        let note = try await client.note(.id(Canned.id(number)))
                        #expect(note.head.id == Canned.id(number))
                        #expect(note.text == Array("text \(number)".utf8))
                    }
                }
                // The client sends all requests before the first response.
                var requests: [(RequestID, NoteID)] = []
                for _ in 0..<count {
                    let (id, call) = try await connection.request()
                    guard case .get(let get) = call, case .id(let note) = get.key else {
                        Issue.record("asked \(call)")
                        return
                    }
                    requests.append((id, note))
                }
                for (id, note) in requests {
                    try await connection.send(
                        GetResult(note: Canned.note(note.low & 0xFFFF, text: "text \(note.low & 0xFFFF)")).line(id: id))
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func callsInFlight_respectDaemonLimit() async throws {
        let peer = try await ScriptedPeer()
        var limits = WireLimits()
        limits.inFlightMax = 2
        async let accepted = peer.accept(limits: limits)
        let client = try await NotesClient.connect(peer.options())
        let connection = try await accepted
        try await withThrowingTaskGroup { group in
            for _ in 0..<3 { group.addTask { try await client.ping() } }
            let first = try await connection.request().id
            let second = try await connection.request().id
            // Two are in flight, so the client sends the third only after this response.
            try await connection.send(EmptyResult().line(id: first))
            let third = try await connection.request().id
            #expect(third == .integer(4))
            try await connection.send(EmptyResult().line(id: second) + EmptyResult().line(id: third))
            try await group.waitForAll()
        }
        await client.close()
        connection.close()
        await peer.close()
    }

    @Test func refusal_keepsKindMessageAndDetails() async throws {
        try await withPeer { _, client, connection in
            let refusal = WireError.noteNotFound
            let answer = Task { try await client.note(.name("nothing")) }
            try await connection.send(refusal.line(id: try await connection.request().id))
            let error = await #expect(throws: ClientError.self) { _ = try await answer.value }
            guard case .refused(let told)? = error else {
                Issue.record("got \(String(describing: error))")
                return
            }
            #expect(told == refusal)
        }
    }

    @Test func rawCall_sendsAnyMethod_andReturnsRawResult() async throws {
        try await withPeer { _, client, connection in
            async let answer = client.call(method: "some.thing", params: Array(#"{"a":[1]}"#.utf8))
            let line = String(decoding: try await connection.line(), as: UTF8.self)
            #expect(line == #"{"jsonrpc":"2.0","id":2,"method":"some.thing","params":{"a":[1]}}"#)
            try await connection.send(Array("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"b\":null}}\n".utf8))
            #expect(Array(try await answer.source) == Array(#"{"b":null}"#.utf8))
        }
    }

    @Test func progress_reachesCallerUntilResponse() async throws {
        try await withPeer { _, client, connection in
            let (told, teller) = AsyncStream.makeStream(of: String.self)
            async let audited = client.audit { teller.yield("\($0.done)/\($0.total)") }
            let (id, call) = try await connection.request()
            #expect(call == .audit)
            try await connection.send(RequestProgress(id: .integer(99), done: 7, total: 7).line())
            try await connection.send(RequestProgress(id: .string("x"), done: 7, total: 7).line())
            for done in 0..<3 { try await connection.send(RequestProgress(id: id, done: done, total: 2).line()) }
            let report = AuditReport(notes: 1, revisions: 2, findings: [])
            try await connection.send(AuditResult(report).line(id: id))
            #expect(try await audited.report == report)
            async let ping: Void = client.ping()
            try await connection.send(RequestProgress(id: id, done: 9, total: 9).line())
            try await connection.send(EmptyResult().line(id: try await connection.request().id))
            try await ping
            teller.finish()
            var lines: [String] = []
            for await line in told { lines.append(line) }
            #expect(lines == ["0/2", "1/2", "2/2"])
        }
    }

    @Test func cancelledCall_returnsAtOnce_andLateResponseIsIgnored() async throws {
        try await withPeer { _, client, connection in
            let cancelled = Task { try await client.note(.id(Canned.id(1))) }
            let first = try await connection.request().id
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { _ = try await cancelled.value }
            async let second = client.note(.id(Canned.id(2)))
            let secondID = try await connection.request().id
            try await connection.send(GetResult(note: Canned.note(1)).line(id: first))
            try await connection.send(GetResult(note: Canned.note(2)).line(id: secondID))
            #expect(try await second.head.id == Canned.id(2))
        }
    }

    @Test func lineOverDaemonLimit_isNotSent() async throws {
        let peer = try await ScriptedPeer()
        var limits = WireLimits()
        limits.lineBytesMax = 200
        async let accepted = peer.accept(limits: limits)
        let client = try await NotesClient.connect(peer.options())
        let connection = try await accepted
        let error = await #expect(throws: ClientError.self) {
            _ = try await client.create(text: [UInt8](repeating: 0x61, count: 200))
        }
        guard case .refused(let refusal)? = error else {
            Issue.record("got \(String(describing: error))")
            return
        }
        #expect(refusal.kind == .lineTooLong)
        async let ping: Void = client.ping()
        try await connection.send(EmptyResult().line(id: try await connection.request().id))
        try await ping
        await client.close()
        connection.close()
        await peer.close()
    }

    @Test func responseOutOfOrder_endsConnection() async throws {
        try await withPeer { _, client, connection in
            let first = Task { try await client.ping() }
            _ = try await connection.request()
            try await connection.send(EmptyResult().line(id: .integer(77)))
            await #expect(throws: ClientError.self) { try await first.value }
            guard case .protocolViolation? = await (#expect(throws: ClientError.self) { try await client.ping() }) else {
                Issue.record("the client goes on")
                return
            }
        }
    }

    @Test func close_failsPendingAndLaterCalls() async throws {
        try await withPeer { _, client, connection in
            let waiting = Task { try await client.save(Canned.id(1), base: Canned.version(1), text: []) }
            _ = try await connection.request()
            await client.close()
            guard
                case .connectionLost(mayHaveHappened: true)? = await
                    (#expect(throws: ClientError.self) { _ = try await waiting.value })
            else {
                Issue.record("a write that was sent may have happened")
                return
            }
            guard case .closed? = await (#expect(throws: ClientError.self) { try await client.ping() }) else {
                Issue.record("a closed client answers")
                return
            }
            #expect(try await connection.isEnded())
        }
    }

    @Test func unreferencedClient_closesConnection() async throws {
        let peer = try await ScriptedPeer()
        async let accepted = peer.accept()
        var client: NotesClient? = try await NotesClient.connect(peer.options())
        let connection = try await accepted
        #expect(client != nil)
        client = nil
        #expect(try await connection.isEnded())
        connection.close()
        await peer.close()
    }
}
