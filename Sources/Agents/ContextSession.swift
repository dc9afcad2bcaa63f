import Console
import NoteText
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
        /// Read notes as resources and write the line that `ContextSession.response` makes of the result.
        case fetch(ContextFetch)
    }

    /// The requests of an established session.
    private enum Method: String {
        case listTools = "tools/list"
        case callTool = "tools/call"
        case listResources = "resources/list"
        case listTemplates = "resources/templates/list"
        case readResource = "resources/read"
        case listPrompts = "prompts/list"
        case getPrompt = "prompts/get"
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

    /// The response to a request for resources.
    ///
    /// - Parameter body: writes the members of the result.
    static func response(to fetch: ContextFetch, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        ContextResponse.result(fetch.id) { writer in
            writer.object { object in
                body(&object)
                fetch.era.writeMembers(to: &object)
                fetch.era.writeCacheMembers(to: &object, isFixed: false)
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
        guard let known = Method(rawValue: method) else {
            throw ContextFault(.methodNotFound, "this server has no method \(SafeText.quoted(method))")
        }
        guard let era else { throw ContextFault(.invalidRequest, "send the request initialize first") }
        // Each request must carry its revision, not only the first.
        if era == .perRequest && !isPerRequest { _ = try ContextEra.client(of: params) }
        switch known {
        case .callTool: return try called(id, params, era)
        case .readResource: return .fetch(ContextFetch(id: id, era: era, kind: .read(try resource(params, era))))
        case .listResources:
            let before = try params["cursor"].map { value throws(ContextFault) in
                guard let commit = value.string.flatMap(ListToken.commit) else { throw Self.noCursor }
                return commit
            }
            return .fetch(ContextFetch(id: id, era: era, kind: .list(before: before)))
        case .getPrompt: return .respond(try prompt(id, params, era))
        case .listTools, .listTemplates, .listPrompts:
            // All entries fit on one page, so the server never returns a cursor.
            if params["cursor"] != nil { throw Self.noCursor }
            return .respond(list(known, id, era))
        }
    }

    private static let noCursor = ContextFault(.invalidParams, "this server returned no such cursor")

    private func resource(_ params: JSONValue, _ era: ContextEra) throws(ContextFault) -> ContextResource {
        guard let uri = params["uri"]?.string else {
            throw ContextFault(.invalidParams, #"the member "uri" must be a string"#)
        }
        guard let resource = ContextResource(parsing: uri) else { throw .noResource(era) }
        return resource
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

    /// The response to a request for a list that does not change while the server runs.
    private func list(_ method: Method, _ id: ContextRequestID, _ era: ContextEra) -> [UInt8] {
        ContextResponse.result(id) { result in
            result.object { result in
                switch method {
                case .listTemplates:
                    result.name("resourceTemplates")
                    result.array { templates in
                        templates.object { template in
                            template.member("uriTemplate", ContextResource.template)
                            template.member("name", "note")
                            template.member("title", "A note by its name")
                            template.member("mimeType", ContextProtocol.noteType)
                        }
                    }
                case .listPrompts:
                    result.name("prompts")
                    result.array(of: ContextPrompt.allCases) { $1.write(to: &$0) }
                default:
                    result.name("tools")
                    result.array(of: tools) { $1.definition.write(to: &$0) }
                }
                era.writeMembers(to: &result)
                era.writeCacheMembers(to: &result)
            }
        }
    }

    private func prompt(_ id: ContextRequestID, _ params: JSONValue, _ era: ContextEra) throws(ContextFault) -> [UInt8] {
        guard let prompt = params["name"]?.string.flatMap({ ContextPrompt(rawValue: $0.description) }) else {
            throw ContextFault(
                .invalidParams, "this server has the prompts \(ContextPrompt.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        let note = params["arguments"]?["note"]?.string.map { SafeText.quoted($0.description) }
        if prompt.note != nil, note == nil {
            throw ContextFault(.invalidParams, "the prompt \(prompt.rawValue) needs the argument note")
        }
        return ContextResponse.result(id) { result in
            result.object { result in
                result.member("description", prompt.about)
                result.name("messages")
                result.array { messages in
                    messages.object { message in
                        message.member("role", "user")
                        message.name("content")
                        message.object { content in
                            content.member("type", "text")
                            content.member("text", prompt.text(note: note))
                        }
                    }
                }
                era.writeMembers(to: &result)
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
    /// A picture after the text, for agents that see pictures.
    var picture: Picture?

    struct Picture {
        let type: PictureType
        let bytes: [UInt8]
    }

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
            guard let picture else { return }
            content.object { item in
                item.member("type", "image")
                item.member("data", text: Base64.text(of: picture.bytes))
                item.member("mimeType", picture.type.rawValue)
            }
        }
        if let structured { result.member("structuredContent", json: structured) }
        result.member("isError", structured == nil)
    }
}
