import Console
import Testing

@testable import NoteTasks

@Suite struct PeerAddressTests {
    @Test(arguments: [
        "postgres://ada@db.example/notes?space=team", "postgresql://db.example:5433/notes?space=a.b_c-1",
        "postgres:///notes?host=/run/pg&space=team&sslmode=require", "ada@server", "ssh://ada@server:22/run/sock",
        "unix:/run/sock",
        "exec:ssh server notesctl bridge",
    ])
    func address_isWrittenAsItWasGiven(_ text: String) throws {
        let address = try PeerAddress(text)
        #expect("\(address)" == text)
        #expect(try PeerAddress("\(address)") == address)
    }

    @Test(arguments: [
        "postgres://ada:secret@db.example/notes?space=team", "postgres://db.example/notes?space=team&password=secret",
        "postgres://db.example/notes?pass%77ord=secret&space=team", "ada:secret@server", "ssh://ada:secret@server",
    ])
    func addressWithPassword_isRefused(_ text: String) {
        let failure = #expect(throws: ExitFailure.self) { try PeerAddress(text) }
        #expect(failure?.message.contains("password") == true)
    }

    @Test(arguments: [
        "postgres://db.example/notes", "postgres://db.example/notes?space=", "postgres://db.example/notes?space=a&space=b",
        "postgres://db.example/notes?space=../a", "postgres://db example/notes?space=a", "mysql://db.example/notes?space=a",
        "postgres://db.example/notes?space=" + String(repeating: "a", count: 65),
    ])
    func otherAddress_isRefused(_ text: String) {
        #expect(throws: ExitFailure.self) { try PeerAddress(text) }
    }

    @Test func hub_isServedByItsGateway() throws {
        let text = "postgres:///notes?host=/run/pg&space=team"
        #expect(try PeerAddress(text).command(isInteractive: false) == ["notesd-postgres", "serve", text])
    }
}
