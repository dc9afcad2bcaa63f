import NotesModel
import NotesWire
import StrictJSON

/// The state of one session of the Model Context Protocol.
///
/// The session takes lines and returns steps. It performs nothing: the driver writes the responses
/// and runs the tools, one at a time. A client that cancels a call or sends another request meanwhile
/// therefore finds the call complete, and cancellation has no effect.
struct ContextSession {
    /// The tools that the session offers.
    let tools: [ContextTool]
    /// Name of the client program, for the label of the connection; nil before `initialize`.
    private(set) var client: String?

    init(tools: [ContextTool]) {
        self.tools = tools
    }

    /// What the driver does after a line.
    enum Step {
        /// Write a line, which has its LF.
        case respond([UInt8])
        /// Run a tool and write the line that `ContextSession.response` makes of its result.
        case run(ContextCall)
    }

    /// Receives a line of the client.
    ///
    /// - Returns: nil if the line needs no response.
    mutating func receive(_ event: LineFramer.Event) -> Step? {
        switch event {
        case .tooLong:
            let reason = "a line exceeds \(ContextProtocol.lineBytesMax) bytes"
            return .respond(ContextResponse.failure(nil, ContextFault(.invalidRequest, reason)))
        case .line(let bytes):
            switch ContextMessage(parsing: bytes) {
            case .unanswered: return nil
            case .fault(let id, let fault): return .respond(ContextResponse.failure(id, fault))
            case .request(let id, let method, let params):
                do throws(ContextFault) {
                    return try answer(id, method, params)
                } catch {
                    return .respond(ContextResponse.failure(id, error))
                }
            }
        }
    }

    /// The response to a call.
    static func response(to call: ContextCall, _ result: ToolResult) -> [UInt8] {
        ContextResponse.result(call.id) { result.write(to: &$0) }
    }

    private mutating func answer(_ id: ContextRequestID, _ method: String, _ params: JSONValue) throws(ContextFault) -> Step {
        switch method {
        case "initialize": return .respond(try initialized(id, params))
        case "ping": return .respond(ContextResponse.result(id) { $0.object { _ in } })
        case "tools/list":
            try requireSession()
            // All tools fit on one page, so the server never returns a cursor.
            if params["cursor"] != nil { throw ContextFault(.invalidParams, "this server returned no such cursor") }
            return .respond(toolList(id))
        case "tools/call":
            try requireSession()
            return try called(id, params)
        default: throw ContextFault(.methodNotFound, "this server has no method \(SafeText.quoted(method))")
        }
    }

    private func requireSession() throws(ContextFault) {
        if client == nil { throw ContextFault(.invalidRequest, "send the request initialize first") }
    }

    private mutating func initialized(_ id: ContextRequestID, _ params: JSONValue) throws(ContextFault) -> [UInt8] {
        if client != nil { throw ContextFault(.invalidRequest, "the session is already initialized") }
        guard let wanted = params["protocolVersion"]?.string?.description else {
            throw ContextFault(.invalidParams, #"the member "protocolVersion" must be a string"#)
        }
        client = params["clientInfo"]?["name"]?.string?.description ?? ""
        // A server that does not know the client's revision answers with the newest that it has.
        let version = ContextProtocol.versions.first { $0 == wanted } ?? ContextProtocol.versions[0]
        return ContextResponse.result(id) { result in
            result.object { result in
                result.member("protocolVersion", version)
                result.name("capabilities")
                result.object { capabilities in
                    capabilities.name("tools")
                    capabilities.object { $0.member("listChanged", false) }
                }
                result.name("serverInfo")
                result.object { info in
                    info.member("name", "notesd")
                    info.member("title", "Notes")
                    info.member("version", Program.version)
                }
                result.member("instructions", ContextProtocol.instructions)
            }
        }
    }

    private func toolList(_ id: ContextRequestID) -> [UInt8] {
        ContextResponse.result(id) { result in
            result.object { result in
                result.name("tools")
                result.array(of: tools) { $1.definition.write(to: &$0) }
            }
        }
    }

    private func called(_ id: ContextRequestID, _ params: JSONValue) throws(ContextFault) -> Step {
        guard let name = params["name"]?.string?.description else {
            throw ContextFault(.invalidParams, #"the member "name" must be a string"#)
        }
        guard let tool = tools.first(where: { $0.rawValue == name }) else {
            throw ContextFault(.invalidParams, "this server has no tool \(SafeText.quoted(name))")
        }
        let call = ContextCall(id: id, tool: tool, arguments: params["arguments"] ?? JSONDocument.emptyObject.root)
        // Arguments that do not fit are a result of the tool, so that the agent sees the reason.
        if let fault = ToolShape.object(tool.definition.input).fault(in: call.arguments, at: "") {
            return .respond(Self.response(to: call, .failure("\(fault); nothing was done")))
        }
        return .run(call)
    }
}

/// A call of a tool, whose arguments fit the tool's definition.
struct ContextCall {
    let id: ContextRequestID
    let tool: ContextTool
    let arguments: JSONValue
}

/// The result of a tool: a text for agents and the same facts as JSON for programs.
struct ToolResult {
    /// The text. It is complete, because many agents see nothing else.
    let text: [UInt8]
    /// An object of the tool's output shape; nil if the tool failed.
    let structured: [UInt8]?

    /// The result of a tool that did its work.
    ///
    /// - Parameter body: writes the members of the object.
    static func success(_ text: [UInt8], _ body: (inout JSONWriter) -> Void) -> ToolResult {
        var writer = JSONWriter()
        writer.object(body)
        return ToolResult(text: text, structured: writer.bytes)
    }

    /// The result of a tool that failed, with the reason and what the agent can do.
    static func failure(_ reason: String) -> ToolResult {
        ToolResult(text: Array(reason.utf8), structured: nil)
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.name("content")
            result.array { content in
                content.object { item in
                    item.member("type", "text")
                    item.member("text", text: text)
                }
            }
            if let structured { result.member("structuredContent", json: structured) }
            result.member("isError", structured == nil)
        }
    }
}
