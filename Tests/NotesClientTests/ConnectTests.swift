import ClientTestKit
import NoteText
import NotesModel
import NotesWire
import Testing

@testable import NotesClient

struct ConnectTests {
    private func failure(_ options: ClientOptions) async -> ClientError? {
        await #expect(throws: ClientError.self) { _ = try await NotesClient.connect(options) }
    }

    @Test func noSocket_isNoDaemon() async throws {
        let error = await failure(ClientOptions(socketPath: "/tmp/there-is-no-such-socket", name: "test", version: "1"))
        guard case .daemonNotThere(_, .noSocket)? = error else {
            Issue.record("got \(String(describing: error))")
            return
        }
    }

    @Test func socketWithoutListener_isNoDaemon() async throws {
        let peer = try await ScriptedPeer()
        let options = peer.options()
        peer.stopListening()
        let error = await failure(options)
        guard case .daemonNotThere(_, .nobodyListens)? = error else {
            Issue.record("got \(String(describing: error))")
            return
        }
        await peer.close()
    }

    @Test func tooLongPath_isReported() async throws {
        let path = "/tmp/" + String(repeating: "x", count: 200)
        let error = await failure(ClientOptions(socketPath: path, name: "test", version: "1"))
        guard case .pathTooLong(path, limit: 107)? = error else {
            Issue.record("got \(String(describing: error))")
            return
        }
    }

    @Test func refusedUser_isNotAllowed_andDoesNotReconnect() async throws {
        let peer = try await ScriptedPeer()
        let connected = Task { try await NotesClient.connect(peer.options(reconnecting: true)) }
        let connection = try await peer.acceptSilent()
        try await connection.send(WireError.permissionDenied("not yours").line(id: try await connection.request().id))
        let error = await #expect(throws: ClientError.self) { _ = try await connected.value }
        guard case .notAllowed("not yours")? = error else {
            Issue.record("got \(String(describing: error))")
            return
        }
        connection.close()
        await peer.close()
    }

    @Test func foreignServer_isProtocolViolation() async throws {
        let peer = try await ScriptedPeer()
        let connected = Task { try await NotesClient.connect(peer.options()) }
        let connection = try await peer.acceptSilent()
        try await connection.send(Array("220 mail.example ESMTP\r\n".utf8))
        let error = await #expect(throws: ClientError.self) { _ = try await connected.value }
        guard case .protocolViolation? = error else {
            Issue.record("got \(String(describing: error))")
            return
        }
        connection.close()
        await peer.close()
    }
}
