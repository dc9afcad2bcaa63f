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
    /// How the session began; nil before it did.
    private var era: ContextEra?
    /// Name of the client program, for the label of the connection; empty if it is not known.
    private(set) var client = ""

    init(tools: [ContextTool]) {
        self.tools = tools
    }

    /// The action that the driver takes after a line.
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
        ContextResponse.result(call.id) { writer in
            writer.object { object in
                result.writeMembers(to: &object)
                call.era.writeMembers(to: &object)
            }
        }
    }

    private mutating func answer(_ id: ContextRequestID, _ method: String, _ params: JSONValue) throws(ContextFault) -> Step {
        if method == "initialize" { return .respond(try initialized(id, params)) }
        let isPerRequest = ContextEra.isPerRequest(method, params)
        if isPerRequest {
            if era == .initialized { throw ContextFault(.invalidRequest, "the session began with initialize") }
            let name = try ContextEra.client(of: params)
            era = .perRequest
            if client.isEmpty { client = name }
        }
        // These are answered before the session begins, and only in one era.
        switch method {
        case "server/discover": return .respond(discovered(id))
        case "ping" where era != .perRequest: return .respond(ContextResponse.result(id) { $0.object { _ in } })
        default: break
        }
        guard ["tools/list", "tools/call"].contains(method) else {
            throw ContextFault(.methodNotFound, "this server has no method \(SafeText.quoted(method))")
        }
        guard let era else { throw ContextFault(.invalidRequest, "send the request initialize first") }
        // Each request must carry its revision, not only the first.
        if era == .perRequest && !isPerRequest { _ = try ContextEra.client(of: params) }
        guard method == "tools/list" else { return try called(id, params, era) }
        // All tools fit on one page, so the server never returns a cursor.
        if params["cursor"] != nil { throw ContextFault(.invalidParams, "this server returned no such cursor") }
        return .respond(toolList(id, era))
    }

    private mutating func initialized(_ id: ContextRequestID, _ params: JSONValue) throws(ContextFault) -> [UInt8] {
        guard let wanted = params["protocolVersion"]?.string?.description else {
            throw ContextFault(.invalidParams, #"the member "protocolVersion" must be a string"#)
        }
        switch era {
        case .initialized?: throw ContextFault(.invalidRequest, "the session is already initialized")
        case .perRequest?: throw ContextEra.unsupported(wanted)
        case nil: era = .initialized
        }
        client = params["clientInfo"]?["name"]?.string?.description ?? ""
        // A server that does not know the client's revision answers with the newest that it has.
        let version = ContextProtocol.versions.first { $0 == wanted } ?? ContextProtocol.versions[0]
        return ContextResponse.result(id) { result in
            result.object { result in
                result.member("protocolVersion", version)
                result.name("serverInfo")
                ContextEra.writeServer(to: &result)
                ContextEra.writeOffer(to: &result)
            }
        }
    }

    private func discovered(_ id: ContextRequestID) -> [UInt8] {
        ContextResponse.result(id) { result in
            result.object { result in
                result.name("supportedVersions")
                result.array(of: ContextProtocol.versionsPerRequest) { $0.string($1) }
                ContextEra.writeOffer(to: &result)
                ContextEra.perRequest.writeMembers(to: &result)
                ContextEra.perRequest.writeCacheMembers(to: &result)
            }
        }
    }

    private func toolList(_ id: ContextRequestID, _ era: ContextEra) -> [UInt8] {
        ContextResponse.result(id) { result in
            result.object { result in
                result.name("tools")
                result.array(of: tools) { $1.definition.write(to: &$0) }
                era.writeMembers(to: &result)
                era.writeCacheMembers(to: &result)
            }
        }
    }

    private func called(_ id: ContextRequestID, _ params: JSONValue, _ era: ContextEra) throws(ContextFault) -> Step {
        guard let name = params["name"]?.string?.description else {
            throw ContextFault(.invalidParams, #"the member "name" must be a string"#)
        }
        guard let tool = tools.first(where: { $0.rawValue == name }) else {
            throw ContextFault(.invalidParams, "this server has no tool \(SafeText.quoted(name))")
        }
        let call = ContextCall(id: id, era: era, tool: tool, arguments: params["arguments"] ?? JSONDocument.emptyObject.root)
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
    let era: ContextEra
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

    /// Writes the members of the result of `tools/call`.
    fileprivate func writeMembers(to result: inout JSONWriter) {
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
