import Foundation
import TestKit
import Testing

/// An editor: a client of a `notesctl lsp` that runs as a process of its own.
final class LanguageEditor {
    private let process: ChildProcess
    private let input: Int32
    private let output: MessageReader
    private var lastRequest = 0
    private var versions: [String: Int] = [:]
    /// The notifications and requests of the server that were not taken yet.
    private var pending: [[String: Any]] = []
    let scene: FileScene

    /// Starts the server for the folder `notes` and initializes it.
    init(_ scene: FileScene, encodings: [String] = ["utf-8"], socket: String? = nil, abilities: [String: Any] = [:]) async throws
    {
        self.scene = scene
        let (requests, responses) = (UnixPipe.ends(), UnixPipe.ends())
        process = try ChildProcess(
            Binaries.notesctl, ["lsp"],
            environment: ["NOTESD_SOCKET": socket ?? scene.daemon.socket, "XDG_STATE_HOME": scene.scratch.file("state")],
            input: requests.reading, output: responses.writing)
        close(requests.reading)
        close(responses.writing)
        input = requests.writing
        output = MessageReader(responses.reading)
        var capabilities = abilities
        capabilities["general"] = ["positionEncodings": encodings]
        let greeting = try await request(
            "initialize",
            [
                "processId": NSNull(), "rootUri": uri(""), "capabilities": capabilities, "clientInfo": ["name": "test"],
            ])
        #expect((greeting as? [String: Any])?["serverInfo"] != nil)
        try notify("initialized", [:])
    }

    deinit { close(input) }

    func uri(_ name: String) -> String {
        var plain = CharacterSet(charactersIn: "/-._~")
        plain.insert(charactersIn: "0"..."9")
        plain.insert(charactersIn: "A"..."Z")
        plain.insert(charactersIn: "a"..."z")
        let path = scene.scratch.file("notes") + (name.isEmpty ? "" : "/\(name)")
        return "file://" + (path.addingPercentEncoding(withAllowedCharacters: plain) ?? path)
    }

    // MARK: Documents

    func open(_ name: String, _ text: String? = nil) throws {
        versions[name] = 1
        let item =
            ["uri": uri(name), "languageId": "markdown", "version": 1, "text": try text ?? scene.read(name)] as [String: Any]
        try notify("textDocument/didOpen", ["textDocument": item])
    }

    /// Replaces the whole text of a document.
    func change(_ name: String, to text: String) throws {
        versions[name, default: 1] += 1
        try notify(
            "textDocument/didChange",
            ["textDocument": ["uri": uri(name), "version": versions[name] ?? 1], "contentChanges": [["text": text]]])
    }

    /// A request about a place of a document.
    func ask(_ method: String, _ name: String, _ line: Int, _ character: Int, _ more: [String: Any] = [:]) async throws -> Any {
        var params = more
        params["textDocument"] = ["uri": uri(name)]
        params["position"] = ["line": line, "character": character]
        return try await request("textDocument/\(method)", params)
    }

    /// A request about a document.
    func ask(_ method: String, _ name: String) async throws -> Any {
        try await request("textDocument/\(method)", ["textDocument": ["uri": uri(name)]])
    }

    /// The items of a completion list.
    func complete(_ name: String, _ line: Int, _ character: Int) async throws -> (items: [[String: Any]], isIncomplete: Bool) {
        let list = try #require(try await ask("completion", name, line, character) as? [String: Any])
        return (list["items"] as? [[String: Any]] ?? [], list["isIncomplete"] as? Bool ?? true)
    }

    /// Waits for diagnostics of a document that fulfil a condition.
    @discardableResult
    func diagnostics(_ name: String, _ what: String, _ holds: ([[String: Any]]) -> Bool) async throws -> [[String: Any]] {
        while true {
            let message = try await notification("textDocument/publishDiagnostics", what)
            guard message["uri"] as? String == uri(name), let list = message["diagnostics"] as? [[String: Any]] else { continue }
            if holds(list) { return list }
        }
    }

    // MARK: Messages

    /// The params of the next notification or request of the server with this method.
    func notification(_ method: String, _ what: String) async throws -> [String: Any] {
        while true {
            if let index = pending.firstIndex(where: { $0["method"] as? String == method }) {
                return try #require(pending.remove(at: index)["params"] as? [String: Any])
            }
            pending.append(try #require(try await output.message(what)))
        }
    }

    /// The notifications that arrived before the last response.
    func arrived(_ method: String) -> [[String: Any]] {
        pending.filter { $0["method"] as? String == method }.compactMap { $0["params"] as? [String: Any] }
    }

    func request(_ method: String, _ params: [String: Any]) async throws -> Any {
        lastRequest += 1
        try send(["jsonrpc": "2.0", "id": lastRequest, "method": method, "params": params])
        while true {
            let message = try #require(try await output.message("the response to \(method)"))
            guard message["method"] == nil else {
                pending.append(message)
                continue
            }
            #expect(message["id"] as? Int == lastRequest)
            if let error = message["error"] as? [String: Any] { return error }
            return message["result"] ?? NSNull()
        }
    }

    func notify(_ method: String, _ params: [String: Any]) throws {
        try send(["jsonrpc": "2.0", "method": method, "params": params])
    }

    func end() async throws -> ChildProcess.End {
        _ = try await request("shutdown", [:])
        try notify("exit", [:])
        return try await process.end()
    }

    private func send(_ message: [String: Any]) throws {
        let body = try JSONSerialization.data(withJSONObject: message)
        var rest = ArraySlice(Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body)
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
            guard count > 0 else { throw SystemFault("cannot write to notesctl lsp", code: errno) }
            rest = rest.dropFirst(count)
        }
    }
}

/// Reads messages with headers from a pipe.
private final class MessageReader: Sendable {
    private let lines: LineReader

    init(_ descriptor: Int32) { lines = LineReader(descriptor) }

    func message(_ what: String) async throws -> [String: Any]? {
        guard let header = try await lines.line(what) else { return nil }
        let length = try #require(header.hasPrefix("Content-Length: ") ? Int(header.dropFirst(16).dropLast()) : nil)
        _ = try await lines.line(what)
        let body = try #require(try await lines.bytes(length, what))
        return try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
    }
}
