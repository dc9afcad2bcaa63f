import Console
import NoteText
import NotesWire
import StrictJSON
import TestKit
import Testing

@testable import Agents

/// The state machine of `notesctl mcp`: lines of a client in, responses and calls out.
struct ContextSessionTests {
    private static let greeting =
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#

    private func greeted() -> ContextSession {
        var session = ContextSession(tools: ContextTool.allCases)
        _ = session.receive(.line(bytes(Self.greeting)))
        return session
    }

    /// The response to a line; nil if the session ran a tool or responded nothing.
    private func response(_ session: inout ContextSession, _ line: String) throws -> JSONValue? {
        guard case .respond(let sent)? = session.receive(.line(bytes(line))) else { return nil }
        return try read(sent)
    }

    /// A response line as JSON. Checks what holds for all of them.
    private func read(_ sent: [UInt8]) throws -> JSONValue {
        #expect(sent.last == UInt8(ascii: "\n") && !sent.dropLast().contains(UInt8(ascii: "\n")))
        let value = try JSONDocument(parsing: Array(sent.dropLast()), depthMax: 32).root
        #expect(value["jsonrpc"]?.string == "2.0")
        #expect((value["result"] == nil) != (value["error"] == nil))
        #expect(value["result"] == nil || value["id"] != nil)
        return value
    }

    @Test(arguments: [
        ("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("2025-03-26", "2025-03-26"), ("2024-11-05", "2024-11-05"),
        ("2099-01-01", "2025-11-25"), ("", "2025-11-25"),
    ])
    func initialize_answersWithTheRevision_orTheNewest(wanted: String, answered: String) throws {
        var session = ContextSession(tools: ContextTool.allCases)
        let line = Self.greeting.replacing("2025-11-25", with: wanted)
        let result = try #require(try response(&session, line)?["result"])
        #expect(result["protocolVersion"]?.string == ByteString(answered))
        #expect(result["capabilities"]?["tools"]?.kind == .object)
        #expect(result["serverInfo"]?["version"]?.string == ByteString(Program.version))
        #expect(session.client == "test")
    }

    @Test func beforeInitialize_onlyPingIsAnswered() throws {
        var session = ContextSession(tools: ContextTool.allCases)
        #expect(try response(&session, #"{"jsonrpc":"2.0","id":"a","method":"ping"}"#)?["result"]?.kind == .object)
        for method in ["tools/list", "tools/call"] {
            let line = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{"name":"list_notes"}}"#
            #expect(try response(&session, line)?["error"]?["code"]?.integer == -32600, "\(method)")
        }
    }

    @Test(arguments: [
        ("{", -32700), ("\u{FEFF}{}", -32700), (#"{"a":1,"a":2}"#, -32700), (String(repeating: "[", count: 40), -32700),
        ("[]", -32600), ("1", -32600), ("{}", -32600), (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1}"#, -32600), (#"{"jsonrpc":"2.0","id":1,"method":2}"#, -32600),
        (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600), (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"note://name/a"}}"#, -32601),
        (#"{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{"cursor":"0"}}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"resources/read"}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}"#, -32002),
        (#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"note://id/1"}}"#, -32002),
        (#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"other"}}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"resolve"}}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing"}}"#, -32602),
        ("{\"jsonrpc\":\"2.0\",\"id\":\"\(String(repeating: "x", count: 2_000))\",\"method\":\"ping\"}", -32600),
    ])
    func wrongLines_getTheCodeOfTheirFault(line: String, code: Int) throws {
        var session = greeted()
        #expect(try response(&session, line)?["error"]?["code"]?.integer == Int64(code))
        #expect(try response(&session, #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)?["result"] != nil)
    }

    @Test func tooLongLine_isReported() throws {
        var session = greeted()
        guard case .respond(let sent)? = session.receive(.tooLong) else { throw CancellationError() }
        #expect(try read(sent)["error"]?["code"]?.integer == -32600)
    }

    /// Notifications, also of cancellation, and responses to requests that the server never sends.
    @Test(arguments: [
        #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}"#,
        #"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"list_notes"}}"#, #"{"jsonrpc":"2.0","id":3,"result":{}}"#,
        #"{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":""}}"#,
    ])
    func messagesWithoutRequest_getNothing(line: String) {
        var session = greeted()
        #expect(session.receive(.line(bytes(line))) == nil)
    }

    @Test func ids_areRepeatedAsTheyWereSent() throws {
        var session = greeted()
        for id in ["1", "-7", "1.5", "1e3", #""a""#, #""\u00e9\n""#, "99999999999999999999"] {
            let value = try #require(try response(&session, #"{"jsonrpc":"2.0","id":\#(id),"method":"ping"}"#))
            #expect(value["id"].map { Array($0.source) } == bytes(id))
        }
    }

    @Test(
        arguments: [
            ("note://name/work/inbox", "work/inbox"), ("note://name/a%20b%C3%A9", "a bé"), ("note://name/50%", "50%"),
            ("note://name/%zz%+1", "%zz%+1"), ("note://name/", nil), ("note://name/%FF", nil), ("note:work", nil),
        ] as [(String, ByteString?)])
    func uris_nameNotes(uri: String, name: ByteString?) {
        #expect(ContextResource(parsing: ByteString(uri)) == name.map { .name($0) })
        let id = noteID(7)
        #expect(ContextResource(parsing: ByteString(ContextResource.uri(of: id))) == .id(id))
    }

    @Test func prompts_areListed_andTakeTheirNote() throws {
        var session = greeted()
        let list = try response(&session, #"{"jsonrpc":"2.0","id":1,"method":"prompts/list"}"#)?["result"]?["prompts"]
        let names = list.map { $0.elements.compactMap { $0["name"]?.string?.description } }
        #expect(names == ContextPrompt.allCases.map(\.rawValue))
        let resolve = try response(
            &session,
            #"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"resolve","arguments":{"note":"work/a"}}}"#
        )
        let message = resolve?["result"]?["messages"]?.elements.map { $0 }.first
        #expect(message?["content"]?["text"]?.string?.description.contains("work/a") == true)
    }

    @Test func definitions_areSmall_andNameTheirArguments() throws {
        var session = greeted()
        let value = try #require(try response(&session, #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#))
        let tools = try #require(value["result"]?["tools"])
        #expect(tools.source.count <= 13 * 1_024, "all definitions together take \(tools.source.count) bytes")
        #expect(tools.elements.map { $0["name"]?.string?.description } == ContextTool.allCases.map(\.rawValue))
        for tool in tools.elements {
            for schema in [tool["inputSchema"], tool["outputSchema"]] {
                #expect(schema?["type"]?.string == "object" && schema?["properties"]?.kind == .object)
            }
        }
    }

    /// Arguments that do not fit never reach a tool. The agent sees the reason as the tool's result.
    @Test(arguments: [
        #"{}"#, #"[]"#, #"null"#, #"{"note":7}"#, #"{"note":"a","lines":0}"#, #"{"note":"a","lines":1.5}"#,
        #"{"note":"a","lines":9223372036854775808}"#, #"{"note":"a","nte":"b"}"#, #"{"note":"a\u0000"}"#,
    ])
    func argumentsThatDoNotFit_areAFailedResult(arguments: String) throws {
        var session = greeted()
        let line = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_note","arguments":\#(arguments)}}"#
        let result = try #require(try response(&session, line)?["result"])
        #expect(result["isError"]?.bool == true && result["structuredContent"] == nil)
        #expect(result["content"]?.elements.map { $0["type"]?.string } == ["text"])
    }

    /// Requests with random faults: each line gets one valid response, a call or nothing, and the session
    /// then answers as before.
    @Test(arguments: seeds(4))
    func randomLines_neverTrap(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let methods = [
            "ping", "resources/list", "resources/read", "prompts/get", "tools/list", "tools/call", "initialize",
            "server/discover", "notifications/cancelled", "x",
        ]
        for _ in 0..<1_000 {
            var session = random.chance(0.9) ? greeted() : ContextSession(tools: ContextTool.allCases)
            var params = random.tree(depth: 3)
            if random.chance(0.7) {
                let tool = random.pick(ContextTool.allCases)
                let arguments = tool.definition.input.map { JSONTree.Member(name: bytes($0.name), value: random.tree(depth: 3)) }
                params = .object([
                    JSONTree.Member(name: bytes("name"), value: .string(bytes(tool.rawValue))),
                    JSONTree.Member(name: bytes("arguments"), value: .object(arguments)),
                ])
            }
            if random.chance(0.3), case .object(let members) = params {
                let meta = ["protocolVersion", "clientCapabilities", "clientInfo"].map { name in
                    JSONTree.Member(
                        name: bytes("io.modelcontextprotocol/" + name),
                        value: random.pick([.string(bytes("2026-07-28")), .object([]), random.tree(depth: 2)]))
                }
                params = .object(members + [JSONTree.Member(name: bytes("_meta"), value: .object(meta))])
            }
            var line = JSONTree.object([
                JSONTree.Member(name: bytes("jsonrpc"), value: .string(bytes("2.0"))),
                JSONTree.Member(name: bytes("id"), value: random.tree(depth: 1)),
                JSONTree.Member(name: bytes("method"), value: .string(bytes(random.pick(methods)))),
                JSONTree.Member(name: bytes("params"), value: params),
            ]).text
            for _ in 0..<random.below(3) where random.chance(0.5) && !line.isEmpty {
                let place = random.below(line.count)
                if random.chance(0.5) { line.remove(at: place) } else { line[place] = UInt8(random.below(256)) }
            }
            switch session.receive(.line(line)) {
            case .respond(let sent)?: _ = try read(sent)
            case .run(let call)?:
                #expect(ToolShape.object(call.tool.definition.input).fault(in: call.arguments, at: "") == nil)
                _ = try read(ContextSession.response(to: call, .failure("\(seed)")))
            case .fetch(let fetch)?: _ = try read(ContextSession.response(to: fetch) { _ in })
            case nil: break
            }
            // A session of 2026-07-28 has no ping, so the response may be an error.
            #expect(try response(&session, #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#) != nil)
        }
    }
}
