import NotesModel
import NotesWire
import StrictJSON
import Testing

/// The expected response to one line.
extension ServerLine {
    /// The expected error; nil for anything else.
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

/// A request line without its LF, with arbitrary bytes as params.
func request(_ id: Int, _ method: String, _ params: [UInt8]) -> [UInt8] {
    Array(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":"#.utf8) + params + [UInt8(ascii: "}")]
}
