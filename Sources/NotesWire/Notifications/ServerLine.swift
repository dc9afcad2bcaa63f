import NotesModel

/// What one line of the daemon comes to, for a client.
package enum ServerLine: Sendable {
    /// Read on with the `WireResult` of the method that was asked.
    case result(id: RequestID, JSONValue)
    /// `id` is nil where the daemon could not read the request's own.
    case failure(id: RequestID?, WireError)
    case notification(ServerNotification)

    /// Reads a line, without its LF. Members that are not known are left unread.
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

/// A line that no daemon of this protocol sends.
package enum ServerLineFault: Error, Hashable {
    case notJSON(JSONFault)
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
    /// A kind that this client does not know is told by its code alone; it is taken for a fault of the daemon's.
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
