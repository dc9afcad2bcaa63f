import NotesModel
import NotesWire
import Testing

/// What must come back for one line.
extension ServerLine {
    /// The refusal; nil for anything else.
    var refusal: (id: RequestID?, error: WireError)? {
        if case .failure(let id, let error) = self { (id, error) } else { nil }
    }

    var result: JSONValue? {
        if case .result(_, let value) = self { value } else { nil }
    }
}

/// A JSON string.
func quoted(_ bytes: [UInt8]) -> String {
    var writer = JSONWriter()
    writer.string(bytes)
    return String(decoding: writer.bytes, as: UTF8.self)
}

/// A request's line without its LF, with any bytes as params.
func request(_ id: Int, _ method: String, _ params: [UInt8]) -> [UInt8] {
    Array(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":"#.utf8) + params + [UInt8(ascii: "}")]
}
