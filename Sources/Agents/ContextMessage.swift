import NoteText
import NotesModel
import NotesWire
import StrictJSON

/// One line of the client.
enum ContextMessage {
    case request(ContextRequestID, method: String, params: JSONValue)
    /// A notification, or a response, which nobody waits for because the server sends no requests.
    case unanswered
    /// A line that is not a message. The id is nil if the line has no valid one.
    case fault(ContextRequestID?, ContextFault)

    init(parsing line: [UInt8]) {
        let value: JSONValue
        do throws(JSONFault) {
            value = try JSONDocument(parsing: line, depthMax: ContextProtocol.depthMax).root
        } catch {
            self = .fault(nil, ContextFault(.parseError, "byte \(error.offset): \(error)"))
            return
        }
        self.init(value)
    }

    private init(_ value: JSONValue) {
        guard value.kind == .object else {
            self = .fault(nil, ContextFault(.invalidRequest, "a message is one JSON object; batches are not supported"))
            return
        }
        let id = value["id"].flatMap { ContextRequestID($0) }
        guard value["jsonrpc"]?.string == "2.0" else {
            self = .fault(id, ContextFault(.invalidRequest, #"the member "jsonrpc" must be "2.0""#))
            return
        }
        guard let method = value["method"] else {
            let isResponse = value["result"] != nil || value["error"] != nil
            self = isResponse ? .unanswered : .fault(id, ContextFault(.invalidRequest, #"the member "method" is missing"#))
            return
        }
        guard let method = method.string else {
            self = .fault(id, ContextFault(.invalidRequest, #"the member "method" must be a string"#))
            return
        }
        guard value["id"] != nil else {
            self = .unanswered
            return
        }
        guard let id else {
            let reason = #"the member "id" must be a number or a string of at most \#(ContextProtocol.idBytesMax) bytes"#
            self = .fault(nil, ContextFault(.invalidRequest, reason))
            return
        }
        let params = value["params"] ?? JSONDocument.emptyObject.root
        guard params.kind == .object else {
            self = .fault(id, ContextFault(.invalidParams, #"the member "params" must be an object"#))
            return
        }
        self = .request(id, method: method.description, params: params)
    }
}
