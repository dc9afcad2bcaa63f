import NoteText
import NotesWire
import StrictJSON

/// One message of the editor.
enum LanguageMessage {
    case request(LanguageRequestID, method: String, params: JSONValue)
    case notification(method: String, params: JSONValue)
    /// A response. Nothing depends on the responses to what the server requests.
    case response
    /// A body that is not a message. The id is nil if it has no valid one.
    case fault(LanguageRequestID?, LanguageFault)

    init(parsing body: [UInt8]) {
        let value: JSONValue
        do throws(JSONFault) {
            value = try JSONDocument(parsing: body, depthMax: LanguageProtocol.depthMax).root
        } catch {
            self = .fault(nil, LanguageFault(.parseError, "byte \(error.offset): \(error)"))
            return
        }
        self.init(value)
    }

    private init(_ value: JSONValue) {
        guard value.kind == .object else {
            self = .fault(nil, LanguageFault(.invalidRequest, "a message is one JSON object; batches are not supported"))
            return
        }
        let id = value["id"].flatMap { LanguageRequestID($0) }
        guard value["jsonrpc"]?.string == "2.0" else {
            self = .fault(id, LanguageFault(.invalidRequest, #"the member "jsonrpc" must be "2.0""#))
            return
        }
        guard let method = value["method"] else {
            let isResponse = value["result"] != nil || value["error"] != nil
            self = isResponse ? .response : .fault(id, LanguageFault(.invalidRequest, #"the member "method" is missing"#))
            return
        }
        guard let method = method.string?.description else {
            self = .fault(id, LanguageFault(.invalidRequest, #"the member "method" must be a string"#))
            return
        }
        let sent = value["params"].flatMap { $0.isNull ? nil : $0 } ?? JSONDocument.emptyObject.root
        guard value["id"] != nil else {
            self = .notification(method: method, params: sent)
            return
        }
        guard let id else {
            let reason = #"the member "id" must be a number or a string of at most \#(LanguageProtocol.idBytesMax) bytes"#
            self = .fault(nil, LanguageFault(.invalidRequest, reason))
            return
        }
        self = .request(id, method: method, params: sent)
    }
}
