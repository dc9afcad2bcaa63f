import ArgumentParser
import ClientTestKit
import Console
import NotesClient
import NotesWire
import Testing

@testable import notesctl

/// Tests of exit statuses.
struct FailureTests {
    @Test func doctor_withRefusedUser_isNotAllowed() async throws {
        let peer = try await ScriptedPeer()
        let path = peer.path
        let looking = Task { try await DoctorCommand.parse(["--socket", path]).perform() }
        let connection = try await peer.acceptSilent()
        try await connection.send(WireError.permissionDenied("not yours").line(id: try await connection.request().id))
        let failure = await #expect(throws: ExitFailure.self) { try await looking.value }
        #expect(failure?.code == .notAllowed)
        connection.close()
        await peer.close()
    }
}
