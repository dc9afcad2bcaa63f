import Foundation
import TestKit
import Testing

/// An agent: a client of a `notesctl mcp` that runs as a process of its own.
final class Agent {
    private let process: ChildProcess
    private let input: Int32
    private let output: LineReader
    private var lastRequest = 0
    private var shapes: [String: [String: Any]] = [:]

    /// Starts the server and initializes the session.
    init(_ daemon: DaemonProcess, _ name: String, options: [String] = []) async throws {
        let (requests, responses) = (UnixPipe.ends(), UnixPipe.ends())
        process = try ChildProcess(
            Binaries.notesctl, ["mcp"] + options,
            environment: ["NOTESD_SOCKET": daemon.socket, "XDG_STATE_HOME": daemon.scratch.file("state")],
            input: requests.reading, output: responses.writing)
        close(requests.reading)
        close(responses.writing)
        input = requests.writing
        output = LineReader(responses.reading)
        let info =
            ["protocolVersion": "2025-11-25", "capabilities": [:], "clientInfo": ["name": name, "version": "1"]] as [String: Any]
        let greeting = try await request("initialize", info)
        #expect(greeting["protocolVersion"] as? String == "2025-11-25")
        try send(["jsonrpc": "2.0", "method": "notifications/initialized"])
        let list = try await request("tools/list", [:])
        for tool in list["tools"] as? [[String: Any]] ?? [] {
            shapes[try #require(tool["name"] as? String)] = try #require(tool["outputSchema"] as? [String: Any])
        }
    }

    deinit {
        close(input)
    }

    /// The names of the tools that the server offers.
    var tools: [String] { shapes.keys.sorted() }

    /// Ends the input of the server, which then ends.
    func end() async throws -> ChildProcess.End {
        // Another descriptor takes the number, so that `deinit` closes nothing of others.
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        dup2(null, input)
        close(null)
        return try await process.end()
    }

    struct Reply {
        let isError: Bool
        let text: String
        let facts: [String: Any]
        /// The type and the bytes of the picture after the text.
        var picture: (type: String, bytes: Data)?

        subscript(_ name: String) -> String { facts[name] as? String ?? "(no \(name))" }
    }

    /// Calls a tool, and checks the result against the schema that the server published.
    func call(_ tool: String, _ arguments: [String: Any]) async throws -> Reply {
        let result = try await request("tools/call", ["name": tool, "arguments": arguments])
        let content = try #require(result["content"] as? [[String: Any]])
        let isError = try #require(result["isError"] as? Bool)
        let facts = result["structuredContent"] as? [String: Any]
        #expect((facts == nil) == isError)
        if let facts { #expect(Self.faults(facts, try #require(shapes[tool]), at: tool) == []) }
        var reply = Reply(isError: isError, text: try #require(content.first?["text"] as? String), facts: facts ?? [:])
        if content.count > 1 {
            #expect(content.count == 2 && content[1]["type"] as? String == "image")
            let data = try #require((content[1]["data"] as? String).flatMap { Data(base64Encoded: $0) })
            reply.picture = (try #require(content[1]["mimeType"] as? String), data)
        }
        return reply
    }

    private func request(_ method: String, _ params: [String: Any]) async throws -> [String: Any] {
        lastRequest += 1
        try send(["jsonrpc": "2.0", "id": lastRequest, "method": method, "params": params])
        let line = try #require(try await output.line("the response to \(method)"))
        let response = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(response["id"] as? Int == lastRequest)
        return try #require(response["result"] as? [String: Any], "\(method) failed: \(line)")
    }

    private func send(_ message: [String: Any]) throws {
        let line = try JSONSerialization.data(withJSONObject: message) + [UInt8(ascii: "\n")]
        var rest = ArraySlice(line)
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
            guard count > 0 else { throw SystemFault("cannot write to notesctl mcp", code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Where a value violates a schema. Knows the keywords that the server uses.
    private static func faults(_ value: Any, _ schema: [String: Any], at path: String) -> [String] {
        switch schema["type"] as? String {
        case "string":
            guard let text = value as? String else { return ["\(path) is no string"] }
            guard let words = schema["enum"] as? [String] else { return [] }
            return words.contains(text) ? [] : ["\(path) is none of \(words)"]
        case "boolean": return value is Bool ? [] : ["\(path) is no boolean"]
        case "integer":
            guard let number = value as? Int else { return ["\(path) is no integer"] }
            return number >= schema["minimum"] as? Int ?? .min ? [] : ["\(path) is too small"]
        case "array":
            guard let items = value as? [Any], let shape = schema["items"] as? [String: Any] else {
                return ["\(path) is no array"]
            }
            return items.enumerated().flatMap { faults($1, shape, at: "\(path)[\($0)]") }
        case "object":
            guard let object = value as? [String: Any], let properties = schema["properties"] as? [String: [String: Any]] else {
                return ["\(path) is no object"]
            }
            let missing = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }.map { "\(path).\($0) is missing" }
            return missing
                + object.flatMap { name, value in
                    properties[name].map { faults(value, $0, at: "\(path).\(name)") } ?? ["\(path).\(name) is not described"]
                }
        default: return ["\(path) has a schema of an unknown type"]
        }
    }
}
