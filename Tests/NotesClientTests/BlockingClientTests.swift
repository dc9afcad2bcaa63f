import ClientTestKit
import Glibc
import NoteText
import NotesClient
import NotesMethods
import NotesModel
import NotesWire
import Synchronization
import Testing

/// The client without an event loop, against a scripted peer. A call blocks its thread.
@Suite(BlockingThreads()) struct BlockingClientTests {
    private func withPeer(_ body: (ScriptedPeer, BlockingClient, ScriptedConnection) async throws -> Void) async throws {
        let peer = try await ScriptedPeer()
        let client = try BlockingClient.connect(peer.options())
        let connection = try await peer.acceptSilent()
        try await body(peer, client, connection)
        await client.close()
        connection.close()
        await peer.close()
    }

    private static let report = AuditReport(notes: 2, revisions: 2, findings: [], waiting: [], compacted: 0)

    private func failure(_ call: Task<Void, any Error>) async -> ClientError? {
        await #expect(throws: ClientError.self) { try await call.value }
    }

    private func answerHello(_ connection: ScriptedConnection) async throws {
        let (id, call) = try await connection.request()
        guard case .hello(let hello) = call else {
            Issue.record("the first line is \(call)")
            return
        }
        #expect(hello.client == ClientInfo(name: "test", version: "1") && hello.label == "label")
        try await connection.send(Canned.hello().line(id: id))
    }

    /// The peer reads the call before it answers hello, so the client has sent both.
    @Test func helloAndFirstCall_arePipelined() async throws {
        try await withPeer { _, client, connection in
            async let first = client.note(.id(Canned.id(1)))
            let (hello, _) = try await connection.request()
            let (get, _) = try await connection.request()
            try await connection.send(
                Canned.hello().line(id: hello) + GetResult(note: Canned.note(1, text: "one")).line(id: get))
            #expect(try await first.text == Array("one".utf8))
            #expect(await client.hello?.dependent == DependentID(1))
            async let second = client.note(.id(Canned.id(2)))
            let (again, call) = try await connection.request()
            guard case .get = call else {
                Issue.record("hello is said once, not \(call)")
                return
            }
            try await connection.send(GetResult(note: Canned.note(2, text: "two")).line(id: again))
            #expect(try await second.text == Array("two".utf8))
        }
    }

    /// Until a daemon has read hello, it accepts only short lines.
    @Test func longFirstCall_waitsForHelloResponse() async throws {
        try await withPeer { _, client, connection in
            let text = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000)
            async let made = client.create(text: text)
            try await answerHello(connection)
            let (id, call) = try await connection.request()
            guard case .write(.createNote(let params)) = call else {
                Issue.record("asked \(call)")
                return
            }
            #expect(params.text == text)
            try await connection.send(CreateResult(note: Canned.note(1)).line(id: id))
            #expect(try await made.note.head.id == Canned.id(1))
        }
    }

    @Test func refusedCall_keepsConnectionOpen() async throws {
        try await withPeer { _, client, connection in
            let first = Task(executorPreference: Threads.shared) { _ = try await client.note(.name("a")) }
            try await answerHello(connection)
            try await connection.send(WireError.shuttingDown.line(id: try await connection.request().id))
            let error = await failure(first)
            guard case .refused(let refusal)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(refusal.kind == .shuttingDown)
            async let second: Void = client.ping()
            try await connection.send(EmptyResult().line(id: try await connection.request().id))
            try await second
        }
    }

    @Test(arguments: [false, true])
    func lostConnection_reportsPossibleChange(isWrite: Bool) async throws {
        try await withPeer { peer, client, connection in
            let answer = Task(executorPreference: Threads.shared) {
                if isWrite { _ = try await client.create(text: []) } else { _ = try await client.note(.name("a")) }
            }
            try await answerHello(connection)
            _ = try await connection.request()
            peer.stopListening()
            connection.close()
            let error = await failure(answer)
            guard case .connectionLost(isWrite)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            let next = await failure(Task(executorPreference: Threads.shared) { try await client.ping() })
            guard case .closed? = next else {
                Issue.record("\(String(describing: next))")
                return
            }
        }
    }

    /// The `op` lets the next daemon recognise a write that the previous one may have executed.
    @Test func unansweredWrite_isResentWithItsOp() async throws {
        try await withPeer { peer, client, connection in
            async let made = client.create(text: Array("x".utf8))
            try await answerHello(connection)
            guard case .write(.createNote(let first)) = try await connection.request().call else {
                Issue.record("the request is not create")
                return
            }
            #expect(first.op != nil)
            connection.close()
            let next = try await peer.acceptSilent()
            try await answerHello(next)
            let (id, call) = try await next.request()
            guard case .write(.createNote(let second)) = call else {
                Issue.record("asked \(call)")
                return
            }
            #expect(second.op == first.op && second.text == first.text)
            try await next.send(CreateResult(note: Canned.note(1)).line(id: id))
            #expect(try await made.note.head.id == Canned.id(1))
            async let other = client.create(text: Array("x".utf8))
            let (nextID, nextCall) = try await next.request()
            guard case .write(.createNote(let third)) = nextCall else {
                Issue.record("asked \(nextCall)")
                return
            }
            #expect(third.op != nil && third.op != first.op, "another write has another name")
            try await next.send(CreateResult(note: Canned.note(2)).line(id: nextID))
            _ = try await other
            next.close()
        }
    }

    /// If a daemon closes the connection or is silent before it answers hello, the client has sent
    /// no write that the daemon could execute later.
    @Test(arguments: [false, true])
    func write_isSentOnlyAfterHelloResponse(isClosed: Bool) async throws {
        let peer = try await ScriptedPeer()
        var options = peer.options()
        if !isClosed { options.helloTimeout = .seconds(1) }
        let client = try BlockingClient.connect(options)
        let connection = try await peer.acceptSilent()
        let answer = Task(executorPreference: Threads.shared) { _ = try await client.create(text: Array("x".utf8)) }
        _ = try await connection.request()
        if isClosed {
            peer.stopListening()
            connection.endSending()
        }
        let error = await failure(answer)
        switch error {
        case .connectionLost(mayHaveHappened: false)? where isClosed: break
        case .connectionFailed? where !isClosed: break
        default: Issue.record("\(String(describing: error))")
        }
        let behind = await #expect(throws: ScriptedPeer.Silence.self) { try await connection.line() }
        #expect(behind?.doing.contains("the end") == true, "something was sent behind hello")
        await client.close()
        connection.close()
        await peer.close()
    }

    @Test func refusedHello_isNotAllowed() async throws {
        try await withPeer { _, client, connection in
            let answer = Task(executorPreference: Threads.shared) { try await client.ping() }
            try await connection.send(WireError.permissionDenied("not yours").line(id: try await connection.request().id))
            let error = await failure(answer)
            guard case .notAllowed("not yours")? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test(arguments: ["220 mail.example ESMTP\r\n", #"{"jsonrpc":"2.0","id":77,"result":{}}"# + "\n"])
    func foreignServer_isProtocolViolation(line: String) async throws {
        try await withPeer { _, client, connection in
            let answer = Task(executorPreference: Threads.shared) { try await client.ping() }
            try await connection.send(Array(line.utf8))
            let error = await failure(answer)
            guard case .protocolViolation? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func missingDaemon_failsAtOnce() async throws {
        let missing = #expect(throws: ClientError.self) {
            _ = try BlockingClient.connect(ClientOptions(socketPath: "/tmp/there-is-no-such-socket", name: "test", version: "1"))
        }
        guard case .daemonNotThere(_, .noSocket)? = missing else {
            Issue.record("\(String(describing: missing))")
            return
        }
        let path = "/tmp/" + String(repeating: "x", count: 200)
        let long = #expect(throws: ClientError.self) {
            _ = try BlockingClient.connect(ClientOptions(socketPath: path, name: "test", version: "1"))
        }
        guard case .pathTooLong(path, limit: 107)? = long else {
            Issue.record("\(String(describing: long))")
            return
        }
    }

    @Test func progress_arrivesBeforeResponse() async throws {
        try await withPeer { _, client, connection in
            let told = Mutex<[Int]>([])
            async let answer = client.audit { progress in told.withLock { $0.append(progress.done) } }
            try await answerHello(connection)
            let (id, _) = try await connection.request()
            for done in [1, 2] { try await connection.send(RequestProgress(id: id, done: done, total: 2).line()) }
            try await connection.send(AuditResult(Self.report).line(id: id))
            #expect(try await answer.isOK)
            #expect(told.withLock { $0 } == [1, 2])
        }
    }
}
