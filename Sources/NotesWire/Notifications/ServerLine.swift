import NoteText
package import StrictJSON

/// A line from the daemon, as a client reads it.
package enum ServerLine: Sendable {
    /// A successful response. The caller reads the value as the `WireResult` of the request's
    /// method.
    case result(id: RequestID, JSONValue)
    /// An error response. `id` is nil if the daemon could not read the request's id.
    case failure(id: RequestID?, WireError)
    /// A line that is not a response.
    case notification(ServerNotification)

    /// Reads a line without its LF. Unknown members are ignored.
    ///
    /// - Throws: `ServerLineFault` if the line breaks the protocol.
    package init(parsing line: [UInt8]) throws(ServerLineFault) {
        let root: JSONValue
        do throws(JSONFault) {
            root = try JSONDocument(parsing: line, depthMax: WireProtocol.serverDepthMax).root
        } catch {
            throw .notJSON(error)
        }
        do throws(ParamFault) {
            self = try Self.read(root)
        } catch {
            throw .unreadable(error)
        }
    }

    private static func read(_ root: JSONValue) throws(ParamFault) -> ServerLine {
        if let method = try root.optional("method", Param.string) {
            let params = root["params"] ?? JSONDocument.emptyObject.root
            do throws(ParamFault) {
                return .notification(try ServerNotification(method: method, params: params))
            } catch {
                throw error.inside("params")
            }
        }
        let id = try root.required("id") { (value) throws(ParamFault) -> RequestID? in
            guard value.isNull || RequestID(value) != nil else { throw ParamFault(path: "", reason: "is not a request id") }
            return RequestID(value)
        }
        if let error = try root.optional("error", WireError.init(reading:)) { return .failure(id: id, error) }
        guard let id else { throw ParamFault(path: "id", reason: "is null; a result must have the id of its request") }
        return .result(id: id, try root.required("result") { (value) throws(ParamFault) in value })
    }
}

/// The reason why a line from a daemon breaks the protocol.
package enum ServerLineFault: Error, Hashable {
    /// The line is not JSON.
    case notJSON(JSONFault)
    /// A member is missing or has the wrong type.
    case unreadable(ParamFault)
}

extension ServerLineFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notJSON(let fault): "byte \(fault.offset) of a line from the daemon: \(fault)"
        case .unreadable(let fault): "\(fault.path) in a line from the daemon \(fault.reason)"
        }
    }
}

extension WireError {
    /// Reads an error. One with an unknown code becomes `internal`, with the code in its message.
    init(reading value: JSONValue) throws(ParamFault) {
        let code = try value.required("code", Param.integer)
        let message = try value.required("message", Param.string)
        let kind = ErrorKind.allCases.first { $0.code == code }
        let data = value["data"] ?? JSONDocument.emptyObject.root
        self.init(
            kind ?? .internal, kind == nil ? "error \(code): \(message)" : message.description,
            isRetryable: try data.optional("retryable", Param.bool), details: try Detail.read(data))
    }
}

extension WireError.Detail {
    fileprivate static func read(_ data: JSONValue) throws(ParamFault) -> [WireError.Detail] {
        var details: [WireError.Detail] = []
        if let path = try data.optional("path", Param.string) { details.append(.path(path.description)) }
        if let offset = try data.optional("offset", Param.count) { details.append(.offset(offset)) }
        if let version = try data.optional("version", Param.version) { details.append(.version(version)) }
        if let known = try data.optional("known", Param.version) { details.append(.known(known)) }
        if let id = try data.optional("id", Param.noteID) { details.append(.id(id)) }
        if let supported = try data.optional("supported", Param.array(Param.count)) { details.append(.supported(supported)) }
        if let index = try data.optional("index", Param.count) { details.append(.index(index)) }
        if let bytes = try data.optional("bytes", Param.count) { details.append(.bytes(bytes)) }
        if let limit = try data.optional("limit", Param.count) { details.append(.limit(limit)) }
        return details
    }
}
