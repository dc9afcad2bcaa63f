import Glibc
import NoteText
import NotesEngine
import NotesModel
import NotesStore
import NotesWire
import Testing

@testable import NotesServer

/// The server on a real socket, with the engine and a store in memory.
@Suite struct ServerTests {
    @Test func hello_returnsStoreUserAndLimits() async throws {
        let server = try await TestServer(user: User(id: geteuid(), name: "ada"))
        let client = try SocketClient(connectingTo: server.path)
        try await client.send(helloLine)
        let response = try await client.line()
        #expect(
            response
                == #"{"jsonrpc":"2.0","id":1,"result":{"protocol":1,"server":{"name":"notesd","version":"0.0.0"},"#
                + #""store":"0000000000000001","replica":"0000000000000002","dependent":1,"#
                + #""user":{"uid":\#(geteuid()),"name":"ada"},"access":"admin","positionEncoding":"utf-8","#
                + #""limits":{"maxLineBytes":33554432,"maxNoteBytes":4194304,"maxInFlight":256,"maxDepth":32,"#
                + #""maxResponseBytes":8388608},"capabilities":["config","files","links","order","presence","preview","purge","replication","revisions","search","tags","times","undo"],"cursor":"0.0000000000000001"}}"#
        )
        #expect(mode(of: server.path) == 0o600)
        try await server.stop()
        #expect(mode(of: server.path) == nil, "the socket's file is gone with the daemon")
    }

    @Test func stranger_isRefusedAtHello() async throws {
        let server = try await TestServer(user: User(id: geteuid() + 1, name: "somebody"))
        let client = try SocketClient(connectingTo: server.path)
        try await client.send(helloLine + line(2, "daemon.status"))
        let response = try await client.line()
        #expect(response?.contains(#""id":1,"error":{"code":6001"#) == true)
        #expect(try await client.line() == nil)
        try await server.stop()
    }

    @Test func writes_areAnsweredAndWatchedInOrder() async throws {
        let server = try await TestServer(threads: 2)
        let watcher = try await SocketClient.registered(at: server.path)
        let writer = try await SocketClient.registered(at: server.path)
        let watch = try await watcher.call(2, "notes.watch", #"{"include":"text"}"#)
        #expect(watch.contains(#""watch":1"#))
        #expect(try await watcher.line()?.contains("watch.synced") == true)
        for number in 1...20 {
            let response = try await writer.call(number, "note.create", #"{"text":"note \#(number)"}"#)
            #expect(response.contains(#""id":\#(number),"result":{"note":{"#))
        }
        var texts: [String] = []
        while texts.count < 20, let line = try await watcher.line() {
            if let text = line.firstMatch(of: /"text":"(note \d+)"/) { texts.append(String(text.1)) }
        }
        #expect(texts == (1...20).map { "note \($0)" })
        try await server.stop()
    }

    @Test func ownWrite_isAnsweredBeforeItsNotification() async throws {
        let server = try await TestServer()
        let client = try await SocketClient.registered(at: server.path)
        _ = try await client.call(2, "notes.watch")
        try await client.send((3...40).map { line($0, "note.create", #"{"text":"x"}"#) }.joined())
        var responses = 0
        var told = 0
        while told < 38, let line = try await client.line() {
            if line.contains(#""result""#) { responses += 1 }
            if line.contains("note.changed") { told += 1 }
            #expect(told <= responses)
        }
        #expect(responses == 38)
        try await server.stop()
    }

    @Test func slowReader_delaysNoOther_andMissesNothing() async throws {
        let server = try await TestServer { $0.limits.responseBytesMax = 64 << 10 }
        let slow = try await SocketClient.registered(at: server.path)
        let other = try await SocketClient.registered(at: server.path)
        let id = "01890000-0000-7000-8000-000000000001"
        let text = String(repeating: "x", count: 10_000)
        _ = try await other.call(2, "note.create", #"{"id":"\#(id)","text":"\#(text)"}"#)
        let requests = Array((2...400).map { line($0, "note.get", #"{"id":"\#(id)"}"#) }.joined().utf8)
        // 4 MB of unread responses: far more than sockets and limits hold.
        let sent = await slow.sendUntilFull(requests)
        for number in 3...50 {
            #expect(try await other.call(number, "note.get", #"{"id":"\#(id)"}"#).contains(text))
        }
        async let rest: Void = slow.send(Array(requests[sent...]))
        for number in 2...400 {
            #expect(try await slow.line()?.contains(#""id":\#(number),"#) == true)
        }
        try await rest
        try await server.stop()
    }

    @Test func disconnectAfterRequests_getsEveryResponse() async throws {
        let server = try await TestServer()
        let client = try SocketClient(connectingTo: server.path)
        try await client.send(helloLine + (2...100).map { line($0, "note.create", #"{"text":"x"}"#) }.joined() + "{\"half")
        await client.hangUp()
        for number in 1...100 {
            #expect(try await client.line()?.contains(#""id":\#(number),"result""#) == true)
        }
        #expect(try await client.line() == nil)
        try await server.stop()
    }

    @Test func stop_answersAccepted_andNotifiesEveryDependent() async throws {
        let server = try await TestServer()
        let idle = try await SocketClient.registered(at: server.path)
        let silent = try SocketClient(connectingTo: server.path)
        let asked = try await idle.call(2, "session.ping")
        #expect(asked == #"{"jsonrpc":"2.0","id":2,"result":{}}"#)
        try await server.stop()
        #expect(
            try await idle.line()
                == #"{"jsonrpc":"2.0","method":"session.closing","params":{"reason":"shutting_down","retryAfterMs":1000}}"#)
        #expect(try await idle.line() == nil)
        #expect(try await silent.line() == nil)
        #expect(throws: SocketClient.Fault.self) { try SocketClient(connectingTo: server.path) }
    }

    @Test func stop_waitsForStuckReaderUntilTimeout() async throws {
        let server = try await TestServer { $0.lingerSecondsMax = 1 }
        let stopped = try await SocketClient.registered(at: server.path)
        let id = "01890000-0000-7000-8000-000000000001"
        let text = String(repeating: "x", count: 1_000_000)
        _ = try await stopped.call(2, "note.create", #"{"id":"\#(id)","text":"\#(text)"}"#)
        try await stopped.send((3...6).map { line($0, "note.get", #"{"id":"\#(id)"}"#) }.joined())
        try await server.stop()
    }

    @Test func failedEngine_closesWithoutResponse_andEndsServer() async throws {
        let server = try await TestServer(fault: .fatal("fdatasync failed"))
        let client = try await SocketClient.registered(at: server.path)
        try await client.send(line(2, "note.create", #"{"text":"x"}"#))
        #expect(try await client.line() == nil)
        let error = await #expect(throws: EngineFailure.self) { try await server.end() }
        #expect(error?.message == "fdatasync failed")
    }

    @Test func fullStore_refusesWrites_andContinues() async throws {
        let server = try await TestServer(fault: .full("no room"))
        let client = try await SocketClient.registered(at: server.path)
        let refused = try await client.call(2, "note.create", #"{"text":"x"}"#)
        let status = try await client.call(3, "daemon.status")
        #expect(refused.contains("storage_full") || refused.contains("result"), "tried again alone, it may pass")
        #expect(status.contains(#""id":3,"result""#))
        try await server.stop()
    }

    @Test func connectionsMax_refusesOneMore_andServesTheRest() async throws {
        let server = try await TestServer { $0.limits.connectionsMax = 2 }
        let first = try await SocketClient.registered(at: server.path)
        let second = try await SocketClient.registered(at: server.path)
        let third = try SocketClient(connectingTo: server.path)
        #expect(try await third.line() == nil)
        #expect(try await first.call(2, "session.ping").contains("result"))
        #expect(try await second.call(2, "session.ping").contains("result"))
        try await server.stop()
    }

    @Test func discover_returnsTheDocument() async throws {
        let server = try await TestServer()
        let client = try SocketClient(connectingTo: server.path)
        try await client.send(line(1, "rpc.discover"))
        #expect(try await client.line() == #"{"jsonrpc":"2.0","id":1,"result":{"openrpc":"1.3.2"}}"#)
        try await server.stop()
    }
}
