import Console
import Glibc
import NoteText
import NotesMethods
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import notesctl

/// The answer to the limit that the bridge sets before it carries anything.
@Suite struct BridgeTests {
    /// Has the bridge limit a connection on which these bytes wait.
    private func limit(answering bytes: [UInt8]) throws -> (request: [UInt8], rest: [UInt8], failure: ExitFailure?) {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(write(ends[1], bytes, bytes.count) == bytes.count)
        shutdown(ends[1], Int32(SHUT_WR))
        var failure: ExitFailure?
        do { try BridgeCommand.limit(ends[0]) } catch { failure = try #require(error as? ExitFailure) }
        shutdown(ends[0], Int32(SHUT_WR))
        return (all(of: ends[1]), all(of: ends[0]), failure)
    }

    private func all(of descriptor: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        return Array(bytes[..<max(0, read(descriptor, &bytes, bytes.count))])
    }

    @Test func daemonThatLimits_isAskedBeforeAnythingIsCarried() throws {
        let answer = #"{"jsonrpc":"2.0","id":"bridge","result":{"access":"admin","methods":"exchange"}}"# + "\n"
        let (request, rest, failure) = try limit(answering: bytes(answer + "next"))
        #expect(failure == nil && rest == bytes("next"))
        #expect(request == Call.limit(SessionLimits(methods: .exchange)).line(id: .string("bridge")))
    }

    @Test(
        arguments: [
            #"{"jsonrpc":"2.0","id":"bridge","error":{"code":1001,"message":"send session.hello first"}}"# + "\n",
            #"{"jsonrpc":"2.0","id":"bridge","result":{"access":"admin","methods":"all"}}"# + "\n",
            #"{"jsonrpc":"2.0","id":"bridge","result":{}}"# + "\n", "no JSON\n", "", String(repeating: "x", count: 5_000),
        ])
    func daemonThatDoesNotLimit_getsNothing(answer: String) throws {
        #expect(try limit(answering: bytes(answer)).failure?.code == .noDaemon)
    }
}
