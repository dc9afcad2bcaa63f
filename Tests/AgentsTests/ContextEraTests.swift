import NoteText
import NotesModel
import NotesWire
import StrictJSON
import TestKit
import Testing

@testable import Agents

/// Sessions of the revision 2026-07-28, in which each request names its revision.
struct ContextEraTests {
    private func request(_ method: String, _ params: String = "", version: String = #""2026-07-28""#) -> LineFramer.Event {
        let meta =
            #""_meta":{"io.modelcontextprotocol/protocolVersion":\#(version),"io.modelcontextprotocol/clientCapabilities":{},"#
            + #""io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"}}"#
        return .line(bytes(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{\#(params)\#(meta)}}"#))
    }

    private let initialize = LineFramer.Event.line(
        bytes(#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#))

    private func response(_ session: inout ContextSession, _ event: LineFramer.Event) throws -> JSONValue {
        guard case .respond(let line)? = session.receive(event) else { throw CancellationError() }
        return try JSONDocument(parsing: Array(line.dropLast()), depthMax: 32).root
    }

    private func code(_ session: inout ContextSession, _ event: LineFramer.Event) throws -> Int64? {
        try response(&session, event)["error"]?["code"]?.integer
    }

    @Test func requests_needNoInitialize() throws {
        var session = ContextSession(tools: ContextTool.allCases)
        for method in ["tools/list", "server/discover"] {
            let result = try #require(try response(&session, request(method))["result"])
            #expect(result["resultType"]?.string == "complete" && result["cacheScope"]?.string == "private")
            #expect(result["ttlMs"]?.integer == Int64(ContextProtocol.listMillisecondsMax))
            #expect(result["_meta"]?["io.modelcontextprotocol/serverInfo"]?["name"]?.string == "notesd")
        }
        let found = try #require(try response(&session, request("server/discover"))["result"])
        #expect(found["supportedVersions"]?.elements.map { $0.string } == ["2026-07-28"])
        #expect(found["capabilities"]?["tools"]?.kind == .object)
        guard case .run(let call)? = session.receive(request("tools/call", #""name":"list_notes","arguments":{},"#)) else {
            throw CancellationError()
        }
        let line = ContextSession.response(to: call, .failure("reason"))
        let result = try JSONDocument(parsing: Array(line.dropLast()), depthMax: 32).root["result"]
        #expect(result?["resultType"]?.string == "complete" && result?["isError"]?.bool == true)
        #expect(session.client == "test")
    }

    @Test func wrongEnvelopes_areRefused() throws {
        var session = ContextSession(tools: ContextTool.allCases)
        let unknown = try #require(try response(&session, request("tools/list", version: #""2099-01-01""#))["error"])
        #expect(unknown["code"]?.integer == -32022 && unknown["data"]?["requested"]?.string == "2099-01-01")
        #expect(unknown["data"]?["supported"]?.elements.map { $0.string } == ["2026-07-28"])
        #expect(try code(&session, request("tools/list", version: "7")) == -32602)
        #expect(try code(&session, .line(bytes(#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#))) == -32602)
        // A refused request does not begin a session.
        #expect(try response(&session, initialize)["result"] != nil)
    }

    @Test func eras_doNotMix() throws {
        var session = ContextSession(tools: ContextTool.allCases)
        #expect(try response(&session, request("tools/list"))["result"] != nil)
        #expect(try code(&session, initialize) == -32022)
        #expect(try code(&session, request("ping")) == -32601)
        #expect(try code(&session, .line(bytes(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#))) == -32602)
        var other = ContextSession(tools: ContextTool.allCases)
        #expect(try response(&other, initialize)["result"]?["resultType"] == nil)
        #expect(try code(&other, request("tools/list")) == -32600)
        let list = try response(&other, .line(bytes(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#)))
        #expect(list["result"]?["tools"] != nil && list["result"]?["resultType"] == nil)
    }
}
